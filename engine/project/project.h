#pragma once
// A project folder: project.json and layout.json, read strictly and written atomically.

#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "data/data_spec.h"
#include "graph/document.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

constexpr int kSchemaVersion = 1;

/// An immutable snapshot in use everywhere; copies are cheap enough for edits (plain values).
struct Project {
    std::filesystem::path folder;  ///< where relative paths start; empty for one that was never saved
    std::string name;
    std::string description;
    graph::Document model;
    data::DataSpec data;
    plan::TrainingPlan training;
    plan::MonitorPlan monitor;
    Json json;    ///< the whole project.json; the typed members above are read from it
    Json layout;  ///< layout.json: {"<graph>": {"<node>": [x, y]}}; null when there is none
};

/// `path` is the folder or its project.json. Migrates an older schema in memory; refuses a newer one.
Result<Project> openProject(const std::filesystem::path& path);
/// Builds the typed members from a document; errors carry JSON pointers.
Result<Project> readProject(const Json& json, const std::filesystem::path& folder);
/// Writes project.json and layout.json into project.folder. Both are the old ones or both the new ones, whatever fails
/// or kills the program when. What could not be read again is refused and nothing is written.
Status saveProject(const Project& project);
/// The project with `json` changed by an RFC 6902 patch, read again.
Result<Project> withPatch(const Project& project, const Json& patch);
/// `path` is dotted, `value` a JSON value or plain text where a text is meant (command line --set).
Result<Project> withSetting(const Project& project, const std::string& path, const std::string& value);
/// The setting that a path was meant for: "training.stop.epochs" for "training.epochs", as it ends alike; empty: none
/// does.
std::string settingThatEndsAlike(const std::string& path);
/// The document that results from replacing "model" by `document` (the editor's way in).
Result<Project> withModel(const Project& project, const graph::Document& document);
/// Every setting of training, data and monitor by its dotted path, those that the project does not state with their
/// defaults.
Json resolvedSettings(const Project& project);
/// Hash of what decides a run's numbers.
std::string definitionHash(const Project& project);

/// Everything that can be known without LibTorch and without reading the samples: model problems, lints over model,
/// losses and data, plan conflicts.
struct CheckReport {
    graph::ResolvedModel model;
    std::vector<graph::Problem> problems;
    bool ok() const;
};
CheckReport checkProject(const Project& project, const graph::BlockRegistry& registry);

/// JSON Schema (2020-12) of project.json, made from the same specs that the reader uses.
Json projectSchema(const graph::BlockRegistry& registry);

struct TemplateInfo {
    std::string id, title, summary;
    Json parameters;
};
const std::vector<TemplateInfo>& templates();
/// A whole project from a template; `parameters` overrides its defaults.
Result<Json> makeFromTemplate(const std::string& id, const Json& parameters, const std::string& name);

}  // namespace plumbline::project
