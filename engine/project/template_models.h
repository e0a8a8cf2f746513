#pragma once
// The models of the templates as functions from parameters to the "model" object.

#include "core/json.h"

namespace plumbline::project {

Json mlpModel(const Json& parameters);
Json cnnModel(const Json& parameters);
Json resnet18Model(const Json& parameters);
Json lstmModel(const Json& parameters);
Json autoencoderModel(const Json& parameters);
Json sandwichModel(const Json& parameters);
Json blankModel(const Json& parameters);

}  // namespace plumbline::project
