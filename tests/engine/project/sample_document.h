#pragma once
// The document of a valid project.

#include "project/project.h"

namespace plumbline::project {

inline Json sample() {
    return makeFromTemplate("mlp", Json::object(), "sample").value();
}

}  // namespace plumbline::project
