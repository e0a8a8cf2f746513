#include "export/raw_files.h"

#include <fmt/format.h>
#include <algorithm>

#include "codegen/preprocess_source.h"
#include "core/text.h"
#include "data/csv_reader.h"

namespace plumbline::exporting {
namespace {

constexpr std::size_t kLongestArgument = 160;
constexpr std::int64_t kMostValues = 32;

/// Element `index` of a tensor, as short as reads back the same.
std::string valueText(const data::HostTensor& tensor, std::int64_t index) {
    switch (tensor.dtype) {
        case DType::kFloat32:
            return fmt::format("{}", tensor.as<float>()[index]);
        case DType::kFloat64:
            return fmt::format("{}", tensor.as<double>()[index]);
        case DType::kInt64:
            return fmt::format("{}", tensor.as<std::int64_t>()[index]);
        case DType::kInt32:
            return fmt::format("{}", tensor.as<std::int32_t>()[index]);
        case DType::kUInt8:
            return fmt::format("{}", tensor.as<std::uint8_t>()[index]);
        default:
            return {};
    }
}

std::string cell(const data::RawForm& form, const data::HostTensor& tensor, std::int64_t index) {
    if (!form.categories.empty()) {
        return data::csvQuoted(form.categories[static_cast<std::size_t>(tensor.as<std::int64_t>()[index])],
                               form.delimiter);
    }
    std::string text = valueText(tensor, index);
    if (form.decimal == ',') {
        std::replace(text.begin(), text.end(), '.', ',');
    }
    return data::csvQuoted(text, form.delimiter);
}

std::string row(const std::vector<data::RawInput>& inputs, const data::HostBatch& batch, std::int64_t sample) {
    std::string text;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::int64_t count = inputs[i].type.elementCount();
        for (std::int64_t k = 0; k < count; ++k) {
            // A table has a part a value; anything else is one part.
            const data::RawForm& form = inputs[i].parts[static_cast<std::size_t>(
                std::min(k, static_cast<std::int64_t>(inputs[i].parts.size()) - 1))];
            text += (i + static_cast<std::size_t>(k) == 0 ? "" : std::string(1, form.delimiter)) +
                    cell(form, batch.inputs[i], sample * count + k);
        }
    }
    return text;
}

}  // namespace

NamedTensors rawTensors(const data::HostBatch& batch) {
    NamedTensors tensors;
    for (const data::HostTensor& input : batch.inputs) {
        tensors.emplace_back("raw." + input.name, toTensor(input));
    }
    return tensors;
}

std::string rawTable(const std::vector<data::RawInput>& inputs, const data::HostBatch& batch) {
    std::string text;
    for (const data::RawInput& input : inputs) {
        for (const data::RawForm& part : input.parts) {
            text += (text.empty() ? "" : std::string(1, part.delimiter)) + data::csvQuoted(part.column, part.delimiter);
        }
    }
    text += "\n";
    for (std::int64_t sample = 0; sample < batch.size(); ++sample) {
        text += row(inputs, batch, sample) + "\n";
    }
    return text;
}

std::string rawArgument(const std::vector<data::RawInput>& inputs, const data::HostBatch& batch, std::int64_t sample) {
    std::int64_t values = 0;
    for (const data::RawInput& input : inputs) {
        values += input.type.elementCount();
    }
    if (inputs.empty() || sample >= batch.size() || (!codegen::isTable(inputs) && values > kMostValues)) {
        return {};
    }
    const std::string text = row(inputs, batch, sample);
    const bool prints =
        std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '`'; });
    return prints && text.size() <= kLongestArgument ? shellQuoted(text) : std::string();
}

}  // namespace plumbline::exporting
