#pragma once
// Reads one section of project.json by the list of settings: types, ranges, choices and unknown keys are checked here.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace plumbline::plan {

class SettingReader {
public:
    /// `section` is "training", "monitor" …; paths given to the getters are relative to it ("optimizer.lr").
    SettingReader(const Json& value, std::string section, std::string pointer);

    double number(const std::string& path);
    std::int64_t integer(const std::string& path);
    bool boolean(const std::string& path);
    std::string text(const std::string& path);
    /// Of a setting that takes "inf" as well.
    double numberOrInfinity(const std::string& path);
    /// Every option of the type that `into` has been given, from below `prefix` ("optimizer."). Options of other types
    /// that are stated are added to `withoutEffect`.
    void options(const std::string& prefix, TypedOptions& into, const std::vector<TypeSpec>& types,
                 std::vector<std::string>& withoutEffect);
    /// The value, or nullptr when absent; for lists and objects that their own reader takes apart.
    const Json* structured(const std::string& path);

    void addError(Error error);
    /// The first error, or an error about the first key that is no setting.
    Status finish();

private:
    const Json* locate(const std::string& path) const;
    /// The value, checked against its spec, or nullptr to use the default.
    const Json* checked(const std::string& path, const SettingSpec& spec);
    const Json& fallback(const SettingSpec& spec) const;
    void checkUnknown(const Json& value, const std::string& path);

    const Json& m_value;
    std::string m_section;
    std::string m_pointer;
    Status m_status;
};

/// The spec of "training.optimizer.lr"; nullptr when there is none.
const SettingSpec* findSetting(const std::string& path);
/// Whether `value` is one that the setting takes.
Status checkSetting(const SettingSpec& spec, const Json& value, const std::string& pointer);

}  // namespace plumbline::plan
