#pragma once
// What a text may be, and how a person's names and values go into a sentence.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

/// A number as every sentence spells it: so many significant digits; "nan" whatever its sign, "inf" and "-inf".
std::string numberText(double value, int digits = 6);

/// Whether `text` is well-formed UTF-8 without NUL, as every text in a JSON document has to be.
bool isUtf8(std::string_view text);
/// Whether there is a line feed, a tab, an escape or another control character in it.
bool hasControlCharacter(std::string_view text);
/// With a space in place of each control character and of each that turns the order of letters: what a file or a person
/// named cannot steer a terminal, and reads as it is.
std::string oneLine(std::string text);

/// As much of a name or a value as a sentence can take: past `most` bytes cut between two characters, with "…" behind
/// it.
std::string shortened(std::string_view text, std::size_t most = 80);
/// A sentence in which whatever stands in quotation marks is shortened.
std::string withShortQuotes(const std::string& sentence);
/// As a shell takes it for one word: plain words as they are, others in single quotes.
std::string shellQuoted(std::string_view text);
/// "1 epoch", "2 epochs"; `many` where it is not made with an s.
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});

}  // namespace plumbline
