#include "train/checkpoint_comparison.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/text.h"
#include "model/failure.h"
#include "train/checkpoint.h"

namespace plumbline::train {

namespace {

struct Difference {
    std::int64_t count = 0;
    double largest = 0;
    std::string first;  ///< the two values of the first element that differs
};

/// Of two tensors of one type and shape, value by value; equal bits are equal, NaN included.
Difference differenceOf(const at::Tensor& a, const at::Tensor& b) {
    Difference difference;
    if (std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0) {
        return difference;
    }
    const std::size_t size = a.element_size();
    const auto* left = static_cast<const char*>(a.const_data_ptr());
    const auto* right = static_cast<const char*>(b.const_data_ptr());
    const at::Tensor x = a.reshape({-1}).to(at::kDouble), y = b.reshape({-1}).to(at::kDouble);
    const double* p = x.const_data_ptr<double>();
    const double* q = y.const_data_ptr<double>();
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * size;
        if (std::memcmp(left + at, right + at, size) == 0) {
            continue;
        }
        if (difference.count++ == 0) {
            difference.first = fmt::format("{} and {} at place {}", numberText(p[i], 9), numberText(q[i], 9), i);
        }
        const double apart = std::abs(p[i] - q[i]);
        difference.largest = std::isfinite(apart) ? std::max(difference.largest, apart) : difference.largest;
    }
    return difference;
}

session::CheckpointComparison compare(const Checkpoint& a, const Checkpoint& b) {
    session::CheckpointComparison comparison;
    const auto differs = [&](const std::string& name, const std::string& how) {
        if (comparison.different++ == 0) {
            comparison.first = name;
            comparison.how = how;
        }
    };
    const std::map<std::string, at::Tensor> others = b.withPrefix("");
    // BatchNorm statistics of averaged weights are taken anew for an evaluation or the run's end; where only one
    // checkpoint has been through that, they are not what training leads to.
    const auto recalibrated = [](const Checkpoint& one) {
        return one.meta.value("average", Json()).is_object() && one.meta["average"].value("recalibrated", false);
    };
    const bool sameCalibration = recalibrated(a) == recalibrated(b);
    const auto isCalibration = [](const std::string& name) {
        return name.starts_with("average.") && (name.ends_with(".running_mean") || name.ends_with(".running_var") ||
                                                name.ends_with(".num_batches_tracked"));
    };
    for (const auto& [name, tensor] : a.tensors) {
        if (!sameCalibration && isCalibration(name)) {
            continue;
        }
        const auto other = others.find(name);
        ++comparison.tensors;
        comparison.values += tensor.numel();
        if (other == others.end()) {
            differs(name, "only one has it");
        } else if (tensor.scalar_type() != other->second.scalar_type() || tensor.sizes() != other->second.sizes()) {
            differs(name, "they differ in type or shape");
        } else if (const Difference difference = differenceOf(tensor, other->second); difference.count > 0) {
            comparison.largest = std::max(comparison.largest, difference.largest);
            differs(name, fmt::format("{} of {} values differ, the first being {}", difference.count, tensor.numel(),
                                      difference.first));
        }
    }
    for (const auto& [name, tensor] : others) {
        if (std::none_of(a.tensors.begin(), a.tensors.end(), [&](const auto& each) { return each.first == name; })) {
            ++comparison.tensors;
            differs(name, "only one has it");
        }
    }
    const Json scalerA = a.meta.value("grad_scaler", Json()), scalerB = b.meta.value("grad_scaler", Json());
    if (scalerA != scalerB) {
        differs("grad_scaler", fmt::format("{} and {}", scalerA.dump(), scalerB.dump()));
    }
    return comparison;
}

}  // namespace

Result<session::CheckpointFacts> checkpointFacts(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(const Checkpoint checkpoint, readCheckpoint(file, "none-of-them"));
    try {
        const Json& position = checkpoint.meta.at("position");
        session::CheckpointFacts facts;
        facts.step = position.at("attempted").get<std::int64_t>();
        facts.epoch = position.at("epoch").get<std::int64_t>();
        facts.batch = position.at("batch").get<std::int64_t>();
        facts.stepOpen = checkpoint.meta.at("step_open").get<bool>();
        facts.restoredBest = position.value("restored_best", false);
        return facts;
    } catch (const Json::exception& error) {
        return fail(ErrorKind::kInvalid, "damaged-checkpoint",
                    std::string("The checkpoint lacks something: ") + error.what() + ".", file.string(),
                    "Use another checkpoint of the run.");
    }
}

Result<session::CheckpointComparison> compareCheckpoints(const std::filesystem::path& a,
                                                         const std::filesystem::path& b) {
    PLUMBLINE_ASSIGN(const Checkpoint left, readCheckpoint(a));
    PLUMBLINE_ASSIGN(const Checkpoint right, readCheckpoint(b));
    try {
        return compare(left, right);
    } catch (...) {
        return fail(model::errorOfCurrentException("The checkpoints cannot be compared", b.string()));
    }
}

}  // namespace plumbline::train
