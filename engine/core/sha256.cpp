#include "core/sha256.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstring>

namespace plumbline {
namespace {

constexpr std::size_t kBlock = 64;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U, 0xab1c5ed5U,
    0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU, 0x9bdc06a7U, 0xc19bf174U,
    0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU, 0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU,
    0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U, 0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U,
    0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU, 0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U,
    0xa2bfe8a1U, 0xa81a664bU, 0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U,
    0x19a4c116U, 0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U, 0xc67178f2U};

std::uint32_t bigEndian(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | std::uint32_t{at[3]};
}

}  // namespace

void Sha256::block(const unsigned char* data) {
    std::array<std::uint32_t, 64> words{};
    for (std::size_t i = 0; i < 16; ++i) {
        words[i] = bigEndian(data + 4 * i);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        const std::uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t first =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> change{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < change.size(); ++i) {
        m_state[i] += change[i];
    }
}

void Sha256::add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    const std::size_t held = m_bytes % kBlock;
    m_bytes += bytes;
    if (held > 0) {
        const std::size_t taken = std::min(bytes, kBlock - held);
        std::memcpy(m_rest.data() + held, at, taken);
        at += taken;
        bytes -= taken;
        if (held + taken < kBlock) {
            return;
        }
        block(m_rest.data());
    }
    for (; bytes >= kBlock; at += kBlock, bytes -= kBlock) {
        block(at);
    }
    if (bytes > 0) {
        std::memcpy(m_rest.data(), at, bytes);
    }
}

std::string Sha256::finish() {
    const std::uint64_t bits = m_bytes * 8;
    std::array<unsigned char, 2 * kBlock> end{0x80};
    const std::size_t held = m_bytes % kBlock;
    const std::size_t padding = (held < 56 ? 56 : 120) - held;
    for (std::size_t i = 0; i < 8; ++i) {
        end[padding + i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    }
    add(end.data(), padding + 8);
    std::string text;
    for (const std::uint32_t word : m_state) {
        text += fmt::format("{:08x}", word);
    }
    return text;
}

bool isSha256(std::string_view text) {
    return text.size() == 64 && std::all_of(text.begin(), text.end(),
                                            [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace plumbline
