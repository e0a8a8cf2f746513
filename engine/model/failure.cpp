#include "model/failure.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <exception>
#include <new>
#include <string_view>

#include "model/dtype.h"

namespace plumbline::model {

namespace {

struct KnownReason {
    std::string_view part;  ///< of LibTorch's message
    std::string_view hint;
    bool ofData = false;  ///< the data do not fit the model: nothing that happens in a run alone
};

constexpr std::array<KnownReason, 8> kKnownReasons = {{
    {"mat1 and mat2 shapes cannot be multiplied", "The last dimension of the input has to be in_features."},
    {"must have the same dtype",
     "Convert the input to the dtype of the block's parameters, for example with a ToDtype block."},
    {"should be the same", "Convert the input to the dtype and the device of the block's parameters."},
    {"Expected tensor for argument #1 'indices'", "Token ids are int64 or int32; convert them with a ToDtype block."},
    {"is not in its table", "Set num_embeddings above the largest id, or correct the ids.", true},
    {"Expected more than 1 value per channel when training", "Make the batch larger, or drop the last, smaller one.",
     true},
    {"is out of bounds",
     "Every class number of a target has to be at least 0 and below the number of the model's classes.", true},
    {"Expected all tensors to be on the same device", "Move the input to the model's device."},
}};

/// The first line that says something, without a full stop; of what TorchScript ran, the reason behind its traceback.
std::string firstLine(std::string_view text) {
    constexpr std::string_view kReason = "RuntimeError: ";
    if (const std::size_t at = text.find(kReason);
        at != std::string_view::npos && text.find("TorchScript interpreter.\nTraceback") < at) {
        text.remove_prefix(at + kReason.size());
    }
    while (!text.empty() && (text.front() == '\n' || text.front() == ' ')) {
        text.remove_prefix(1);
    }
    text = text.substr(0, text.find('\n'));
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    return std::string(text);
}

bool tellsOfMemory(std::string_view text) {
    return text.find("can't allocate memory") != std::string_view::npos ||
           text.find("out of memory") != std::string_view::npos ||
           text.find("not enough memory") != std::string_view::npos;
}

Error errorOf(const std::string& doing, const std::string& where, std::string_view reason, bool memory) {
    if (memory || tellsOfMemory(reason)) {
        return {ErrorKind::kMachine, "out-of-memory", fmt::format("{}: there is not enough memory.", doing), where,
                "Use a smaller batch, a smaller model, or close other programs."};
    }
    Error error{ErrorKind::kRunFailed, "block-failed", fmt::format("{}: {}.", doing, firstLine(reason)), where,
                "Check the block's parameters and what it gets."};
    for (const KnownReason& known : kKnownReasons) {
        if (reason.find(known.part) != std::string_view::npos) {
            error.hint = known.hint;
            error.kind = known.ofData ? ErrorKind::kInvalid : error.kind;
            break;
        }
    }
    return error;
}

}  // namespace

Error errorOfCurrentException(const std::string& doing, const std::string& where) {
    try {
        throw;
    } catch (const PassedError& passed) {
        return passed.error();
    } catch (const c10::OutOfMemoryError& error) {
        return errorOf(doing, where, error.what_without_backtrace(), true);
    } catch (const c10::Error& error) {
        return errorOf(doing, where, error.what_without_backtrace(), false);
    } catch (const std::bad_alloc&) {
        return errorOf(doing, where, "", true);
    } catch (const std::exception& error) {
        return errorOf(doing, where, error.what(), false);
    } catch (...) {
        return errorOf(doing, where, "an unknown exception", false);
    }
}

std::string describe(const at::Tensor& tensor) {
    if (!tensor.defined()) {
        return "no tensor";
    }
    return fmt::format("{} [{}]", dtypeName(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "));
}

std::string describe(const std::vector<const at::Tensor*>& tensors) {
    std::string text;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == tensors.size() ? " and " : ", ") + describe(*tensors[i]);
    }
    return text.empty() ? "no input" : text;
}

}  // namespace plumbline::model
