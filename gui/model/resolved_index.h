// SPDX-License-Identifier: GPL-3.0-or-later
// Looks into a resolved model by the path of a block: types, costs and values of a block at any level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/resolve.h"
#include "gui/model/level.h"

namespace plumbline::gui {

/// Refers to the model it was made from; make a new one after every check.
class ResolvedIndex {
public:
    ResolvedIndex() = default;
    explicit ResolvedIndex(const graph::ResolvedModel& model);

    using Types = std::vector<std::optional<graph::TensorType>>;
    /// Types of a block's outputs; empty when it is not in the resolved model.
    Types outputTypes(const std::string& path) const;
    Types inputTypes(const std::string& path) const;
    /// Type of what a graph input or a node's output carries at this level, by the name of the wire ("conv",
    /// "lstm.h_n").
    std::optional<graph::TensorType> wireType(const Level& level, const std::string& node, int output,
                                              const std::string& port) const;
    /// The same in the model itself; null where it is not known.
    const graph::TensorType* wire(const Level& level, const std::string& node, int output,
                                  const std::string& port) const;

    struct Cost {
        std::int64_t parameters = 0;
        std::optional<std::int64_t> macs;  ///< of one sample (B = 1, T = 1)
        std::optional<std::int64_t> activationBytes;
        std::int64_t stateBytes = 0;  ///< of parameters that are its own, and of buffers
    };
    /// Of a leaf, or of everything inside a composite.
    Cost cost(const std::string& path) const;
    /// State and outputs of the same, in bytes, for a batch of so many samples (of one time step, where their number is
    /// open). 0 where shapes are not known.
    std::int64_t memory(const std::string& path, std::int64_t batch) const;
    /// The leaf with this path, or the first leaf of a chain; null when there is none.
    const graph::ResolvedNode* leaf(const std::string& path) const;
    /// Values of a composite's parameters; null when it is none.
    const Json* compositeParams(const std::string& path) const;
    /// A path of an instance of this definition; empty when the model holds none.
    std::string firstInstance(const std::string& definition) const;
    bool has(const std::string& path) const { return m_byPath.contains(path); }

private:
    int find(const std::string& path) const;
    Types types(const std::vector<graph::ValueId>& values) const;
    /// What a block gives; null when it is not in the resolved model.
    const std::vector<graph::ValueId>* outputsOf(const std::string& path) const;
    void addCost(int tree, Cost& cost, graph::Dim& macs, graph::Dim& bytes) const;

    const graph::ResolvedModel* m_model = nullptr;
    std::unordered_map<std::string, int> m_byPath;
};

}  // namespace plumbline::gui
