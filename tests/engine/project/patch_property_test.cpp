// Edits of project.json and the way back.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "blocks/register.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

/// One of the edits that people make, on a document of the template "mlp".
void edit(Json& json) {
    Json& training = json["training"];
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            training["optimizer"]["lr"] = *rc::gen::element(0.5, 0.01, 1e-5);
            break;
        case 1:
            training["stop"] = {{"epochs", *rc::gen::inRange(1, 99)}};
            break;
        case 2:
            training["clip"] = {{"type", "norm"}, {"max_norm", *rc::gen::inRange(1, 9)}};
            break;
        case 3:
            training.erase("clip");
            break;
        case 4:
            json["data"]["loader"]["batch_size"] = *rc::gen::inRange(1, 512);
            break;
        default:
            json["description"] = *rc::gen::element<std::string>("", "another", "\"quoted\" / ~ ü");
    }
}

TEST(PatchProperty, ADoneAndUndoneEditLeavesTheProjectAsItWas) {
    const Json start = makeFromTemplate("mlp", Json::object(), "sample").value();
    EXPECT_TRUE(rc::check([&] {
        Project project = readProject(start, {}).value();
        std::vector<Json> undo;
        const int edits = *rc::gen::inRange(1, 6);
        for (int i = 0; i < edits; ++i) {
            Json after = project.json;
            edit(after);
            undo.push_back(Json::diff(after, project.json));
            const auto changed = withPatch(project, Json::diff(project.json, after));
            RC_ASSERT(changed.has_value());
            RC_ASSERT((nlohmann::json::parse(changed->json.dump()) == nlohmann::json::parse(after.dump())));
            project = *changed;
        }
        for (; !undo.empty(); undo.pop_back()) {
            const auto back = withPatch(project, undo.back());
            RC_ASSERT(back.has_value());
            project = *back;
        }
        // A patch puts a key back behind the others: the order aside all is as it was.
        RC_ASSERT((nlohmann::json::parse(project.json.dump()) == nlohmann::json::parse(start.dump())));
    }));
}

TEST(PatchProperty, APatchWhoseTestDoesNotHoldChangesNothing) {
    const Json start = makeFromTemplate("mlp", Json::object(), "sample").value();
    EXPECT_TRUE(rc::check([&] {
        const Project project = readProject(start, {}).value();
        Json after = start;
        edit(after);
        RC_PRE((after != start));
        Json patch = Json::array({{{"op", "test"}, {"path", "/name"}, {"value", "somebody else's"}}});
        for (const Json& operation : Json::diff(start, after)) {
            patch.push_back(operation);
        }
        RC_ASSERT(!withPatch(project, patch).has_value());
        RC_ASSERT((project.json == start));
    }));
}

}  // namespace
}  // namespace plumbline::project
