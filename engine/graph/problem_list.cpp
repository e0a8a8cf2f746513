#include "graph/problem_list.h"

namespace plumbline::graph {
namespace {

bool endsSentence(const std::string& text) {
    return !text.empty() && (text.back() == '.' || text.back() == '?');
}

}  // namespace

void ProblemList::add(Problem problem) {
    if (!m_seen.emplace(problem.code, problem.pointer).second) {
        return;
    }
    m_hasCritical = m_hasCritical || problem.severity == Severity::kCritical;
    m_problems.push_back(std::move(problem));
}

void ProblemList::critical(std::string code, std::string block, std::string pointer, std::string message,
                           std::vector<Remedy> remedies) {
    add({Severity::kCritical, std::move(code), std::move(block), std::move(pointer), std::move(message),
         std::move(remedies)});
}

void ProblemList::warning(std::string code, std::string block, std::string pointer, std::string message,
                          std::vector<Remedy> remedies) {
    add({Severity::kWarning, std::move(code), std::move(block), std::move(pointer), std::move(message),
         std::move(remedies)});
}

Remedy replaceValue(std::string title, const std::string& pointer, const Json& before, const Json& after) {
    Remedy remedy;
    remedy.title = std::move(title);
    remedy.patch = Json::array({{{"op", "test"}, {"path", pointer}, {"value", before}},
                                {{"op", "replace"}, {"path", pointer}, {"value", after}}});
    return remedy;
}

Remedy removeValue(std::string title, const std::string& pointer, const Json& before) {
    Remedy remedy;
    remedy.title = std::move(title);
    remedy.patch =
        Json::array({{{"op", "test"}, {"path", pointer}, {"value", before}}, {{"op", "remove"}, {"path", pointer}}});
    return remedy;
}

std::string sentence(std::string message, const std::string& hint) {
    if (!endsSentence(message)) {
        message += '.';
    }
    if (!hint.empty()) {
        message += ' ' + hint;
        if (!endsSentence(hint)) {
            message += '.';
        }
    }
    return message;
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += i == 0 ? "" : (i + 1 == words.size() ? " and " : ", ");
        text += words[i];
    }
    return text;
}

}  // namespace plumbline::graph
