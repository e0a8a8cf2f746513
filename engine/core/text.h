#pragma once
// What a text may be.

#include <string_view>

namespace plumbline {

/// Whether `text` is well-formed UTF-8 without NUL, as every text in a JSON document has to be.
bool isUtf8(std::string_view text);

}  // namespace plumbline
