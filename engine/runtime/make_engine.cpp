// The one function that the library shows.

#include <new>

#include "runtime/engine.h"
#include "session/engine_abi.h"

extern "C" __attribute__((visibility("default"))) plumbline::session::Engine* plumbline_make_engine(int abi) {
    return abi == plumbline::session::kEngineAbi ? new (std::nothrow) plumbline::runtime::TorchEngine() : nullptr;
}
