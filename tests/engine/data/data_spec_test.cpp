#include "fixtures.h"

#include "core/files.h"
#include "data/source.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

Json example() {
    return parsed(R"({
        "sources": {"digits": {"type": "idx", "images": "data/images.idx.gz", "labels": "data/labels.idx.gz"}},
        "inputs": {"image": {"from": "digits.image", "transforms": [{"type": "scale", "by": 0.0625}, {"type": "normalize", "statistics": "train"}]}},
        "targets": {"label": {"from": "digits.label"}},
        "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "stratify": "label", "seed": 0},
        "loader": {"batch_size": 64, "workers": 1, "prefetch_batches": 4, "shuffle": true, "drop_last": false}})");
}

/// The error of the example after a change at `pointer`.
Error errorAfter(const std::string& pointer, const Json& value) {
    Json json = example();
    json[Json::json_pointer(pointer)] = value;
    const auto spec = readDataSpec(json);
    EXPECT_FALSE(spec.has_value()) << pointer << " = " << value.dump() << " was accepted";
    return spec ? Error{} : spec.error();
}

TEST(DataSpecReader, ReadsEveryPartWithoutTouchingAFile) {
    const DataSpec spec = specOf(example());
    ASSERT_EQ(spec.sources.size(), 1U);
    EXPECT_EQ(spec.sources[0].name, "digits");
    EXPECT_EQ(spec.sources[0].type, "idx");
    EXPECT_EQ(spec.inputs[0].from, std::vector<std::string>{"digits.image"});
    EXPECT_EQ(spec.inputs[0].transforms.size(), 2U);
    EXPECT_EQ(spec.targets[0].name, "label");
    EXPECT_DOUBLE_EQ(spec.splits.train, 0.7);
    EXPECT_EQ(spec.splits.stratify, "label");
    EXPECT_EQ(spec.loader.batchSize, 64);
    EXPECT_TRUE(spec.loader.shuffle);
    EXPECT_EQ(spec.raw, example());
}

TEST(DataSpecReader, AnEmptyObjectIsAProjectWithoutDataYet) {
    const DataSpec spec = specOf(Json::object());
    EXPECT_TRUE(spec.sources.empty());
    const auto opened = Dataset::open(spec, "/");
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, "no-data");
}

TEST(DataSpecReader, ReadsTheSharedExamplesOfAllProjects) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects")) {
        if (std::filesystem::exists(entry.path() / "project.json")) {
            const auto project = readJsonFile(entry.path() / "project.json");
            ASSERT_TRUE(project.has_value());
            const auto spec = readDataSpec(project->at("data"));
            EXPECT_TRUE(spec.has_value()) << entry.path() << ": " << toSentence(spec.error());
        }
    }
}

TEST(DataSpecReader, AMistakeIsToldWithItsPointerAndTheNearestWord) {
    struct Case {
        std::string pointer;
        Json value;
        std::string where, hint;
    };
    const std::vector<Case> cases = {
        {"/sorces", Json::object(), "/data/sorces", "sources"},
        {"/loader/batchsize", 3, "/data/loader/batchsize", "batch_size"},
        {"/sources/digits/type", "idxx", "/data/sources/digits/type", "idx"},
        {"/sources/digits/image", "x", "/data/sources/digits/image", "images"},
        {"/inputs/image/from", "digts.image", "/data/inputs/image/from", "digits"},
        {"/inputs/image/from", "digits.imag", "/data/inputs/image/from", "image"},
        {"/inputs/image/transform", Json::array(), "/data/inputs/image/transform", "transforms"},
        {"/inputs/image/transforms/0/type", "scaled", "/data/inputs/image/transforms/0/type", "scale"},
        {"/inputs/image/transforms/0/factor", 2, "/data/inputs/image/transforms/0/factor", ""},
        {"/splits/stratify", "lable", "/data/splits/stratify", "label"},
        {"/splits/valid", 0.1, "/data/splits/valid", ""},
    };
    for (const Case& c : cases) {
        const Error error = errorAfter(c.pointer, c.value);
        EXPECT_EQ(error.where, c.where) << error.message;
        EXPECT_NE(error.hint.find(c.hint), std::string::npos) << error.hint;
        EXPECT_EQ(error.kind, ErrorKind::kInvalid);
    }
}

TEST(DataSpecReader, ValuesOutOfRangeOrOfAnotherTypeAreRefused) {
    const std::vector<std::pair<std::string, Json>> cases = {
        {"/loader/batch_size", 0},
        {"/loader/batch_size", "64"},
        {"/loader/workers", -1},
        {"/loader/prefetch_batches", 0},
        {"/loader/shuffle", 1},
        {"/splits/train", 0.9},
        {"/splits/train", -0.1},
        {"/splits/seed", -1},
        {"/sources", Json::array()},
        {"/sources/digits", "x"},
        {"/sources/a.b", example()["sources"]["digits"]},
        {"/sources/digits/type", 3},
        {"/sources/digits/classes", 0},
        {"/inputs/image", 3},
        {"/inputs/image/from", "digits"},
        {"/inputs/image/from", Json::array()},
        {"/inputs/image/from", 3},
        {"/inputs/image/dtype", "float33"},
        {"/inputs/image/dtype", "float16"},
        {"/inputs/image/squeeze", "yes"},
        {"/inputs/image/transforms", Json::object()},
        {"/inputs/image/transforms/0", "scale"},
        {"/inputs/image/transforms/0", Json::object()},
        {"/inputs/image/transforms/0", parsed(R"({"type": ""})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "scale"})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "normalize"})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "normalize", "statistics": "test"})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "normalize", "mean": 0, "std": 0})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "normalize", "mean": "a", "std": 1})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "reshape", "shape": [-1, -1]})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "reshape", "shape": [0]})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "reshape"})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "resize", "size": 4})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "resize"})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "random_horizontal_flip", "p": 1.5})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "one_hot", "classes": 0})")},
        {"/inputs/image/transforms/0", parsed(R"({"type": "add_noise", "std": -1})")},
    };
    for (const auto& [pointer, value] : cases) {
        const Error error = errorAfter(pointer, value);
        EXPECT_FALSE(error.message.empty()) << pointer;
        EXPECT_EQ(error.where.compare(0, 5, "/data"), 0) << error.where;
    }
}

TEST(DataSpecReader, SourceOptionsAreCheckedWithTheSource) {
    const auto errorOf = [](const std::string& source) {
        Json json = parsed(R"({"sources": {"s": null}})");
        json["sources"]["s"] = parsed(source);
        const auto spec = readDataSpec(json);
        EXPECT_FALSE(spec.has_value()) << source;
        return spec ? Error{} : spec.error();
    };
    EXPECT_EQ(errorOf(R"({"type": "csv"})").where, "/data/sources/s/path");
    EXPECT_EQ(errorOf(R"({"type": "csv", "path": "a", "delimiter": ";;"})").where, "/data/sources/s/delimiter");
    EXPECT_EQ(errorOf(R"({"type": "csv", "path": "a", "missing": "avg"})").where, "/data/sources/s/missing");
    EXPECT_EQ(errorOf(R"({"type": "csv", "path": "a", "missing": {"x": "avg"}})").where, "/data/sources/s/missing/x");
    EXPECT_EQ(errorOf(R"({"type": "csv", "path": "a", "types": {"x": "text"}})").where, "/data/sources/s/types/x");
    EXPECT_EQ(errorOf(R"({"type": "csv", "path": "a", "decimal": ","})").where, "/data/sources/s/decimal");
    EXPECT_EQ(errorOf(R"({"type": "image_folder", "path": "a", "color": "grey"})").where, "/data/sources/s/color");
    EXPECT_EQ(errorOf(R"({"type": "image_folder", "path": "a", "resize": [0, 3]})").where, "/data/sources/s/resize");
    EXPECT_EQ(errorOf(R"({"type": "idx"})").where, "/data/sources/s");
}

TEST(DataSpecReader, SharesThatAreNotNamedAreZeroOnceOneIs) {
    EXPECT_DOUBLE_EQ(specOf(parsed(R"({"splits": {"train": 0.8, "validation": 0.2}})")).splits.test, 0.0);
    EXPECT_DOUBLE_EQ(specOf(Json::object()).splits.train, 0.8);
    EXPECT_FALSE(readDataSpec(parsed(R"({"splits": {"train": 0.8}})")).has_value());
}

TEST(DataSpecReader, AnyJsonIsReadOrRefusedButNeverThrows) {
    // Every value of the example replaced by values of every type.
    const Json flat = example().flatten();
    const std::vector<Json> odd = {nullptr,
                                   true,
                                   -3,
                                   1e300,
                                   "",
                                   "x",
                                   Json::array(),
                                   Json::array({1, "a"}),
                                   Json::object(),
                                   parsed(R"({"type": 1})")};
    for (const auto& [pointer, value] : flat.items()) {
        for (std::string at = pointer; !at.empty(); at = at.substr(0, at.rfind('/'))) {
            for (const Json& other : odd) {
                Json json = example();
                json[Json::json_pointer(at)] = other;
                EXPECT_NO_THROW(static_cast<void>(readDataSpec(json))) << at << " = " << other.dump();
            }
        }
    }
}

TEST(DataRegistries, EveryTypeHasANameAndAHelpText) {
    for (const SourceType& type : sourceTypes()) {
        EXPECT_EQ(findSourceType(type.name), &type);
        EXPECT_FALSE(type.help.empty());
    }
    for (const TransformType& type : transformTypes()) {
        EXPECT_FALSE(type.help.empty());
    }
}

}  // namespace
}  // namespace plumbline::data
