#include "project/template_models.h"

namespace plumbline::project {
namespace {

Json node(const char* type, const char* from, Json params = nullptr) {
    Json json{{"type", type}, {"from", from}};
    if (!params.is_null()) {
        json["params"] = std::move(params);
    }
    return json;
}

Json input(Json shape, const char* dtype = "float32") {
    return Json{{"shape", std::move(shape)}, {"dtype", dtype}};
}

/// Linear and ReLU by turns, numbered as in a torch::nn::Sequential; gives the name of the last node.
std::string addHiddenLayers(Json& nodes, std::string from, const Json& widths) {
    int index = 0;
    for (const Json& width : widths) {
        const std::string linear = "linear" + std::to_string(index);
        const std::string relu = "relu" + std::to_string(index);
        nodes[linear] = node("Linear", from.c_str(), Json{{"out_features", width}});
        nodes[relu] = node("ReLU", linear.c_str());
        from = relu;
        ++index;
    }
    return from;
}

Json model(Json definitions, Json inputs, Json nodes, Json outputs) {
    Json json;
    json["definitions"] = std::move(definitions);
    json["graph"] = Json{{"inputs", std::move(inputs)}, {"nodes", std::move(nodes)}, {"outputs", std::move(outputs)}};
    return json;
}

}  // namespace

Json mlpModel(const Json& p) {
    Json nodes = Json::object();
    const std::string last = addHiddenLayers(nodes, "features", p["hidden"]);
    nodes["output"] = node("Linear", last.c_str(), Json{{"out_features", p["classes"]}});
    return model(Json::object(), Json{{"features", input(Json::array({"B", p["features"]}))}}, std::move(nodes),
                 Json{{"logits", "output"}});
}

Json blankModel(const Json& p) {
    const Json nodes{{"output", node("Linear", "features", Json{{"out_features", p["classes"]}})}};
    return model(Json::object(), Json{{"features", input(Json::array({"B", p["features"]}))}}, nodes,
                 Json{{"logits", "output"}});
}

Json cnnModel(const Json& p) {
    const Json block{{"parameters",
                      {{"channels", {{"type", "int"}, {"default", 16}, {"min", 1}, {"help", "Output channels"}}},
                       {"stride", {{"type", "int"}, {"default", 1}, {"min", 1}}}}},
                     {"inputs", {{"x", Json::object()}}},
                     {"nodes",
                      {{"conv", node("Conv2d", "x",
                                     Json{{"out_channels", "=channels"},
                                          {"kernel_size", 3},
                                          {"stride", "=stride"},
                                          {"padding", 1},
                                          {"bias", false}})},
                       {"bn", node("BatchNorm2d", "conv")},
                       {"relu", node("ReLU", "bn")}}},
                     {"outputs", {{"y", "relu"}}}};
    Json nodes = Json::object();
    nodes["stem"] = node("ConvBlock", "image", Json{{"channels", p["width"]}});
    nodes["layers"] =
        node("ConvBlock", "stem", Json{{"channels", "=" + p["width"].dump() + " * 2 ** (index + 1)"}, {"stride", 2}});
    nodes["layers"]["repeat"] = p["stages"];
    nodes["pool"] = node("AdaptiveAvgPool2d", "layers", Json{{"output_size", 1}});
    nodes["flatten"] = node("Flatten", "pool");
    nodes["fc"] = node("Linear", "flatten", Json{{"out_features", p["classes"]}});
    return model(Json{{"ConvBlock", block}},
                 Json{{"image", input(Json::array({"B", p["channels"], p["size"], p["size"]}))}}, std::move(nodes),
                 Json{{"logits", "fc"}});
}

Json resnet18Model(const Json& p) {
    // He et al., Deep Residual Learning for Image Recognition, 2015; names as torchvision gives them.
    const auto conv = [](const char* from, Json channels, int kernel, Json stride, int padding) {
        return node("Conv2d", from,
                    Json{{"out_channels", std::move(channels)},
                         {"kernel_size", kernel},
                         {"stride", std::move(stride)},
                         {"padding", padding},
                         {"bias", false}});
    };
    const Json parameters{
        {"channels", {{"type", "int"}, {"default", 64}, {"min", 1}, {"help", "Output channels"}}},
        {"stride", {{"type", "int"}, {"default", 1}, {"min", 1}, {"help", "Stride of the first convolution"}}}};
    const Json downsample{{"parameters", parameters},
                          {"inputs", {{"x", Json::object()}}},
                          {"nodes", {{"0", conv("x", "=channels", 1, "=stride", 0)}, {"1", node("BatchNorm2d", "0")}}},
                          {"outputs", {{"y", "1"}}}};
    Json shortcut = node("Downsample", "x", Json{{"channels", "=channels"}, {"stride", "=stride"}});
    shortcut["enabled"] = "=stride != 1";
    Json sum{{"type", "Add"}, {"from", Json::array({"bn2", "downsample"})}};
    Json basicNodes = Json::object();
    basicNodes["conv1"] = conv("x", "=channels", 3, "=stride", 1);
    basicNodes["bn1"] = node("BatchNorm2d", "conv1");
    basicNodes["relu"] = node("ReLU", "bn1");
    basicNodes["conv2"] = conv("relu", "=channels", 3, 1, 1);
    basicNodes["bn2"] = node("BatchNorm2d", "conv2");
    basicNodes["downsample"] = std::move(shortcut);
    basicNodes["add"] = std::move(sum);
    basicNodes["relu_out"] = node("ReLU", "add");
    const Json basic{{"parameters", parameters},
                     {"inputs", {{"x", Json::object()}}},
                     {"nodes", basicNodes},
                     {"outputs", {{"y", "relu_out"}}}};

    const Json init{{"scheme", "kaiming_normal"}, {"mode", "fan_out"}, {"nonlinearity", "relu"}};
    Json nodes = Json::object();
    nodes["conv1"] = conv("image", p["width"], 7, 2, 3);
    nodes["conv1"]["init"] = init;
    nodes["bn1"] = node("BatchNorm2d", "conv1");
    nodes["relu"] = node("ReLU", "bn1");
    nodes["maxpool"] = node("MaxPool2d", "relu", Json{{"kernel_size", 3}, {"stride", 2}, {"padding", 1}});
    std::string from = "maxpool";
    const auto width = p["width"].get<std::int64_t>();
    for (int stage = 0; stage < 4; ++stage) {
        const std::string name = "layer" + std::to_string(stage + 1);
        nodes[name] = node(
            "BasicBlock", from.c_str(),
            Json{{"channels", width << stage}, {"stride", stage == 0 ? Json(1) : Json("=2 if index == 0 else 1")}});
        nodes[name]["repeat"] = 2;
        nodes[name]["init"] = init;
        from = name;
    }
    nodes["avgpool"] = node("AdaptiveAvgPool2d", from.c_str(), Json{{"output_size", 1}});
    nodes["flatten"] = node("Flatten", "avgpool");
    nodes["fc"] = node("Linear", "flatten", Json{{"out_features", p["classes"]}});
    return model(Json{{"Downsample", downsample}, {"BasicBlock", basic}},
                 Json{{"image", input(Json::array({"B", p["channels"], p["size"], p["size"]}))}}, std::move(nodes),
                 Json{{"logits", "fc"}});
}

Json lstmModel(const Json& p) {
    Json nodes = Json::object();
    nodes["embedding"] =
        node("Embedding", "tokens", Json{{"num_embeddings", p["vocabulary"]}, {"embedding_dim", p["embedding_dim"]}});
    nodes["lstm"] =
        node("LSTM", "embedding",
             Json{{"hidden_size", p["hidden_size"]}, {"num_layers", p["num_layers"]}, {"batch_first", true}});
    nodes["last"] = node("Select", "lstm", Json{{"dim", 1}, {"index", -1}});
    nodes["fc"] = node("Linear", "last", Json{{"out_features", p["classes"]}});
    return model(Json::object(), Json{{"tokens", input(Json::array({"B", p["length"]}), "int64")}}, std::move(nodes),
                 Json{{"logits", "fc"}});
}

Json autoencoderModel(const Json& p) {
    const auto half = [](Json hidden, Json out) {
        Json nodes = Json::object();
        nodes["linear0"] = node("Linear", "x", Json{{"out_features", std::move(hidden)}});
        nodes["relu0"] = node("ReLU", "linear0");
        nodes["linear1"] = node("Linear", "relu0", Json{{"out_features", std::move(out)}});
        return Json{{"inputs", {{"x", Json::object()}}}, {"nodes", std::move(nodes)}, {"outputs", {{"y", "linear1"}}}};
    };
    Json definitions{{"Encoder", half(p["hidden"], p["code"])}, {"Decoder", half(p["hidden"], p["features"])}};
    Json nodes = Json::object();
    nodes["encoder"] = node("Encoder", "features");
    nodes["decoder"] = node("Decoder", "encoder");
    return model(std::move(definitions), Json{{"features", input(Json::array({"B", p["features"]}))}}, std::move(nodes),
                 Json{{"reconstruction", "decoder"}, {"code", "encoder"}});
}

Json sandwichModel(const Json& p) {
    Json adapter = Json::object();
    adapter["to_float"] = node("ToDtype", "x", Json{{"dtype", "float32"}});
    adapter["flatten"] = node("Flatten", "to_float");
    Json core = Json::object();
    const std::string last = addHiddenLayers(core, "x", p["hidden"]);
    core["output"] = node("Linear", last.c_str(), Json{{"out_features", p["classes"]}});
    Json decode = Json::object();
    decode["softmax"] = node("Softmax", "logits", Json{{"dim", 1}});
    decode["argmax"] = node("ArgMax", "logits", Json{{"dim", 1}});
    Json definitions = Json::object();
    definitions["InputAdapter"] =
        Json{{"inputs", {{"x", Json::object()}}}, {"nodes", adapter}, {"outputs", {{"y", "flatten"}}}};
    definitions["Core"] =
        Json{{"inputs", {{"x", Json::object()}}}, {"nodes", core}, {"outputs", {{"logits", "output"}}}};
    definitions["OutputAdapter"] = Json{{"inputs", {{"logits", Json::object()}}},
                                        {"nodes", decode},
                                        {"outputs", {{"probabilities", "softmax"}, {"label", "argmax"}}}};
    Json nodes = Json::object();
    nodes["input_adapter"] = node("InputAdapter", "image");
    nodes["core"] = node("Core", "input_adapter");
    nodes["output_adapter"] = node("OutputAdapter", "core");
    return model(
        std::move(definitions), Json{{"image", input(Json::array({"B", p["channels"], p["size"], p["size"]}))}},
        std::move(nodes),
        Json{{"logits", "core"}, {"probabilities", "output_adapter.probabilities"}, {"label", "output_adapter.label"}});
}

}  // namespace plumbline::project
