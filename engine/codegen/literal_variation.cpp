#include "codegen/literal_variation.h"

#include <cctype>

namespace plumbline::codegen {
namespace {

bool isWordStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isWord(char c) {
    return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// End of the token that starts at `at`.
std::size_t tokenEnd(const std::string& code, std::size_t at) {
    const char first = code[at];
    std::size_t end = at + 1;
    if (first == '"') {
        while (end < code.size() && code[end] != '"') {
            end += code[end] == '\\' ? 2 : 1;
        }
        return std::min(end + 1, code.size());
    }
    if (isWordStart(first)) {
        while (end < code.size() && isWord(code[end])) {
            ++end;
        }
        return end;
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
        while (end < code.size() &&
               (isWord(code[end]) || code[end] == '.' ||
                ((code[end] == '-' || code[end] == '+') && (code[end - 1] == 'e' || code[end - 1] == 'E')))) {
            ++end;
        }
        return end;
    }
    return end;
}

/// Calls each(token) for every token; `gap` gets the white space before it.
template <class Each>
void forEachToken(const std::string& code, Each each) {
    std::size_t at = 0;
    while (at < code.size()) {
        const std::size_t start = at;
        while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at])) != 0) {
            ++at;
        }
        const std::string gap = code.substr(start, at - start);
        if (at >= code.size()) {
            each(gap, std::string());
            return;
        }
        const std::size_t end = tokenEnd(code, at);
        each(gap, code.substr(at, end - at));
        at = end;
    }
}

}  // namespace

std::vector<std::string> tokenize(const std::string& code) {
    std::vector<std::string> tokens;
    forEachToken(code, [&](const std::string&, const std::string& token) {
        if (!token.empty()) {
            tokens.push_back(token);
        }
    });
    return tokens;
}

bool isLiteral(const std::string& token) {
    return token == "true" || token == "false" ||
           (!token.empty() && std::isdigit(static_cast<unsigned char>(token[0])) != 0);
}

std::string skeletonOf(const std::string& code) {
    std::string skeleton;
    for (const std::string& token : tokenize(code)) {
        // Kinds stay apart, so that an argument has one type.
        if (!isLiteral(token)) {
            skeleton += token;
        } else if (token == "true" || token == "false") {
            skeleton += "?b";
        } else {
            skeleton += token.find_first_of(".eE") == std::string::npos ? "?i" : "?d";
        }
        skeleton += ' ';
    }
    return skeleton;
}

std::vector<std::string> literalsOf(const std::string& code) {
    std::vector<std::string> literals;
    for (const std::string& token : tokenize(code)) {
        if (isLiteral(token)) {
            literals.push_back(token);
        }
    }
    return literals;
}

std::string withLiterals(const std::string& code, const std::vector<std::string>& names) {
    std::string result;
    std::size_t index = 0;
    forEachToken(code, [&](const std::string& gap, const std::string& token) {
        result += gap;
        const std::string* name = isLiteral(token) && index < names.size() ? &names[index] : nullptr;
        index += isLiteral(token) ? 1 : 0;
        result += name != nullptr && !name->empty() ? *name : token;
    });
    return result;
}

}  // namespace plumbline::codegen
