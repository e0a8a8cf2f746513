#pragma once
// The readers that transform_registry.cpp lists, one a transform.

#include <memory>

#include "data/transform.h"

namespace plumbline::data {

// transforms_affine.cpp
std::unique_ptr<Transform> readScale(JsonObject& object);
std::unique_ptr<Transform> readNormalize(JsonObject& object);
std::unique_ptr<Transform> readToFloat(JsonObject& object);

// transforms_shape.cpp
std::unique_ptr<Transform> readOneHot(JsonObject& object);
std::unique_ptr<Transform> readFlatten(JsonObject& object);
std::unique_ptr<Transform> readReshape(JsonObject& object);
std::unique_ptr<Transform> readResize(JsonObject& object);

// transforms_random.cpp
std::unique_ptr<Transform> readRandomCrop(JsonObject& object);
std::unique_ptr<Transform> readRandomHorizontalFlip(JsonObject& object);
std::unique_ptr<Transform> readRandomRotation(JsonObject& object);
std::unique_ptr<Transform> readAddNoise(JsonObject& object);

}  // namespace plumbline::data
