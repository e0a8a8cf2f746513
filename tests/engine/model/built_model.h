#pragma once
// A model that must build.

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "graph_maker.h"
#include "model/model.h"

namespace plumbline::model::testing {

inline std::unique_ptr<Model> built(const GraphMaker& maker, BuildOptions options = {}) {
    auto model = Model::build(maker.model(), std::move(options));
    EXPECT_TRUE(model.has_value()) << toSentence(model.error());
    return model ? std::move(*model) : nullptr;
}

}  // namespace plumbline::model::testing
