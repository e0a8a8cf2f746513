#pragma once
// What the runtime library exports.

namespace plumbline::session {

class Engine;

/// Raised with every change to the types that cross the border.
constexpr int kEngineAbi = 7;
constexpr const char* kMakeEngineSymbol = "plumbline_make_engine";
/// nullptr for another ABI. The caller owns the engine; the library stays open for the life of the process.
using MakeEngine = Engine* (*)(int abi);

}  // namespace plumbline::session
