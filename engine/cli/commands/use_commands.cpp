// plumbline evaluate, plumbline predict

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/compiled_view.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"

namespace plumbline::cli {
namespace {

struct UseArguments {
    std::string project;
    std::string run;
    std::string split = "test";
    std::string device = "cpu";
    std::string checkpoint;
    std::vector<std::string> inputs;
    bool compile = false;
};

/// A line a unit on standard error, and the whole in the document.
void showCompiled(const Json& report, Json& document, const Output& output) {
    if (report.is_null()) {
        return;
    }
    document["compiled"] = report;
    for (const std::string& line : compiledLines(report)) {
        output.message(line);
    }
}

/// Rows are true classes, columns predicted ones.
void showMatrix(const std::string& name, const Json& matrix, const Output& output) {
    std::vector<std::vector<std::string>> rows{{"true \\ predicted"}};
    for (const Json& label : matrix.at("classes")) {
        rows.front().push_back(oneLine(label.get<std::string>()));
    }
    for (std::size_t truth = 0; truth + 1 < rows.front().size(); ++truth) {
        std::vector<std::string>& row = rows.emplace_back(std::vector{rows.front()[truth + 1]});
        for (const Json& count : matrix.at("counts").at(truth)) {
            row.push_back(std::to_string(count.get<std::int64_t>()));
        }
    }
    output.line(name);
    output.table(rows);
}

Result<int> runEvaluate(const UseArguments& arguments, const Output& output) {
    session::EvaluateRequest request;
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const UsedRun used, findRunToUse(project, arguments.project, arguments.run, output));
    const store::RunInfo& run = used.info;
    PLUMBLINE_ASSIGN(request.project, projectOfRun(project, run));
    PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(run, arguments.checkpoint));
    PLUMBLINE_ASSIGN(request.split, data::parseSplit(arguments.split));
    request.device = arguments.device;
    request.compile = arguments.compile;
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    const auto evaluated = engine->evaluate(request, control);
    if (!evaluated) {
        return fail(withOtherCheckpoint(evaluated.error(), run, request.checkpoint));
    }
    Json metrics = evaluated->metrics, classes = Json::object();
    for (const auto& [name, matrix] : evaluated->matrices.items()) {
        metrics[name] = matrix.at("counts");
        classes[name] = matrix.at("classes");
    }
    Json document{{"run", run.id},
                  {"split", arguments.split},
                  {"checkpoint", request.checkpoint.string()},
                  {"metrics", metrics},
                  {"critical_findings", used.criticalFindings}};
    if (!classes.empty()) {
        document["classes"] = classes;
    }
    if (!evaluated->remarks.empty()) {
        document["remarks"] = evaluated->remarks;
    }
    showCompiled(evaluated->compiled, document, output);
    output.document(document);
    for (const auto& [name, value] : evaluated->metrics) {
        output.line(fmt::format("{:<20} {}", name, numberText(value)));
    }
    for (const auto& [name, matrix] : evaluated->matrices.items()) {
        showMatrix(name, matrix, output);
    }
    for (const std::string& remark : evaluated->remarks) {
        output.message(remark);
    }
    return exitCodeOf(control.stopReason());
}

Result<int> runPredict(const UseArguments& arguments, const Output& output) {
    session::PredictRequest request;
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const UsedRun used, findRunToUse(project, arguments.project, arguments.run, output));
    const store::RunInfo& run = used.info;
    PLUMBLINE_ASSIGN(request.project, projectOfRun(project, run));
    PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(run, arguments.checkpoint));
    request.inputs = arguments.inputs;
    request.device = arguments.device;
    Json compiled;
    request.compile = arguments.compile;
    request.compiled = [&compiled](const Json& report) { compiled = report; };
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    const auto predictions = engine->predict(request);
    if (!predictions) {
        return fail(withOtherCheckpoint(predictions.error(), run, request.checkpoint));
    }
    Json list = Json::array();
    for (const session::Prediction& prediction : *predictions) {
        Json classes = Json::array();
        for (const auto& [name, probability] : prediction.classes) {
            classes.push_back({{"class", name}, {"probability", probability}});
        }
        list.push_back({{"input", prediction.input}, {"outputs", prediction.outputs}, {"classes", classes}});
        if (prediction.classes.empty()) {
            output.line(fmt::format("{}: {}", prediction.input, prediction.outputs.dump()));
        } else {
            output.line(fmt::format("{}: {} ({:.1f} %)", prediction.input, prediction.classes.front().first,
                                    100 * prediction.classes.front().second));
        }
    }
    Json document{{"run", run.id},
                  {"checkpoint", request.checkpoint.string()},
                  {"predictions", list},
                  {"critical_findings", used.criticalFindings}};
    if (!predictions->empty() && !predictions->front().remark.empty()) {
        document["remarks"] = Json::array({predictions->front().remark});
        output.message(predictions->front().remark);
    }
    showCompiled(compiled, document, output);
    output.document(document);
    return 0;
}

void addCompileOption(CLI::App* command, bool& compile) {
    command->add_flag("--compile", compile,
                      "Run blocks as compiled code where it is checked to be as right and timed to be faster; standard "
                      "error says what became of each");
}

}  // namespace

void registerUse(CLI::App& app, Invocation& invocation) {
    auto evaluation = std::make_shared<UseArguments>();
    CLI::App* evaluate = app.add_subcommand("evaluate", "Measure a trained model on a split");
    evaluate->add_option("PROJECT", evaluation->project, "Folder or project.json")->required();
    evaluate->add_option("RUN", evaluation->run, "Run id, name, latest or best")->required();
    evaluate->add_option("--split", evaluation->split, "train, validation or test")->capture_default_str();
    evaluate->add_option("--device", evaluation->device, "cpu or cuda:i")->capture_default_str();
    addCheckpointOption(evaluate, evaluation->checkpoint);
    addCompileOption(evaluate, evaluation->compile);
    evaluate->callback([&invocation, evaluation] {
        invocation.run = [evaluation](const Output& output) { return runEvaluate(*evaluation, output); };
    });

    auto prediction = std::make_shared<UseArguments>();
    CLI::App* predict = app.add_subcommand("predict", "Ask a trained model about single inputs");
    predict->add_option("PROJECT", prediction->project, "Folder or project.json")->required();
    predict->add_option("RUN", prediction->run, "Run id, name, latest or best")->required();
    predict->add_option("INPUT", prediction->inputs,
                        "An image file; a row of a table, as its values in order, as name=value for each column or as "
                        "a CSV file of rows; "
                        "or a sample of a split, as test:0. Without one the command is refused, and the hint says what "
                        "to give: of a table the columns, with an example");
    predict->add_option("--device", prediction->device, "cpu or cuda:i")->capture_default_str();
    addCheckpointOption(predict, prediction->checkpoint);
    addCompileOption(predict, prediction->compile);
    predict->footer(
        "plumbline predict wine latest alcohol=13.2 malic_acid=1.78 …\n"
        "plumbline predict wine latest new-bottles.csv     # columns by name, delimiter and decimal sign as in the "
        "project's data\n"
        "plumbline predict digits-cnn best drawn.png test:0");
    predict->callback([&invocation, prediction] {
        invocation.run = [prediction](const Output& output) { return runPredict(*prediction, output); };
    });
}

}  // namespace plumbline::cli
