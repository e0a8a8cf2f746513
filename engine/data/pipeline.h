#pragma once
// The transforms of a feed, bound one after another.

#include <memory>
#include <optional>
#include <vector>

#include "data/affine.h"
#include "data/transform.h"

namespace plumbline::data {

class Pipeline {
public:
    explicit Pipeline(ValueType input);

    /// Type of what comes out at present.
    const ValueType& type() const { return m_type; }
    /// Adds one transform; returns it with what was fitted written out.
    Result<Json> append(const Json& transform, const BindContext& context);
    /// Ends in `dtype`, and drops a last dim of 1 if asked. A real number that has to become an integer must be whole.
    Status finish(DType dtype, bool squeeze, const std::string& pointer);

    /// `in` is one value of the input type; `random` is null where nothing is to be augmented. Thread-safe.
    Status run(const std::byte* in, std::byte* out, Random* random) const;
    /// Nothing has to be done: the output's bytes are the input's.
    bool isCopy(bool augment) const;
    bool hasRandomSteps() const;
    /// Statistics after the deterministic steps from those before, where that follows without looking at the samples.
    std::optional<FeedInfo::Statistics> map(const FeedInfo::Statistics& input) const;

private:
    void add(std::unique_ptr<Step> step, const ValueType& type);

    ValueType m_input;
    ValueType m_type;
    std::vector<std::unique_ptr<Step>> m_steps;
    std::vector<std::size_t> m_outputBytes;  ///< of each step
};

/// The element-wise conversion that finish() adds; also what turns raw numbers into float32.
std::unique_ptr<Step> makeCast(const ValueType& from, DType to, const std::string& pointer);

}  // namespace plumbline::data
