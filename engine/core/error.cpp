#include "core/error.h"

namespace plumbline {

std::string toSentence(const Error& error) {
    std::string text = error.message;
    if (!error.where.empty() && text.find(error.where) == std::string::npos) {
        const bool ends = text.ends_with('.');
        text.resize(text.size() - (ends ? 1 : 0));
        text += " (" + error.where + ")" + (ends ? "." : "");
    }
    if (!error.hint.empty()) {
        text += text.empty() || text.back() == '.' ? " " : ". ";
        text += error.hint;
    }
    return text;
}

}  // namespace plumbline
