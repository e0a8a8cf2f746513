#pragma once
// How a run of points of one series becomes one blob: packed columns behind a checksum.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "store/run_store.h"

namespace plumbline::store {

/// A chunk of so many points is written for good; shorter ones are written again, together, as their series grows.
constexpr std::size_t kOpenChunkPoints = 512;
/// No chunk holds more.
constexpr std::size_t kMaxChunkPoints = 4096;

/// Layout, little-endian: format (1 byte, 1), checksum of what follows (8 bytes, XXH3), count (varint), steps (zig-zag
/// varints of the second difference), epochs (zig-zag varints of the difference), elapsed_ms and values (float64 each).
std::string packChunk(std::span<const StoredPoint> points);

/// Appends the chunk's points to `points`. A damaged chunk is an error with code "store-corrupt".
Status unpackChunk(std::string_view blob, std::vector<StoredPoint>& points);

}  // namespace plumbline::store
