#include "compile/compiled_model.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compile/difference.h"
#include "compile/measure.h"
#include "core/text.h"
#include "model/failure.h"

namespace plumbline::compile {
namespace {

using Tensors = std::vector<at::Tensor>;

Tensors cloned(const Tensors& tensors) {
    Tensors copies;
    for (const at::Tensor& tensor : tensors) {
        copies.push_back(tensor.clone());
    }
    return copies;
}

std::vector<const at::Tensor*> pointersTo(const Tensors& tensors) {
    std::vector<const at::Tensor*> pointers;
    for (const at::Tensor& tensor : tensors) {
        pointers.push_back(&tensor);
    }
    return pointers;
}

/// Keeps what flows into a part and lets its leaves run.
class Recorder final : public model::PartCode {
public:
    bool run(std::span<const at::Tensor* const> inputs, std::span<at::Tensor> /*outputs*/) override {
        Tensors seen;
        for (const at::Tensor* input : inputs) {
            seen.push_back(input->clone());
        }
        calls.push_back(std::move(seen));
        return false;
    }
    std::vector<Tensors> calls;
};

/// What blocks that draw by chance draw while it lives is taken back.
class Chance {
public:
    explicit Chance(at::Device device)
        : m_generator(at::globalContext().defaultGenerator(device)), m_state(m_generator.get_state()) {}
    ~Chance() { m_generator.set_state(m_state); }
    Chance(const Chance&) = delete;
    Chance& operator=(const Chance&) = delete;

private:
    at::Generator m_generator;
    at::Tensor m_state;
};

at::Device deviceOf(const std::vector<Tensors>& samples) {
    return samples.front().empty() ? at::Device(at::kCPU) : samples.front().front().device();
}

/// What a part gets and gives on every sample.
struct Example {
    std::vector<Tensors> inputs, outputs;
};

}  // namespace

class Maker {
public:
    Maker(model::Model& model, const graph::BlockRegistry& registry, const std::vector<Tensors>& samples,
          const CompileOptions& options)
        : m_model(model),
          m_registry(registry),
          m_samples(samples),
          m_options(options),
          m_made(new CompiledModel(model)) {}

    Result<std::unique_ptr<CompiledModel>> make() {
        const at::NoGradGuard noGrad;
        const Chance chance(deviceOf(m_samples));
        m_model.useCode({});
        PLUMBLINE_ASSIGN(m_reference, forwardAll());
        m_segments = segmentsOf(m_model.graph());
        for (const Segment& segment : m_segments) {
            m_reasons.push_back(m_options.keepEager.empty() ? reasonAgainst(segment, m_model) : m_options.keepEager);
            m_made->m_blocks += segment.blocks.size();
        }
        PLUMBLINE_TRY(tryAll());
        PLUMBLINE_TRY(checkWhole());
        for (const Unit& unit : m_made->m_units) {
            if (unit.code != nullptr) {
                unit.code->resetCounts();
            }
        }
        return std::move(m_made);
    }

private:
    using Unit = CompiledModel::Unit;

    /// Blocks that draw by chance draw the same each time.
    Result<std::vector<Tensors>> forwardAll() {
        std::vector<Tensors> all;
        at::manual_seed(0);
        for (const Tensors& sample : m_samples) {
            PLUMBLINE_ASSIGN(Tensors outputs, m_model.forward(cloned(sample)));
            all.push_back(std::move(outputs));
        }
        return all;
    }

    Status stopped() const {
        if (m_options.control != nullptr && m_options.control->stopRequested()) {
            return fail(ErrorKind::kInterrupted, "stopped", "Stopped while compiling blocks");
        }
        return {};
    }

    Status tryAll() {
        for (std::size_t first = 0; first < m_segments.size();) {
            if (!m_reasons[first].empty()) {
                m_made->m_units.push_back({m_segments[first], nullptr, m_reasons[first], {}, {}, {}, {}});
                ++first;
                continue;
            }
            std::size_t end = first + 1;
            while (end < m_segments.size() && m_reasons[end].empty()) {
                ++end;
            }
            PLUMBLINE_ASSIGN(const bool kept, tryEach({joined(m_segments, first, end - first)}));
            if (!kept && end - first > 1) {
                m_made->m_units.back().reason += "; tried block by block";
                PLUMBLINE_TRY(tryEach({m_segments.begin() + static_cast<std::ptrdiff_t>(first),
                                       m_segments.begin() + static_cast<std::ptrdiff_t>(end)}));
            }
            first = end;
        }
        return {};
    }

    /// Adds a unit for each of these segments; gives whether the last one is compiled.
    Result<bool> tryEach(const std::vector<Segment>& segments) {
        std::vector<std::shared_ptr<Recorder>> recorders;
        std::vector<model::CodedPart> parts;
        for (const Segment& segment : segments) {
            recorders.push_back(std::make_shared<Recorder>());
            parts.push_back({model::partOf(m_model.graph(), segment.first, segment.count), recorders.back()});
        }
        m_model.useCode(parts);
        const auto recorded = forwardAll();
        m_model.useCode({});
        PLUMBLINE_TRY(recorded);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            PLUMBLINE_TRY(stopped());
            Unit unit{segments[i], nullptr, "", {}, {}, {}, {}};
            try {
                PLUMBLINE_TRY(tryPart(parts[i].part, std::move(recorders[i]->calls), unit));
            } catch (...) {
                unit.code.reset();
                unit.reason = reasonOf(model::errorOfCurrentException("It failed when it was tried", ""));
            }
            m_made->m_units.push_back(std::move(unit));
        }
        return m_made->m_units.back().code != nullptr;
    }

    Status tryPart(const model::Part& part, std::vector<Tensors> inputs, Unit& unit) {
        Example example{std::move(inputs), {}};
        for (const Tensors& sample : example.inputs) {
            const Tensors given = cloned(sample);
            std::vector<std::int64_t> versions;
            for (const at::Tensor& tensor : given) {
                versions.push_back(static_cast<std::int64_t>(tensor._version()));
            }
            PLUMBLINE_ASSIGN(Tensors outputs, m_model.forwardPart(part, given));
            for (std::size_t i = 0; i < given.size(); ++i) {
                if (static_cast<std::int64_t>(given[i]._version()) != versions[i]) {
                    unit.reason = "it overwrites what it gets";
                    return {};
                }
            }
            example.outputs.push_back(cloned(outputs));
        }
        if (deviceOf(m_samples).is_cpu()) {
            tryWay(part, example, Way::kOneDnn, unit);
        }
        tryWay(part, example, Way::kFrozen, unit);
        return {};
    }

    /// Kept in `unit` where it is right, fast enough and faster than what is there.
    void tryWay(const model::Part& part, const Example& example, Way way, Unit& unit) {
        std::string reason;
        std::optional<Times> times;
        Difference difference;
        std::shared_ptr<CompiledPart> code;
        try {
            auto made = CompiledPart::make(m_model, m_registry, part, way);
            if (!made) {
                reason = reasonOf(made.error());
            } else {
                code = std::move(*made);
                difference = worstOf(*code, example);
                reason = difference.refusal;
            }
            if (reason.empty()) {
                code->guard(example.inputs, example.outputs.front());
                times = interleaved(
                    deviceOf(m_samples), [&] { (void)m_model.forwardPart(part, example.inputs.front()); },
                    [&, given = pointersTo(example.inputs.front()), outputs = Tensors(part.outputs.size())]() mutable {
                        code->run(given, outputs);
                    });
                reason = code->counts().compiled != code->counts().calls ? code->counts().refused.begin()->first
                         : times->speedup() < m_options.leastSpeedup
                             ? fmt::format("not faster: {:.2f}×", times->speedup())
                             : "";
            }
        } catch (...) {
            reason = reasonOf(model::errorOfCurrentException("It failed when it was tried", ""));
        }
        const double before = unit.eagerMs && unit.compiledMs ? *unit.eagerMs / *unit.compiledMs : 0;
        const bool better = times && times->speedup() > before;
        if (unit.code != nullptr && (!reason.empty() || !better)) {
            return;  // the other way is the better one
        }
        if (reason.empty() || better || !unit.way) {
            unit.way = way;
            unit.reason = reason;
            unit.code = reason.empty() ? code : nullptr;
            unit.eagerMs = times ? std::optional(times->first) : std::nullopt;
            unit.compiledMs = times ? std::optional(times->second) : std::nullopt;
            unit.difference = code != nullptr ? std::optional(difference.largest) : std::nullopt;
        }
    }

    /// Over all samples, each often enough to be looked at, optimised and run so, and the first one once more after the
    /// others.
    Difference worstOf(CompiledPart& code, const Example& example) const {
        constexpr int kCalls = 3;
        Difference worst;
        for (std::size_t i = 0; i < (example.inputs.size() + 1) * kCalls; ++i) {
            const std::size_t sample = i / kCalls % example.inputs.size();
            const Difference one = differenceOf(example.outputs[sample], code.call(pointersTo(example.inputs[sample])));
            worst.largest = std::max(worst.largest, one.largest);
            if (!one.refusal.empty()) {
                worst.refusal = one.refusal;
                break;
            }
        }
        return worst;
    }

    static std::string reasonOf(const Error& error) {
        std::string text = shortened(oneLine(error.message), 300);
        while (text.ends_with('.')) {
            text.pop_back();
        }
        return text;
    }

    /// All that was kept together, on the whole model; nothing is where that is not right.
    Status checkWhole() {
        std::vector<model::CodedPart> parts;
        for (const Unit& unit : m_made->m_units) {
            if (unit.code != nullptr) {
                parts.push_back({model::partOf(m_model.graph(), unit.segment.first, unit.segment.count), unit.code});
            }
        }
        if (parts.empty()) {
            return {};
        }
        m_model.useCode(parts);
        const auto outputs = forwardAll();
        m_model.useCode({});
        PLUMBLINE_TRY(outputs);
        std::string refusal;
        try {
            refusal = refusalOfWhole(*outputs);
            if (refusal.empty()) {
                const auto& sample = m_samples.front();
                const Times times = interleaved(
                    deviceOf(m_samples),
                    [&] {
                        m_model.useCode({});
                        (void)m_model.forward(sample);
                    },
                    [&] {
                        m_model.useCode(parts);
                        (void)m_model.forward(sample);
                    });
                m_made->m_eagerMs = times.first;
                m_made->m_compiledMs = times.second;
                m_model.useCode(std::move(parts));
            }
        } catch (...) {
            m_model.useCode({});
            refusal = reasonOf(model::errorOfCurrentException("It failed when it was tried", ""));
        }
        for (Unit& unit : m_made->m_units) {
            if (!refusal.empty() && unit.code != nullptr) {
                unit.code.reset();
                unit.reason = fmt::format("the whole model {}", refusal);
            }
        }
        return {};
    }

    std::string refusalOfWhole(const std::vector<Tensors>& outputs) {
        m_made->m_difference = 0;
        for (std::size_t sample = 0; sample < outputs.size(); ++sample) {
            const Difference difference = differenceOf(m_reference[sample], outputs[sample]);
            m_made->m_difference = std::max(*m_made->m_difference, difference.largest);
            if (!difference.refusal.empty()) {
                return difference.refusal;
            }
            for (std::size_t i = 0; i < std::min(m_options.classOutputs.size(), outputs[sample].size()); ++i) {
                const std::int64_t others =
                    m_options.classOutputs[i] == 0 ? 0 : otherClasses(m_reference[sample][i], outputs[sample][i]);
                if (others > 0) {
                    return fmt::format("tells another class {}", counted(others, "time"));
                }
            }
        }
        return {};
    }

    model::Model& m_model;
    const graph::BlockRegistry& m_registry;
    const std::vector<Tensors>& m_samples;
    const CompileOptions& m_options;
    std::unique_ptr<CompiledModel> m_made;
    std::vector<Tensors> m_reference;
    std::vector<Segment> m_segments;
    std::vector<std::string> m_reasons;  ///< against each segment
};

Result<std::unique_ptr<CompiledModel>> CompiledModel::make(model::Model& model, const graph::BlockRegistry& registry,
                                                           const std::vector<std::vector<at::Tensor>>& samples,
                                                           const CompileOptions& options) {
    try {
        return Maker(model, registry, samples, options).make();
    } catch (...) {
        model.useCode({});
        return fail(model::errorOfCurrentException("The blocks could not be compiled", ""));
    }
}

CompiledModel::~CompiledModel() {
    m_model.useCode({});
}

bool CompiledModel::stale() const {
    return std::any_of(m_units.begin(), m_units.end(),
                       [](const Unit& unit) { return unit.code != nullptr && unit.code->stale(); });
}

namespace {

Json numberOf(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : value ? Json("infinite") : Json();
}

Json ratioOf(const std::optional<double>& over, const std::optional<double>& under) {
    return over && under && *under > 0 ? Json(*over / *under) : Json();
}

}  // namespace

Json CompiledModel::toJson(const Unit& unit) const {
    const CompiledPart::Counts counts = unit.code == nullptr ? CompiledPart::Counts{} : unit.code->counts();
    return {
        {"block", nameOf(unit.segment)},
        {"blocks", unit.segment.blocks},
        {"outcome", unit.code != nullptr ? "compiled" : "eager"},
        {"how", unit.way ? Json(toString(*unit.way)) : Json()},
        {"reason", unit.reason},
        {"eager_ms", numberOf(unit.eagerMs)},
        {"compiled_ms", numberOf(unit.compiledMs)},
        {"speedup", ratioOf(unit.eagerMs, unit.compiledMs)},
        {"largest_difference", numberOf(unit.difference)},
        {"calls", counts.calls},
        {"compiled_calls", counts.compiled},
        {"took_effect",
         counts.calls == 0 ? Json() : Json(static_cast<double>(counts.compiled) / static_cast<double>(counts.calls))},
        {"ran_eager", counts.refused}};
}

Json CompiledModel::report() const {
    Json units = Json::array();
    std::size_t compiled = 0;
    for (const Unit& unit : m_units) {
        compiled += unit.code != nullptr ? unit.segment.blocks.size() : 0;
        units.push_back(toJson(unit));
    }
    return {{"units", units},
            {"total",
             {{"blocks", m_blocks},
              {"compiled_blocks", compiled},
              {"eager_ms", numberOf(m_eagerMs)},
              {"compiled_ms", numberOf(m_compiledMs)},
              {"speedup", ratioOf(m_eagerMs, m_compiledMs)},
              {"largest_difference", numberOf(m_difference)}}},
            {"bound", kBound}};
}

}  // namespace plumbline::compile
