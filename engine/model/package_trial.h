#pragma once
// Whether a package was compiled for what its block declares: it is asked once, with zeros, while nothing depends on
// it.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "graph/tensor_signature.h"

namespace plumbline::model {

/// Turns on what code of AOTInductor compares its inputs with, if it was compiled with that as torch 2.13 does by
/// default: dtypes, sizes, strides. The code looks once for each time it is loaded, in its first call.
constexpr const char* kCheckInputs = "AOTI_RUNTIME_CHECK_INPUTS";

using PackageCall = std::function<void(const std::vector<at::Tensor>& inputs)>;

/// Gives `call` zeros of the declared inputs; it runs the package with kCheckInputs on and throws what that throws. The
/// least size of every symbol that may not be as small as 1. Throws PassedError "package-mismatch" where the package
/// refuses what is declared; whatever else goes wrong with zeros is left to the calls that matter.
graph::SymbolSizes<std::int64_t> requireDeclared(const std::filesystem::path& file,
                                                 const std::vector<graph::TensorType>& declared,
                                                 const PackageCall& call);

}  // namespace plumbline::model
