#include "export/tensor_files.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/from_blob.h>
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include "core/files.h"
#include "export/container.h"
#include "model/dtype.h"
#include "model/failure.h"

namespace plumbline::exporting {

namespace {

constexpr std::uintmax_t kLargestTensorFile = std::uintmax_t{16} << 30;

}  // namespace

Status writeTensorFile(const std::filesystem::path& file, const NamedTensors& tensors) {
    // The container of torch.save: data.pkl names the tensors, data/<n> holds their bytes. A dictionary without type
    // tags is all that Python's weights_only reader allows.
    try {
        std::string pickle;
        c10::impl::GenericDict dictionary(c10::StringType::get(), c10::TensorType::get());
        for (const auto& [name, tensor] : tensors) {
            // A clone, as a slice would bring its whole storage along.
            dictionary.insert(name, tensor.detach().cpu().clone(at::MemoryFormat::Contiguous));
        }
        std::size_t count = 0;
        torch::jit::Pickler pickler([&](const char* bytes, std::size_t size) { pickle.append(bytes, size); }, nullptr,
                                    nullptr, nullptr, [&](const at::Tensor&) { return std::to_string(count++); },
                                    /*tag_aggregates=*/false);
        pickler.protocol();
        pickler.pushIValue(dictionary);
        pickler.stop();
        return writeContainer(file, [&](const ByteSink& sink) {
            caffe2::serialize::PyTorchStreamWriter writer(sink);
            writer.writeRecord("data.pkl", pickle.data(), pickle.size());
            const std::string order = "little";
            writer.writeRecord("byteorder", order.data(), order.size());
            std::size_t index = 0;
            for (const at::Tensor& tensor : pickler.tensorData()) {
                writer.writeRecord("data/" + std::to_string(index++), tensor.storage().data(),
                                   tensor.storage().nbytes());
            }
            writer.writeEndOfFile();
        });
    } catch (...) {
        return fail(model::errorOfCurrentException("The weights could not be written", file.string()));
    }
}

Result<NamedTensors> readTensorFile(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(const std::string text, readFile(file, kLargestTensorFile));
    try {
        const std::vector<char> bytes(text.begin(), text.end());
        NamedTensors tensors;
        for (const auto& entry : torch::jit::pickle_load(bytes).toGenericDict()) {
            tensors.emplace_back(entry.key().toStringRef(), entry.value().toTensor());
        }
        return tensors;
    } catch (const std::exception&) {
        return fail(ErrorKind::kInvalid, "tensor-file-corrupt",
                    fmt::format("{} is no whole file of tensors", file.string()), file.string());
    }
}

at::Tensor toTensor(const data::HostTensor& tensor) {
    const std::shared_ptr<std::byte> memory = tensor.memory;
    return at::from_blob(
        memory.get(), tensor.dims, [memory](void*) {}, at::TensorOptions().dtype(model::toScalarType(tensor.dtype)));
}

NamedTensors toTensors(const data::HostBatch& batch) {
    NamedTensors tensors;
    for (const data::HostTensor& input : batch.inputs) {
        tensors.emplace_back("input." + input.name, toTensor(input));
    }
    for (const data::HostTensor& target : batch.targets) {
        tensors.emplace_back("target." + target.name, toTensor(target));
    }
    return tensors;
}

}  // namespace plumbline::exporting
