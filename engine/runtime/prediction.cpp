#include "runtime/prediction.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <fmt/format.h>

#include <sys/stat.h>
#include <algorithm>
#include <cmath>

#include "plan/loss_traits.h"
#include "project/data_paths.h"
#include "runtime/block_compiler.h"
#include "train/averaging.h"
#include "train/evaluation.h"
#include "train/packages.h"

namespace plumbline::runtime {

namespace {

/// Nested lists of one sample's output.
Json toJson(const at::Tensor& tensor) {
    if (tensor.dim() == 0 && tensor.scalar_type() == at::kBool) {
        return tensor.item<bool>();
    }
    if (tensor.dim() == 0 && at::isIntegralType(tensor.scalar_type(), false)) {
        return tensor.item<std::int64_t>();
    }
    if (tensor.dim() == 0) {
        const double value = tensor.item<double>();
        return std::isfinite(value) ? Json(value) : Json();
    }
    Json list = Json::array();
    for (std::int64_t i = 0; i < tensor.size(0); ++i) {
        list.push_back(toJson(tensor.select(0, i)));
    }
    return list;
}

/// What an output's numbers are as probabilities; scores without any keep their order.
at::Tensor probabilitiesOf(const at::Tensor& numbers, plan::OutputScale scale, bool exclusive) {
    switch (scale) {
        case plan::OutputScale::kProbabilities:
            return numbers;
        case plan::OutputScale::kLogProbabilities:
            return numbers.exp();
        case plan::OutputScale::kAny:
        case plan::OutputScale::kScores:
        case plan::OutputScale::kLogits:
            break;
    }
    return exclusive ? at::softmax(numbers, 0) : at::sigmoid(numbers);
}

/// The classes of the first loss that tells any, from the output that it reads; `outputs` are of one sample.
std::vector<std::pair<std::string, double>> classesOf(const plan::TrainingPlan& plan, const train::Assembly& assembly,
                                                      const std::vector<at::Tensor>& outputs) {
    for (const plan::LossSpec& loss : plan.losses) {
        const auto binding = train::findBinding(assembly.names, loss.output, loss.target, "");
        if (!binding) {
            continue;
        }
        const at::Tensor scores = outputs[binding->output].detach().to(at::kDouble).cpu();
        const data::FeedInfo& target = assembly.dataset->targets()[binding->target];
        const plan::LossTraits& traits = plan::lossTraits(loss.type);
        const std::int64_t dims = scores.dim();
        const plan::LossKind kind = plan::kindOf(loss, !target.classes.empty() && dims == 2 && scores.size(1) > 1);
        const bool exclusive = kind == plan::LossKind::kClasses;
        const bool yesOrNo = kind == plan::LossKind::kElements && traits.target == plan::TargetRange::kShares;
        if ((!exclusive && !yesOrNo) || dims == 0 || scores.size(0) != 1 || (exclusive ? dims != 2 : dims > 2)) {
            continue;  // a class a position, as in segmentation, has no single answer
        }
        const at::Tensor probabilities = probabilitiesOf(scores.reshape({-1}), traits.scale, exclusive);
        const std::vector<std::string>& names = target.classes;
        const auto nameOf = [&](std::int64_t i) {
            return static_cast<std::size_t>(i) < names.size() ? names[static_cast<std::size_t>(i)] : std::to_string(i);
        };
        std::vector<std::pair<std::string, double>> classes;
        for (std::int64_t i = 0; i < probabilities.numel(); ++i) {
            classes.emplace_back(nameOf(i), probabilities.select(0, i).item<double>());
        }
        if (!exclusive && classes.size() == 1) {
            // One logit tells between two classes: it is the probability of the second.
            const double second = classes.front().second;
            classes = {{nameOf(0), 1.0 - second}, {nameOf(1), second}};
        }
        std::stable_sort(classes.begin(), classes.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        return classes;
    }
    return {};
}

/// All that decides an answer besides the input.
std::string describe(const session::PredictRequest& request) {
    struct stat file {};
    ::stat(request.checkpoint.c_str(), &file);
    return fmt::format("{}\n{}:{}:{}.{}:{}\n{}\n{}{}", request.device, request.checkpoint.string(), file.st_size,
                       file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ino, request.project.folder.string(),
                       project::dataStamp(request.project.json, request.project.folder), request.project.json.dump());
}

/// Threads and flags of the process are this answer's only while it is worked out.
struct ScopeEnd {
    std::unique_ptr<train::EnvironmentScope>& scope;
    ~ScopeEnd() { scope.reset(); }
};

}  // namespace

Result<std::vector<session::Prediction>> Predictor::predict(const session::PredictRequest& request) {
    std::string wanted = describe(request);
    if (m_assembly && m_of == wanted) {
        m_assembly->scope =
            std::make_unique<train::EnvironmentScope>(m_assembly->environment, request.project.training.determinism);
    } else {
        forget();
        PLUMBLINE_ASSIGN(train::Assembly made, train::assemble(request.project, nullptr, request.device, nullptr));
        bool notRecalibrated = false;
        PLUMBLINE_TRY(train::loadModelState(*made.model, request.checkpoint, &notRecalibrated));
        m_remark = train::remarkOnStatistics(request.project.training.averaging, *made.model, notRecalibrated);
        m_assembly = std::move(made);
        m_of = std::move(wanted);
    }
    train::Assembly& assembly = *m_assembly;
    const ScopeEnd end{assembly.scope};
    const at::NoGradGuard noGrad;
    const train::EvaluationMode mode(*assembly.model);
    if (!request.compile || (m_compiled != nullptr && m_compiled->stale())) {
        m_compiled.reset();
    }
    if (request.compile && m_compiled == nullptr) {
        PLUMBLINE_ASSIGN(m_compiled,
                         compileBlocks(assembly, request.project, {data::Split::kValidation, 1, false}, nullptr));
    }
    std::vector<session::Prediction> predictions;
    train::TensorBatch batch;
    PLUMBLINE_TRY(assembly.dataset->eachInput(
        request.inputs, [&](const std::string& input, const data::HostBatch& host) -> Status {
            assembly.binder.bind(host, batch);
            PLUMBLINE_ASSIGN(const std::vector<at::Tensor> outputs, assembly.model->forward(batch.inputs));
            session::Prediction prediction;
            prediction.input = input;
            prediction.outputs = Json::object();
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                const at::Tensor sample = outputs[i].detach().cpu();
                prediction.outputs[assembly.names.outputs[i]] = toJson(sample.dim() > 0 ? sample.select(0, 0) : sample);
            }
            prediction.classes = classesOf(request.project.training, assembly, outputs);
            prediction.remark = m_remark;
            predictions.push_back(std::move(prediction));
            return {};
        }));
    if (m_compiled != nullptr && request.compiled) {
        request.compiled(m_compiled->report());
    }
    return predictions;
}

}  // namespace plumbline::runtime
