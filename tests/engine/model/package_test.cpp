// Packages of compiled code as leaves: nothing of them runs unasked, and nothing goes in or comes out that was not
// declared.

#include <ATen/autocast_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "blocks/register.h"
#include "model/build_stop.h"
#include "model/leaf.h"
#include "model/model.h"
#include "support/test_package.h"

namespace plumbline::model {
namespace {

using plumbline::testing::trustIt;
using plumbline::testing::writePackage;

class PackageLeaf : public ::testing::Test {
protected:
    PackageLeaf() { writePackage(file()); }

    std::filesystem::path file() const { return m_folder / "f.pt2"; }
    /// [B, 4] goes through a package; `inputs`: how many of them.
    Result<std::unique_ptr<Model>> build(int inputs = 1, const std::string& first = "[\"B\", 4]") const {
        std::string given, sources, declared;
        for (int i = 0; i < inputs; ++i) {
            const std::string name = "x" + std::to_string(i), comma = i == 0 ? "" : ", ";
            given += comma + "\"" + name + "\": {\"shape\": " + first + ", \"dtype\": \"float32\"}";
            sources += comma + "\"" + name + "\"";
            declared += comma + "float32 [B, 4]";
        }
        const auto json =
            parseJson("{\"graph\": {\"inputs\": {" + given +
                          "}, \"nodes\": {\"package\": {\"type\": \"AOTIPackage\", \"from\": [" + sources +
                          "], \"params\": {\"path\": \"" + file().string() + "\", \"inputs\": \"" + declared +
                          "\", \"output\": \"float32 [B, 4]\"}}}, \"outputs\": {\"y\": \"package\"}}}",
                      "model");
        EXPECT_TRUE(json.has_value());
        return Model::build(graph::resolve(graph::readDocument(*json).value(), blocks::builtinBlocks()), {});
    }
    /// What a run of a package that behaves so ends in.
    std::string messageOf(const std::string& behaviour) {
        writePackage(file(), behaviour);
        trustIt(file());
        auto model = build();
        if (!model) {
            return model.error().message;
        }
        const auto outputs = (*model)->forward({at::ones({2, 4})});
        return outputs ? std::string("it ran") : outputs.error().message;
    }

    plumbline::testing::PrivateTrust m_trust;
    plumbline::testing::TemporaryFolder m_folder;
};

TEST_F(PackageLeaf, RunsOnlyOnceItsFileIsTrusted) {
    const auto refused = build();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "package-not-trusted");
    EXPECT_EQ(refused.error().where, "/model/graph/nodes/package");
    EXPECT_NE(refused.error().message.find(sumOf(file()).value().sha256), std::string::npos);
    EXPECT_NE(refused.error().hint.find("plumbline trust"), std::string::npos);
    trustIt(file());
    EXPECT_TRUE(build().has_value());
    // Another file is not trusted for having its name.
    writePackage(file(), "fails");
    EXPECT_EQ(build().error().code, "package-not-trusted");
}

TEST_F(PackageLeaf, GivesWhatTheCodeComputesForBatchesOfAnySizeAndAnyStrides) {
    trustIt(file());
    auto model = build();
    ASSERT_TRUE(model.has_value()) << toSentence(model.error());
    EXPECT_TRUE((*model)->parameters().empty());
    EXPECT_TRUE((*model)->stateDict().empty());
    EXPECT_EQ((*model)->graph().nodes[0].params.at(kContentHash), sumOf(file()).value().sha256);
    for (const std::int64_t batch : {1, 2, 7}) {
        const at::Tensor x = at::arange(batch * 4, at::kFloat).reshape({4, batch}).t();
        const auto outputs = (*model)->forward({x});
        ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
        EXPECT_TRUE(at::equal((*outputs)[0], x * 2 + 1));
    }
    auto two = build(2);
    ASSERT_TRUE(two.has_value());
    const auto sum = (*two)->forward({at::ones({3, 4}), at::full({3, 4}, 5.0)});
    ASSERT_TRUE(sum.has_value()) << toSentence(sum.error());
    EXPECT_TRUE(at::equal((*sum)[0], at::full({3, 4}, 8.0)));
}

TEST_F(PackageLeaf, PassesNoGradientAndComputesInItsOwnDtypeUnderAutocast) {
    trustIt(file());
    auto model = build();
    ASSERT_TRUE(model.has_value());
    const at::Tensor x = at::ones({2, 4}).set_requires_grad(true);
    EXPECT_FALSE((*model)->forward({x}).value()[0].requires_grad());
    at::autocast::set_autocast_enabled(at::kCPU, true);
    const auto half = (*model)->forward({at::ones({2, 4}).to(at::kBFloat16)});
    at::autocast::set_autocast_enabled(at::kCPU, false);
    ASSERT_TRUE(half.has_value()) << toSentence(half.error());
    EXPECT_EQ((*half)[0].scalar_type(), at::kFloat);
}

TEST_F(PackageLeaf, WhatIsNotDeclaredDoesNotGoIn) {
    trustIt(file());
    // The graph's input is open where the package's is not: what comes is looked at before the code sees it.
    auto model = build(1, "[\"B\", 4]");
    ASSERT_TRUE(model.has_value());
    const auto failing = [&](const at::Tensor& x) {
        const auto outputs = (*model)->forward({x});
        return outputs ? std::string() : outputs.error().message;
    };
    EXPECT_NE(failing(at::ones({2, 5})), "");
    EXPECT_NE(failing(at::ones({2, 4}).to(at::kDouble)).find("takes float32 [B, 4] and gets float64 [2, 4]"),
              std::string::npos);
    EXPECT_NE(failing(at::ones({2, 4}).to(at::kLong)).find("takes float32 [B, 4] and gets int64 [2, 4]"),
              std::string::npos);
    EXPECT_EQ(failing(at::ones({2, 4})), "") << "an error leaves nothing behind";
    auto two = build(2, "[\"A\", \"C\"]");
    EXPECT_FALSE(two.has_value()) << "a size that is not known is not 4";
}

TEST_F(PackageLeaf, ALeafLooksAtWhatItGetsByItself) {
    trustIt(file());
    const auto leaf = leafBuilders().at("AOTIPackage")(
        Json{{"path", file().string()}, {"inputs", "float32 [B, 4], float32 [B, 4]"}, {"output", "float32 [B, 4]"}});
    const auto run = [&](const at::Tensor& a, const at::Tensor& b) {
        const at::Tensor* const inputs[] = {&a, &b};
        at::Tensor output;
        leaf->forward({inputs, {&output, 1}, false});
        return output;
    };
    EXPECT_TRUE(at::equal(run(at::ones({2, 4}), at::ones({2, 4})), at::full({2, 4}, 4.0)));
    EXPECT_THROW(run(at::ones({2, 4}), at::ones({3, 4})), std::invalid_argument) << "B is one size";
    EXPECT_THROW(run(at::ones({2, 3}), at::ones({2, 4})), std::invalid_argument);
    EXPECT_THROW(run(at::ones({2, 4, 1}), at::ones({2, 4})), std::invalid_argument);
}

TEST_F(PackageLeaf, ThatWasCompiledForOtherInputsThanItsBlockDeclaresIsRefusedWhenItIsBuilt) {
    for (const auto& [behaviour, reason, hint] :
         {std::array{"compiled for 8", "unmatched dim value at 1, expected: 8, but got: 4", "the block's inputs"},
          std::array{"channels last", "unmatched stride value at 1", "contiguous"}}) {
        writePackage(file(), behaviour);
        trustIt(file());
        const auto model = build();
        ASSERT_FALSE(model.has_value()) << behaviour;
        EXPECT_EQ(model.error().code, "package-mismatch");
        EXPECT_EQ(model.error().where, "/model/graph/nodes/package");
        EXPECT_NE(model.error().message.find(reason), std::string::npos) << model.error().message;
        EXPECT_NE(model.error().message.find("input 1, float32 [B, 4]"), std::string::npos) << model.error().message;
        EXPECT_NE(model.error().hint.find(hint), std::string::npos) << model.error().hint;
    }
    writePackage(file(), "one input");
    trustIt(file());
    EXPECT_TRUE(build(1).has_value());
    const auto two = build(2);
    ASSERT_FALSE(two.has_value());
    EXPECT_NE(two.error().message.find("refuses 2 inputs: expected inputs vector size to be 1"), std::string::npos)
        << two.error().message;
}

TEST_F(PackageLeaf, TakesABatchOf1AndNoneSmallerThanItWasCompiledFor) {
    const auto messageFor = [&](std::int64_t batch, const std::string& behaviour) {
        writePackage(file(), behaviour);
        trustIt(file());
        auto model = build();
        if (!model) {
            return toSentence(model.error());
        }
        const auto outputs = (*model)->forward({at::ones({batch, 4})});
        return outputs ? std::string() : outputs.error().message;
    };
    EXPECT_EQ(messageFor(1, "compares"), "") << "what the code is asked before has no say in what it computes";
    EXPECT_EQ(messageFor(6, "from 6 on"), "");
    EXPECT_NE(messageFor(5, "from 6 on").find("compiled for B from 6 on, and gets 5"), std::string::npos);
    // A batch of 1 may be declared as such too.
    writePackage(file(), "compares");
    trustIt(file());
    EXPECT_NO_THROW(leafBuilders().at("AOTIPackage")(
        Json{{"path", file().string()}, {"inputs", "float32 [1, 4]"}, {"output", "float32 [1, 4]"}}));
}

TEST_F(PackageLeaf, WhatWritesIntoItsInputWritesIntoACopy) {
    writePackage(file(), "writes its input");
    trustIt(file());
    auto model = build();
    ASSERT_TRUE(model.has_value()) << toSentence(model.error());
    const at::Tensor x = at::ones({2, 4});
    const at::Tensor y = (*model)->forward({x}).value()[0];
    EXPECT_EQ(y[0][0].item<float>(), 155) << "it does write";
    EXPECT_TRUE(at::equal(x, at::ones({2, 4})));
}

TEST_F(PackageLeaf, WhatIsNotDeclaredDoesNotComeOut) {
    EXPECT_NE(messageOf("wrong shape").find("gives float32 [2, 5] and the block declares float32 [B, 4]"),
              std::string::npos);
    EXPECT_NE(messageOf("wrong dtype").find("gives float64 [2, 4] and the block declares float32 [B, 4]"),
              std::string::npos);
    EXPECT_NE(messageOf("two outputs").find("gives 2 outputs"), std::string::npos);
}

TEST_F(PackageLeaf, CodeThatFailsIsAnErrorOfItsBlock) {
    for (const char* behaviour : {"throws", "fails"}) {
        const std::string message = messageOf(behaviour);
        EXPECT_TRUE(message.starts_with("The block package (AOTIPackage) failed on float32 [2, 4]: ")) << message;
    }
    EXPECT_NE(messageOf("does not start").find("could not be loaded"), std::string::npos);
}

TEST_F(PackageLeaf, AnInputGivenOutAgainIsACopy) {
    writePackage(file(), "gives its input");
    trustIt(file());
    auto model = build();
    ASSERT_TRUE(model.has_value());
    const at::Tensor x = at::ones({2, 4});
    const at::Tensor y = (*model)->forward({x}).value()[0];
    y.add_(1);
    EXPECT_TRUE(at::equal(x, at::ones({2, 4})));
}

TEST_F(PackageLeaf, AFileThatIsNoPackageOrNoLibraryIsASentenceEvenIfTrusted) {
    const auto codeOf = [&](const std::string& content) {
        EXPECT_TRUE(writeFileAtomically(file(), content).has_value());
        trustIt(file());
        const auto model = build();
        if (model) {
            return std::string("it was built");
        }
        EXPECT_EQ(model.error().message.find("plumbline-package-"), std::string::npos)
            << "it names a file that is gone: " << model.error().message;
        return model.error().code;
    };
    using plumbline::testing::packageMembers;
    using plumbline::testing::zipOf;
    const std::string whole = readFile(file()).value();
    EXPECT_EQ(codeOf("no zip"), "not-a-zip");
    EXPECT_EQ(codeOf(whole.substr(0, whole.size() / 2)), "not-a-zip");
    EXPECT_EQ(codeOf(zipOf({{"a", "b"}, {"c", "d"}})), "not-a-package");
    EXPECT_EQ(codeOf(zipOf(packageMembers("no library"))), "package-not-loaded");
    auto outside = packageMembers("code");
    outside.push_back({"test/data/aotinductor/model/../../../../escaped", "x"});
    EXPECT_EQ(codeOf(zipOf(outside)), "damaged-zip");
    EXPECT_EQ(codeOf(zipOf(packageMembers("code", "", R"({"AOTI_DEVICE_KEY": "cuda"})"))), "package-elsewhere");
    std::filesystem::remove(file());
    EXPECT_EQ(build().error().code, "file-missing");
}

TEST_F(PackageLeaf, LeavesNoTemporaryFileBehindWhileItRunsNorWhenItIsRefused) {
    const plumbline::testing::TemporaryFolder temporary;
    const char* const before = std::getenv("TMPDIR");
    const std::string beforeText = before != nullptr ? before : "";
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    const auto left = [&] {
        std::string names;
        for (const auto& entry : std::filesystem::directory_iterator(temporary.path())) {
            names += entry.path().filename().string() + " ";
        }
        return names;
    };
    trustIt(file());
    {
        auto model = build();
        ASSERT_TRUE(model.has_value()) << toSentence(model.error());
        EXPECT_EQ(build(2).has_value(), true);
        EXPECT_EQ(left(), "") << "what ends now leaves it";
        EXPECT_TRUE((*model)->forward({at::ones({2, 4})}).has_value());
        EXPECT_EQ(std::getenv("TMPDIR"), temporary.path().string());
    }
    for (const char* behaviour : {"does not start", "compiled for 8"}) {
        writePackage(file(), behaviour);
        EXPECT_FALSE(build().has_value());
        trustIt(file());
        EXPECT_FALSE(build().has_value());
        EXPECT_EQ(left(), "") << behaviour;
    }
    before != nullptr ? ::setenv("TMPDIR", beforeText.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_F(PackageLeaf, RemovesWhatAProcessThatWasKilledWhileItLoadedLeftBehind) {
    const plumbline::testing::TemporaryFolder temporary;
    const char* const before = std::getenv("TMPDIR");
    const std::string beforeText = before != nullptr ? before : "";
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    const std::filesystem::path left = temporary / "plumbline-package-1-aB3dE6";
    std::filesystem::create_directories(left / "random" / "data");
    EXPECT_TRUE(writeFileAtomically(left / "random" / "data" / "code.so", "code").has_value());
    trustIt(file());
    EXPECT_TRUE(build().has_value());
    EXPECT_FALSE(std::filesystem::exists(left));
    before != nullptr ? ::setenv("TMPDIR", beforeText.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_F(PackageLeaf, IsAskedAboutBeforeAnythingOfItIsCopiedAndCanBeStopped) {
    const char* const before = std::getenv("TMPDIR");
    const std::string beforeText = before != nullptr ? before : "";
    ::setenv("TMPDIR", (m_folder / "no room here").c_str(), 1);
    EXPECT_EQ(build().error().code, "package-not-trusted");
    trustIt(file());
    EXPECT_NE(build().error().code, "package-not-trusted") << "a copy is made where there is no folder";
    before != nullptr ? ::setenv("TMPDIR", beforeText.c_str(), 1) : ::unsetenv("TMPDIR");
    RunControl control;
    const StopWhileBuilding stop(&control);
    EXPECT_TRUE(build().has_value());
    control.requestStop();
    EXPECT_EQ(build().error().code, "stopped");
}

}  // namespace
}  // namespace plumbline::model
