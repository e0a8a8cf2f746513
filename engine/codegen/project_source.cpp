#include "codegen/project_source.h"

#include <fmt/format.h>

#include "codegen/export_templates.h"
#include "codegen/model_source.h"
#include "codegen/module_body.h"

namespace plumbline::codegen {
namespace {

/// Replaces each @MARK@ once; marks inside what was filled in are left alone.
std::string filled(const std::string& text, const std::map<std::string, std::string>& marks) {
    std::string result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('@', at);
        const std::size_t close = open == std::string::npos ? open : text.find('@', open + 1);
        if (close == std::string::npos) {
            break;
        }
        const auto mark = marks.find(text.substr(open + 1, close - open - 1));
        if (mark == marks.end()) {
            result += text.substr(at, close - at);
            at = close;
            continue;
        }
        result += text.substr(at, open - at) + mark->second;
        at = close + 1;
    }
    return result + text.substr(at);
}

/// One line without what would end a comment or a quotation.
std::string harmless(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\' || c == '@' ? ' ' : c;
    }
    return result;
}

bool takesPicture(const DataFacts& data) {
    return data.raw.size() == 1 && data.raw[0].parts[0].kind == data::RawForm::Kind::kPicture;
}

/// Rows of the README's table.
std::string rawFiles(const DataFacts& data) {
    return isTable(data.raw)
               ? "| `sample.csv` | the same samples as rows of the table: the columns that the model takes |\n"
               : "";
}

/// Commands that ask the model, one a line. A single sample can be asked about where the model does not take several at
/// a time.
std::string usesOf(const DataFacts& data, const ProjectNotes& notes, bool takesSeveral) {
    std::string text = "build/inference weights.pt raw.pt\n";
    if (!notes.example.empty() && !takesSeveral) {
        text += fmt::format("build/inference weights.pt {}\n", notes.example);
    }
    if (isTable(data.raw)) {
        text += "build/inference weights.pt sample.csv\n";
    }
    if (takesPicture(data) && !takesSeveral) {
        text +=
            "build/inference weights.pt picture.pgm        # or .ppm; from a photo: convert photo.png picture.ppm\n";
    }
    return text;
}

}  // namespace

std::string precisionNote(const plan::TrainingPlan& plan) {
    if (plan.precision == plan::Precision::kFp32) {
        return {};
    }
    const bool half = plan.precision == plan::Precision::kFp16;
    return fmt::format("The plan trains under {} autocast{}; the exported programs compute in float32 throughout.",
                       half ? "float16" : "bfloat16", half ? " with a loss scale" : "");
}

Result<std::vector<SourceFile>> projectSources(const project::Project& project, const graph::ResolvedModel& model,
                                               const graph::BlockRegistry& registry, const PlanFacts& facts,
                                               const ProjectNotes& notes, const DataFacts& data) {
    PLUMBLINE_ASSIGN(auto marks, planMarks(project, model, facts));
    PLUMBLINE_ASSIGN(auto ofData, preprocessMarks(project.training, model, data));
    marks.merge(ofData);
    marks["RAW_FILES"] = rawFiles(data);
    const std::int64_t atATime = samplesAtATime(model);
    marks["USES"] = usesOf(data, notes, atATime > 1);
    marks["BATCH_NOTE"] = atATime > 1 ? fmt::format(
                                            "\n\nThe model takes {} samples at a time: `inference` wants a file of so "
                                            "many, and `training` leaves out a last\nbatch of fewer.",
                                            atATime)
                                      : "";
    marks["PROJECT"] = harmless(project.name);
    marks["TARGET"] = "exported_" + cppIdentifier(project.name);
    marks["LIBTORCH"] = notes.libtorch;
    marks["DATA_NOTE"] = notes.dataNote;
    marks["PRECISION_NOTE"] = precisionNote(project.training);
    std::vector<SourceFile> files;
    PLUMBLINE_ASSIGN(std::string modelText, modelSource(model, project.model, registry, harmless(project.name)));
    files.push_back({"model.h", std::move(modelText)});
    for (const ExportTemplate& entry : exportTemplates()) {
        files.push_back({entry.file, filled(entry.text, marks)});
    }
    return files;
}

}  // namespace plumbline::codegen
