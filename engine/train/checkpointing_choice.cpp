#include "train/checkpointing_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/text.h"
#include "graph/block_patterns.h"
#include "model/failure.h"
#include "model/memory.h"
#include "plan/freezing.h"
#include "project/block_choice.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"
#include "train/optimizers/update_rule.h"
#include "train/step_memory.h"

namespace plumbline::train {

namespace {

using Units = std::vector<std::vector<int>>;

/// A block that could be checkpointed, with what that saves by itself.
struct Candidate {
    project::CheckpointedBlock block;
    bool isLeaf = false;
    std::int64_t saving = 0, work = 0, kept = 0;
};

/// So many candidates of one size after the other are tried.
constexpr int kSizes = 10;
constexpr std::int64_t kSmallestShare = 16;  ///< of a batch that is measured
constexpr std::int64_t kFewSamples = 16;     ///< enough where nothing is chosen by what is measured
constexpr double kOfFreeMemory = 0.8;

/// The first training batch, and the memory that it lies in.
struct FirstBatch {
    data::HostBatch host;
    TensorBatch tensors;
};

Status takeFirstBatch(const project::Project& project, const Assembly& assembly, RunControl& control,
                      FirstBatch& batch) {
    const data::LoaderSpec& spec = project.data.loader;
    data::LoaderOptions options;
    options.split = data::Split::kTrain;
    options.batchSize = spec.batchSize;
    options.workers = 0;
    options.prefetchBatches = 1;
    options.epochs = 1;
    options.shuffle = spec.shuffle;
    options.dropLast = spec.dropLast;
    options.augment = true;
    options.seed = project.training.seed;
    PLUMBLINE_ASSIGN(const auto loader, data::makeLoader(assembly.dataset, options));
    loader->seek({});
    PLUMBLINE_ASSIGN(std::optional<data::HostBatch> host, loader->next(&control));
    if (!host) {
        return fail(ErrorKind::kInvalid, "no-batches", "The training split gives no batch.", "/data/loader/batch_size",
                    "Lower batch_size, or set drop_last to false.");
    }
    batch.host = std::move(*host);
    assembly.binder.bind(batch.host, batch.tensors);
    return {};
}

std::int64_t optimizerStateBytes(const plan::OptimizerSpec& spec, const std::vector<at::Tensor>& trained) {
    std::int64_t parameters = 0;
    for (const at::Tensor& parameter : trained) {
        parameters += static_cast<std::int64_t>(parameter.nbytes());
    }
    const auto rule = makeRule(spec);
    if (rule == nullptr) {
        return parameters *
               (2 * spec.integer("history_size") + 3);  // LBFGS: pairs of differences, the direction and the gradients
    }
    std::int64_t bytes = 0;
    for (const StateTensor& state : rule->state(rule->momentum().value_or(0) != 0)) {
        bytes += state.scalar ? 4 * static_cast<std::int64_t>(trained.size()) : parameters;
    }
    return bytes + (rule->countsSteps() ? 4 * static_cast<std::int64_t>(trained.size()) : 0);
}

/// Of the optimizers of all phases, each for what it trains.
std::int64_t optimizerStateBytes(const plan::TrainingPlan& plan, const model::Model& model,
                                 const std::vector<at::Tensor>& trained) {
    if (plan.phases.empty()) {
        return optimizerStateBytes(plan.optimizer, trained);
    }
    std::int64_t bytes = 0;
    for (const plan::PhaseSpec& phase : plan.phases) {
        std::vector<at::Tensor> own;
        for (const model::NamedState& parameter : model.parameters()) {
            const auto isIt = [&](const at::Tensor& one) { return one.is_same(parameter.tensor); };
            if (!parameter.shared && plan::phaseOf(plan, parameter.name) == &phase &&
                std::any_of(trained.begin(), trained.end(), isIt)) {
                own.push_back(parameter.tensor);
            }
        }
        bytes += optimizerStateBytes(phase.optimizer, own);
    }
    return bytes;
}

/// While it lives, the machine's memory ends for tensors before the system ends the program.
class WithinFreeMemory {
public:
    explicit WithinFreeMemory(at::Device device) {
        if (const std::int64_t free = freeMemory(); device.is_cpu() && free > 0) {
            model::setMemoryLimit(model::tensorMemory().current +
                                  static_cast<std::int64_t>(kOfFreeMemory * static_cast<double>(free)));
            m_limits = true;
        }
    }
    ~WithinFreeMemory() {
        if (m_limits) {
            model::setMemoryLimit(0);
        }
    }
    WithinFreeMemory(const WithinFreeMemory&) = delete;
    WithinFreeMemory& operator=(const WithinFreeMemory&) = delete;

private:
    bool m_limits = false;
};

class Chooser {
public:
    Chooser(const project::Project& project, const Assembly& assembly, const std::vector<at::Tensor>& trained)
        : m_plan(project.training), m_model(*assembly.model), m_graph(m_model.graph()), m_trained(trained) {}

    /// `chooses`: the whole batch where memory allows; else a few samples of it.
    Status measure(const FirstBatch& batch, at::Device device, bool chooses) {
        m_step.before = device.is_cpu() ? model::tensorMemory().current : deviceMemory(device).allocated;
        const KeptBesides besides = keptBesides(m_plan, m_model);
        m_step.before += besides.comesLater();
        m_step.update = besides.update;
        m_step.optimizerState = optimizerStateBytes(m_plan, m_model, m_trained);
        m_step.gradientsStay = m_plan.accumulation > 1 || m_plan.expert.skipZeroGrad;
        m_step.gradients.resize(m_graph.nodes.size());
        for (const model::NamedState& parameter : m_model.parameters()) {
            if (std::any_of(m_trained.begin(), m_trained.end(),
                            [&](const at::Tensor& one) { return one.is_same(parameter.tensor); })) {
                m_step.gradients[static_cast<std::size_t>(parameter.leaf)] +=
                    static_cast<std::int64_t>(parameter.tensor.nbytes());
            }
        }
        const std::int64_t samples = batch.tensors.samples;
        const WithinFreeMemory limit(device);
        if (!chooses && samples > kFewSamples && measurePart(batch.tensors, kFewSamples)) {
            return {};
        }
        for (std::int64_t part = samples;; part /= 2) {
            Status measured = measurePart(batch.tensors, part);
            const bool tooLarge =
                !measured && measured.error().code == "out-of-memory" && samples / part < kSmallestShare && part >= 4;
            if (!tooLarge) {
                return measured;
            }
            (void)model::takeMemoryRefusal();
        }
    }

    std::int64_t peakWith(const Units& units) const { return predictedPeak(m_graph, m_forward, m_step, units); }

    /// Blocks besides those that are named, so that the budget is kept; as many as help where it cannot be.
    std::vector<project::CheckpointedBlock> choose(const std::vector<project::CheckpointedBlock>& named,
                                                   std::int64_t budget) const {
        const std::vector<Candidate> all = candidates(named);
        std::int64_t size = 0;
        for (const Candidate& candidate : all) {
            size = std::max(size, candidate.kept);
        }
        std::vector<project::CheckpointedBlock> best;
        std::int64_t bestPeak = peakWith(unitsOf(named, {})), bestWork = std::numeric_limits<std::int64_t>::max();
        if (bestPeak <= budget) {
            return best;
        }
        // What a block keeps as it runs again counts as well, so smaller blocks may fit where larger ones do not.
        for (int i = 0; i < kSizes && size > 0; ++i, size /= 2) {
            const std::vector<const Candidate*> apart = withoutOverlap(all, size);
            const std::size_t count = smallestThatFits(named, apart, budget);
            const std::vector<const Candidate*> taken(apart.begin(),
                                                      apart.begin() + static_cast<std::ptrdiff_t>(count));
            const std::int64_t peak = peakWith(unitsOf(named, taken));
            std::int64_t work = 0;
            for (const Candidate* candidate : taken) {
                work += candidate->work;
            }
            if (peak <= budget ? bestPeak > budget || work < bestWork : peak < bestPeak) {
                bestPeak = peak;
                bestWork = work;
                best.clear();
                for (const Candidate* candidate : taken) {
                    best.push_back(candidate->block);
                }
            }
        }
        return best;
    }

    static Units unitsOf(const std::vector<project::CheckpointedBlock>& named,
                         const std::vector<const Candidate*>& chosen) {
        Units units;
        for (const project::CheckpointedBlock& block : named) {
            units.push_back(block.leaves);
        }
        for (const Candidate* candidate : chosen) {
            units.push_back(candidate->block.leaves);
        }
        return units;
    }

private:
    static std::vector<at::Tensor> partOf(const TensorBatch& batch, std::int64_t samples) {
        std::vector<at::Tensor> inputs = batch.inputs;
        for (at::Tensor& input : inputs) {
            input = samples < batch.samples && input.dim() > 0
                        ? input.narrow(0, 0, std::max<std::int64_t>(1, input.size(0) * samples / batch.samples))
                        : input;
        }
        return inputs;
    }

    /// The batch's memory from that of its first samples, and of half of them: what does not grow with the batch is
    /// counted once.
    Status measurePart(const TensorBatch& batch, std::int64_t samples) {
        PLUMBLINE_ASSIGN(m_forward, measureForward(m_model, partOf(batch, samples), m_plan.precision));
        if (samples < batch.samples) {
            const std::int64_t fewer = samples / 2;
            Result<ForwardMemory> less = ForwardMemory{};
            if (fewer > 0) {
                less = measureForward(m_model, partOf(batch, fewer), m_plan.precision);
            }
            // A block may refuse a single sample.
            m_forward = less ? extrapolated(*less, fewer, m_forward, samples, batch.samples)
                             : extrapolated({}, 0, m_forward, samples, batch.samples);
        }
        return {};
    }

    /// Blocks that save something: members of a chain and instances of a composite first, by what they save for the
    /// work that they take again; then single leaves.
    std::vector<Candidate> candidates(const std::vector<project::CheckpointedBlock>& named) const {
        std::vector<char> taken(m_graph.nodes.size(), 0);
        for (const project::CheckpointedBlock& block : named) {
            for (const int leaf : block.leaves) {
                taken[static_cast<std::size_t>(leaf)] = 1;
            }
        }
        std::vector<Candidate> found;
        for (std::size_t index = 1; index < m_graph.tree.size(); ++index) {
            const graph::ModuleNode& block = m_graph.tree[index];
            if (block.leaf < 0 && block.type.empty()) {
                continue;  // a chain: its members are blocks
            }
            Candidate candidate{
                {block.path, graph::leavesOf(m_graph, static_cast<int>(index))}, block.leaf >= 0, 0, 0, 0};
            const std::vector<int>& leaves = candidate.block.leaves;
            const bool isFree = std::none_of(leaves.begin(), leaves.end(),
                                             [&](int leaf) { return taken[static_cast<std::size_t>(leaf)] != 0; });
            if (leaves.empty() || !isFree || !project::whyNotTwice(m_plan, m_graph, leaves).empty()) {
                continue;
            }
            candidate.saving = savingOf(m_graph, m_forward, leaves);
            for (const int leaf : leaves) {
                candidate.work += m_forward.work[static_cast<std::size_t>(leaf)];
                candidate.kept += m_forward.kept[static_cast<std::size_t>(leaf)];
            }
            if (candidate.saving > 0) {
                found.push_back(std::move(candidate));
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
            const auto worth = [](const Candidate& one) {
                return static_cast<double>(one.saving) / static_cast<double>(one.work);
            };
            return a.isLeaf != b.isLeaf ? b.isLeaf : worth(a) > worth(b);
        });
        return found;
    }

    /// Of those that keep no more than `size`, in their order, the ones that have no leaf in common with one before.
    std::vector<const Candidate*> withoutOverlap(const std::vector<Candidate>& all, std::int64_t size) const {
        std::vector<char> taken(m_graph.nodes.size(), 0);
        std::vector<const Candidate*> apart;
        for (const Candidate& candidate : all) {
            const std::vector<int>& leaves = candidate.block.leaves;
            if (candidate.kept > size || std::any_of(leaves.begin(), leaves.end(), [&](int leaf) {
                    return taken[static_cast<std::size_t>(leaf)] != 0;
                })) {
                continue;
            }
            for (const int leaf : leaves) {
                taken[static_cast<std::size_t>(leaf)] = 1;
            }
            apart.push_back(&candidate);
        }
        return apart;
    }

    /// How many of the first ones keep the budget; all where that takes no fewer.
    std::size_t smallestThatFits(const std::vector<project::CheckpointedBlock>& named,
                                 const std::vector<const Candidate*>& apart, std::int64_t budget) const {
        const auto fits = [&](std::size_t count) {
            return peakWith(unitsOf(named, {apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(count)})) <=
                   budget;
        };
        std::size_t tooFew = 0, enough = apart.size();
        if (!fits(enough)) {
            return enough;
        }
        while (enough - tooFew > 1) {
            const std::size_t middle = (tooFew + enough) / 2;
            (fits(middle) ? enough : tooFew) = middle;
        }
        return enough;
    }

    const plan::TrainingPlan& m_plan;
    model::Model& m_model;
    const graph::ResolvedModel& m_graph;
    const std::vector<at::Tensor>& m_trained;
    ForwardMemory m_forward;
    StepMemory m_step;
};

/// An earlier run's choice, if it had one and it is of this model.
std::optional<CheckpointingChoice> recordedChoice(const Json& recorded, const graph::ResolvedModel& graph,
                                                  Units& units) {
    const Json* record = recorded.is_object() && recorded.contains("activation_checkpointing")
                             ? &recorded["activation_checkpointing"]
                             : nullptr;
    if (record == nullptr || !record->is_object() || !record->contains("blocks") || !(*record)["blocks"].is_array()) {
        return std::nullopt;
    }
    CheckpointingChoice choice;
    for (const Json& path : (*record)["blocks"]) {
        const auto block = std::find_if(graph.tree.begin(), graph.tree.end(), [&](const graph::ModuleNode& one) {
            return path == one.path && !one.path.empty();
        });
        if (block == graph.tree.end()) {
            return std::nullopt;
        }
        choice.blocks.push_back(block->path);
        units.push_back(graph::leavesOf(graph, static_cast<int>(block - graph.tree.begin())));
    }
    const auto number = [&](const char* key) {
        return record->contains(key) && (*record)[key].is_number_integer() ? (*record)[key].get<std::int64_t>() : 0;
    };
    choice.peak = number("predicted_peak_bytes");
    choice.peakWithout = choice.peak + number("predicted_saving_bytes");
    return choice;
}

Result<CheckpointingChoice> chooseUnguarded(const project::Project& project, const Assembly& assembly,
                                            const std::vector<at::Tensor>& trained, const Json& recorded,
                                            RunControl& control) {
    model::Model& model = *assembly.model;
    const plan::ActivationCheckpointingSpec& spec = project.training.activationCheckpointing;
    Units units;
    PLUMBLINE_ASSIGN(std::vector<project::CheckpointedBlock> blocks,
                     project::checkpointedBlocks(project.training, model.graph()));
    if (auto choice = recordedChoice(recorded, model.graph(), units)) {
        model.checkpoint(units);
        return std::move(*choice);
    }
    CheckpointingChoice choice;
    Chooser chooser(project, assembly, trained);
    {
        FirstBatch batch;
        PLUMBLINE_TRY(takeFirstBatch(project, assembly, control, batch));
        PLUMBLINE_TRY(chooser.measure(batch, assembly.environment.device, spec.budgetMb > 0));
    }
    choice.peakWithout = chooser.peakWith({});
    const auto budget = static_cast<std::int64_t>(spec.budgetMb * 1e6);
    if (budget > 0) {
        std::vector<project::CheckpointedBlock> more = chooser.choose(blocks, budget);
        blocks.insert(blocks.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
        std::sort(blocks.begin(), blocks.end(),
                  [](const auto& a, const auto& b) { return a.leaves.front() < b.leaves.front(); });
    }
    units = Chooser::unitsOf(blocks, {});
    choice.peak = chooser.peakWith(units);
    for (const project::CheckpointedBlock& block : blocks) {
        choice.blocks.push_back(block.path);
    }
    if (budget > 0 && choice.peak > budget) {
        choice.warning = fmt::format(
            "The tensors of a step are predicted to take {:.1f} MB with {} checkpointed, and {:.1f} MB without: "
            "training.activation_checkpointing.budget_mb of "
            "{} cannot be kept. Lower data.loader.batch_size, or raise the budget.",
            megabytes(choice.peak), counted(static_cast<std::int64_t>(blocks.size()), "block"),
            megabytes(choice.peakWithout), numberText(spec.budgetMb));
    }
    model.checkpoint(units);
    return choice;
}

}  // namespace

Json CheckpointingChoice::toJson() const {
    return {{"blocks", blocks}, {"predicted_saving_bytes", peakWithout - peak}, {"predicted_peak_bytes", peak}};
}

Result<CheckpointingChoice> chooseCheckpointing(const project::Project& project, const Assembly& assembly,
                                                const std::vector<at::Tensor>& trained, const Json& recorded,
                                                RunControl& control) {
    try {
        return chooseUnguarded(project, assembly, trained, recorded, control);
    } catch (...) {
        return fail(model::errorOfCurrentException("The blocks to checkpoint could not be chosen",
                                                   "/training/activation_checkpointing"));
    }
}

}  // namespace plumbline::train
