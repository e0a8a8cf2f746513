#pragma once
// SHA-256 (FIPS 180-4): what a file is, so that nobody can make another one with the same sum.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

class Sha256 {
public:
    void add(const void* data, std::size_t bytes);
    /// 64 hexadecimal digits; nothing may be added afterwards.
    std::string finish();

private:
    void block(const unsigned char* data);

    std::array<std::uint32_t, 8> m_state{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                         0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
    std::array<unsigned char, 64> m_rest{};  ///< what does not fill a block yet
    std::uint64_t m_bytes = 0;
};

/// Whether `text` is 64 hexadecimal digits in lower case.
bool isSha256(std::string_view text);

}  // namespace plumbline
