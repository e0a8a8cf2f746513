#pragma once
// Short experiments with a project's own model, data and settings, before a run: no run is made and nothing is written.

#include <cstdint>
#include <functional>
#include <string>

#include "project/project.h"

namespace plumbline::session {

enum class ProbeKind {
    /// Two batches of training and two of validation, with every detector on:
    /// {"training": {"batches", "batch_ms", "loader_wait_ms", "loss"}, "validation": {"batches", "batch_ms", "metrics"}
    /// or null, "epoch_seconds" with an epoch's share of the validations, "run_seconds", "validations" of the run,
    ///  "steps_per_epoch", "peak_memory_bytes", "memory": {parameters, gradients, optimizer_state, averages, …},
    ///  "blocks": [{"block", "type", "forward_ms", "kept_bytes", "peak_bytes"}], "findings": […]}
    kPreflight,
    /// A learning-rate range test (Smith 2017): the rate rises from `lowest` to `highest` over `steps` steps:
    /// {"points": [[lr, loss, smoothed]], "suggested", "lowest_loss_at", "diverged_at", "explanation", "highest_now",
    /// "factor", "changes": [{"path", "from", "value"}]}
    /// Groups keep their ratio: `lr` is that of the fastest, and `highest_now` what it is as planned, by the rates that
    /// are stated. `changes` are all of those that together make it the suggested one, each `factor` times what it is.
    kLearningRate,
    /// Batches of 1, 2, 4 … are trained until memory or samples end:
    /// {"sizes": [{"batch_size", "step_ms", "samples_per_second", "peak_memory_bytes"}], "not_tried": [{"batch_size",
    /// "code", "reason"}],
    ///  "chosen", "largest", "limited_by": memory, data, largest or settings, "budget_bytes",
    ///  "bytes_per_sample", "explanation"}
    kBatchSize,
    /// The first batch is trained on over and over: what cannot learn it by heart will learn nothing else.
    /// {"losses": […], "steps", "first_loss", "last_loss", "lowest_loss", "metrics", "passed", "explanation"};
    /// lowest_loss: what it cannot get
    /// below with the batch's targets, null where that is not known
    kOverfit,
    /// Where the time and the memory of `steps` steps go, after two that are not looked at:
    /// train/profile/step_profile.h's report, and the
    /// operations of LibTorch as a Chrome trace in `trace`.
    kProfile,
};

struct ProbeRequest {
    project::Project project;
    ProbeKind kind = ProbeKind::kPreflight;
    std::int64_t batches = 2;            ///< preflight: of each split
    double lowest = 1e-7, highest = 10;  ///< learning rate
    std::int64_t steps = 100;            ///< learning rate, overfit: at most so many
    std::int64_t budgetBytes = 0;        ///< batch size: memory of tensors; 0: four fifths of what is free
    std::string trace;                   ///< profile: file that the trace is written to; "": none
    std::int64_t largest = 65536;        ///< batch size: none larger is tried
    /// Called from the experiment's thread after each step (batch size: each size), with how many of how many at most
    /// are done.
    std::function<void(std::int64_t done, std::int64_t total)> counted = {};
};

}  // namespace plumbline::session
