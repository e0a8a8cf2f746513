// Writes the C++ that is emitted for the settings of the reference files, for tests to compile: write_emitted FOLDER
// OPTIMIZERS SCHEDULERS LOSSES

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <set>

#include "codegen/export_templates.h"
#include "codegen/loss_source.h"
#include "codegen/optimizer_source.h"
#include "codegen/schedule_source.h"
#include "core/files.h"
#include "emitted_cases.h"

namespace {

using namespace plumbline;

[[noreturn]] void refuse(const std::string& message) {
    std::fprintf(stderr, "write_emitted: %s\n", message.c_str());
    std::exit(1);
}

template <typename T>
T taken(Result<T> result) {
    return result ? *std::move(result) : (refuse(toSentence(result.error())), T());
}

std::string templateOf(const std::string& file) {
    for (const codegen::ExportTemplate& entry : codegen::exportTemplates()) {
        if (entry.file == file) {
            return entry.text;
        }
    }
    refuse("there is no template " + file);
}

std::string filled(std::string text, const std::map<std::string, std::string>& marks) {
    for (const auto& [mark, value] : marks) {
        const std::size_t at = text.find("@" + mark + "@");
        if (at == std::string::npos) {
            refuse("the template has no mark " + mark);
        }
        text.replace(at, mark.size() + 2, value);
    }
    return text;
}

std::string schedules(const Json& references) {
    std::string
        text = "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <limits>\n#include <vector>\n",
        list;
    const auto cases = test::scheduleCases(references);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const codegen::ScheduleSource source = codegen::scheduleSource(cases[i].spec);
        text += fmt::format("namespace emitted{} {{\n{}{}", i, source.rate, source.momentum);
        if (!source.plateau.empty()) {
            text += fmt::format(
                "struct Plateau {{\n{}}};\n"
                "inline void follow(const std::vector<double>& values, double rate, std::vector<double>& rates) {{\n"
                "    Plateau plateau;\n    for (const double value : values) {{\n        rates.push_back(rate);\n      "
                "  plateau.add(value, {{&rate}});\n    }}\n}}\n",
                source.plateau);
        }
        text += "}\n";
        list += fmt::format("    {{emitted{0}::learningRate, {1}, {2}}},\n", i,
                            source.momentum.empty() ? "nullptr" : fmt::format("emitted{}::momentumAt", i),
                            source.plateau.empty() ? "nullptr" : fmt::format("emitted{}::follow", i));
    }
    return text +
           "struct EmittedSchedule {\n    double (*rate)(double, int64_t, int64_t);\n    double (*momentum)(int64_t, "
           "int64_t);\n"
           "    void (*follow)(const std::vector<double>&, double, std::vector<double>&);\n};\nconst EmittedSchedule "
           "kEmittedSchedules[] = {\n" +
           list + "};\n";
}

/// All rules in one header.
std::string optimizerHeader() {
    std::set<std::string> seen;
    std::string rules;
    for (const plan::TypeSpec& type : plan::optimizerTypes()) {
        plan::OptimizerSpec spec;
        spec.type = type.name;
        const codegen::OptimizerSource source = taken(codegen::optimizerSource(spec));
        rules += seen.insert(source.rule).second ? source.text : std::string();
    }
    return filled(templateOf("optimizer.h"), {{"RULE", rules}});
}

std::string optimizers(const Json& references) {
    std::string text;
    const auto cases = test::optimizerCases(references);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const plan::OptimizerSpec& spec = cases[i].spec;
        text += fmt::format("OPTIMIZER({}, {}, {}, {}, {})\n", i, codegen::cppNumber(spec.lr),
                            codegen::cppNumber(spec.weightDecay), spec.maximize,
                            taken(codegen::optimizerSource(spec)).make);
    }
    return text;
}

/// Every function that a loss may call, and no loss.
std::string lossHeader() {
    std::string functions;
    for (const char* part : {"contrastive", "ctc", "dice", "focal", "formula", "gaussian_nll"}) {
        functions += codegen::exportPart(fmt::format("losses/{}.h", part));
    }
    return filled(
        templateOf("losses.h"),
        {{"LOSS_FUNCTIONS", functions}, {"LOSSES", ""}, {"LOSS_COUNTS", ""}, {"LOSS_WEIGHTS", ""}, {"LOSS_SUMS", ""}});
}

std::string losses(const Json& references) {
    std::string text;
    const auto cases = test::lossCases(references);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const codegen::LossSource source = taken(codegen::lossSource(cases[i].spec, cases[i].outputs, ""));
        text += fmt::format("LOSS({}, ({}), ({}))\n", i, source.value, source.count);
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        refuse("FOLDER OPTIMIZERS SCHEDULERS LOSSES are wanted");
    }
    const std::filesystem::path folder = argv[1];
    const std::pair<const char*, std::string> files[] = {
        {"emitted_schedules.h", schedules(taken(readJsonFile(argv[3])))},
        {"tensors.h", templateOf("tensors.h")},
        {"optimizer.h", optimizerHeader()},
        {"emitted_optimizers.inc", optimizers(taken(readJsonFile(argv[2])))},
        {"losses.h", lossHeader()},
        {"emitted_losses.inc", losses(taken(readJsonFile(argv[4])))}};
    for (const auto& [name, text] : files) {
        if (const Status status = writeFileAtomically(folder / name, text); !status) {
            refuse(toSentence(status.error()));
        }
    }
    return 0;
}
