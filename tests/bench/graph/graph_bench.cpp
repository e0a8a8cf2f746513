// How long a large model takes without a window: reading, resolving, checking, one edit. Prints JSON.
//     graph_bench [BLOCKS...]        1000 10000 when left out

#include <cstdlib>

#include "bench/bench.h"
#include "bench/graph/chain.h"
#include "blocks/register.h"
#include "graph/document.h"
#include "graph/resolve.h"
#include "project/project.h"

int main(int argc, char** argv) {
    using namespace plumbline;
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) {
        sizes.push_back(std::atoi(argv[i]));
    }
    if (sizes.empty()) {
        sizes = {1000, 10000};
    }
    Json result = Json::object();
    for (const int size : sizes) {
        const std::string text = bench::chainProject(size).dump(2);
        const int runs = size > 2000 ? 5 : 15;
        auto project = project::readProject(*parseJson(text, "bench"), {});
        if (!project) {
            return bench::print({{"error", toSentence(project.error())}});
        }
        const auto& registry = blocks::builtinBlocks();
        Json one;
        one["bytes_of_json"] = text.size();
        one["read"] = bench::timed(runs, [&] { (void)project::readProject(*parseJson(text, "bench"), {}); });
        one["resolve"] = bench::timed(runs, [&] { (void)graph::resolve(project->model, registry); });
        one["check"] = bench::timed(runs, [&] { (void)project::checkProject(*project, registry); });
        graph::Node& edited = *project->model.root.find("block" + std::to_string(size / 6 * 3));
        int channels = 16;
        one["edit_and_check"] = bench::timed(runs, [&] {
            edited.params["out_channels"] = ++channels;
            (void)project::checkProject(*project, registry);
        });
        one["write"] = bench::timed(runs, [&] { (void)graph::writeDocument(project->model); });
        result[std::to_string(size) + "_blocks"] = one;
    }
    return bench::print(result);
}
