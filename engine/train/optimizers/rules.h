#pragma once
// The rules that there are, one function a file.

#include "train/optimizers/update_rule.h"

namespace plumbline::train {

std::unique_ptr<UpdateRule> makeAdadelta(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdagrad(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdam(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdamW(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdamax(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAsgd(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeLion(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeNAdam(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeRAdam(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeRmsProp(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeRprop(const plan::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeSgd(const plan::OptimizerSpec& spec);

}  // namespace plumbline::train
