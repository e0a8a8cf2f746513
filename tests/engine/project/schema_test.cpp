// What the published schema says of a document is what the reader does with it.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <regex>

#include "blocks/register.h"
#include "project/project.h"
#include "sample_document.h"

using namespace plumbline;
using namespace plumbline::project;

namespace {

bool isOfType(const Json& value, const std::string& type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "null"    ? value.is_null()
           : type == "integer" ? value.is_number_integer() ||
                                     (value.is_number() && value.get<double>() == std::floor(value.get<double>()))
                               : type == "number" && value.is_number();
}

/// The keywords of JSON Schema that the published schema uses; another one fails the test.
bool fits(const Json& schema, const Json& value) {
    for (const auto& [keyword, wanted] : schema.items()) {
        bool holds = true;
        if (keyword == "type") {
            holds = wanted.is_array() ? std::any_of(wanted.begin(), wanted.end(),
                                                    [&](const Json& type) { return isOfType(value, type); })
                                      : isOfType(value, wanted);
        } else if (keyword == "const") {
            holds = value == wanted;
        } else if (keyword == "enum") {
            holds = std::find(wanted.begin(), wanted.end(), value) != wanted.end();
        } else if (keyword == "anyOf") {
            holds = std::any_of(wanted.begin(), wanted.end(), [&](const Json& one) { return fits(one, value); });
        } else if (keyword == "minimum" || keyword == "maximum") {
            holds = !value.is_number() || (keyword == "minimum" ? value >= wanted : value <= wanted);
        } else if (keyword == "exclusiveMinimum" || keyword == "exclusiveMaximum") {
            holds = !value.is_number() || (keyword == "exclusiveMinimum" ? value > wanted : value < wanted);
        } else if (keyword == "pattern") {
            holds = !value.is_string() ||
                    std::regex_search(value.get<std::string>(), std::regex(wanted.get<std::string>()));
        } else if (keyword == "minItems") {
            holds = !value.is_array() || value.size() >= wanted.get<std::size_t>();
        } else if (keyword == "items") {
            holds = !value.is_array() ||
                    std::all_of(value.begin(), value.end(), [&](const Json& item) { return fits(wanted, item); });
        } else if (keyword == "required") {
            holds = !value.is_object() || std::all_of(wanted.begin(), wanted.end(), [&](const Json& key) {
                return value.contains(key.get<std::string>());
            });
        } else if (keyword == "properties" || keyword == "additionalProperties") {
            const Json properties = schema.value("properties", Json::object());
            if (!value.is_object()) {
                continue;
            }
            for (const auto& [key, member] : value.items()) {
                const bool named = properties.contains(key);
                if (keyword == "properties") {
                    holds = holds && (!named || fits(properties[key], member));
                } else if (!named) {
                    holds = holds && (wanted.is_boolean() ? wanted.get<bool>() : fits(wanted, member));
                }
            }
        } else {
            const std::vector<std::string> told = {"$schema", "title", "description", "default", "examples"};
            EXPECT_NE(std::find(told.begin(), told.end(), keyword), told.end()) << "the test does not know " << keyword;
        }
        if (!holds) {
            return false;
        }
    }
    return true;
}

const Json& schema() {
    static const Json made = projectSchema(blocks::builtinBlocks());
    return made;
}

struct Case {
    const char* pointer;
    Json value;
    bool good;
};

}  // namespace

TEST(Schema, SaysOfADocumentWhatTheReaderDoesWithIt) {
    const Case cases[] = {
        {"/name", "another", true},
        {"/name", 3, false},
        {"/extra", 1, false},
        {"/schema_version", "1", false},
        {"/model/graph/inputs/more", {{"shape", {"B", 3}}, {"dtype", "bfloat16"}}, true},
        {"/model/graph/inputs/more", {{"shape", {"B", 3}}, {"dtype", "float"}}, false},
        {"/model/graph/inputs/more", {{"shape", {"B", 0}}}, false},
        {"/model/graph/inputs/more", {{"dtype", "float32"}}, false},
        {"/model/graph/inputs/more", {{"shape", {"B"}}, {"sape", 1}}, false},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"enabled", nullptr}}, true},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"enabled", "=1 < 2"}}, true},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"enabled", "yes"}}, false},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"repeat", -1}}, false},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"repeat", nullptr}, {"init", nullptr}}, true},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"form", "x"}}, false},
        {"/model/graph/nodes/more", {{"type", "ReLU"}, {"mode", "train"}}, false},
        {"/model/definitions",
         {{"Block", {{"inputs", {{"x", Json::object()}}}, {"parameters", {{"n", {{"type", "int"}}}}}}}},
         true},
        {"/model/definitions", {{"Block", {{"inputs", {{"x", {{"shape", {"B"}}}}}}}}}, false},
        {"/model/definitions", {{"Block", {{"parameters", {{"n", {{"default", 1}}}}}}}}, false},
        {"/data", Json::object(), true},
        {"/data", nullptr, false},
        {"/data/loader", nullptr, false},
        {"/data/loader/batch_size", 0, false},
        {"/data/splits/stratify", nullptr, true},
        {"/data/sources/more",
         {{"type", "csv"},
          {"path", "a.csv"},
          {"delimiter", ";"},
          {"header", false},
          {"decimal", ","},
          {"missing", "mean"},
          {"types", Json::object()},
          {"ignore", Json::array({"id"})}},
         true},
        {"/data/sources/more", {{"type", "csv"}, {"path", "a.csv"}, {"delimeter", ";"}}, false},
        {"/data/sources/more", {{"type", "csv"}}, false},
        {"/data/sources/more", {{"type", "cvs"}, {"path", "a.csv"}}, false},
        {"/data/sources/more", {{"type", "idx"}, {"images", "a"}, {"labels", "b"}, {"classes", 10}}, true},
        {"/data/sources/more", {{"type", "idx"}, {"images", "a"}, {"label", "b"}}, false},
        {"/data/sources/more",
         {{"type", "image_folder"}, {"path", "a"}, {"color", "gray"}, {"resize", {8, 8}}, {"memory_budget_mb", 10}},
         true},
        {"/data/sources/more", {{"type", "image_folder"}, {"paht", "a"}}, false},
        {"/data/sources/more",
         {{"type", "generated"}, {"kind", "clusters"}, {"samples", 9}, {"classes", 2}, {"seed", 1}, {"features", 3}},
         true},
        {"/data/sources/more", {{"type", "generated"}, {"kind", "images"}, {"channels", 1}, {"size", 8}}, true},
        {"/data/sources/more", {{"type", "generated"}, {"kind", "sequences"}, {"length", 4}, {"vocabulary", 9}}, true},
        {"/data/sources/more", {{"type", "generated"}, {"samples", 9}}, false},
        {"/training", nullptr, false},
        {"/training/seed", nullptr, false},
        {"/training/checkpoints/best", nullptr, true},
        {"/training/checkpoints", nullptr, true},
        {"/training/checkpoints/best", {{"series", nullptr}}, true},
        {"/training/optimizer/lr", "0.1", false},
        {"/training/optimizer/type", "SDG", false},
        {"/training/optimizer/groups", {{{"match", "*.bias"}, {"lr", 0.0}}}, true},
        {"/training/optimizer/groups", {{{"lr", 0.0}}}, false},
        {"/training/optimizer/groups", {{{"match", "*"}, {"lr", -1.0}}}, false},
        {"/training/optimizer/groups", {{{"match", "*"}, {"weight_decay", nullptr}}}, false},
        {"/training/optimizer/groups", {{{"match", "*"}, {"lrr", 0.0}}}, false},
        {"/training/losses",
         {{{"type", "MSELoss"}, {"output", "a"}, {"target", "b"}, {"weight", 2.0}, {"scalar_target", true}}},
         true},
        {"/training/losses",
         {{{"type", "CrossEntropyLoss"},
           {"output", "a"},
           {"target", "b"},
           {"label_smoothing", 0.1},
           {"ignore_index", 3}}},
         true},
        {"/training/losses",
         {{{"type", "CrossEntropyLoss"}, {"output", "a"}, {"target", "b"}, {"class_weights", {1.0, 0.5}}}},
         true},
        {"/training/losses",
         {{{"type", "CrossEntropyLoss"}, {"output", "a"}, {"target", "b"}, {"class_weights", nullptr}}},
         false},
        {"/training/losses",
         {{{"type", "BCEWithLogitsLoss"}, {"output", "a"}, {"target", "b"}, {"pos_weight", {2.0}}}},
         true},
        {"/training/losses", {{{"type", "MSELoss"}, {"output", "a"}, {"target", "b"}, {"pos_weight", {2.0}}}}, false},
        {"/training/grad_scaler", {{"growth_factor", 1.0}}, false},
        {"/training/grad_scaler", {{"growth_factor", 1.5}, {"backoff_factor", 0.9}}, true},
        {"/training/grad_scaler", {{"backoff_factor", 1.0}}, false},
        {"/training/losses", {{{"tipe", "MSELoss"}, {"output", "a"}, {"target", "b"}}}, false},
        {"/training/losses", {{{"type", "MSELoss"}, {"output", "a"}}}, false},
        {"/training/losses",
         {{{"type", "MSELoss"}, {"output", "a"}, {"target", "b"}, {"label_smoothing", 0.1}}},
         false},
        {"/training/losses",
         {{{"type", "CrossEntropyLoss"}, {"output", "a"}, {"target", "b"}, {"scalar_target", true}}},
         false},
        {"/training/losses",
         {{{"type", "CrossEntropyLoss"}, {"output", "a"}, {"target", "b"}, {"label_smoothing", 2}}},
         false},
        {"/training/metrics", {{{"type", "accuracy"}, {"output", "a"}, {"target", "b"}}}, true},
        {"/training/metrics", {{{"type", "accuracy"}, {"output", "a"}}}, false},
        {"/training/metrics", {{{"type", "acuracy"}, {"output", "a"}, {"target", "b"}}}, false},
        {"/monitor/stride", "auto", true},
        {"/monitor/stride", 1000000, true},
        {"/monitor/stride", 2000000, false},
        {"/monitor/stride", 0, false},
        {"/monitor/enabled", nullptr, false},
        {"/monitor/detectors", {{"loader-stall", {{"enabled", false}, {"warning_share", 0.3}}}}, true},
        {"/monitor/detectors", {{"loader-stal", Json::object()}}, false},
        {"/monitor/detectors", {{"loader-stall", {{"warning_share", 1.5}}}}, false},
    };
    for (const char* section :
         {"/model", "/data", "/training", "/name", "/schema_version", "/monitor", "/description"}) {
        Json json = sample();
        if (json.contains(Json::json_pointer(section))) {
            json.erase(std::string(section + 1));
        }
        EXPECT_EQ(fits(schema(), json), readProject(json, "").has_value()) << "without " << section;
    }
    for (const Case& one : cases) {
        Json json = sample();
        if (one.value.is_object() && std::string_view(one.pointer) == "/data") {
            json["training"]["losses"] = json["training"]["metrics"] = Json::array();
        }
        json[Json::json_pointer(one.pointer)] = one.value;
        const auto read = readProject(json, "");
        const std::string document = std::string(one.pointer) + " = " + one.value.dump();
        EXPECT_EQ(read.has_value(), one.good)
            << "the reader, " << document << (read ? "" : ": " + read.error().message);
        EXPECT_EQ(fits(schema(), json), one.good) << "the schema, " << document;
    }
}

TEST(Schema, TakesEveryTemplate) {
    for (const TemplateInfo& info : templates()) {
        const auto made = makeFromTemplate(info.id, Json::object(), "sample");
        ASSERT_TRUE(made) << info.id;
        EXPECT_TRUE(fits(schema(), *made)) << info.id;
    }
}
