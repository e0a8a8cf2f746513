#include "store/chunk.h"

#include <bit>
#include <cstring>

#include "core/hash.h"

namespace plumbline::store {
namespace {

static_assert(std::endian::native == std::endian::little, "chunks are little-endian");

constexpr char kFormat = 1;
constexpr std::size_t kHeaderBytes = 1 + sizeof(std::uint64_t);

// Differences wrap around in unsigned arithmetic, so that any pair of steps survives.
std::uint64_t zigZag(std::uint64_t difference) {
    return (difference << 1U) ^ (0U - (difference >> 63U));
}
std::uint64_t unZigZag(std::uint64_t code) {
    return (code >> 1U) ^ (0U - (code & 1U));
}

void putVarint(std::uint64_t value, std::string& out) {
    while (value >= 0x80U) {
        out.push_back(static_cast<char>(value | 0x80U));
        value >>= 7U;
    }
    out.push_back(static_cast<char>(value));
}

bool getVarint(std::string_view& in, std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !in.empty(); shift += 7) {
        const auto byte = static_cast<std::uint8_t>(in.front());
        in.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0) {
            return true;
        }
    }
    return false;
}

void putDouble(double value, char* out) {
    std::memcpy(out, &value, sizeof value);
}

double getDouble(std::string_view in, std::size_t index) {
    double value = 0;
    std::memcpy(&value, in.data() + index * sizeof value, sizeof value);
    return value;
}

tl::unexpected<Error> damaged() {
    return fail(ErrorKind::kInvalid, "store-corrupt", "A chunk of the run's values is damaged", {},
                "Restore the run from a copy; other runs are as they were.");
}

}  // namespace

std::string packChunk(std::span<const StoredPoint> points) {
    std::string blob(kHeaderBytes, '\0');
    blob.reserve(kHeaderBytes + 8 + points.size() * (2 * sizeof(double) + 4));
    putVarint(points.size(), blob);
    std::uint64_t step = 0;
    std::uint64_t difference = 0;
    for (const StoredPoint& point : points) {
        const std::uint64_t newDifference = static_cast<std::uint64_t>(point.step) - step;
        putVarint(zigZag(newDifference - difference), blob);
        step = static_cast<std::uint64_t>(point.step);
        difference = newDifference;
    }
    std::uint64_t epoch = 0;
    for (const StoredPoint& point : points) {
        const auto next = static_cast<std::uint64_t>(static_cast<std::int64_t>(point.epoch));
        putVarint(zigZag(next - epoch), blob);
        epoch = next;
    }
    std::size_t at = blob.size();
    blob.resize(at + points.size() * 2 * sizeof(double));
    for (const StoredPoint& point : points) {
        putDouble(point.elapsedMs, blob.data() + at);
        at += sizeof(double);
    }
    for (const StoredPoint& point : points) {
        putDouble(point.value, blob.data() + at);
        at += sizeof(double);
    }
    blob[0] = kFormat;
    const std::uint64_t checksum = hash64(blob.data() + kHeaderBytes, blob.size() - kHeaderBytes);
    std::memcpy(blob.data() + 1, &checksum, sizeof checksum);
    return blob;
}

Status unpackChunk(std::string_view blob, std::vector<StoredPoint>& points) {
    if (blob.size() < kHeaderBytes || blob[0] != kFormat) {
        return damaged();
    }
    std::uint64_t checksum = 0;
    std::memcpy(&checksum, blob.data() + 1, sizeof checksum);
    blob.remove_prefix(kHeaderBytes);
    std::uint64_t count = 0;
    if (hash64(blob) != checksum || !getVarint(blob, count) || count > kMaxChunkPoints) {
        return damaged();
    }
    const std::size_t first = points.size();
    points.resize(first + count);
    const std::span<StoredPoint> added(points.data() + first, count);
    const auto give = [&] {
        points.resize(first);
        return damaged();
    };
    std::uint64_t step = 0;
    std::uint64_t difference = 0;
    std::uint64_t code = 0;
    for (StoredPoint& point : added) {
        if (!getVarint(blob, code)) {
            return give();
        }
        difference += unZigZag(code);
        step += difference;
        point.step = static_cast<std::int64_t>(step);
    }
    std::uint64_t epoch = 0;
    for (StoredPoint& point : added) {
        if (!getVarint(blob, code)) {
            return give();
        }
        epoch += unZigZag(code);
        point.epoch = static_cast<std::int32_t>(static_cast<std::int64_t>(epoch));
    }
    if (blob.size() != count * 2 * sizeof(double)) {
        return give();
    }
    for (std::size_t i = 0; i < count; ++i) {
        added[i].elapsedMs = getDouble(blob, i);
        added[i].value = getDouble(blob, count + i);
    }
    return {};
}

}  // namespace plumbline::store
