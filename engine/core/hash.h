#pragma once
// Content hashes (XXH3, 64 and 128 bits): fingerprints of data, not protection against forgery.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

std::uint64_t hash64(const void* data, std::size_t bytes, std::uint64_t seed = 0);
inline std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) {
    return hash64(text.data(), text.size(), seed);
}
/// 16 hexadecimal digits.
std::string toHex(std::uint64_t value);

}  // namespace plumbline
