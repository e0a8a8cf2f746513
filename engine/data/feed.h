#pragma once
// One model input or target of an opened dataset: which fields it is made of and what is done to them.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "data/pipeline.h"
#include "data/source.h"
#include "data/statistics.h"

namespace plumbline::data {

class Feed {
public:
    struct Part {
        const Source* source = nullptr;
        std::size_t field = 0;
    };

    /// Resolves names; `targetFields` ("source.column") is what "source.*" leaves out.
    static Result<std::unique_ptr<Feed>> resolve(const FeedSpec& spec, bool isTarget,
                                                 const std::vector<std::pair<std::string, const Source*>>& sources,
                                                 const std::vector<std::string>& targetFields);
    /// Binds the transforms and measures, on the training rows. Call once, after the sources are prepared.
    Status bind(const std::vector<std::int64_t>& trainRows, RunControl* control);
    /// FeedInfo::range, once bound: `otherRows` are those of the other splits.
    Status measureRange(const std::vector<std::int64_t>& otherRows, RunControl* control);

    const FeedInfo& info() const { return m_info; }
    /// What a person should know, after bind().
    const std::vector<std::string>& warnings() const { return m_warnings; }
    const FeedSpec& spec() const { return m_spec; }
    const std::vector<Part>& parts() const { return m_parts; }
    const ValueType& rawType() const { return m_raw; }
    std::size_t sampleBytes() const { return m_pipeline.type().byteCount(); }
    bool isClassIndex() const {
        return !m_info.classes.empty() && m_info.dtype == DType::kInt64 && m_info.dims.empty();
    }

    /// One sample, transformed; `random` is null where nothing is to be augmented. Thread-safe.
    Status write(std::int64_t row, std::byte* out, Random* random) const;
    /// Asks the processor for a row that write() will want soon: rows come in random order, which it cannot guess.
    void prefetch(std::int64_t row) const {
        if (const std::byte* view = m_parts[0].source->view(m_parts[0].field, row); view != nullptr) {
            const std::size_t bytes = std::min(m_raw.byteCount(), kPrefetchedBytes);
            for (std::size_t at = 0; at < bytes; at += 64) {
                __builtin_prefetch(view + at);
            }
        }
    }
    /// One sample as its sources keep it: rawType(). Thread-safe.
    Status readRaw(std::int64_t row, std::byte* out) const;
    /// The same from raw bytes (rawType()) that did not come from the source.
    Status transform(const std::byte* raw, std::byte* out) const { return m_pipeline.run(raw, out, nullptr); }
    bool hasRandomSteps() const { return m_pipeline.hasRandomSteps(); }
    /// The class of every row, for a class index or a column of whole numbers; an error that says why not otherwise.
    Result<std::vector<std::int64_t>> classOfRows() const;
    /// How many classes classOfRows() tells apart.
    std::int64_t classCount() const { return static_cast<std::int64_t>(m_classes.size()); }

private:
    static constexpr std::size_t kPrefetchedBytes = 4096;

    Feed(const FeedSpec& spec, bool isTarget, std::vector<Part> parts, ValueType raw);
    /// The raw bytes of a row: where they lie, or in `scratch`.
    Result<const std::byte*> raw(std::int64_t row, std::vector<std::byte>& scratch) const;
    Result<FeedInfo::Statistics> measure(const std::vector<std::int64_t>& rows, const Pipeline* pipeline,
                                         RunControl* control) const;
    /// Finite numbers have to be finite as float32 as well; whole ones that are rounded are told. Samples that lie in
    /// memory.
    Status checkFloats(RunControl* control);
    tl::unexpected<Error> beyondFloat32(const std::string& place, double value) const;
    /// Whole numbers as class indices: their names, "0" to the largest.
    Status findNumberedClasses();

    FeedSpec m_spec;
    bool m_isTarget = false;
    std::string m_pointer;
    std::vector<Part> m_parts;
    bool m_contiguous = false;  ///< the parts lie side by side in memory
    std::size_t m_partBytes = 0;
    ValueType m_raw;
    std::vector<std::string> m_classes;
    Pipeline m_pipeline;
    FeedInfo m_info;
    std::vector<std::string> m_warnings;
};

}  // namespace plumbline::data
