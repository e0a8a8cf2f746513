#pragma once
// What LibTorch throws, told in a sentence.

#include <ATen/core/Tensor.h>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace plumbline::model {

/// An error that has to pass through LibTorch, as from within a backward pass.
class PassedError final : public std::exception {
public:
    explicit PassedError(Error error) : m_error(std::move(error)) {}
    const Error& error() const { return m_error; }
    const char* what() const noexcept override { return m_error.message.c_str(); }

private:
    Error m_error;
};

/// Call inside a catch block. "<doing>: <reason>." with a hint where the reason is a well-known one; what a PassedError
/// holds; running out of memory becomes kMachine "out-of-memory", data that do not fit the model kInvalid, everything
/// else kRunFailed "block-failed".
Error errorOfCurrentException(const std::string& doing, const std::string& where);

/// "float32 [64, 1, 8, 8]"
std::string describe(const at::Tensor& tensor);
/// "float32 [64, 1, 8, 8] and int64 [64]"; "no input" for none.
std::string describe(const std::vector<const at::Tensor*>& tensors);

}  // namespace plumbline::model
