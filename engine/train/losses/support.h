#pragma once
// What the losses share: shapes and their refusals, weights along the classes, and the base of those that compare
// element by element.

#include <string>
#include <vector>

#include "train/losses.h"

namespace plumbline::train::losses {

std::string shapeText(const at::Tensor& tensor);
/// "loss-target-shape" at /training/losses.
tl::unexpected<Error> misfit(std::string message, std::string hint);
/// One element in double on the device of `like`.
at::Tensor countOf(double count, const at::Tensor& like);
/// Of a loss that has its reduction to do itself.
at::Tensor reduce(const at::Tensor& each, std::int64_t reduction);

/// The numbers of an option as a tensor in double; none where it is empty.
std::optional<at::Tensor> weightsOf(const plan::LossSpec& spec, const char* option, at::Device device);
/// The same in the type of `scores`, shaped so that they stand along its dimension 1; one number is for all.
std::optional<at::Tensor> alongClasses(const std::optional<at::Tensor>& weights, const at::Tensor& scores);
/// As many as dimension 1 of `scores` has classes, or none.
Status fitsClasses(const std::optional<at::Tensor>& weights, const at::Tensor& scores, const std::string& type,
                   const char* option, bool oneForAll);
/// Class numbers (int64) of the shape of the scores without dimension 1.
bool areClassNumbers(const at::Tensor& scores, const at::Tensor& target);
/// Class numbers of two or more classes, or a target of the output's shape, which [B] is for [B, 1] and [B, …] for [B,
/// 1, …].
struct ClassesOrElements {
    bool classes = false;
    at::Tensor target;  ///< of elements: in the output's shape; undefined where it is neither
};
ClassesOrElements classesOrElements(const at::Tensor& scores, const at::Tensor& target);
/// Neither is a refusal.
Status fitsClassesOrElements(const LossOperands& operands, const char* type);
/// A target of one number a sample as [B], for [B], [B, 1] and the like; undefined for any other shape.
at::Tensor aSample(const at::Tensor& target, std::int64_t samples);
/// How many labels are not `ignored`; a class with a weight counts as that.
double countLabels(const at::Tensor& target, std::int64_t ignored, const std::vector<double>& weights = {});

/// Losses whose target has the prediction's shape.
class ElementWise : public Loss {
public:
    explicit ElementWise(std::string type) : m_type(std::move(type)) {}
    bool elementWise() const override { return true; }
    Status fits(const LossOperands& operands) const override;

protected:
    at::Tensor counted(const LossOperands& operands) const override {
        return countOf(static_cast<double>(operands.prediction().numel()), operands.prediction());
    }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override;
    /// Both of one shape and type.
    virtual at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                               std::int64_t reduction) const = 0;
    const std::string& type() const { return m_type; }

private:
    std::string m_type;
};

/// Losses that are the mean over samples.
class OverSamples : public Loss {
protected:
    at::Tensor counted(const LossOperands& operands) const override {
        return countOf(static_cast<double>(operands.samples()), operands.prediction());
    }
};

}  // namespace plumbline::train::losses
