#include "train/out_of_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/memory.h"
#include "project/block_choice.h"
#include "train/checkpointing_choice.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"

namespace plumbline::train {

namespace {

constexpr std::size_t kHoldersTold = 3;
constexpr std::size_t kPatternsTold = 4;

std::string sizeText(std::int64_t bytes) {
    return fmt::format("{:.1f} MB", megabytes(bytes));
}

struct Holder {
    std::string name;
    std::int64_t bytes = 0;
};

/// What is known exactly, and the activations as the allocator saw them.
std::vector<Holder> holdersOf(TrainingSetup& setup, const model::MemoryRefusal& refusal) {
    std::int64_t parameters = 0, gradients = 0;
    for (const auto* list : {&setup.assembly.model->parameters(), &setup.assembly.model->buffers()}) {
        for (const model::NamedState& state : *list) {
            parameters += state.shared ? 0 : static_cast<std::int64_t>(state.tensor.nbytes());
            gradients += !state.shared && state.tensor.grad().defined()
                             ? static_cast<std::int64_t>(state.tensor.grad().nbytes())
                             : 0;
        }
    }
    const auto held = [&](model::MemoryCategory category) { return refusal.held[static_cast<std::size_t>(category)]; };
    const std::int64_t state = setup.optimizer->stateBytes();
    const std::int64_t averages = setup.average != nullptr ? setup.average->bytes() : 0;
    gradients = std::max(gradients, held(model::MemoryCategory::kGradients));
    std::int64_t activations = held(model::MemoryCategory::kActivations);
    if (!setup.device().is_cpu()) {
        activations = std::max<std::int64_t>(
            0, deviceMemory(setup.device()).peakAllocated - parameters - gradients - state - averages);
    }
    const auto prefetched = static_cast<std::int64_t>(
        setup.loader->prefetchedBytes() + (setup.validation != nullptr ? setup.validation->prefetchedBytes() : 0));
    std::vector<Holder> holders{{"activations", activations},
                                {"parameters", parameters},
                                {"gradients", gradients},
                                {"optimizer state", state},
                                {"averaged weights", averages},
                                {"batches made ahead", prefetched},
                                {"other tensors", held(model::MemoryCategory::kOther)}};
    std::erase_if(holders, [](const Holder& holder) { return holder.bytes == 0; });
    std::stable_sort(holders.begin(), holders.end(),
                     [](const Holder& a, const Holder& b) { return a.bytes > b.bytes; });
    holders.resize(std::min(holders.size(), kHoldersTold));
    return holders;
}

std::string largestBlock(const graph::ResolvedModel& graph, const MemoryEstimate& memory) {
    const auto largest = std::max_element(memory.blocks.begin(), memory.blocks.end());
    if (largest == memory.blocks.end() || *largest == 0) {
        return {};
    }
    return fmt::format(" Of a batch's activations {} keeps most, {}.",
                       graph.nodes[static_cast<std::size_t>(largest - memory.blocks.begin())].path, sizeText(*largest));
}

class Offers {
public:
    Offers(const MemoryQuestion& question, const MemoryEstimate& now, const project::Project& project,
           const CheckpointingChoice& checkpointing)
        : m_question(question), m_now(now), m_project(project), m_checkpointing(checkpointing) {}

    /// What saves most first; with blocks that are checkpointed already, in the order of what they usually save.
    std::string sentence() {
        offerBatch();
        offerPrecision();
        offerRecomputing();
        if (m_offers.empty()) {
            return "Use a smaller model, or close other programs.";
        }
        std::stable_sort(m_offers.begin(), m_offers.end(),
                         [](const Offer& a, const Offer& b) { return a.peak < b.peak; });
        std::vector<std::string> texts;
        for (const Offer& offer : m_offers) {
            texts.push_back(m_checkpointing.blocks.empty()
                                ? fmt::format("{} (about {})", offer.change, sizeText(offer.peak))
                                : offer.change);
        }
        // What is estimated keeps everything.
        const std::int64_t peak = m_checkpointing.blocks.empty() ? m_now.peak() : m_checkpointing.peak;
        std::string told = peak > 0 ? fmt::format("A step is predicted to take {} at its peak. Less would do: {}.",
                                                  sizeText(peak), fmt::join(texts, "; "))
                                    : fmt::format("Less would do: {}.", fmt::join(texts, "; "));
        return m_recomputingSavesNothing
                   ? told + " Activation checkpointing would save nothing: no block keeps more inside than it gives."
                   : told;
    }

private:
    struct Offer {
        std::string change;
        std::int64_t peak = 0;
    };

    void add(const std::string& change, std::int64_t peak) {
        if (peak < m_now.peak()) {
            m_offers.push_back({change, peak});
        }
    }
    void offerBatch() {
        const auto batch = m_question.symbols.find("B");
        if (batch == m_question.symbols.end() || batch->second < 2) {
            return;
        }
        MemoryQuestion halved = m_question;
        halved.symbols["B"] = batch->second / 2;
        if (const auto memory = estimateMemory(halved)) {
            add(fmt::format("data.loader.batch_size={}", batch->second / 2), memory->peak());
        }
    }
    void offerPrecision() {
        if (m_question.half) {
            return;
        }
        MemoryQuestion half = m_question;
        half.half = true;
        if (const auto memory = estimateMemory(half)) {
            add("training.precision=bf16", memory->peak());
        }
    }
    void offerRecomputing() {
        const Json::json_pointer stated("/training/activation_checkpointing/blocks");
        if (!m_checkpointing.blocks.empty() ||
            (m_project.json.contains(stated) && !m_project.json.at(stated).empty())) {
            return;
        }
        auto offer = offerRecomputation(m_question, m_now);
        m_recomputingSavesNothing = !offer.has_value();
        if (offer) {
            MemoryEstimate less = m_now;
            less.activations = offer->activations;
            const bool more = offer->patterns.size() > kPatternsTold;
            offer->patterns.resize(std::min(offer->patterns.size(), kPatternsTold));
            add(fmt::format("training.activation_checkpointing.blocks=[\"{}\"{}]", fmt::join(offer->patterns, "\",\""),
                            more ? ",…" : ""),
                less.peak());
        }
    }

    const MemoryQuestion& m_question;
    const MemoryEstimate& m_now;
    const project::Project& m_project;
    const CheckpointingChoice& m_checkpointing;
    std::vector<Offer> m_offers;
    bool m_recomputingSavesNothing = false;
};

/// Gradients, and the state of each optimizer, of what is trained.
void countTrained(const OptimizerSet& optimizers, const plan::TrainingPlan& plan, MemoryQuestion& question) {
    std::int64_t gradients = 0, state = 0;
    for (std::size_t i = 0; i < optimizers.size(); ++i) {
        std::int64_t own = 0;
        for (const at::Tensor& parameter : optimizers[i].parameters()) {
            own += static_cast<std::int64_t>(parameter.nbytes());
        }
        gradients += own;
        state += own * stateTensors(i < plan.phases.size() ? plan.phases[i].optimizer : plan.optimizer);
    }
    question.gradients = gradients;
    question.optimizerState = state;
}

}  // namespace

Error explainOutOfMemory(Error error, TrainingSetup& setup, const project::Project& project) {
    if (error.code != "out-of-memory") {
        return error;
    }
    const model::MemoryRefusal refusal = model::takeMemoryRefusal();
    std::vector<std::string> held;
    for (const Holder& holder : holdersOf(setup, refusal)) {
        held.push_back(fmt::format("{} {}", holder.name, sizeText(holder.bytes)));
    }
    if (!held.empty()) {
        error.message += fmt::format(" The most was held by {}.", fmt::join(held, ", "));
    }
    if (refusal.asked > 0) {
        error.message += fmt::format(" {} more were asked for.", sizeText(refusal.asked));
    }
    const graph::ResolvedModel& graph = setup.assembly.model->graph();
    MemoryQuestion question{graph, symbolsOfInputs(graph, setup.batch.inputs), project.training.optimizer,
                            project.training.precision != plan::Precision::kFp32, project.training.accumulation > 1};
    question.symbols.emplace("B", project.data.loader.batchSize);
    question.gradientsOff = project::blocksWithoutGradients(project.training, graph).value_or(std::vector<char>());
    countTrained(*setup.optimizer, project.training, question);
    const KeptBesides kept = keptBesides(project.training, *setup.assembly.model);
    question.kept = kept.all();
    question.update = kept.update;
    if (const auto memory = estimateMemory(question)) {
        error.message += setup.checkpointing.blocks.empty() ? largestBlock(graph, *memory) : std::string();
        error.hint = Offers(question, *memory, project, setup.checkpointing).sentence();
    }
    return error;
}

}  // namespace plumbline::train
