#include <fmt/format.h>
#include <functional>

#include "core/json_errors.h"
#include "project/project.h"
#include "project/template_models.h"

namespace plumbline::project {
namespace {

/// What a template's data looks like: a generated source, so that a new project trains before it has data of its own.
Json generated(const char* kind, Json options) {
    Json source{{"type", "generated"}, {"kind", kind}};
    source.update(options);
    return source;
}

struct Template {
    TemplateInfo info;
    Json (*model)(const Json&);
    Json (*data)(const Json&);
    void (*goal)(Json& training);
};

Json dataSection(Json source, const char* input, const char* field, Json targets, bool stratify) {
    Json json;
    json["sources"] = Json{{"generated", std::move(source)}};
    json["inputs"] = Json{{input, {{"from", std::string("generated.") + field}}}};
    json["targets"] = std::move(targets);
    json["splits"] = Json{{"train", 0.7}, {"validation", 0.15}, {"test", 0.15}, {"seed", 0}};
    if (stratify) {
        json["splits"]["stratify"] = "label";
    }
    json["loader"] =
        Json{{"batch_size", 32}, {"workers", 1}, {"prefetch_batches", 4}, {"shuffle", true}, {"drop_last", false}};
    return json;
}

Json labelTarget() {
    return Json{{"label", {{"from", "generated.label"}}}};
}

Json tableData(const Json& p) {
    return dataSection(
        generated("clusters", {{"samples", 600}, {"features", p["features"]}, {"classes", p["classes"]}, {"seed", 0}}),
        "features", "features", labelTarget(), true);
}

Json imageData(const Json& p) {
    return dataSection(generated("images", {{"samples", 600},
                                            {"channels", p["channels"]},
                                            {"size", p["size"]},
                                            {"classes", p["classes"]},
                                            {"seed", 0}}),
                       "image", "image", labelTarget(), true);
}

Json tokenData(const Json& p) {
    return dataSection(generated("sequences", {{"samples", 600},
                                               {"length", p["length"]},
                                               {"vocabulary", p["vocabulary"]},
                                               {"classes", p["classes"]},
                                               {"seed", 0}}),
                       "tokens", "tokens", labelTarget(), true);
}

Json reconstructionData(const Json& p) {
    return dataSection(
        generated("clusters", {{"samples", 600}, {"features", p["features"]}, {"classes", 4}, {"seed", 0}}), "features",
        "features", Json{{"original", {{"from", "generated.features"}}}}, false);
}

void classify(Json& training) {
    training["losses"] = Json::array({Json{{"type", "CrossEntropyLoss"}, {"output", "logits"}, {"target", "label"}}});
    training["metrics"] = Json::array({Json{{"type", "accuracy"}, {"output", "logits"}, {"target", "label"}}});
    training["checkpoints"]["best"] = Json{{"series", "val.accuracy"}, {"mode", "max"}};
}

void reconstruct(Json& training) {
    training["losses"] = Json::array({Json{{"type", "MSELoss"}, {"output", "reconstruction"}, {"target", "original"}}});
    training["metrics"] = Json::array({Json{{"type", "rmse"}, {"output", "reconstruction"}, {"target", "original"}}});
    training["checkpoints"]["best"] = Json{{"series", "val.loss"}, {"mode", "min"}};
}

const std::vector<Template>& all() {
    static const std::vector<Template> list{
        {{"mlp", "Multilayer perceptron", "Linear layers with ReLU for tables: classification.",
          Json{{"features", 13}, {"classes", 3}, {"hidden", Json::array({64, 128, 64})}}},
         mlpModel,
         tableData,
         classify},
        {{"cnn", "Small CNN", "Convolution, BatchNorm and ReLU blocks for small images.",
          Json{{"channels", 1}, {"size", 16}, {"classes", 10}, {"width", 16}, {"stages", 2}}},
         cnnModel,
         imageData,
         classify},
        {{"resnet18", "ResNet-18", "Residual network of 18 layers with torchvision's parameter names.",
          Json{{"channels", 3}, {"size", 64}, {"classes", 10}, {"width", 64}}},
         resnet18Model,
         imageData,
         classify},
        {{"lstm", "LSTM classifier", "Embedding, LSTM and a linear head on the last time step, for token sequences.",
          Json{{"vocabulary", 64},
               {"length", 16},
               {"embedding_dim", 32},
               {"hidden_size", 64},
               {"num_layers", 1},
               {"classes", 4}}},
         lstmModel,
         tokenData,
         classify},
        {{"autoencoder", "Autoencoder",
          "Encoder and decoder composites that rebuild their input through a narrow code.",
          Json{{"features", 16}, {"hidden", 32}, {"code", 4}}},
         autoencoderModel,
         reconstructionData,
         reconstruct},
        {{"sandwich", "Sandwich",
          "Input adapter for shape and dtype, a core with arithmetic only, an output adapter that decodes.",
          Json{{"channels", 1}, {"size", 8}, {"classes", 10}, {"hidden", Json::array({64})}}},
         sandwichModel,
         imageData,
         classify},
        {{"blank", "Blank", "An input, one Linear layer and an output: the start of a model of your own.",
          Json{{"features", 4}, {"classes", 3}}},
         blankModel,
         tableData,
         classify},
    };
    return list;
}

bool isPositiveInteger(const Json& value) {
    return value.is_number_integer() && value.get<double>() >= 1 && value.get<double>() <= 1e6;
}

}  // namespace

const std::vector<TemplateInfo>& templates() {
    static const std::vector<TemplateInfo> infos = [] {
        std::vector<TemplateInfo> list;
        for (const Template& entry : all()) {
            list.push_back(entry.info);
        }
        return list;
    }();
    return infos;
}

Result<Json> makeFromTemplate(const std::string& id, const Json& parameters, const std::string& name) {
    std::vector<std::string> ids;
    const Template* chosen = nullptr;
    for (const Template& entry : all()) {
        ids.push_back(entry.info.id);
        chosen = entry.info.id == id ? &entry : chosen;
    }
    if (chosen == nullptr) {
        return fail(ErrorKind::kUsage, "unknown-template", fmt::format("There is no template \"{}\"", id), id,
                    didYouMean(id, ids, "plumbline templates lists them."));
    }
    Json values = chosen->info.parameters;
    if (!parameters.is_null()) {
        for (const auto& [key, value] : parameters.items()) {
            if (!values.contains(key)) {
                return fail(ErrorKind::kUsage, "unknown-parameter",
                            fmt::format("The template {} has no parameter \"{}\"", id, key), key,
                            "plumbline templates lists them.");
            }
            const bool list = values[key].is_array();
            bool good = list ? value.is_array() && value.size() <= 100 : isPositiveInteger(value);
            if (list && good) {
                for (const Json& item : value) {
                    good = good && isPositiveInteger(item);
                }
            }
            if (!good) {
                return fail(ErrorKind::kUsage, "wrong-type",
                            fmt::format("{} has to be {} from 1 to 1000000 and is {}", key,
                                        list ? "a list of integers" : "an integer", value.dump()),
                            key, "plumbline templates lists them.");
            }
            values[key] = value;
        }
    }
    Json json;
    json["schema_version"] = kSchemaVersion;
    json["name"] = name;
    json["description"] = chosen->info.summary;
    json["model"] = chosen->model(values);
    json["data"] = chosen->data(values);
    Json training;
    training["seed"] = 0;
    training["device"] = "auto";
    training["precision"] = "fp32";
    training["stop"] = Json{{"epochs", 10}};
    training["losses"] = Json::array();
    training["metrics"] = Json::array();
    training["optimizer"] = Json{{"type", "AdamW"}, {"lr", 0.002}, {"weight_decay", 0.01}};
    training["scheduler"] = Json{{"type", "cosine"}, {"unit", "step"}, {"warmup", 20}};
    training["clip"] = Json{{"type", "norm"}, {"max_norm", 1.0}};
    training["validation"] = Json{{"every", 1}, {"unit", "epoch"}};
    training["checkpoints"] = Json{{"every", 1}, {"unit", "epoch"}, {"keep_last", 2}};
    chosen->goal(training);
    json["training"] = std::move(training);
    json["monitor"] = Json{{"stride", "auto"}, {"detectors", Json::object()}};
    return json;
}

}  // namespace plumbline::project
