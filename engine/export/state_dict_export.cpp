// Weights for PyTorch: one file that torch.load(file, weights_only=True) reads and load_state_dict takes.

#include <ATen/ops/equal.h>
#include <fmt/format.h>

#include "export/format.h"
#include "export/tensor_files.h"

namespace plumbline::exporting {
namespace {

constexpr const char* kFile = "state_dict.pt";

Status verify(const FormatContext& context, const NamedTensors& written, session::ExportReport& report) {
    PLUMBLINE_ASSIGN(const NamedTensors read, readTensorFile(context.folder / kFile));
    report.checked = true;
    report.passed = read.size() == written.size();
    report.worst = Json::array();
    for (std::size_t i = 0; i < std::min(read.size(), written.size()); ++i) {
        if (read[i].first != written[i].first || !at::equal(read[i].second, written[i].second.cpu())) {
            report.passed = false;
            report.worst.push_back({{"tensor", written[i].first}});
        }
    }
    return {};
}

}  // namespace

Status exportStateDict(FormatContext& context, session::ExportReport& report) {
    NamedTensors tensors;
    for (const model::NamedState& state : context.model.stateDict()) {
        tensors.emplace_back(state.name, state.tensor);
    }
    PLUMBLINE_TRY(writeTensorFile(context.folder / kFile, tensors));
    report.files.emplace_back(kFile);
    return context.request.verify ? verify(context, tensors, report) : Status{};
}

}  // namespace plumbline::exporting
