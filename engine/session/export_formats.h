#pragma once
// The formats that a model can be taken away in. Each has a file in export/, which needs LibTorch, and one line here.

#include <vector>

/// The function of export/, --format, what a person calls it, what is written, what --verify compares.
#define PLUMBLINE_EXPORT_FORMATS(X)                                                                                \
    X(exportCpp, "cpp", "C++ project",                                                                             \
      "A CMake project in readable LibTorch C++: the model, its weights, inference, training with the same plan.", \
      "outputs and five training steps")                                                                           \
    X(exportTorchScript, "torchscript", "TorchScript",                                                             \
      "One file that torch.jit.load reads in Python and in C++, without any code of ours.", "outputs")             \
    X(exportStateDict, "state-dict", "Weights for PyTorch",                                                        \
      "One file that torch.load(weights_only=True) reads; load_state_dict takes it for the same module tree.",     \
      "every tensor")

namespace plumbline::session {

struct ExportFormat {
    const char* name;
    const char* title;
    const char* summary;
    const char* compared;
};

inline const std::vector<ExportFormat>& exportFormats() {
#define PLUMBLINE_ENTRY(function, name, title, summary, compared) {name, title, summary, compared},
    static const std::vector<ExportFormat> all = {PLUMBLINE_EXPORT_FORMATS(PLUMBLINE_ENTRY)};
#undef PLUMBLINE_ENTRY
    return all;
}

}  // namespace plumbline::session
