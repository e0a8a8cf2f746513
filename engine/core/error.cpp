#include "core/error.h"

namespace plumbline {

std::string toSentence(const Error& error) {
    std::string text = error.message;
    if (!error.where.empty() && text.find(error.where) == std::string::npos) {
        text += " (" + error.where + ")";
    }
    if (!error.hint.empty()) {
        text += text.empty() || text.back() == '.' ? " " : ". ";
        text += error.hint;
    }
    return text;
}

}  // namespace plumbline
