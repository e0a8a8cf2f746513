#pragma once
// Standard output: one JSON document, or text for a person. Messages go to standard error.

#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::cli {

class Output {
public:
    explicit Output(bool json) : m_json(json) {}
    bool json() const { return m_json; }
    /// Prints the document when JSON was asked for; call once.
    void document(const Json& document) const;
    /// A line for a person; nothing under --json.
    void line(const std::string& text = {}) const;
    /// A table for a person: the first row is the header; numbers are right-aligned.
    void table(const std::vector<std::vector<std::string>>& rows) const;
    /// A message on standard error, whatever the mode.
    void message(const std::string& text) const;
    /// The failure in the form that was asked for; gives the exit code.
    int failure(const Error& error) const;

private:
    bool m_json;
};

/// "1,797", "12.3 k", "4.1 M": counts as a person reads them.
std::string countText(double value);
/// "512 B", "1.5 MB": powers of 1000, as the window shows them.
std::string bytesText(double bytes);
std::string secondsText(double seconds);

}  // namespace plumbline::cli
