#include "blocks/register.h"

#include "blocks/block.h"

namespace plumbline::blocks {

void registerBlocks(graph::BlockRegistry& registry) {
    registerInputOutput(registry);
    registerLinear(registry);
    registerConvolution(registry);
    registerPooling(registry);
    registerNormalisation(registry);
    registerActivation(registry);
    registerRecurrent(registry);
    registerEmbedding(registry);
    registerMerge(registry);
    registerTensor(registry);
    registerRegularisation(registry);
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
