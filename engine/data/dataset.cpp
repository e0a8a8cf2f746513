#include "data/dataset.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "core/hash.h"
#include "data/feed.h"
#include "data/opened_dataset.h"
#include "data/splits.h"

namespace plumbline::data {
namespace {

constexpr std::array kSplitNames = {std::string_view("train"), std::string_view("validation"),
                                    std::string_view("test")};

class OpenedDataset final : public Dataset {
public:
    std::int64_t size(Split split) const override { return static_cast<std::int64_t>(rowsOf(split).size()); }
    const std::vector<FeedInfo>& inputs() const override { return m_inputInfos; }
    const std::vector<FeedInfo>& targets() const override { return m_targetInfos; }
    std::vector<std::int64_t> classCounts(Split split, const std::string& target) const override {
        for (const ClassCounts& counts : m_classCounts) {
            if (counts.target == target) {
                return counts.perSplit[static_cast<std::size_t>(split)];
            }
        }
        return {};
    }
    Result<HostBatch> makeBatch(Split split, const std::vector<std::int64_t>& positions, std::uint64_t seed,
                                bool augment) const override {
        HostBatch batch;
        BatchRequest request;
        request.split = split;
        request.positions = positions;
        request.seed = seed;
        request.augment = augment;
        PLUMBLINE_TRY(fillBatch(request, batch));
        return batch;
    }
    Status fillBatch(const BatchRequest& request, HostBatch& batch) const override;
    std::vector<std::string> warnings() const override { return m_warnings; }
    std::string fingerprint() const override { return m_fingerprint; }
    bool readsFiles() const override {
        return std::any_of(m_sources.begin(), m_sources.end(),
                           [](const auto& source) { return source.second->readsFilesLater(); });
    }
    std::size_t residentBytes() const override {
        std::size_t bytes = 0;
        for (const auto& [name, source] : m_sources) {
            bytes += source->residentBytes();
        }
        return bytes;
    }
    Result<HostBatch> makeInput(const std::string& text) const override;
    Status eachInput(const std::vector<std::string>& texts, const EachInput& each) const override;
    std::vector<RawInput> rawInputs() const override;
    Result<HostBatch> makeRawBatch(Split split, const std::vector<std::int64_t>& positions) const override;

    Status build(const DataSpec& spec, NamedSources sources, RunControl* control);

private:
    struct ClassCounts {
        std::string target;
        std::array<std::vector<std::int64_t>, 3> perSplit;
    };

    const std::vector<std::int64_t>& rowsOf(Split split) const { return m_rows[static_cast<std::size_t>(split)]; }
    Status checkPositions(Split split, std::span<const std::int64_t> positions) const;
    Status checkSizes(const DataSpec& spec);
    Status resolveFeeds(const DataSpec& spec);
    Status split(const DataSpec& spec);
    Status countClasses();
    void computeFingerprint();
    /// The sample that a text like "test:3" names; nothing for other texts.
    Result<std::optional<HostBatch>> sampleOf(const std::string& text) const;
    struct GivenFields {
        const Source* source = nullptr;
        std::vector<std::size_t> fields;  ///< of all inputs, one after the other
    };
    Result<GivenFields> givenFields() const;
    Result<HostBatch> inputFrom(const GivenFields& given, const Source::FillSample& fill) const;
    Status fillFeed(const Feed& feed, std::uint64_t feedIndex, const BatchRequest& request, HostTensor& tensor) const;

    NamedSources m_sources;
    std::vector<std::unique_ptr<Feed>> m_inputs;
    std::vector<std::unique_ptr<Feed>> m_targets;
    std::vector<FeedInfo> m_inputInfos;
    std::vector<FeedInfo> m_targetInfos;
    std::int64_t m_size = 0;
    SplitRows m_rows;
    std::vector<ClassCounts> m_classCounts;
    std::vector<std::string> m_warnings;
    std::string m_fingerprint;
};

Status OpenedDataset::checkSizes(const DataSpec& spec) {
    bool dropped = false;
    for (const auto& [name, source] : m_sources) {
        if (source->size() == 0) {
            return fail(ErrorKind::kInvalid, "no-samples", fmt::format("The source \"{}\" has no samples", name),
                        pointerTo("/data/sources", name), "Add samples to it, or choose another file.");
        }
        dropped = dropped || source->droppedRows();
        if (source->size() != m_sources[0].second->size()) {
            return fail(ErrorKind::kInvalid, "sources-differ",
                        fmt::format("The sources \"{}\" and \"{}\" have {} and {} samples", m_sources[0].first, name,
                                    m_sources[0].second->size(), source->size()),
                        pointerTo("/data/sources", name),
                        "Sources that are used together need one row a sample, in the same order.");
        }
    }
    if (dropped && m_sources.size() > 1) {
        return fail(ErrorKind::kInvalid, "rows-dropped",
                    "Rows with missing values were dropped from one of several sources", "/data/sources",
                    "Fill them instead (\"missing\": \"median\"): dropping would pair samples of different rows.");
    }
    m_size = m_sources[0].second->size();
    for (const SourceSpec& source : spec.sources) {
        const bool used = std::any_of(m_sources.begin(), m_sources.end(),
                                      [&](const auto& item) { return item.first == source.name; });
        if (!used) {
            m_warnings.push_back(fmt::format("The source \"{}\" is not used by any input or target", source.name));
        }
    }
    return {};
}

Status OpenedDataset::resolveFeeds(const DataSpec& spec) {
    std::vector<std::pair<std::string, const Source*>> sources;
    for (const auto& [name, source] : m_sources) {
        sources.emplace_back(name, source.get());
    }
    std::vector<std::string> targetFields;
    for (const FeedSpec& target : spec.targets) {
        targetFields.insert(targetFields.end(), target.from.begin(), target.from.end());
    }
    for (const FeedSpec& input : spec.inputs) {
        PLUMBLINE_ASSIGN(auto feed, Feed::resolve(input, false, sources, targetFields));
        m_inputs.push_back(std::move(feed));
    }
    for (const FeedSpec& target : spec.targets) {
        PLUMBLINE_ASSIGN(auto feed, Feed::resolve(target, true, sources, targetFields));
        m_targets.push_back(std::move(feed));
    }
    return {};
}

Status OpenedDataset::split(const DataSpec& spec) {
    std::vector<std::int64_t> classes;
    std::int64_t classCount = 0;
    for (const auto& target : m_targets) {
        if (target->spec().name == spec.splits.stratify) {
            PLUMBLINE_ASSIGN(classes, target->classOfRows());
            classCount = target->classCount();
        }
    }
    m_rows = splitRows(m_size, spec.splits, classes, classCount);
    const std::array<double, 3> shares = {spec.splits.train, spec.splits.validation, spec.splits.test};
    for (std::size_t s = 0; s < 3; ++s) {
        if (m_rows[s].empty() && shares[s] > 0.0) {
            if (s == 0) {
                return fail(
                    ErrorKind::kInvalid, "no-samples",
                    fmt::format("There are only {} samples, and none of them falls into the training split", m_size),
                    "/data/splits/train", "Give training a larger share, or add data.");
            }
            m_warnings.push_back(
                fmt::format("The {} split is empty: there are only {} samples", kSplitNames[s], m_size));
        }
    }
    return {};
}

Status OpenedDataset::countClasses() {
    for (const auto& target : m_targets) {
        if (!target->isClassIndex() || !target->spec().transforms.empty()) {
            continue;
        }
        PLUMBLINE_ASSIGN(const std::vector<std::int64_t> classes, target->classOfRows());
        ClassCounts counts;
        counts.target = target->spec().name;
        const std::vector<std::string>& names = target->info().classes;
        for (std::size_t s = 0; s < 3; ++s) {
            counts.perSplit[s].resize(names.size());
            for (const std::int64_t row : m_rows[s]) {
                ++counts.perSplit[s][static_cast<std::size_t>(classes[static_cast<std::size_t>(row)])];
            }
            std::vector<std::string> missing;
            for (std::size_t c = 0; c < names.size(); ++c) {
                if (counts.perSplit[s][c] == 0) {
                    missing.push_back(names[c]);
                }
            }
            if (!missing.empty() && !m_rows[s].empty()) {
                const std::size_t shown = std::min<std::size_t>(missing.size(), 5);
                m_warnings.push_back(
                    fmt::format("The {} split has no sample of {} {} of the target \"{}\": {}{}.", kSplitNames[s],
                                missing.size(), missing.size() == 1 ? "class" : "classes", counts.target,
                                fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                shown < missing.size() ? ", …" : ""));
            }
        }
        m_classCounts.push_back(std::move(counts));
    }
    return {};
}

void OpenedDataset::computeFingerprint() {
    std::uint64_t hash = 0;
    for (const auto& [name, source] : m_sources) {
        hash = hash64(name, hash);
        const std::uint64_t content = source->contentHash();
        hash = hash64(&content, sizeof(content), hash);
    }
    for (const auto& rows : m_rows) {
        hash = hash64(rows.data(), rows.size() * sizeof(std::int64_t), hash + rows.size());
    }
    m_fingerprint = toHex(hash);
}

Status OpenedDataset::build(const DataSpec& spec, NamedSources sources, RunControl* control) {
    m_sources = std::move(sources);
    PLUMBLINE_TRY(checkSizes(spec));
    PLUMBLINE_TRY(resolveFeeds(spec));
    PLUMBLINE_TRY(split(spec));
    for (const auto& [name, source] : m_sources) {
        PLUMBLINE_TRY(source->prepare(rowsOf(Split::kTrain)));
        for (const std::string& warning : source->warnings()) {
            m_warnings.push_back(warning);
        }
    }
    std::vector<std::int64_t> otherRows = rowsOf(Split::kValidation);
    otherRows.insert(otherRows.end(), rowsOf(Split::kTest).begin(), rowsOf(Split::kTest).end());
    for (auto* feeds : {&m_inputs, &m_targets}) {
        for (const auto& feed : *feeds) {
            PLUMBLINE_TRY(feed->bind(rowsOf(Split::kTrain), control));
            PLUMBLINE_TRY(feed->measureRange(otherRows, control));
            (feeds == &m_inputs ? m_inputInfos : m_targetInfos).push_back(feed->info());
            m_warnings.insert(m_warnings.end(), feed->warnings().begin(), feed->warnings().end());
        }
    }
    PLUMBLINE_TRY(countClasses());
    computeFingerprint();
    return {};
}

Status OpenedDataset::fillFeed(const Feed& feed, std::uint64_t feedIndex, const BatchRequest& request,
                               HostTensor& tensor) const {
    const FeedInfo& info = feed.info();
    tensor.reuseOrAllocate(info.name, info.dtype, static_cast<std::int64_t>(request.positions.size()), info.dims);
    const std::vector<std::int64_t>& rows = rowsOf(request.split);
    const bool augment = request.augment && feed.hasRandomSteps();
    const std::size_t bytes = feed.sampleBytes();
    std::byte* out = tensor.memory.get();
    for (std::size_t i = 0; i < request.positions.size(); ++i, out += bytes) {
        if ((request.abandon != nullptr && request.abandon->load(std::memory_order_relaxed)) ||
            (request.control != nullptr && request.control->stopRequested())) {
            return fail(ErrorKind::kInterrupted, "stopped", "Stopped while making a batch");
        }
        if (i + 1 < request.positions.size()) {
            feed.prefetch(rows[static_cast<std::size_t>(request.positions[i + 1])]);
        }
        const std::int64_t row = rows[static_cast<std::size_t>(request.positions[i])];
        if (augment) {
            const auto draw = request.drawBySlot ? static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(row);
            Random random(deriveSeed(request.seed, "augment", draw, feedIndex));
            PLUMBLINE_TRY(feed.write(row, out, &random));
        } else {
            PLUMBLINE_TRY(feed.write(row, out, nullptr));
        }
    }
    return {};
}

Status OpenedDataset::checkPositions(Split split, std::span<const std::int64_t> positions) const {
    const std::int64_t count = size(split);
    for (const std::int64_t position : positions) {
        if (position < 0 || position >= count) {
            return fail(
                ErrorKind::kUsage, "position-out-of-range",
                fmt::format("The {} split has {} samples; {} is not one of them", toString(split), count, position), {},
                count == 0 ? std::string("Choose another split.")
                           : fmt::format("Give the number of a sample, from 0 to {}.", count - 1));
        }
    }
    return {};
}

Status OpenedDataset::fillBatch(const BatchRequest& request, HostBatch& batch) const {
    PLUMBLINE_TRY(checkPositions(request.split, request.positions));
    try {
        batch.inputs.resize(m_inputs.size());
        batch.targets.resize(m_targets.size());
        batch.indices.assign(request.positions.begin(), request.positions.end());
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            PLUMBLINE_TRY(fillFeed(*m_inputs[i], i, request, batch.inputs[i]));
        }
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            PLUMBLINE_TRY(fillFeed(*m_targets[i], m_inputs.size() + i, request, batch.targets[i]));
        }
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::kMachine, "out-of-memory",
                    fmt::format("There is not enough memory for a batch of {}", request.positions.size()), {},
                    "Lower data.loader.batch_size or prefetch_batches.");
    }
    return {};
}

Result<std::optional<HostBatch>> OpenedDataset::sampleOf(const std::string& text) const {
    const std::size_t colon = text.find(':');
    const auto split = colon != std::string::npos ? parseSplit(text.substr(0, colon)) : Result<Split>(fail(Error{}));
    std::int64_t position = -1;
    const char* end = text.data() + text.size();
    if (!split) {
        return std::nullopt;
    }
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, position);
    if (error != std::errc{} || stop != end) {
        return std::nullopt;
    }
    PLUMBLINE_ASSIGN(HostBatch batch, makeBatch(*split, {position}, 0, false));
    batch.targets.clear();
    return batch;
}

Result<OpenedDataset::GivenFields> OpenedDataset::givenFields() const {
    GivenFields given;
    given.source = m_inputs[0]->parts()[0].source;
    for (const auto& input : m_inputs) {
        for (const Feed::Part& part : input->parts()) {
            if (part.source != given.source) {
                return fail(ErrorKind::kUsage, "input-of-several-sources",
                            "This model's inputs come from several sources and cannot be given as one text", {},
                            "Name a sample of a split, \"test:0\" for instance.");
            }
            given.fields.push_back(part.field);
        }
    }
    return given;
}

Result<HostBatch> OpenedDataset::inputFrom(const GivenFields& given, const Source::FillSample& fill) const {
    std::vector<std::vector<std::byte>> raws;
    std::vector<std::byte*> places;
    for (const auto& input : m_inputs) {
        raws.emplace_back(input->rawType().byteCount());
        std::byte* place = raws.back().data();
        for (const Feed::Part& part : input->parts()) {
            places.push_back(place);
            place += given.source->fields()[part.field].type.byteCount();
        }
    }
    PLUMBLINE_TRY(fill(places));
    HostBatch batch;
    batch.indices = {-1};
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        const FeedInfo& info = m_inputs[i]->info();
        HostTensor tensor;
        tensor.reuseOrAllocate(info.name, info.dtype, 1, info.dims);
        PLUMBLINE_TRY(m_inputs[i]->transform(raws[i].data(), tensor.memory.get()));
        batch.inputs.push_back(std::move(tensor));
    }
    return batch;
}

Result<HostBatch> OpenedDataset::makeInput(const std::string& text) const {
    PLUMBLINE_ASSIGN(std::optional<HostBatch> sample, sampleOf(text));
    if (sample) {
        return std::move(*sample);
    }
    PLUMBLINE_ASSIGN(const GivenFields given, givenFields());
    return inputFrom(given,
                     [&](const std::vector<std::byte*>& out) { return given.source->parse(text, given.fields, out); });
}

Status OpenedDataset::eachInput(const std::vector<std::string>& texts, const EachInput& each) const {
    std::vector<std::string> together;  // what may belong together
    const auto give = [&]() -> Status {
        if (together.empty()) {
            return {};
        }
        PLUMBLINE_ASSIGN(const GivenFields given, givenFields());
        const Status done =
            given.source->samplesOf(std::exchange(together, {}), given.fields,
                                    [&](const std::string& name, const Source::FillSample& fill) -> Status {
                                        PLUMBLINE_ASSIGN(const HostBatch batch, inputFrom(given, fill));
                                        return each(name, batch);
                                    });
        return done;
    };
    if (texts.empty()) {
        PLUMBLINE_ASSIGN(const GivenFields given, givenFields());
        return fail(ErrorKind::kUsage, "input-missing", "No input is given", {}, given.source->inputHint(given.fields));
    }
    for (const std::string& text : texts) {
        PLUMBLINE_ASSIGN(const std::optional<HostBatch> sample, sampleOf(text));
        if (!sample) {
            together.push_back(text);
            continue;
        }
        PLUMBLINE_TRY(give());
        PLUMBLINE_TRY(each(text, *sample));
    }
    return give();
}

std::vector<RawInput> OpenedDataset::rawInputs() const {
    std::vector<RawInput> inputs;
    for (const auto& input : m_inputs) {
        RawInput raw{input->spec().name, input->rawType(), {}};
        for (const Feed::Part& part : input->parts()) {
            raw.parts.push_back(part.source->rawForm(part.field));
            for (const auto& [name, source] : m_sources) {
                raw.parts.back().source = source.get() == part.source ? name : raw.parts.back().source;
            }
        }
        inputs.push_back(std::move(raw));
    }
    return inputs;
}

Result<HostBatch> OpenedDataset::makeRawBatch(Split split, const std::vector<std::int64_t>& positions) const {
    PLUMBLINE_TRY(checkPositions(split, positions));
    HostBatch batch;
    batch.indices = positions;
    for (const auto& input : m_inputs) {
        const ValueType& type = input->rawType();
        HostTensor tensor;
        tensor.reuseOrAllocate(input->spec().name, type.dtype, static_cast<std::int64_t>(positions.size()), type.dims);
        std::byte* out = tensor.memory.get();
        for (const std::int64_t position : positions) {
            PLUMBLINE_TRY(input->readRaw(rowsOf(split)[static_cast<std::size_t>(position)], out));
            out += type.byteCount();
        }
        batch.inputs.push_back(std::move(tensor));
    }
    return batch;
}

/// The fields of a source that feeds name.
std::vector<std::string> fieldsInUse(const std::string& source, const std::vector<FeedSpec>& feeds) {
    std::vector<std::string> fields;
    for (const FeedSpec& feed : feeds) {
        for (const std::string& from : feed.from) {
            if (from.compare(0, source.size() + 1, source + ".") == 0) {
                fields.push_back(from.substr(source.size() + 1));
            }
        }
    }
    return fields;
}

Result<NamedSources> openSources(const DataSpec& spec, const std::filesystem::path& folder, RunControl* control) {
    NamedSources sources;
    for (const SourceSpec& source : spec.sources) {
        OpenContext context;
        context.folder = folder;
        context.pointer = pointerTo("/data/sources", source.name);
        context.wanted = fieldsInUse(source.name, spec.inputs);
        context.targets = fieldsInUse(source.name, spec.targets);
        context.wanted.insert(context.wanted.end(), context.targets.begin(), context.targets.end());
        context.control = control;
        if (context.wanted.empty()) {
            continue;
        }
        const SourceType* type = findSourceType(source.type);
        if (type == nullptr) {
            return fail(ErrorKind::kInvalid, "unknown-source",
                        fmt::format("There is no source type \"{}\"", source.type), pointerTo(context.pointer, "type"));
        }
        PLUMBLINE_ASSIGN(auto opened, type->open(source, context));
        sources.emplace_back(source.name, std::move(opened));
    }
    return sources;
}

tl::unexpected<Error> outOfMemory() {
    return fail(ErrorKind::kMachine, "out-of-memory", "There is not enough memory to hold the data", "/data",
                "Use a smaller data set, or smaller images (\"resize\").");
}

}  // namespace

std::string_view toString(Split split) {
    return kSplitNames[static_cast<std::size_t>(split)];
}

Result<Split> parseSplit(std::string_view name) {
    for (std::size_t s = 0; s < kSplitNames.size(); ++s) {
        if (name == kSplitNames[s]) {
            return static_cast<Split>(s);
        }
    }
    return fail(ErrorKind::kUsage, "unknown-split", fmt::format("There is no split \"{}\"", name), {},
                "Known are train, validation and test.");
}

Status Dataset::eachInput(const std::vector<std::string>& texts, const EachInput& each) const {
    for (const std::string& text : texts) {
        PLUMBLINE_ASSIGN(const HostBatch batch, makeInput(text));
        PLUMBLINE_TRY(each(text, batch));
    }
    return {};
}

Status Dataset::fillBatch(const BatchRequest& request, HostBatch& batch) const {
    PLUMBLINE_ASSIGN(batch, makeBatch(request.split, {request.positions.begin(), request.positions.end()}, request.seed,
                                      request.augment));
    return {};
}

Result<HostBatch> Dataset::makeRawBatch(Split, const std::vector<std::int64_t>&) const {
    return fail(ErrorKind::kInvalid, "no-raw-values", "This data set keeps no values from before its transforms");
}

Result<std::shared_ptr<const Dataset>> makeDataset(const DataSpec& spec, NamedSources sources, RunControl* control) {
    if (spec.inputs.empty() || sources.empty()) {
        return fail(ErrorKind::kInvalid, "no-data", "The project has no data yet", "/data",
                    "Add a source under data.sources, and name it under data.inputs and data.targets.");
    }
    try {
        auto dataset = std::make_shared<OpenedDataset>();
        PLUMBLINE_TRY(dataset->build(spec, std::move(sources), control));
        return dataset;
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    }
}

Result<std::shared_ptr<const Dataset>> Dataset::open(const DataSpec& spec, const std::filesystem::path& folder,
                                                     RunControl* control) {
    try {
        PLUMBLINE_ASSIGN(NamedSources sources, openSources(spec, folder, control));
        return makeDataset(spec, std::move(sources), control);
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    } catch (const std::exception& error) {
        return fail(ErrorKind::kInvalid, "data-unreadable", fmt::format("The data cannot be read: {}", error.what()),
                    "/data", "Check the files that the data name.");
    }
}

}  // namespace plumbline::data
