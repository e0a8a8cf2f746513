#include "plan/plan.h"
#include "project/project.h"

namespace plumbline::project {

Json resolvedSettings(const Project& project) {
    Json resolved = Json::object();
    for (const plan::SettingSpec& spec : plan::settings()) {
        const Json::json_pointer pointer(pointerOfDottedPath(spec.path));
        const bool stated = project.json.contains(pointer) && !project.json.at(pointer).is_null();
        resolved[spec.path] = stated ? project.json.at(pointer) : plan::defaultOf(spec, project.json);
    }
    return resolved;
}

}  // namespace plumbline::project
