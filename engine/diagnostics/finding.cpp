#include "diagnostics/finding.h"

#include <fmt/format.h>

namespace plumbline::diagnostics {
namespace {

std::optional<Severity> parseSeverity(const std::string& text) {
    for (const Severity severity : {Severity::kInfo, Severity::kWarning, Severity::kCritical}) {
        if (graph::toString(severity) == text) {
            return severity;
        }
    }
    return std::nullopt;
}

Result<Remedy> remedyFromJson(const Json& json, const std::string& pointer) {
    JsonObject object(json, pointer);
    Remedy remedy;
    remedy.title = object.requiredString("title");
    const Json* patch = object.find("patch");
    remedy.patch = patch != nullptr ? *patch : Json::array();
    remedy.applies = object.string("applies", remedy.applies);
    PLUMBLINE_TRY(object.finish());
    return remedy;
}

}  // namespace

bool isOpenCritical(const Finding& finding) {
    return finding.severity == Severity::kCritical && finding.cause.empty() && !finding.clearedAt;
}

Json toJson(const Finding& finding) {
    Json remedies = Json::array();
    for (const Remedy& remedy : finding.remedies) {
        remedies.push_back(graph::toJson(remedy));
    }
    Json json = {{"id", finding.id},
                 {"detector", finding.detector},
                 {"severity", std::string(graph::toString(finding.severity))},
                 {"step", finding.step},
                 {"epoch", finding.epoch},
                 {"block", finding.block},
                 {"message", finding.message},
                 {"evidence", finding.evidence},
                 {"remedies", std::move(remedies)},
                 {"cleared_at", nullptr},
                 {"cause", finding.cause}};
    if (finding.clearedAt) {
        json["cleared_at"] = *finding.clearedAt;
    }
    return json;
}

Result<Finding> findingFromJson(const Json& json) {
    JsonObject object(json, "");
    Finding finding;
    finding.id = object.requiredString("id");
    finding.detector = object.requiredString("detector");
    const std::string severity = object.requiredString("severity");
    finding.step = object.integer("step", 0);
    finding.epoch = object.integer("epoch", 0);
    finding.block = object.string("block", "");
    finding.message = object.string("message", "");
    finding.cause = object.string("cause", "");
    if (const Json* evidence = object.find("evidence"); evidence != nullptr) {
        finding.evidence = *evidence;
    }
    if (const Json* cleared = object.find("cleared_at"); cleared != nullptr && !cleared->is_null()) {
        if (cleared->is_number_integer()) {
            finding.clearedAt = cleared->get<std::int64_t>();
        } else {
            object.wrongType("cleared_at", "an integer or null");
        }
    }
    const Json* remedies = object.find("remedies");
    PLUMBLINE_TRY(object.finish());
    if (const auto parsed = parseSeverity(severity)) {
        finding.severity = *parsed;
    } else {
        return fail(
            ErrorKind::kInvalid, "bad-finding",
            fmt::format("A finding's severity is critical, warning or info, and this one says \"{}\"", severity),
            "/severity");
    }
    if (remedies != nullptr) {
        if (!remedies->is_array()) {
            return fail(ErrorKind::kInvalid, "bad-finding",
                        fmt::format("A finding's remedies are a list, and this is {}", typeName(*remedies)),
                        "/remedies");
        }
        for (std::size_t i = 0; i < remedies->size(); ++i) {
            PLUMBLINE_ASSIGN(Remedy remedy, remedyFromJson((*remedies)[i], pointerTo("/remedies", i)));
            finding.remedies.push_back(std::move(remedy));
        }
    }
    return finding;
}

}  // namespace plumbline::diagnostics
