// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/starting_values.h"

#include <algorithm>

namespace plumbline::gui {

namespace {

constexpr std::int64_t kChannels = 16, kFeatures = 64, kVocabulary = 1000, kPositions = 512, kKernel = 3, kWindow = 2;

/// A dimension counted from the left; nothing when it is a symbol or not there.
std::optional<std::int64_t> dimOf(const std::optional<graph::TensorType>& type, std::size_t index) {
    return type && index < type->dims.size() ? type->dims[index].constant() : std::nullopt;
}

std::int64_t smallestSide(const std::optional<graph::TensorType>& type) {
    std::int64_t side = kKernel;
    for (std::size_t i = 2; type && i < type->dims.size(); ++i) {
        side = std::min(side, dimOf(type, i).value_or(kKernel));
    }
    return side;
}

/// What arrives, as a package declares it: a size that is no number is a symbol.
std::string declared(const std::optional<graph::TensorType>& type) {
    std::string sizes = type ? "" : "B";
    for (std::size_t i = 0; type && i < type->dims.size(); ++i) {
        const std::string size = type->dims[i].toString();
        const bool isPlain = type->dims[i].isConstant() || type->dims[i] == graph::Dim::symbol(size);
        sizes += (i == 0 ? "" : ", ") + (isPlain ? size : "D" + std::to_string(i));
    }
    return std::string(toString(type ? type->dtype : DType::kFloat32)) + " [" + sizes + "]";
}

}  // namespace

Json startingParams(const graph::BlockType& type, const std::optional<graph::TensorType>& input) {
    Json params = Json::object();
    const std::int64_t channels = dimOf(input, 1).value_or(0);
    for (const graph::ParameterSpec& parameter : type.spec().parameters) {
        if (!parameter.defaultValue.is_null() || parameter.inferred || parameter.nullable) {
            continue;
        }
        const std::string& name = parameter.name;
        if (name == "out_channels") {
            params[name] = std::max(channels, kChannels);
        } else if (name == "kernel_size") {
            const bool convolution = type.spec().parameter("out_channels") != nullptr;
            params[name] = convolution ? kKernel : std::min(kWindow, smallestSide(input));
            if (convolution && type.spec().parameter("padding") != nullptr) {
                params["padding"] = kKernel / 2;
            }
        } else if (name == "num_groups") {
            params[name] = channels > 0 && channels % 8 == 0 ? 8 : 1;
        } else if (name == "out_features" || name == "hidden_size" || name == "embedding_dim") {
            params[name] = kFeatures;
        } else if (name == "num_heads" || name == "nhead") {
            // One that divides the last dimension, which is what heads share out.
            const std::int64_t width =
                input && !input->dims.empty() ? dimOf(input, input->dims.size() - 1).value_or(0) : 0;
            params[name] = width > 0 && width % 4 == 0 ? 4 : width > 0 && width % 2 == 0 ? 2 : 1;
        } else if (name == "max_len") {
            params[name] = std::max(channels, kPositions);
        } else if (name == "num_embeddings") {
            params[name] = kVocabulary;
        } else if (name == "path") {
            params[name] = "model.pt2";
        } else if (name == "inputs" || name == "output") {
            params[name] = declared(input);  // what a package gives nobody can guess: as what it takes
        } else if (name == "dims" && input) {
            params[name] = Json::array();
            for (std::size_t i = 0; i < input->dims.size(); ++i) {
                params[name].push_back(i);
            }
        }
    }
    return params;
}

}  // namespace plumbline::gui
