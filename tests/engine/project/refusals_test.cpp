// Whatever stands at any place of a project: what is refused is refused with a sentence, its place and a next step.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/files.h"
#include "plan/setting_reader.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

const std::filesystem::path kSamples = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects";

std::vector<Json> wrongValues() {
    return {nullptr,
            true,
            -1,
            0,
            0.5,
            1e308,
            4611686018427387904,
            "",
            "x",
            "cpuu",
            Json::array(),
            Json::object(),
            Json::array({1, nullptr}),
            {{"unknown", 1}}};
}

void forEachPlace(const Json& value, const Json::json_pointer& at,
                  const std::function<void(const Json::json_pointer&)>& visit) {
    visit(at);
    if (value.is_object()) {
        for (const auto& [key, item] : value.items()) {
            forEachPlace(item, at / key, visit);
        }
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            forEachPlace(value[i], at / i, visit);
        }
    }
}

/// Counts what is refused; a refusal without a next step is a failure.
class Refusals {
public:
    void read(const Json& json, const std::string& what) {
        const auto project = readProject(json, {});
        if (!project) {
            see(project.error(), what);
        }
    }
    void see(const Error& error, const std::string& what) {
        ++m_count;
        m_codes.insert(error.code);
        EXPECT_FALSE(error.message.empty()) << what;
        EXPECT_FALSE(error.hint.empty()) << what << ": " << toSentence(error);
        EXPECT_EQ(error.hint.find("  "), std::string::npos) << error.hint;
        EXPECT_EQ(error.kind, ErrorKind::kInvalid) << what;
    }
    int count() const { return m_count; }
    const std::set<std::string>& codes() const { return m_codes; }

private:
    int m_count = 0;
    std::set<std::string> m_codes;
};

TEST(Refusals, OfAnyValueAnywhereInAProjectSayWhatToDo) {
    Refusals refusals;
    std::vector<Json> projects;
    for (const auto& entry : std::filesystem::directory_iterator(kSamples)) {
        if (std::filesystem::exists(entry.path() / "project.json")) {
            projects.push_back(readJsonFile(entry.path() / "project.json").value());
        }
    }
    for (const char* id : {"lstm", "resnet18", "sandwich"}) {
        projects.push_back(makeFromTemplate(id, Json::object(), id).value());
    }
    ASSERT_GE(projects.size(), 9U);
    for (const Json& whole : projects) {
        forEachPlace(whole, Json::json_pointer(), [&](const Json::json_pointer& place) {
            for (const Json& wrong : wrongValues()) {
                Json json = whole;
                json[place] = wrong;
                refusals.read(json, place.to_string() + " = " + wrong.dump());
            }
            if (!place.empty() && whole.at(place.parent_pointer()).is_object()) {
                Json json = whole;
                json.at(place.parent_pointer()).erase(place.back());
                refusals.read(json, "without " + place.to_string());
            }
        });
    }
    EXPECT_GT(refusals.count(), 5000);
    for (const char* code : {"wrong-type", "out-of-range", "unknown-choice", "missing-key", "unknown-key"}) {
        EXPECT_TRUE(refusals.codes().contains(code)) << code;
    }
}

TEST(Refusals, OfAnyValueOfAnySettingSayWhatToDo) {
    Refusals refusals;
    for (const plan::SettingSpec& spec : plan::settings()) {
        std::vector<Json> values = wrongValues();
        if (spec.min) {
            values.push_back(*spec.min - 1);
        }
        if (spec.max) {
            values.push_back(*spec.max * 2);
        }
        for (const Json& wrong : values) {
            if (const Status status = plan::checkSetting(spec, wrong, "/" + spec.path); !status) {
                refusals.see(status.error(), spec.path + " = " + wrong.dump());
            }
            Json json = makeFromTemplate("mlp", Json::object(), "settings").value();
            json[Json::json_pointer(pointerOfDottedPath(spec.path))] = wrong;
            refusals.read(json, spec.path + " = " + wrong.dump());
        }
    }
    EXPECT_GT(refusals.count(), 1000);
}

TEST(Refusals, OfWhatASourceOrATransformIsToldSayWhatToDo) {
    Refusals refusals;
    const auto sources = Json::parse(R"([
      {"type": "csv", "path": "a.csv", "delimiter": ",", "header": true, "decimal": ".", "missing": "error", "types": {"a": "numeric"}, "ignore": ["b"]},
      {"type": "csv", "path": "a.csv", "missing": {"a": "mean"}},
      {"type": "idx", "images": "i", "labels": "l"},
      {"type": "image_folder", "path": "i", "color": "rgb", "resize": [4, 4], "memory_budget_mb": 3},
      {"type": "generated", "kind": "clusters", "samples": 10, "classes": 2, "features": 3},
      {"type": "generated", "kind": "images", "samples": 10, "classes": 2, "channels": 1, "size": 8},
      {"type": "generated", "kind": "sequences", "samples": 10, "classes": 2, "length": 4, "vocabulary": 9}])");
    const auto transforms = Json::parse(R"([
      {"type": "to_float"}, {"type": "scale", "by": 2}, {"type": "normalize", "mean": [1], "std": [2]}, {"type": "reshape", "shape": [1, 8]},
      {"type": "resize", "size": [4, 4]}, {"type": "flatten"}, {"type": "one_hot", "classes": 3}, {"type": "random_horizontal_flip", "p": 0.5},
      {"type": "random_crop", "padding": 1}, {"type": "random_rotation", "degrees": 5}, {"type": "add_noise", "std": 0.1}])");
    Json base = makeFromTemplate("mlp", Json::object(), "data").value();
    const auto tryAll = [&](const Json& whole, const Json::json_pointer& at) {
        forEachPlace(whole, Json::json_pointer(), [&](const Json::json_pointer& place) {
            for (const Json& wrong : wrongValues()) {
                Json changed = whole;
                changed[place] = wrong;
                Json json = base;
                json[at] = changed;
                refusals.read(json, at.to_string() + place.to_string() + " = " + wrong.dump() + " in " + whole.dump());
            }
            if (!place.empty() && whole.at(place.parent_pointer()).is_object()) {
                Json changed = whole;
                changed.at(place.parent_pointer()).erase(place.back());
                Json json = base;
                json[at] = changed;
                refusals.read(json, "without " + place.to_string() + " in " + whole.dump());
            }
        });
    };
    for (const Json& source : sources) {
        tryAll(source, Json::json_pointer("/data/sources") / base["data"]["sources"].begin().key());
    }
    for (const Json& transform : transforms) {
        tryAll(Json::array({transform}),
               Json::json_pointer("/data/inputs") / base["data"]["inputs"].begin().key() / "transforms");
    }
    // Each kind of initialisation, and each member of it.
    for (const char* init :
         {R"({"scheme": "kaiming_normal", "a": 0.1, "mode": "fan_in", "nonlinearity": "relu", "bias": 0})",
          R"({"scheme": "trunc_normal", "mean": 0, "std": 1, "low": -1, "high": 1})",
          R"({"scheme": "constant", "value": 1})"}) {
        tryAll(Json::parse(init), Json::json_pointer("/model/graph/nodes/linear0/init"));
    }
    EXPECT_GT(refusals.count(), 500);
}

}  // namespace
}  // namespace plumbline::project
