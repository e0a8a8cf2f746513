// What holds for every order in which batches are made.

#include "fixtures.h"

#include <rapidcheck.h>
#include <algorithm>
#include <set>

namespace plumbline::data {
namespace {

std::vector<std::int64_t> epochOf(Loader& loader) {
    std::vector<std::int64_t> order;
    for (;;) {
        auto batch = loader.next();
        RC_ASSERT(batch.has_value());
        if (!batch->has_value()) {
            return order;
        }
        order.insert(order.end(), (*batch)->indices.begin(), (*batch)->indices.end());
        loader.recycle(std::move(**batch));
    }
}

TEST(LoaderProperty, EveryEpochIsAPermutationWhateverTheBatchSizeWorkersAndSeed) {
    TemporaryFolder folder;
    std::string table = "x,y\n";
    for (int i = 0; i < 97; ++i) {
        table += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
    }
    folder.write("table.csv", table);
    const auto dataset =
        open(parsed(R"({"sources": {"t": {"type": "csv", "path": "table.csv"}}, "inputs": {"x": {"from": "t.x"}},
                                         "targets": {"y": {"from": "t.y"}}, "splits": {"train": 0.8, "validation": 0.2}})"),
             folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const std::vector<std::int64_t> all = allPositions(**dataset, Split::kTrain);
    EXPECT_TRUE(rc::check([&] {
        LoaderOptions options;
        options.batchSize = *rc::gen::inRange<std::int64_t>(1, 40);
        options.workers = *rc::gen::inRange<std::int64_t>(0, 3);
        options.prefetchBatches = *rc::gen::inRange<std::int64_t>(1, 5);
        options.shuffle = *rc::gen::arbitrary<bool>();
        options.dropLast = *rc::gen::arbitrary<bool>();
        options.seed = *rc::gen::arbitrary<std::uint64_t>();
        auto loader = makeLoader(*dataset, options);
        RC_ASSERT(loader.has_value());
        const auto size = static_cast<std::int64_t>(all.size());
        const std::int64_t expected = options.dropLast ? size / options.batchSize * options.batchSize : size;
        for (int epoch = 0; epoch < 2; ++epoch) {
            std::vector<std::int64_t> order = epochOf(**loader);
            RC_ASSERT(static_cast<std::int64_t>(order.size()) == expected);
            RC_ASSERT(std::set<std::int64_t>(order.begin(), order.end()).size() == order.size());
            RC_ASSERT(std::includes(all.begin(), all.end(), order.begin(), order.end()) || options.shuffle);
            std::sort(order.begin(), order.end());
            RC_ASSERT(std::includes(all.begin(), all.end(), order.begin(), order.end()));
        }
        // From any position on, the same batches as without an interruption.
        const std::int64_t from = *rc::gen::inRange<std::int64_t>(0, (*loader)->batchesPerEpoch() + 1);
        (*loader)->seek({1, 0});
        const std::vector<std::int64_t> whole = epochOf(**loader);
        (*loader)->seek({1, from});
        const std::vector<std::int64_t> rest = epochOf(**loader);
        RC_ASSERT(std::equal(rest.begin(), rest.end(), whole.end() - static_cast<std::ptrdiff_t>(rest.size())));
    }));
}

}  // namespace
}  // namespace plumbline::data
