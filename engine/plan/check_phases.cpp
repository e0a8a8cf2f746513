// What is wrong with a plan of several optimizers by itself; what it says of a model's parameters is
// project/phase_fit.h.

#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"
#include "core/text.h"
#include "plan/plan.h"

namespace plumbline::plan {
namespace {

constexpr std::size_t kLongestName = 40;

class PhaseCheck {
public:
    PhaseCheck(const TrainingPlan& plan, std::vector<PlanProblem>& problems) : m_plan(plan), m_problems(problems) {}

    void run() {
        for (std::size_t i = 0; i < m_plan.phases.size(); ++i) {
            checkName(i);
            checkPhase(i);
        }
        checkLosses();
        if (!m_plan.phases.empty()) {
            checkStep();
        }
    }

private:
    void critical(std::string code, std::string pointer, std::string message, std::string hint) {
        m_problems.push_back({true, std::move(code), std::move(pointer), std::move(message), std::move(hint)});
    }
    static bool isBadName(const std::string& name) {
        return name.empty() || name.size() > kLongestName || hasControlCharacter(name);
    }
    /// Whether a phase of that name is there.
    bool isKnown(const std::string& name) const {
        return std::any_of(m_plan.phases.begin(), m_plan.phases.end(),
                           [&](const PhaseSpec& phase) { return phase.name == name; });
    }
    bool hasLoss(const PhaseSpec& phase) const {
        return std::any_of(m_plan.losses.begin(), m_plan.losses.end(),
                           [&](const LossSpec& loss) { return loss.phase == phase.name; });
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const PhaseSpec& phase : m_plan.phases) {
            names.push_back(phase.name);
        }
        return names;
    }

    /// It becomes part of a series' name: train.loss.discriminator.
    void checkName(std::size_t index) {
        const std::string& name = m_plan.phases[index].name;
        const std::string pointer = fmt::format("/training/phases/{}/name", index);
        if (name.empty()) {
            critical("bad-phase-name", pointer, fmt::format("Phase {} has no name, so no loss can name it.", index + 1),
                     "Give it a short one, as \"generator\", and write the same into its loss as \"phase\".");
            return;
        }
        if (name.size() > kLongestName) {
            critical(
                "bad-phase-name", pointer,
                fmt::format(
                    "The name of phase {} is {} bytes long, and {} are the most: it becomes part of the series' names.",
                    index + 1, name.size(), kLongestName),
                "Shorten it.");
            return;
        }
        if (hasControlCharacter(name)) {
            critical("bad-phase-name", pointer,
                     fmt::format("The name of phase {} holds a line break or another control character.", index + 1),
                     "Write it in one line.");
            return;
        }
        const auto before = m_plan.phases.begin() + static_cast<std::ptrdiff_t>(index);
        if (std::any_of(m_plan.phases.begin(), before, [&](const PhaseSpec& other) { return other.name == name; })) {
            critical("phase-twice", pointer,
                     fmt::format("Two phases have the name \"{}\", so a loss that names it could mean either.", name),
                     "Give one of them another name.");
        }
        for (std::size_t i = 0; i < m_plan.metrics.size(); ++i) {
            if (m_plan.metrics[i].name() == "loss." + name) {
                critical("metric-twice", fmt::format("/training/metrics/{}/name", i),
                         fmt::format("A metric has the name \"loss.{}\", which is that of the phase's loss.", name),
                         "Give it another name.");
            }
        }
    }

    void checkPhase(std::size_t index) {
        const PhaseSpec& phase = m_plan.phases[index];
        const std::string pointer = fmt::format("/training/phases/{}", index);
        // Of a name that has to be mended, or a loss that names none of them, this is what follows.
        const bool follows =
            isBadName(phase.name) || std::any_of(m_plan.losses.begin(), m_plan.losses.end(),
                                                 [&](const LossSpec& loss) { return !isKnown(loss.phase); });
        if (!hasLoss(phase) && !follows) {
            critical("phase-without-loss", pointer,
                     fmt::format("No loss names the phase \"{}\", so there is nothing that it could train towards.",
                                 phase.name),
                     fmt::format("Write \"phase\": \"{}\" into one of training.losses.", phase.name));
        }
        if (phase.optimizer.type == "LBFGS") {
            critical(
                "lbfgs-in-phase", pointer + "/optimizer/type",
                fmt::format("LBFGS computes the loss several times in a step, which the phase \"{}\" of a step cannot.",
                            phase.name),
                "Choose Adam or another optimizer for the phase.");
        } else if (const Status status = checkOptimizer(phase.optimizer); !status) {
            const Error& error = status.error();
            const std::string whole = "/training/optimizer";
            critical(
                error.code,
                error.where.starts_with(whole) ? pointer + "/optimizer" + error.where.substr(whole.size()) : pointer,
                error.message, error.hint);
        }
        if (phase.optimizer.lr == 0) {
            m_problems.push_back(
                {false, "zero-learning-rate", pointer + "/optimizer/lr",
                 fmt::format("The learning rate of the phase \"{}\" is 0, so it changes nothing.", phase.name),
                 "Set its learning rate above 0."});
        }
        const auto isOwn = [&](const LossSpec& loss) { return loss.phase == phase.name; };
        const auto first = std::find_if(m_plan.losses.begin(), m_plan.losses.end(), isOwn);
        if (first != m_plan.losses.end() && std::all_of(first, m_plan.losses.end(), [&](const LossSpec& loss) {
                return !isOwn(loss) || loss.weight == 0;
            })) {
            m_problems.push_back(
                {false, "zero-loss-weight", fmt::format("/training/losses/{}/weight", first - m_plan.losses.begin()),
                 fmt::format("Every loss of the phase \"{}\" has the weight 0, so it learns nothing.", phase.name),
                 "Give one a weight above 0."});
        }
    }

    void checkLosses() {
        for (std::size_t i = 0; i < m_plan.losses.size(); ++i) {
            const std::string& phase = m_plan.losses[i].phase;
            const std::string pointer = fmt::format("/training/losses/{}/phase", i);
            if (m_plan.phases.empty()) {
                if (!phase.empty()) {
                    critical("unknown-phase", pointer,
                             fmt::format("A loss names the phase \"{}\", and training.phases has none.", phase),
                             "Take \"phase\" out of the loss, or add the phase to training.phases.");
                }
                continue;
            }
            const std::vector<std::string> known = names();
            const auto waiting = std::find_if(m_plan.phases.begin(), m_plan.phases.end(),
                                              [&](const PhaseSpec& each) { return !hasLoss(each); });
            if (!isKnown(phase) &&
                std::none_of(known.begin(), known.end(), [&](const std::string& name) { return isBadName(name); })) {
                critical(
                    "unknown-phase", pointer,
                    phase.empty()
                        ? fmt::format("The loss {} does not say which phase minimises it.", m_plan.losses[i].type)
                        : fmt::format("A loss names the phase \"{}\", which training.phases does not have.", phase),
                    didYouMean(phase, known,
                               fmt::format("Write \"phase\": \"{}\" into it, or another of training.phases.",
                                           waiting == m_plan.phases.end() ? known.front() : waiting->name)));
            }
        }
    }

    /// What a step of several phases cannot do.
    void checkStep() {
        if (std::none_of(m_plan.phases.begin(), m_plan.phases.end(),
                         [](const PhaseSpec& phase) { return phase.every == 1; })) {
            critical("no-phase-each-step", "/training/phases/0/every",
                     "No phase is taken in each step, so there are steps in which nothing trains.",
                     "Set every to 1 in one of them.");
        }
        if (m_plan.accumulation > 1) {
            critical("phases-with-accumulation", "/training/accumulation",
                     "A step of several phases is taken on one batch, and accumulation asks for more.",
                     "Set accumulation to 1 and raise data.loader.batch_size.");
        }
        const std::pair<const char*, bool> mistakes[] = {{"clip_before_unscale", m_plan.expert.clipBeforeUnscale},
                                                         {"skip_unscale", m_plan.expert.skipUnscale},
                                                         {"skip_scaler_update", m_plan.expert.skipScalerUpdate},
                                                         {"skip_zero_grad", m_plan.expert.skipZeroGrad},
                                                         {"zero_grad_before_step", m_plan.expert.zeroGradBeforeStep}};
        for (const auto& [name, made] : mistakes) {
            if (made) {
                critical(
                    "phases-with-mistake", fmt::format("/training/expert/{}", name),
                    fmt::format(
                        "The mistake {} is made in a step of one optimizer alone, and training.phases has several.",
                        name),
                    "Switch it off.");
            }
        }
    }

    const TrainingPlan& m_plan;
    std::vector<PlanProblem>& m_problems;
};

}  // namespace

void checkPhases(const TrainingPlan& plan, std::vector<PlanProblem>& problems) {
    PhaseCheck(plan, problems).run();
}

}  // namespace plumbline::plan
