// A runtime of another version: it knows the symbol and refuses the ABI.
#include "session/engine.h"

extern "C" __attribute__((visibility("default"))) plumbline::session::Engine* plumbline_make_engine(int) {
    return nullptr;
}
