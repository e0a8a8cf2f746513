#include "core/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace plumbline {

std::uint64_t hash64(const void* data, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, bytes, seed);
}

std::string toHex(std::uint64_t value) {
    return fmt::format("{:016x}", value);
}

}  // namespace plumbline
