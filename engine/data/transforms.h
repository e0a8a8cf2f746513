#pragma once
// The transforms there are, in transforms_….cpp: one line here, with what it does and whether it draws.

#include <memory>

#include "data/transform.h"

#define PLUMBLINE_TRANSFORMS(X)                                                                                        \
    X(readScale, "scale", "Multiplies by `by`.", false)                                                                \
    X(readNormalize, "normalize", "(x - mean) / std a channel or column; given, or \"statistics\": \"train\".", false) \
    X(readToFloat, "to_float", "Real numbers of the same value.", false)                                               \
    X(readOneHot, "one_hot", "A class index as a vector of `classes` zeros and a one.", false)                         \
    X(readFlatten, "flatten", "All values in one row.", false)                                                         \
    X(readReshape, "reshape", "The same values with the dims `shape`; one of them may be -1.", false)                  \
    X(readResize, "resize", "An image to `size` [height, width], bilinear with antialiasing.", false)                  \
    X(readRandomCrop, "random_crop", "Shifts an image by up to `padding` pixels; zeros come in.", true)                \
    X(readRandomHorizontalFlip, "random_horizontal_flip", "Mirrors an image with probability `p`.", true)              \
    X(readRandomRotation, "random_rotation", "Turns an image by up to `degrees` to either side; zeros come in.", true) \
    X(readAddNoise, "add_noise", "Adds normal noise with deviation `std` to real numbers.", true)                      \
    X(readRandomNormal, "random_normal", "Normal numbers with deviation `std` in place of the values.", true)

namespace plumbline::data {

#define PLUMBLINE_DECLARE(read, name, help, random) std::unique_ptr<Transform> read(JsonObject& object);
PLUMBLINE_TRANSFORMS(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::data
