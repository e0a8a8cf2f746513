#pragma once
// What LibTorch warns of, as sentences of ours instead of lines on standard error.

#include <c10/util/Exception.h>

#include <functional>
#include <set>
#include <string>

namespace plumbline::runtime {

/// For its lifetime, LibTorch's warnings in this thread go to `tell`, each once, as a sentence. One that nobody wants
/// is dropped.
class TorchWarnings final : public c10::WarningHandler {
public:
    explicit TorchWarnings(std::function<void(const std::string&)> tell) : m_tell(std::move(tell)), m_guard(this) {}
    void process(const c10::Warning& warning) override;

private:
    std::function<void(const std::string&)> m_tell;
    std::set<std::string> m_told;
    c10::WarningUtils::WarningHandlerGuard m_guard;
};

/// Once a process: threads that nobody listens to print nothing either.
void silenceTorchLog();

}  // namespace plumbline::runtime
