#pragma once
// What an input is before its transforms, for programs that prepare it without this module: what an export writes down.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/value_type.h"

namespace plumbline::data {

/// How a field is made from what a person has: what Source::parse() does, in words.
struct RawForm {
    enum class Kind {
        kValues,   ///< the values alone
        kColumn,   ///< a cell of a table: a number, or a text that stands for a class
        kPicture,  ///< an image file, resized to [C, H, W]
    };
    Kind kind = Kind::kValues;
    std::string source;                   ///< name of the source; filled in by the dataset
    std::string column;                   ///< kColumn: its name,
    std::size_t position = 0;             ///< its place in a row of the file,
    std::size_t fileColumns = 0;          ///< how many columns the file has,
    std::vector<std::string> categories;  ///< the texts by class where it is no number
    std::string fill;                     ///< what stands in a gap's place, as the file would write it; empty: nothing
    char delimiter = ',';
    char decimal = '.';
    std::uint8_t white = 255;  ///< kPicture: what 255 of the file becomes
};

struct RawInput {
    std::string name;            ///< of the input
    ValueType type;              ///< of the raw value
    std::vector<RawForm> parts;  ///< what it is made of, side by side
};

}  // namespace plumbline::data
