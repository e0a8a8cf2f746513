// The template's adapters take a sample as it comes: whatever its shape and element type, wherever the model is.
#include <ATen/ops/argmax.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/softmax.h>

#include "blocks/register.h"
#include "graph/resolve.h"
#include "model/dtype.h"
#include "model/model.h"
#include "run_fixture.h"
#include "train/batch.h"

namespace plumbline::test {
namespace {

project::Project sandwich(const Json& shape, const char* dtype) {
    Json json = project::makeFromTemplate("sandwich", Json{{"hidden", {7, 5}}, {"classes", 4}}, "sandwich").value();
    json["model"]["graph"]["inputs"]["image"] = {{"shape", shape}, {"dtype", dtype}};
    return project::readProject(json, {}).value();
}

std::unique_ptr<model::Model> built(const project::Project& project, at::Device device) {
    const graph::ResolvedModel graph = graph::resolve(project.model, blocks::builtinBlocks());
    EXPECT_TRUE(graph.ok());
    auto model = model::Model::build(graph, {.seed = 5, .device = device});
    EXPECT_TRUE(model.has_value()) << toSentence(model.error());
    return std::move(*model);
}

TEST(Sandwich, GivesForAnyShapeAndElementTypeWhatItsCoreGivesForTheNumbersInARow) {
    for (const auto& [dims, dtype] :
         std::vector<std::pair<std::vector<std::int64_t>, const char*>>{{{1, 8, 8}, "uint8"},
                                                                        {{3, 5, 7}, "uint8"},
                                                                        {{28, 28}, "int64"},
                                                                        {{6}, "float64"},
                                                                        {{2, 3, 4, 5}, "int32"},
                                                                        {{1, 8, 8}, "float32"}}) {
        Json shape = {"B"};
        std::int64_t values = 1;
        for (const std::int64_t dim : dims) {
            shape.push_back(dim);
            values *= dim;
        }
        const auto name = shape.dump() + " of " + dtype;
        const auto model = built(sandwich(shape, dtype), at::kCPU);
        const auto plain = built(sandwich(Json{"B", values}, "float32"), at::kCPU);
        std::vector<std::int64_t> batch = dims;
        batch.insert(batch.begin(), 9);
        const at::Tensor samples =
            at::randint(0, 200, batch, at::TensorOptions().dtype(model::toScalarType(*parseDType(dtype))));
        const auto outputs = model->forward({samples});
        ASSERT_TRUE(outputs.has_value()) << name << ": " << toSentence(outputs.error());
        const auto wanted = plain->forward({samples.to(at::kFloat).reshape({9, values})});
        ASSERT_TRUE(wanted.has_value()) << name;
        const at::Tensor &logits = outputs->at(0), &probabilities = outputs->at(1), &label = outputs->at(2);
        EXPECT_EQ(logits.sizes(), (std::vector<std::int64_t>{9, 4})) << name;
        EXPECT_TRUE(logits.equal(wanted->at(0))) << name;
        EXPECT_TRUE(probabilities.equal(at::softmax(logits, 1))) << name;
        EXPECT_TRUE(label.equal(at::argmax(logits, 1))) << name;
        EXPECT_EQ(label.scalar_type(), at::kLong) << name;
    }
}

TEST(Sandwich, ItsSamplesGoToTheModelsDevice) {
    // A device that knows shapes and types alone is on every machine.
    Json json =
        project::makeFromTemplate("sandwich", Json{{"channels", 3}, {"size", 6}, {"classes", 4}}, "sandwich").value();
    const project::Project project = project::readProject(json, {}).value();
    const auto model = built(project, at::kMeta);
    auto dataset = data::Dataset::open(project.data, {});
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto binder = train::BatchBinder::make(model->graph(), **dataset, at::kMeta);
    ASSERT_TRUE(binder.has_value()) << toSentence(binder.error());
    const auto host = (*dataset)->makeBatch(data::Split::kTrain, {0, 1, 2}, 0, false);
    ASSERT_TRUE(host.has_value());
    train::TensorBatch batch;
    binder->bind(*host, batch);
    EXPECT_TRUE(batch.inputs.front().is_meta());
    EXPECT_EQ(batch.inputs.front().size(0), 3);
}

}  // namespace
}  // namespace plumbline::test
