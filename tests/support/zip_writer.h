#pragma once
// Zip files for tests, true ones and ones that lie.

#include <zlib.h>
#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::testing {

struct ZipMember {
    std::string name;
    std::string content;
    std::uint32_t claimedBytes = 0;   ///< unpacked; 0: what it is
    std::uint32_t claimedOffset = 0;  ///< 0: where it is
    std::uint16_t method = 0;         ///< 8: `content` is deflated already, and claimedBytes what it unpacks to
    std::uint16_t flags = 0;
    bool wrongChecksum = false;
    bool zip64 = false;  ///< its sizes stand in a zip64 field
};

template <class Number>
std::string littleEndian(Number value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        bytes += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
    return bytes;
}

inline std::uint32_t checksumOf(const std::string& content) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

/// `plain`: what deflated members unpack to, for their checksums.
inline std::string zipOf(const std::vector<ZipMember>& members, const std::string& plain = {}) {
    const auto u16 = [](std::size_t value) { return littleEndian(static_cast<std::uint16_t>(value)); };
    const auto u32 = [](std::size_t value) { return littleEndian(static_cast<std::uint32_t>(value)); };
    std::string file, directory;
    for (const ZipMember& member : members) {
        const std::uint32_t checksum =
            checksumOf(member.method == 8 ? plain : member.content) ^ (member.wrongChecksum ? 1U : 0U);
        const std::uint32_t bytes =
            member.claimedBytes != 0 ? member.claimedBytes : static_cast<std::uint32_t>(member.content.size());
        const std::string extra = member.zip64 ? u16(1) + u16(16) + littleEndian(std::uint64_t{bytes}) +
                                                     littleEndian(std::uint64_t{member.content.size()})
                                               : std::string();
        const std::string sizes = member.zip64 ? std::string(8, '\xff') : u32(member.content.size()) + u32(bytes);
        const std::string common = u16(20) + u16(member.flags) + u16(member.method) + u32(0) + u32(checksum) + sizes +
                                   u16(member.name.size()) + u16(extra.size());
        const std::size_t offset = member.claimedOffset != 0 ? member.claimedOffset : file.size();
        directory +=
            "PK\1\2" + u16(20) + common + u16(0) + u16(0) + u16(0) + u32(0) + u32(offset) + member.name + extra;
        file += "PK\3\4" + common + member.name + extra + member.content;
    }
    const std::size_t begin = file.size();
    return file + directory + "PK\5\6" + u16(0) + u16(0) + u16(members.size()) + u16(members.size()) +
           u32(directory.size()) + u32(begin) + u16(0);
}

/// What an AOTInductor package of torch 2.13 holds, with `library` as its code.
inline std::vector<ZipMember> packageMembers(
    const std::string& library, const std::string& behaviour = {},
    const std::string& metadata = R"({"AOTI_DEVICE_KEY": "cpu", "AOTI_PLATFORM": "linux", "AOTI_CPU_ISA": ""})") {
    const std::string model = "test/data/aotinductor/model/";
    std::vector<ZipMember> members{{"test/archive_format", "pt2"},
                                   {model + "code.wrapper_metadata.json", metadata},
                                   {model + "code.wrapper.so", library}};
    if (!behaviour.empty()) {
        members.push_back({model + "behaviour.txt", behaviour});
    }
    members.push_back({"test/archive_version", "0"});
    return members;
}

}  // namespace plumbline::testing
