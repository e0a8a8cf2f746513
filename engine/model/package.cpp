// AOTIPackage: native code that AOTInductor made, loaded once the person trusts the file. Whatever goes in and comes
// out is checked here: the code itself takes wrong sizes without a word and reads past their end.

#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <fmt/format.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "core/aoti_package.h"
#include "core/private_folder.h"
#include "core/text.h"
#include "core/trusted_files.h"
#include "graph/tensor_signature.h"
#include "model/build_stop.h"
#include "model/dtype.h"
#include "model/failure.h"
#include "model/leaf.h"
#include "model/libtorch_name.h"
#include "model/package_trial.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

using Loader = torch::inductor::AOTIModelPackageLoader;
using Symbols = graph::SymbolSizes<std::int64_t>;

constexpr const char* kFolderKind = "plumbline-package";

template <class Value>
Value orThrow(Result<Value> result) {
    if (!result) {
        throw PassedError(std::move(result).error());
    }
    if constexpr (!std::is_void_v<Value>) {
        return *std::move(result);
    }
}

/// A variable of the environment has this value while the object lives: LibTorch and packages ask nothing else. There
/// is one at a time; core/program_start.cpp says why other threads may read meanwhile.
class EnvironmentValue {
public:
    EnvironmentValue(const char* name, const std::string& value) : m_name(name) {
        if (const char* before = std::getenv(name)) {
            m_before = before;
        }
        ::setenv(name, value.c_str(), 1);
    }
    ~EnvironmentValue() { m_before ? ::setenv(m_name, m_before->c_str(), 1) : ::unsetenv(m_name); }
    EnvironmentValue(const EnvironmentValue&) = delete;
    EnvironmentValue& operator=(const EnvironmentValue&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

/// An error about the copy, told of the file that was copied.
Error toldOf(const std::filesystem::path& file, const std::filesystem::path& copy, Error error) {
    const std::string from = copy.string(), to = file.string();
    for (std::string* text : {&error.message, &error.where, &error.hint}) {
        for (std::size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
            text->replace(at, from.size(), to);
        }
    }
    return error;
}

/// A message that names files of the package without "<folder>/<a random name>/", which is gone.
std::string withoutFolder(std::string message, const std::filesystem::path& folder) {
    const std::string begin = folder.string() + "/";
    for (std::size_t at = message.find(begin); at != std::string::npos; at = message.find(begin)) {
        const std::size_t slash = message.find('/', at + begin.size());
        message.erase(at, slash == std::string::npos ? begin.size() : slash + 1 - at);
    }
    return message;
}

void requireTrust(const std::filesystem::path& file, const FileSum& sum, const Json& params) {
    if (!orThrow(isTrusted(sum.sha256))) {
        throw PassedError({ErrorKind::kInvalid, "package-not-trusted",
                           fmt::format("{} (SHA-256 {}) is native code, which runs with all of your rights, and you "
                                       "have not said that you trust it",
                                       file.string(), sum.sha256),
                           "",
                           fmt::format("If you know where it comes from: {}",
                                       textOr(params, "trust_command", "plumbline trust PROJECT"))});
    }
}

void requireRoom(const std::filesystem::path& folder, std::uint64_t bytes) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    if (!error && space.available < bytes) {
        throw PassedError({ErrorKind::kMachine, "disk-full",
                           fmt::format("The package needs {} MB, and {} has {} MB", bytes / 1'000'000,
                                       folder.parent_path().string(), space.available / 1'000'000),
                           folder.string(), "Free some space, or set TMPDIR to a folder that has it."});
    }
}

/// What LibTorch unpacks lives in a folder of ours, which is gone once it is loaded or was refused: a library that is
/// mapped needs its file no more.
std::unique_ptr<Loader> load(const std::filesystem::path& file, const std::filesystem::path& copy,
                             const std::string& name) {
    orThrow(answerToLibTorchsName());
    static std::mutex s_mutex;
    const std::scoped_lock lock(s_mutex);
    const PrivateFolder unpacked = orThrow(PrivateFolder::make(kFolderKind));
    const EnvironmentValue place("TMPDIR", unpacked.path().string());
    try {
        return std::make_unique<Loader>(copy.string(), name, /*run_single_threaded=*/true);
    } catch (...) {
        Error error = toldOf(
            file, copy, errorOfCurrentException(fmt::format("The package {} could not be loaded", file.string()), ""));
        error.message = withoutFolder(error.message, unpacked.path());
        error.code = "package-not-loaded";
        error.kind = ErrorKind::kInvalid;
        error.hint = error.message.find("failed to map segment") != std::string::npos
                         ? "Libraries may not be run from the folder of temporary files; set TMPDIR to another one."
                         : "Compile it again, with PyTorch 2.13 and on this machine.";
        throw PassedError(std::move(error));
    }
}

/// Runs code of a package. It computes in the dtypes that it was compiled for, with LibTorch's operators too.
std::vector<at::Tensor> run(Loader& loader, const std::vector<at::Tensor>& inputs) {
    const at::NoGradGuard noGradients;
    const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);
    return loader.run(inputs);
}

class AotiPackageLeaf final : public Leaf {
public:
    explicit AotiPackageLeaf(const Json& params)
        : m_inputs(orThrow(graph::parseSignature(textOr(params, "inputs", ""), "inputs"))),
          m_outputs(orThrow(graph::parseSignature(textOr(params, "output", ""), "output"))) {
        const std::filesystem::path file = textOr(params, "path", "");
        const std::string name = textOr(params, "model_name", "model");
        // Nothing is copied of what is not trusted. What counts is the copy, which is loaded, whatever becomes of the
        // file meanwhile.
        const RunControl* const control = StopWhileBuilding::control();
        const FileSum now = orThrow(sumOf(file, control));
        requireTrust(file, now, params);
        const PrivateFolder folder = orThrow(PrivateFolder::make(kFolderKind));
        const std::filesystem::path copy = folder.path() / "package.pt2";
        requireRoom(folder.path(), now.bytes);
        const FileSum sum = orThrow(copyWithSum(file, copy, control));
        requireTrust(file, sum, params);
        const auto package = readAotiPackage(copy, name);
        const Status runs = package ? runsHere(*package, copy) : Status(tl::unexpected(package.error()));
        if (!runs) {
            throw PassedError(toldOf(file, copy, runs.error()));
        }
        requireRoom(folder.path(), package->unpackedBytes);
        {
            // Loaded for this alone: what it compares would refuse a batch of 1 later, which it can compute.
            const std::unique_ptr<Loader> asked = load(file, copy, name);
            const EnvironmentValue checks(kCheckInputs, "1");
            m_least =
                requireDeclared(file, m_inputs, [&](const std::vector<at::Tensor>& inputs) { run(*asked, inputs); });
        }
        m_loader = load(file, copy, name);
        m_sum = sum.sha256;
    }

    std::string contentHash() const override { return m_sum; }

    void forward(const LeafCall& call) override {
        Symbols symbols;
        std::vector<at::Tensor> inputs;
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            inputs.push_back(taken(call.input(i), i, symbols));
        }
        if (inputs.size() != m_inputs.size()) {
            throw std::invalid_argument(fmt::format("the block declares {} and gets {}",
                                                    counted(static_cast<std::int64_t>(m_inputs.size()), "input"),
                                                    inputs.size()));
        }
        for (const auto& [symbol, least] : m_least) {
            if (symbols.at(symbol) < least) {
                throw std::invalid_argument(fmt::format("the package was compiled for {} from {} on, and gets {}",
                                                        symbol, least, symbols.at(symbol)));
            }
        }
        const std::vector<at::Tensor> outputs = run(*m_loader, inputs);
        inputs.clear();
        if (outputs.size() != 1) {
            throw std::runtime_error(fmt::format("the package gives {}, and the block has one",
                                                 counted(static_cast<std::int64_t>(outputs.size()), "output")));
        }
        call.outputs[0] = given(outputs.front(), symbols);
    }

private:
    at::Tensor taken(const at::Tensor& input, std::size_t index, Symbols& symbols) const {
        if (index >= m_inputs.size()) {
            return input;
        }
        if (!input.device().is_cpu()) {
            throw std::invalid_argument(
                fmt::format("the package computes on the CPU and gets a tensor on {}; set training.device to cpu",
                            input.device().str()));
        }
        const graph::TensorType& declared = m_inputs[index];
        const at::ScalarType dtype = toScalarType(declared.dtype);
        // Under autocast what comes may be in half precision, as it may for any operator that wants float32.
        const bool isCast = input.scalar_type() != dtype && at::isFloatingType(dtype) &&
                            at::isFloatingType(input.scalar_type()) && isHalf(input.scalar_type());
        if ((input.scalar_type() != dtype && !isCast) || !graph::matches(declared.dims, input.sizes().vec(), symbols)) {
            throw std::invalid_argument(fmt::format("the package takes {} [{}] and gets {}", toString(declared.dtype),
                                                    declared.shapeText(), describe(input)));
        }
        const at::Tensor own = (isCast ? input.to(dtype) : input).detach().contiguous();
        // Code may write into what it is given, which others read.
        return own.is_alias_of(input) ? own.clone(at::MemoryFormat::Contiguous) : own;
    }

    at::Tensor given(const at::Tensor& output, const Symbols& symbols) const {
        const graph::TensorType& declared = m_outputs.front();
        const bool isPlain = output.defined() && output.layout() == at::kStrided && output.device().is_cpu();
        if (!isPlain || output.scalar_type() != toScalarType(declared.dtype) ||
            output.sizes() != at::IntArrayRef(graph::sizesOf(declared.dims, symbols))) {
            throw std::runtime_error(fmt::format("the package gives {} and the block declares {} [{}]",
                                                 describe(output), toString(declared.dtype), declared.shapeText()));
        }
        // Memory of the package itself or of an input is nothing that a block behind this one may write into, or
        // outlive.
        const bool isOwn = output.storage().use_count() == 1 && output.storage().resizable();
        return isOwn ? output : output.clone();
    }

    static bool isHalf(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

    std::vector<graph::TensorType> m_inputs, m_outputs;
    Symbols m_least;  ///< what symbols have to be at least
    /// Of this block alone: code may keep what it computes in constants of its own from one call to the next
    /// (torch/csrc/inductor/aoti_runtime/model_base.h: "The constants are NOT readonly because they may be mutated"),
    /// so that another block with the same file, or another model, would change its numbers.
    std::unique_ptr<Loader> m_loader;
    std::string m_sum;
};

}  // namespace

void addPackageLeaves(LeafBuilders& builders) {
    addLeaf<AotiPackageLeaf>(builders, "AOTIPackage");
}

}  // namespace plumbline::model
