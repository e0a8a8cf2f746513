#pragma once
// Models as short JSON texts, and what the tests ask of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "blocks/register.h"
#include "graph/resolve.h"

namespace plumbline::graph {

inline Json json(const std::string& text) {
    auto parsed = parseJson(text, "test");
    if (!parsed) {
        ADD_FAILURE() << toSentence(parsed.error()) << "\n" << text;
        return nullptr;
    }
    return *parsed;
}

inline Document documentOf(const Json& model) {
    auto document = readDocument(model);
    if (!document) {
        ADD_FAILURE() << toSentence(document.error());
        return {};
    }
    return *document;
}

/// A root graph with one image-like input "x" of `shape`, `nodes`, and `outputs`.
inline Json rootModel(const std::string& nodes, const std::string& outputs,
                      const std::string& shape = "[\"B\", 3, 8, 8]", const std::string& definitions = "{}",
                      const std::string& dtype = "float32") {
    return json("{\"definitions\": " + definitions + ", \"graph\": {\"inputs\": {\"x\": {\"shape\": " + shape +
                ", \"dtype\": \"" + dtype + "\"}}, \"nodes\": " + nodes + ", \"outputs\": " + outputs + "}}");
}

inline ResolvedModel resolved(const Json& model) {
    return resolve(documentOf(model), blocks::builtinBlocks());
}

inline std::string problemsOf(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        text += std::string(toString(problem.severity)) + " " + problem.code + " at " + problem.pointer + ": " +
                problem.message + "\n";
    }
    return text;
}

inline const Problem* findProblem(const std::vector<Problem>& problems, const std::string& code) {
    const auto it =
        std::find_if(problems.begin(), problems.end(), [&](const Problem& problem) { return problem.code == code; });
    return it == problems.end() ? nullptr : &*it;
}

inline std::string shapeOf(const ResolvedModel& model, const std::string& wire) {
    const auto it = model.wires.find(wire);
    return it == model.wires.end() ? "unknown" : it->second.shapeText();
}

/// The project that `remedy` makes of `model`, resolved again.
inline Json mended(const Json& model, const Remedy& remedy) {
    auto changed = applyJsonPatch({{"model", model}}, remedy.patch);
    if (!changed) {
        ADD_FAILURE() << toSentence(changed.error()) << "\n" << remedy.patch.dump();
        return model;
    }
    EXPECT_EQ(remedy.patch.at(0).at("op"), "test");
    return changed->at("model");
}

}  // namespace plumbline::graph
