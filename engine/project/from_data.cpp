#include "project/from_data.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_set>

#include "core/copy_tree.h"
#include "core/files.h"
#include "core/json_errors.h"
#include "core/text.h"
#include "data/dataset.h"
#include "project/data_paths.h"
#include "project/model_for_data.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

using data::FoundColumn;
using data::FoundData;
using Kind = FoundData::Kind;
using Role = ColumnUse::Role;
using Note = ColumnUse::Note;

constexpr std::int64_t kFewestSamples = 10;
constexpr std::int64_t kMostClassesOfNumbers = 20;
constexpr std::int64_t kMostInputCategories = 50;
constexpr std::int64_t kMostClasses = 1000;
constexpr std::int64_t kLargestSide = 64;  ///< of images from a folder: what trains in minutes on a processor

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool isOneOf(const std::string& name, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return name == word; });
}

tl::unexpected<Error> unusable(std::string code, const FoundData& found, std::string message, std::string hint) {
    return fail(ErrorKind::kInvalid, std::move(code), std::move(message), found.path.string(), std::move(hint));
}

// ---- Tables ----

bool looksNumbered(const FoundColumn& column, std::int64_t rows) {
    return column.numeric && column.whole && column.distinct == std::min(rows, FoundColumn::kMaxDistinct) &&
           isOneOf(lower(column.name), {"id", "index", "idx", "row", "no", "nr", "number", "unnamed: 0"});
}

/// Why a column says nothing about a row; kNone where it may.
Note emptiness(const FoundColumn& column, std::int64_t rows) {
    return column.missing == rows        ? Note::kNoValues
           : column.distinct < 2         ? Note::kConstant
           : looksNumbered(column, rows) ? Note::kNumbersRows
                                         : Note::kNone;
}

bool canBeClasses(const FoundColumn& column, std::int64_t rows) {
    return column.distinct >= 2 && column.distinct <= kMostClasses && 2 * column.distinct <= rows &&
           (!column.numeric || column.whole);
}

bool canBeTarget(const FoundColumn& column, std::int64_t rows) {
    return emptiness(column, rows) == Note::kNone && (column.numeric || canBeClasses(column, rows));
}

const FoundColumn* proposedTarget(const data::FoundTable& table) {
    const FoundColumn* chosen = nullptr;
    bool named = false;
    for (const FoundColumn& column : table.columns) {
        const bool telling =
            isOneOf(lower(column.name), {"target", "label", "labels", "class", "classes", "y", "species", "outcome",
                                         "diagnosis", "category", "response", "quality"});
        if (canBeTarget(column, table.rows) && (telling || !named)) {
            chosen = telling && named ? chosen : &column;  // the first that is named so, else the last that can be
            named = named || telling;
        }
    }
    return chosen;
}

ColumnUse inputUse(const FoundColumn& column, const data::FoundTable& table, const DataChoices& choices) {
    ColumnUse use{column.name, Role::kLeftOut, emptiness(column, table.rows), 0, {}};
    if (std::find(choices.leftOut.begin(), choices.leftOut.end(), column.name) != choices.leftOut.end()) {
        use.note = Note::kByChoice;
    } else if (use.note == Note::kNone && !column.numeric &&
               (column.distinct > kMostInputCategories || 2 * column.distinct > table.rows)) {
        const bool mistake = 2 * column.numbers > table.rows;
        use.note = mistake ? Note::kNotANumber : Note::kManyTexts;
        use.count = mistake ? column.firstTextRow : column.distinct;
        use.text = column.firstText;
    }
    if (use.note != Note::kNone) {
        return use;
    }
    use.role = column.numeric ? Role::kNumber : Role::kCategory;
    if (column.missing > 0) {
        use.note = column.numeric ? Note::kMedian : Note::kMostFrequent;
        use.count = column.missing;
    } else if (!column.numeric) {
        use.note = Note::kTexts;
        use.count = column.distinct;
    }
    return use;
}

Status proposeTable(DataProposal& proposal, const DataChoices& choices) {
    const FoundData& found = proposal.found;
    const data::FoundTable& table = found.table;
    const FoundColumn* target = proposedTarget(table);
    if (!choices.target.empty()) {
        std::vector<std::string> names;
        target = nullptr;
        for (const FoundColumn& column : table.columns) {
            names.push_back(column.name);
            target = column.name == choices.target ? &column : target;
        }
        if (target == nullptr) {
            return fail(
                ErrorKind::kUsage, "unknown-column",
                fmt::format("{} has no column \"{}\"", found.path.string(), shortened(choices.target)), {},
                didYouMean(choices.target, names,
                           fmt::format("It has {}.", shortened(fmt::format("{}", fmt::join(names, ", ")), 400))));
        }
        if (target->distinct < 2) {
            return unusable(
                "useless-target", found,
                fmt::format("The column \"{}\" cannot be predicted: {}", target->name,
                            target->distinct == 0 ? "it has no values" : "it has the same value in every row"),
                "Choose another target.");
        }
    }
    if (target == nullptr) {
        return unusable("no-target", found,
                        fmt::format("{} has no column that could be predicted", found.path.string()),
                        "A target is a number, or a text that comes back in several rows.");
    }
    const bool classes = canBeClasses(*target, table.rows);
    proposal.target = target->name;
    proposal.canChooseTask = classes && target->numeric;
    const bool fewValues = target->distinct <= kMostClassesOfNumbers && 5 * target->distinct <= table.rows;
    const std::string task = !choices.task.empty()                        ? choices.task
                             : classes && (!target->numeric || fewValues) ? "classes"
                                                                          : "number";
    if (task == "classes" && !classes) {
        return unusable(
            "no-classes", found,
            target->numeric
                ? fmt::format("The column \"{}\" holds numbers that are no classes: {} different ones in {} rows",
                              target->name, target->distinct, table.rows)
                : fmt::format("The column \"{}\" has {} different texts in {} rows, too many to be classes",
                              target->name, target->distinct, table.rows),
            target->numeric ? "Predict it as a number." : "Choose another target.");
    }
    if (task == "number" && !target->numeric) {
        return unusable("not-a-number", found,
                        target->numbers * 2 > table.rows
                            ? fmt::format("The column \"{}\" holds \"{}\" in row {}, which is no number", target->name,
                                          target->firstText, target->firstTextRow)
                            : fmt::format("The column \"{}\" holds text, which is no number", target->name),
                        classes ? "Predict it as a class, or choose another target."
                                : "Correct the value, or choose another target.");
    }
    proposal.task = task == "number" ? Task::kNumber : Task::kClasses;
    bool any = false;
    for (const FoundColumn& column : table.columns) {
        if (&column == target) {
            proposal.columns.push_back({column.name,
                                        Role::kTarget,
                                        column.missing > 0 ? Note::kRowsDropped : Note::kNone,
                                        column.missing,
                                        {}});
            continue;
        }
        proposal.columns.push_back(inputUse(column, table, choices));
        any = any || proposal.columns.back().role != Role::kLeftOut;
    }
    if (!any) {
        return unusable("no-inputs", found, fmt::format("No column is left to predict \"{}\" from", target->name),
                        "Use at least one other column as an input.");
    }
    return {};
}

/// A new member of an object that may have very many: it is not looked for first.
Json& member(Json& object, const std::string& name) {
    using Members = std::vector<std::pair<const std::string, Json>>;
    return static_cast<Members&>(object.get_ref<Json::object_t&>()).emplace_back(name, Json()).second;
}

Json csvSource(const DataProposal& proposal) {
    const data::FoundTable& table = proposal.found.table;
    Json source{{"type", "csv"}, {"path", proposal.found.path.string()}};
    if (table.delimiter != ',') {
        source["delimiter"] = table.delimiter == '\t' ? "\\t" : std::string(1, table.delimiter);
    }
    if (!table.header) {
        source["header"] = false;
    }
    if (table.decimal != '.') {
        source["decimal"] = std::string(1, table.decimal);
    }
    Json missing = Json::object();
    Json ignore = Json::array();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const FoundColumn& column = table.columns[i];
        const Role role = proposal.columns[i].role;
        if (role == Role::kLeftOut) {
            ignore.push_back(column.name);
        } else if (column.missing > 0) {
            member(missing, column.name) = role == Role::kTarget   ? "drop_row"
                                           : role == Role::kNumber ? "median"
                                                                   : "most_frequent";
        }
        if (role == Role::kTarget && proposal.task == Task::kClasses && column.numeric) {
            source["types"] = Json{{column.name, "categorical"}};
        }
    }
    if (!missing.empty()) {
        source["missing"] = std::move(missing);
    }
    if (!ignore.empty()) {
        source["ignore"] = std::move(ignore);
    }
    return source;
}

/// A name for a source or a model's input from any text: letters, digits, underscores.
std::string wordFrom(const std::string& text, const char* fallback) {
    constexpr std::size_t kLongest = 60;
    std::string word;
    for (const char c : text.substr(0, kLongest)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        word += letter ? c : '_';
    }
    if (word.find_first_not_of('_') == std::string::npos) {
        word = fallback;
    }
    return word.front() >= '0' && word.front() <= '9' ? "_" + word : word;
}

/// Names that the model of a table uses for its blocks.
bool isBlockName(const std::string& name) {
    return isOneOf(name, {"features", "columns", "flatten", "output", "to_unit"}) || name.starts_with("linear") ||
           name.starts_with("relu");
}

void addTableFeeds(const DataProposal& proposal, const std::string& source, Json& json) {
    std::vector<std::string> numbers, categories;
    for (const ColumnUse& use : proposal.columns) {
        if (use.role == Role::kNumber) {
            numbers.push_back(source + "." + use.name);
        } else if (use.role == Role::kCategory) {
            categories.push_back(use.name);
        }
    }
    std::unordered_set<std::string> taken;
    const Json normalize = Json::array({Json{{"type", "normalize"}, {"statistics", "train"}}});
    if (!numbers.empty()) {
        Json from = categories.empty() ? Json(source + ".*") : Json(numbers);
        json["inputs"]["features"] = Json{{"from", std::move(from)}, {"transforms", normalize}};
    }
    for (const std::string& column : categories) {
        std::string name = wordFrom(column, "text");
        while (taken.contains(name) || isBlockName(name)) {
            name += "_";
        }
        taken.insert(name);
        member(json["inputs"], name) =
            Json{{"from", source + "." + column}, {"transforms", Json::array({Json{{"type", "one_hot"}}})}};
    }
    json["targets"]["target"] = Json{{"from", source + "." + proposal.target}};
}

// ---- Images ----

std::vector<std::int64_t> imageDims(const FoundData& found) {
    std::vector<std::int64_t> dims = found.images.dims;
    if (found.kind != Kind::kImageFolder) {
        return dims;
    }
    if (found.images.sizesDiffer || std::max(dims[1], dims[2]) > kLargestSide) {
        std::int64_t side = 16;
        while (side < kLargestSide && 2 * side <= found.images.typicalSide) {
            side *= 2;
        }
        dims[1] = dims[2] = side;
    }
    return dims;
}

Json imageSource(const DataProposal& proposal) {
    const FoundData& found = proposal.found;
    if (found.kind == Kind::kIdx) {
        return Json{{"type", "idx"}, {"images", found.path.string()}, {"labels", found.labels.string()}};
    }
    Json source{{"type", "image_folder"}, {"path", found.path.string()}};
    if (found.images.gray) {
        source["color"] = "gray";
    }
    if (proposal.imageDims[1] != found.images.dims[1] || proposal.imageDims[2] != found.images.dims[2] ||
        found.images.sizesDiffer) {
        source["resize"] = Json::array({proposal.imageDims[1], proposal.imageDims[2]});
    }
    return source;
}

void addImageFeeds(const DataProposal& proposal, const std::string& source, Json& json) {
    Json transforms = Json::array();
    if (proposal.found.images.bytes) {
        transforms.push_back(Json{{"type", "scale"}, {"by", 1.0 / static_cast<double>(proposal.found.images.largest)}});
    }
    transforms.push_back(Json{{"type", "normalize"}, {"statistics", "train"}});
    const char* input = proposal.imageDims.size() == 3 ? "image" : "features";
    json["inputs"][input] = Json{{"from", source + ".image"}, {"transforms", std::move(transforms)}};
    json["targets"]["target"] = Json{{"from", source + ".label"}};
}

// ---- The plan ----

std::int64_t trainSamples(const DataProposal& proposal) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(proposal.found.samples()) * proposal.splits[0]));
}

void setPlan(const DataProposal& proposal, Json& json) {
    const bool table = proposal.found.kind == Kind::kTable;
    const std::int64_t samples = trainSamples(proposal);
    const std::int64_t batch = samples < 256 ? 16 : samples < 4096 ? 32 : samples < 65536 ? 64 : 256;
    json["data"]["loader"] = Json{{"batch_size", batch},
                                  {"workers", table ? 0 : 1},
                                  {"prefetch_batches", 4},
                                  {"shuffle", true},
                                  {"drop_last", false}};
    const std::int64_t batches = (samples + batch - 1) / batch;
    Json& training = json["training"];
    training["stop"] = Json{{"epochs", std::clamp<std::int64_t>((table ? 1500 : 800) / batches, 5, 60)}};
    if (proposal.task == Task::kNumber) {
        const Json use{{"output", "prediction"}, {"target", "target"}};
        const auto with = [&use](const char* type) {
            Json whole{{"type", type}};
            whole.update(use);
            return whole;
        };
        training["losses"] = Json::array({with("MSELoss")});
        training["metrics"] = Json::array({with("mae"), with("rmse")});
        training["checkpoints"]["best"] = Json{{"series", "val.loss"}, {"mode", "min"}};
        training["clip"] = Json{{"type", "none"}};  // the gradient has the target's unit, so no bound fits all data
    } else {
        training["losses"][0]["target"] = "target";
        training["metrics"][0]["target"] = "target";
    }
}

}  // namespace

std::string noteText(const ColumnUse& use) {
    switch (use.note) {
        case Note::kNone:
            return {};
        case Note::kNoValues:
            return "left out: it has no values";
        case Note::kConstant:
            return "left out: the same value in every row";
        case Note::kNumbersRows:
            return "left out: it numbers the rows";
        case Note::kByChoice:
            return "left out by choice";
        case Note::kNotANumber:
            return fmt::format("left out: \"{}\" in row {} is no number", use.text, use.count);
        case Note::kManyTexts:
            return fmt::format("left out: {} different texts", use.count);
        case Note::kTexts:
            return fmt::format("{} different texts", use.count);
        case Note::kMedian:
            return use.count == 1 ? std::string("1 gap is filled with the median")
                                  : fmt::format("{} gaps are filled with the median", use.count);
        case Note::kMostFrequent:
            return use.count == 1 ? std::string("1 gap is filled with the most frequent text")
                                  : fmt::format("{} gaps are filled with the most frequent text", use.count);
        case Note::kRowsDropped:
            return use.count == 1 ? std::string("1 row without it is left out")
                                  : fmt::format("{} rows without it are left out", use.count);
    }
    return {};
}

std::vector<std::string> templatesFor(const FoundData& found) {
    if (found.kind == Kind::kTable || found.images.dims.size() != 3) {
        return {"mlp"};
    }
    return {"cnn", "resnet18", "mlp"};
}

Result<DataProposal> proposeProject(const FoundData& found, const DataChoices& choices) {
    DataProposal proposal;
    proposal.found = found;
    proposal.splits = choices.splits;
    if (!choices.task.empty() && choices.task != "classes" && choices.task != "number") {
        return fail(ErrorKind::kUsage, "unknown-task",
                    fmt::format("A target is predicted as classes or as number, not as \"{}\"", choices.task),
                    choices.task, "Choose classes or number.");
    }
    const std::vector<std::string> fitting = templatesFor(found);
    proposal.templateId = choices.templateId.empty() ? fitting.front() : choices.templateId;
    if (std::find(fitting.begin(), fitting.end(), proposal.templateId) == fitting.end()) {
        return fail(ErrorKind::kUsage, "template-does-not-fit",
                    fmt::format("The template \"{}\" does not fit this data", proposal.templateId), proposal.templateId,
                    fmt::format("Those that do: {}.", fmt::join(fitting, ", ")));
    }
    if (found.samples() < kFewestSamples) {
        return unusable("too-few-samples", found,
                        fmt::format("{} holds {}, and fewer than {} cannot be split and learned from",
                                    found.path.string(), counted(found.samples(), "sample"), kFewestSamples),
                        "Add samples.");
    }
    if (found.kind == Kind::kTable) {
        PLUMBLINE_TRY(proposeTable(proposal, choices));
        return proposal;
    }
    if (!choices.target.empty()) {
        return fail(ErrorKind::kUsage, "no-columns", "Images have their label as target, and no columns to choose from",
                    choices.target, "Leave the target out.");
    }
    const bool numbers = found.images.classes.empty();
    if (!choices.task.empty() && (choices.task == "number") != numbers) {
        return fail(ErrorKind::kUsage, "unknown-task",
                    fmt::format("The labels of {} are {}", found.path.string(), numbers ? "numbers" : "classes"),
                    choices.task, "Leave the task out.");
    }
    if (found.images.classes.size() == 1) {
        return unusable(
            "one-class", found,
            fmt::format("{} holds a single class, \"{}\"", found.path.string(), found.images.classes.front()),
            "Two classes or more can be told apart; add images of another one.");
    }
    proposal.target = "label";
    proposal.task = numbers ? Task::kNumber : Task::kClasses;
    proposal.imageDims = imageDims(found);
    return proposal;
}

Result<Json> makeFromData(const DataProposal& proposal, const std::string& name, RunControl* control,
                          std::vector<std::string>* warnings) {
    const FoundData& found = proposal.found;
    const std::string source = wordFrom(found.path.stem().stem().string(), "data");
    Json data;
    data["sources"] = Json{{source, found.kind == Kind::kTable ? csvSource(proposal) : imageSource(proposal)}};
    data["inputs"] = Json::object();
    data["targets"] = Json::object();
    found.kind == Kind::kTable ? addTableFeeds(proposal, source, data) : addImageFeeds(proposal, source, data);
    data["splits"] = Json{
        {"train", proposal.splits[0]}, {"validation", proposal.splits[1]}, {"test", proposal.splits[2]}, {"seed", 0}};
    if (proposal.task == Task::kClasses) {
        data["splits"]["stratify"] = "target";
    }
    PLUMBLINE_ASSIGN(const data::DataSpec spec, data::readDataSpec(data));
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(spec, found.path.parent_path(), control));
    if (warnings != nullptr) {
        *warnings = dataset->warnings();
    }
    PLUMBLINE_ASSIGN(Json json, modelForData(proposal.templateId, *dataset, proposal.task == Task::kNumber, name));
    json["description"] =
        fmt::format("{} from {}", proposal.task == Task::kNumber ? "A number" : "Classes", describe(found));
    json["data"] = std::move(data);
    setPlan(proposal, json);
    return json;
}

Status copyDataInto(const std::filesystem::path& folder, Json& json, RunControl* control) {
    const std::filesystem::path target = folder / "data";
    PLUMBLINE_TRY(makeFolder(target));
    Status copied;
    forEachDataPath(json, [&](Json& path) {
        const std::filesystem::path from = path.get<std::string>();
        if (copied && (copied = copyTree(from, target / from.filename(), control))) {
            path = (std::filesystem::path("data") / from.filename()).string();
        }
    });
    return copied;
}

std::string describe(const FoundData& found) {
    if (found.kind == Kind::kTable) {
        return fmt::format("a table of {} rows and {} columns", found.table.rows, found.table.columns.size());
    }
    const data::FoundImages& images = found.images;
    const std::string size = images.sizesDiffer        ? std::string("of different sizes")
                             : images.dims.size() == 3 ? fmt::format("of {} × {}", images.dims[2], images.dims[1])
                                                       : fmt::format("of {} values", images.dims.back());
    return images.classes.empty()
               ? fmt::format("{} images {} with a number each", images.samples, size)
               : fmt::format("{} images {} in {} classes", images.samples, size, images.classes.size());
}

}  // namespace plumbline::project
