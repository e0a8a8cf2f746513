// Embedding: a table that turns whole numbers into vectors.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

BlockSpec embeddingSpec() {
    BlockSpec spec;
    spec.type = "Embedding";
    spec.category = "tensor";
    spec.summary = "Looks up a learned vector for each whole number: [...] to [..., embedding_dim].";
    spec.parameters = {
        intParameter("num_embeddings", nullptr, 1, "Rows of the table; ids go from 0 to this less one"),
        intParameter("embedding_dim", nullptr, 1, "Size of a vector"),
        nullable(intParameter("padding_idx", nullptr, std::nullopt, "Row that stays as it is: it gets no gradient")),
        nullable(
            floatParameter("max_norm", nullptr, 0, std::nullopt, "Rows that are looked up are shortened to this norm")),
        floatParameter("norm_type", 2.0, 0, std::nullopt, "Which norm max_norm means"),
        boolParameter("scale_grad_by_freq", false, "Divides gradients by how often an id is in the batch"),
        boolParameter("sparse", false, "Sparse gradients; few optimizers take them")};
    spec.inputs = {{"input", false, false, "int64 or int32"}};
    spec.outputs = oneOutput();
    spec.telling = {"num_embeddings", "embedding_dim"};
    spec.examples = {
        {{{"num_embeddings", 10}, {"embedding_dim", 4}}, {integers({2, 5})}, 10},
        {{{"num_embeddings", 10}, {"embedding_dim", 4}, {"padding_idx", 3}}, {integers({2, 5})}, 10},
        {{{"num_embeddings", 6}, {"embedding_dim", 3}, {"padding_idx", -1}, {"max_norm", 0.5}, {"norm_type", 1.0}},
         {integers({4})},
         6}};
    return spec;
}

class Embedding final : public Block {
public:
    Embedding() : Block(embeddingSpec()) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        TensorType output = *request.inputs[0];
        if (output.dtype != DType::kInt64 && output.dtype != DType::kInt32) {
            return wrong(
                "dtype-mismatch",
                fmt::format("looks up whole numbers (int64 or int32) and gets {} from {{0}}", toString(output.dtype)),
                "Connect token ids, or insert a ToDtype block with dtype int64.", "int64");
        }
        const auto rows = request.params["num_embeddings"].get<std::int64_t>();
        const auto size = request.params["embedding_dim"].get<std::int64_t>();
        const Json& padding = request.params["padding_idx"];
        if (!padding.is_null() && (padding.get<std::int64_t>() < -rows || padding.get<std::int64_t>() >= rows)) {
            return wrong("bad-parameter", fmt::format("has padding_idx = {} and {} rows", padding.dump(), rows),
                         fmt::format("Set padding_idx between {} and {}.", -rows, rows - 1), "padding_idx");
        }
        Inference inference;
        inference.params = request.params;
        inference.state = {{"weight", {rows, size}}};
        output.dtype = DType::kFloat32;
        output.dims.emplace_back(size);
        inference.outputs.push_back(std::move(output));
        return finish(std::move(inference));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        CppOptions options(spec(), request);
        options.add("padding_idx").add("max_norm").add("norm_type").add("scale_grad_by_freq").add("sparse");
        const std::string sizes =
            fmt::format("{}, {}", cpp(request.params["num_embeddings"]), cpp(request.params["embedding_dim"]));
        return cppModule(
            request, "Embedding",
            options.text().empty() ? sizes : fmt::format("torch::nn::EmbeddingOptions({}){}", sizes, options.text()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string module = moduleOf(request);
        std::string code;
        if (!params["max_norm"].is_null()) {
            code = fmt::format("torch.embedding_renorm_({}.weight.detach(), {}.contiguous(), {}, {})\n", module,
                               request.inputs[0], pythonFloat(params["max_norm"]), pythonFloat(params["norm_type"]));
        }
        std::int64_t padding = -1;  // torch.embedding's word for none
        if (!params["padding_idx"].is_null()) {
            padding = params["padding_idx"].get<std::int64_t>();
            padding += padding < 0 ? params["num_embeddings"].get<std::int64_t>() : 0;
        }
        code += fmt::format("{} = torch.embedding({}.weight, {}, {}, {}, {})", request.outputs[0], module,
                            request.inputs[0], padding, python(params["scale_grad_by_freq"]), python(params["sparse"]));
        return {code};
    }
};

}  // namespace

void registerEmbedding(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<Embedding>());
}

}  // namespace plumbline::blocks
