#include "data/feed.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/json_errors.h"
#include "core/text.h"

namespace plumbline::data {
namespace {

/// Up to here a float32 tells all whole numbers apart.
constexpr double kLargestWholeFloat = 16777216.0;

/// Samples measured where every one costs a file and no transform needs exact statistics.
constexpr std::size_t kMeasuredWhenLazy = 2000;
constexpr std::int64_t kMaxNumberedClasses = 100'000;

Result<std::vector<Feed::Part>> findParts(const FeedSpec& spec, const std::string& pointer,
                                          const std::vector<std::pair<std::string, const Source*>>& sources,
                                          const std::vector<std::string>& targetFields) {
    std::vector<Feed::Part> parts;
    // A table may have a hundred thousand columns, and a feed as many names.
    const std::unordered_set<std::string> isTarget(targetFields.begin(), targetFields.end());
    std::unordered_map<const Source*, std::unordered_map<std::string, std::size_t>> places;
    for (const std::string& from : spec.from) {
        const std::size_t dot = from.find('.');
        const std::string sourceName = from.substr(0, dot);
        const std::string fieldName = from.substr(dot + 1);
        const auto named =
            std::find_if(sources.begin(), sources.end(), [&](const auto& item) { return item.first == sourceName; });
        if (named == sources.end()) {
            return fail(ErrorKind::kInvalid, "unknown-source", fmt::format("There is no source \"{}\"", sourceName),
                        pointer);
        }
        const Source* source = named->second;
        const std::vector<Field>& fields = source->fields();
        const std::size_t before = parts.size();
        if (fieldName == "*") {
            for (std::size_t i = 0; i < fields.size(); ++i) {
                if (fields[i].inAll && !isTarget.contains(sourceName + "." + fields[i].name)) {
                    parts.push_back({source, i});
                }
            }
        } else {
            std::unordered_map<std::string, std::size_t>& known = places[source];
            if (known.empty()) {
                for (std::size_t i = 0; i < fields.size(); ++i) {
                    known.emplace(fields[i].name, i);
                }
            }
            if (const auto found = known.find(fieldName); found != known.end()) {
                parts.push_back({source, found->second});
            }
        }
        if (parts.size() == before) {
            std::vector<std::string> names;
            for (const Field& field : fields) {
                names.push_back(field.name);
            }
            return fail(ErrorKind::kInvalid, "unknown-column",
                        fmt::format("The source \"{}\" has no column \"{}\"", sourceName, shortened(fieldName)),
                        pointer, didYouMean(fieldName, names, ""));
        }
    }
    return parts;
}

}  // namespace

Feed::Feed(const FeedSpec& spec, bool isTarget, std::vector<Part> parts, ValueType raw)
    : m_spec(spec),
      m_isTarget(isTarget),
      m_parts(std::move(parts)),
      m_raw(std::move(raw)),
      m_classes(m_raw.classes),
      m_pipeline(m_raw) {
    m_pointer = pointerTo(isTarget ? "/data/targets" : "/data/inputs", spec.name);
    m_partBytes = m_parts[0].source->fields()[m_parts[0].field].type.byteCount();
}

Result<std::unique_ptr<Feed>> Feed::resolve(const FeedSpec& spec, bool isTarget,
                                            const std::vector<std::pair<std::string, const Source*>>& sources,
                                            const std::vector<std::string>& targetFields) {
    const std::string pointer = pointerTo(pointerTo(isTarget ? "/data/targets" : "/data/inputs", spec.name), "from");
    PLUMBLINE_ASSIGN(std::vector<Part> parts, findParts(spec, pointer, sources, targetFields));
    const auto fieldOf = [](const Part& part) -> const Field& { return part.source->fields()[part.field]; };
    ValueType raw = fieldOf(parts[0]).type;
    if (parts.size() > 1) {
        raw.dims = {0};
        raw.columns.clear();
        for (const Part& part : parts) {
            const Field& field = fieldOf(part);
            if (!field.type.classes.empty() || field.type.dtype != DType::kFloat64) {
                return fail(ErrorKind::kInvalid, "columns-differ",
                            fmt::format("The column \"{}\" is not numeric and cannot be put beside others", field.name),
                            pointer,
                            "Name the numeric columns, and give this one an input of its own with one_hot, or leave it "
                            "out with "
                            "\"ignore\".");
            }
            raw.dims[0] += field.type.elementCount();
            raw.columns.insert(raw.columns.end(), field.type.columns.begin(), field.type.columns.end());
        }
    }
    std::unique_ptr<Feed> feed(new Feed(spec, isTarget, std::move(parts), std::move(raw)));
    // A column of whole numbers that is asked for as int64 is a class index, as PyTorch's losses take it: [B].
    if (isTarget && spec.dtype == "int64" && feed->m_raw.dtype == DType::kFloat64 && feed->m_raw.elementCount() == 1 &&
        spec.transforms.empty()) {
        feed->m_spec.squeeze = true;
        PLUMBLINE_TRY(feed->findNumberedClasses());
    }
    return feed;
}

Status Feed::findNumberedClasses() {
    double largest = 0;
    std::vector<std::byte> scratch;
    const Part& part = m_parts[0];
    for (std::int64_t row = 0; row < part.source->size(); ++row) {
        PLUMBLINE_ASSIGN(const std::byte* bytes, raw(row, scratch));
        double value = 0;
        std::memcpy(&value, bytes, sizeof(value));
        if (value != std::floor(value) || value < 0 || value >= static_cast<double>(kMaxNumberedClasses)) {
            return fail(
                ErrorKind::kInvalid, "label-out-of-range",
                fmt::format("The target \"{}\" has the value {} in sample {}, which is no class index", m_spec.name,
                            value, row),
                m_pointer,
                fmt::format("Class indices are whole and from 0 to {}; leave \"dtype\" out to predict a number.",
                            kMaxNumberedClasses - 1));
        }
        largest = std::max(largest, value);
    }
    for (std::int64_t c = 0; c <= static_cast<std::int64_t>(largest); ++c) {
        m_classes.push_back(std::to_string(c));
    }
    return {};
}

Result<const std::byte*> Feed::raw(std::int64_t row, std::vector<std::byte>& scratch) const {
    const Part& first = m_parts[0];
    if (m_parts.size() == 1 || m_contiguous) {
        if (const std::byte* view = first.source->view(first.field, row); view != nullptr) {
            return view;
        }
    }
    const std::size_t bytes = m_raw.byteCount();
    if (scratch.size() < bytes) {
        scratch.resize(bytes);
    }
    std::byte* to = scratch.data();
    for (const Part& part : m_parts) {
        PLUMBLINE_TRY(part.source->read(part.field, row, to));
        to += part.source->fields()[part.field].type.byteCount();
    }
    return scratch.data();
}

Status Feed::readRaw(std::int64_t row, std::byte* out) const {
    for (const Part& part : m_parts) {
        PLUMBLINE_TRY(part.source->read(part.field, row, out));
        out += part.source->fields()[part.field].type.byteCount();
    }
    return {};
}

Status Feed::write(std::int64_t row, std::byte* out, Random* random) const {
    const Part& first = m_parts[0];
    const bool copy = m_pipeline.isCopy(random != nullptr);
    if (m_parts.size() == 1 || m_contiguous) {
        if (const std::byte* view = first.source->view(first.field, row); view != nullptr) {
            if (copy) {
                std::memcpy(out, view, m_raw.byteCount());
                return {};
            }
            return m_pipeline.run(view, out, random);
        }
        if (copy && m_parts.size() == 1) {
            return first.source->read(first.field, row, out);
        }
    }
    thread_local std::vector<std::byte> scratch;
    PLUMBLINE_ASSIGN(const std::byte* bytes, raw(row, scratch));
    return m_pipeline.run(bytes, out, random);
}

Result<FeedInfo::Statistics> Feed::measure(const std::vector<std::int64_t>& rows, const Pipeline* pipeline,
                                           RunControl* control) const {
    StatisticsAccumulator accumulator(pipeline != nullptr ? pipeline->type() : m_raw);
    std::vector<std::byte> scratch;
    std::vector<std::byte> transformed(pipeline != nullptr ? pipeline->type().byteCount() : 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % 64 == 0) {
            PLUMBLINE_TRY(checkStop(control));
        }
        PLUMBLINE_ASSIGN(const std::byte* bytes, raw(rows[i], scratch));
        if (pipeline != nullptr) {
            PLUMBLINE_TRY(pipeline->run(bytes, transformed.data(), nullptr));
            bytes = transformed.data();
        }
        if (!accumulator.add(bytes)) {
            return FeedInfo::Statistics{};
        }
    }
    return accumulator.result();
}

Status Feed::bind(const std::vector<std::int64_t>& trainRows, RunControl* control) {
    if (m_parts.size() > 1) {
        const std::byte* start = m_parts[0].source->view(m_parts[0].field, 0);
        m_contiguous = start != nullptr;
        for (std::size_t i = 0; i < m_parts.size() && m_contiguous; ++i) {
            m_contiguous = m_parts[i].source == m_parts[0].source &&
                           m_parts[i].source->view(m_parts[i].field, 0) == start + i * m_partBytes;
        }
    }
    // Raw statistics are measured at most once; those after scale and normalize follow from them.
    std::optional<FeedInfo::Statistics> rawStatistics;
    const auto statisticsOf = [&](const std::vector<std::int64_t>& rows) -> Result<FeedInfo::Statistics> {
        if (!rawStatistics || rawStatistics->samples < static_cast<std::int64_t>(rows.size())) {
            PLUMBLINE_ASSIGN(rawStatistics, measure(rows, nullptr, control));
        }
        if (auto mapped = m_pipeline.map(*rawStatistics)) {
            return *mapped;
        }
        return measure(rows, &m_pipeline, control);
    };

    BindContext context;
    context.floating = m_spec.dtype == "float64" ? DType::kFloat64 : DType::kFloat32;
    context.trainStatistics = [&] { return statisticsOf(trainRows); };
    m_info.transforms = Json::array();
    for (std::size_t i = 0; i < m_spec.transforms.size(); ++i) {
        context.pointer = pointerTo(pointerTo(m_pointer, "transforms"), i);
        PLUMBLINE_ASSIGN(Json resolved, m_pipeline.append(m_spec.transforms[i], context));
        m_info.transforms.push_back(std::move(resolved));
    }
    const DType natural = m_pipeline.type().dtype == DType::kFloat64 ? DType::kFloat32 : m_pipeline.type().dtype;
    const DType dtype = m_spec.dtype.empty() ? natural : *parseDType(m_spec.dtype);
    PLUMBLINE_TRY(m_pipeline.finish(dtype, m_spec.squeeze, m_pointer));

    const ValueType& type = m_pipeline.type();
    m_info.name = m_spec.name;
    m_info.dtype = type.dtype;
    m_info.dims = type.dims;
    m_info.columns = type.columns;
    m_info.classes = type.dtype == DType::kInt64 && type.dims.empty() ? m_classes : std::vector<std::string>{};
    if (m_info.classes.empty()) {
        if (rawStatistics || !m_parts[0].source->readsFilesLater() || trainRows.size() <= kMeasuredWhenLazy) {
            PLUMBLINE_ASSIGN(m_info.statistics, statisticsOf(trainRows));
        } else {
            std::vector<std::int64_t> some;
            for (std::size_t i = 0; i < kMeasuredWhenLazy; ++i) {
                some.push_back(trainRows[i * trainRows.size() / kMeasuredWhenLazy]);
            }
            PLUMBLINE_ASSIGN(m_info.statistics, measure(some, &m_pipeline, control));
        }
    }
    return checkFloats(control);
}

Status Feed::checkFloats(RunControl* control) {
    const bool real = m_raw.dtype == DType::kFloat64 || m_raw.dtype == DType::kFloat32;
    const bool later =
        std::any_of(m_parts.begin(), m_parts.end(), [](const Part& part) { return part.source->readsFilesLater(); });
    if (m_info.dtype != DType::kFloat32 || !real || later) {
        return {};
    }
    const auto rawAt = [this](const std::byte* bytes, std::size_t element) {
        return m_raw.dtype == DType::kFloat64 ? reinterpret_cast<const double*>(bytes)[element]
                                              : static_cast<double>(reinterpret_cast<const float*>(bytes)[element]);
    };
    const auto count = static_cast<std::size_t>(m_pipeline.type().elementCount());
    const bool elementwise = count == static_cast<std::size_t>(m_raw.elementCount());
    const bool plain = !m_isTarget && elementwise && m_spec.transforms.empty();
    const auto placeOf = [&](std::size_t element, std::int64_t row) {
        const Part& part = m_parts[elementwise && m_parts.size() == count ? element : 0];
        return part.source->placeOf(part.field, row);
    };
    std::vector<std::byte> scratch, out(m_pipeline.type().byteCount());
    std::int64_t rounded = 0;
    std::string firstRounded;
    for (std::int64_t row = 0; row < m_parts[0].source->size(); ++row) {
        if (row % 64 == 0) {
            PLUMBLINE_TRY(checkStop(control));
        }
        PLUMBLINE_ASSIGN(const std::byte* bytes, raw(row, scratch));
        PLUMBLINE_TRY(m_pipeline.run(bytes, out.data(), nullptr));
        const auto* values = reinterpret_cast<const float*>(out.data());
        for (std::size_t element = 0; element < count; ++element) {
            if (std::isinf(values[element])) {
                const double from = elementwise ? rawAt(bytes, element) : std::numeric_limits<double>::quiet_NaN();
                return beyondFloat32(placeOf(element, row), from);
            }
            if (plain && std::abs(values[element]) >= kLargestWholeFloat) {
                const double value = rawAt(bytes, element);
                if (value == std::floor(value) && value != static_cast<double>(values[element]) && rounded++ == 0) {
                    firstRounded = fmt::format("{}: the whole number {:.0f} becomes {:.0f}", placeOf(element, row),
                                               value, static_cast<double>(values[element]));
                }
            }
        }
    }
    if (rounded > 0) {
        m_warnings.push_back(
            fmt::format("{} as a float32, which tells whole numbers apart up to 16777216 only; {} are rounded so",
                        firstRounded, rounded));
    }
    return {};
}

tl::unexpected<Error> Feed::beyondFloat32(const std::string& place, double value) const {
    const bool itself = std::abs(value) > static_cast<double>(std::numeric_limits<float>::max());
    return fail(
        ErrorKind::kInvalid, "beyond-float32",
        itself ? fmt::format("{}: {} is beyond what a float32 can hold, 3.4e+38", place, value)
               : fmt::format("{}: the transforms bring the value beyond what a float32 can hold, 3.4e+38", place),
        m_pointer,
        itself ? "Correct the value, or give the column in a larger unit." : "Correct the value, or the transforms.");
}

Status Feed::measureRange(const std::vector<std::int64_t>& otherRows, RunControl* control) {
    const bool whole = m_info.dtype == DType::kInt64 || m_info.dtype == DType::kInt32;
    const bool reads =
        std::any_of(m_parts.begin(), m_parts.end(), [](const Part& part) { return part.source->readsFilesLater(); });
    if (!whole || reads || m_info.statistics.min.empty()) {
        return {};
    }
    m_info.range = {m_info.statistics.min, m_info.statistics.max};
    if (otherRows.empty()) {
        return {};
    }
    PLUMBLINE_ASSIGN(const FeedInfo::Statistics others, measure(otherRows, &m_pipeline, control));
    for (std::size_t i = 0; i < others.min.size() && i < m_info.range.min.size(); ++i) {
        m_info.range.min[i] = std::min(m_info.range.min[i], others.min[i]);
        m_info.range.max[i] = std::max(m_info.range.max[i], others.max[i]);
    }
    return {};
}

Result<std::vector<std::int64_t>> Feed::classOfRows() const {
    if (m_classes.empty()) {
        return fail(ErrorKind::kInvalid, "not-a-class",
                    fmt::format("The target \"{}\" is a number, not a class", m_spec.name), m_pointer,
                    "Stratify by a class, or leave \"stratify\" out.");
    }
    const std::int64_t rows = m_parts[0].source->size();
    std::vector<std::int64_t> classes(static_cast<std::size_t>(rows));
    std::vector<std::byte> scratch;
    for (std::int64_t row = 0; row < rows; ++row) {
        PLUMBLINE_ASSIGN(const std::byte* bytes, raw(row, scratch));
        if (m_raw.dtype == DType::kFloat64) {
            double value = 0;
            std::memcpy(&value, bytes, sizeof(value));
            classes[static_cast<std::size_t>(row)] = static_cast<std::int64_t>(value);
        } else {
            std::memcpy(&classes[static_cast<std::size_t>(row)], bytes, sizeof(std::int64_t));
        }
    }
    return classes;
}

}  // namespace plumbline::data
