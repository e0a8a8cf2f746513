#include "core/text.h"

#include <gtest/gtest.h>
#include <array>
#include <cstdio>

#include "core/csv_field.h"
#include "core/error.h"

using namespace plumbline;

TEST(Text, WhatIsTooLongIsCutBetweenTwoCharacters) {
    EXPECT_EQ(shortened("short"), "short");
    EXPECT_EQ(shortened(std::string(80, 'a')), std::string(80, 'a'));
    EXPECT_EQ(shortened(std::string(81, 'a')), std::string(80, 'a') + "…");
    for (std::size_t most = 0; most < 12; ++most) {
        const std::string cut = shortened("häßliche Namen", most);
        EXPECT_TRUE(isUtf8(cut)) << most;
        EXPECT_LE(cut.size(), most + 3) << most;
    }
}

TEST(Text, OnlyWhatStandsInQuotesIsShortened) {
    const std::string name(5000, 'n');
    EXPECT_EQ(withShortQuotes("There is no \"" + name + "\" in \"x\", " + name),
              "There is no \"" + std::string(80, 'n') + "…\" in \"x\", " + name);
    for (const char* plain : {"", "\"", "a \" b", "no quotes", "\"\""}) {
        EXPECT_EQ(withShortQuotes(plain), plain);
    }
}

TEST(Text, AFieldOfATableIsQuotedWhereItWouldEndARow) {
    EXPECT_EQ(csvField("train.loss"), "train.loss");
    EXPECT_EQ(csvField(""), "");
    EXPECT_EQ(csvField("lr/layer conv, no weight decay"), "\"lr/layer conv, no weight decay\"");
    EXPECT_EQ(csvField("a \"b\""), "\"a \"\"b\"\"\"");
    EXPECT_EQ(csvField("a\rb"), "\"a\rb\"");
    EXPECT_EQ(csvField("a\nb"), "\"a\nb\"");
}

TEST(Text, AShellReadsAQuotedWordAsItWas) {
    EXPECT_EQ(shellQuoted("projects/wine-2.csv"), "projects/wine-2.csv");
    EXPECT_EQ(shellQuoted("äöü"), "äöü");
    for (const std::string word : {"", "my wines", "it's", "$HOME", "a;b", "*", "~", "#x", "a\nb", "\"q\"", "`x`",
                                   "back\\slash", "-n", "tab\tit", "'"}) {
        const std::string command = "printf %s. " + shellQuoted(word);
        std::FILE* const pipe = popen(command.c_str(), "r");
        ASSERT_NE(pipe, nullptr);
        std::array<char, 256> output{};
        const std::size_t got = std::fread(output.data(), 1, output.size(), pipe);
        EXPECT_EQ(pclose(pipe), 0) << command;
        EXPECT_EQ(std::string(output.data(), got), word + ".") << command;
    }
}

TEST(Text, OneIsNoPlural) {
    EXPECT_EQ(counted(1, "epoch"), "1 epoch");
    EXPECT_EQ(counted(0, "epoch"), "0 epochs");
    EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
    EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
}

TEST(Text, ControlCharactersAreFoundAndMadeHarmless) {
    for (const char* steering : {"a\nb", "a\tb", "\x1b[31mred", "a\x7f",
                                 "a\xc2\x9b"
                                 "b"}) {
        EXPECT_TRUE(hasControlCharacter(steering)) << steering;
        EXPECT_FALSE(hasControlCharacter(oneLine(steering)));
    }
    for (const char* plain : {"", "a b", "naïve ü", "学习"}) {
        EXPECT_FALSE(hasControlCharacter(plain)) << plain;
        EXPECT_EQ(oneLine(plain), plain);
    }
}

TEST(Text, WhatIsShownOnOneLineReadsInItsOrder) {
    // U+202E shows the letters behind it from right to left: "evil.gnp" for "evil\u202epng.exe" and the like.
    EXPECT_EQ(oneLine("evil\u202egnp.pt2"), "evil gnp.pt2");
    for (const char* turning : {"\u2028", "\u2029", "\u202a", "\u202d", "\u2066", "\u2069"}) {
        EXPECT_EQ(oneLine(std::string("a") + turning + "b"), "a b");
    }
    for (const char* plain : {"\u2027", "\u202f", "\u2065", "\u206a", "…", "\xE2", "\xE2\x80"}) {
        EXPECT_EQ(oneLine(plain), plain);
    }
}

TEST(Text, AnErrorNamesItsPlaceOnce) {
    EXPECT_EQ(toSentence({ErrorKind::kInvalid, "x", "Cannot read /a/b: it is a folder", "/a/b", "Name a file."}),
              "Cannot read /a/b: it is a folder. Name a file.");
    EXPECT_EQ(toSentence({ErrorKind::kInvalid, "x", "It is a folder", "/a/b", "Name a file."}),
              "It is a folder (/a/b). Name a file.");
    EXPECT_EQ(toSentence({ErrorKind::kInvalid, "x", "It is a folder.", "/a/b", "Name a file."}),
              "It is a folder (/a/b). Name a file.");
    EXPECT_EQ(toSentence({ErrorKind::kInvalid, "x", "It is a folder.", "/a/b", ""}), "It is a folder (/a/b).");
}
