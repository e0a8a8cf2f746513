#include "blocks/register.h"

#include "blocks/block.h"

namespace plumbline::blocks {

void registerBlocks(graph::BlockRegistry& registry) {
    registerInputOutput(registry);
#define PLUMBLINE_CALL(family) register##family(registry);
    PLUMBLINE_BLOCK_FAMILIES(PLUMBLINE_CALL)
#undef PLUMBLINE_CALL
}

const graph::BlockRegistry& builtinBlocks() {
    static const graph::BlockRegistry registry = [] {
        graph::BlockRegistry made;
        registerBlocks(made);
        return made;
    }();
    return registry;
}

}  // namespace plumbline::blocks
