#pragma once
// What can go wrong, told so that a person knows what to do next.

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace plumbline {

/// Which exit code of the command line an error ends in.
enum class ErrorKind {
    kRunFailed = 1,      ///< the run itself failed
    kUsage = 2,          ///< wrong arguments
    kInvalid = 3,        ///< the project or its data are invalid
    kFinding = 4,        ///< ended by a finding at --fail-on
    kMachine = 5,        ///< this machine lacks something: LibTorch, a device, disk space, memory
    kVerification = 6,   ///< a verification did not hold
    kInterrupted = 130,  ///< Ctrl-C; everything so far is saved
    kTerminated = 143,   ///< SIGTERM; everything so far is saved
};

/// One failure: a stable code for programs, a sentence with its values for people, where it is, what to do.
struct Error {
    ErrorKind kind = ErrorKind::kInvalid;
    std::string code;     ///< stable and short, as "unknown-block"
    std::string message;  ///< a whole sentence that names the values
    std::string where;    ///< JSON pointer, file, block or "file:row:column"; may be empty
    std::string hint;     ///< the next step; may be empty

    int exitCode() const { return static_cast<int>(kind); }
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Shorthand for the failure branch: `return fail(ErrorKind::kInvalid, "unknown-block", "…", where, hint);`
inline tl::unexpected<Error> fail(ErrorKind kind, std::string code, std::string message, std::string where = {},
                                  std::string hint = {}) {
    return tl::unexpected<Error>(Error{kind, std::move(code), std::move(message), std::move(where), std::move(hint)});
}
inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// "message (where). hint" on one line, for a log or standard error; a place that the message names is not told twice.
std::string toSentence(const Error& error);

}  // namespace plumbline

/// Returns the error of `expression` from the enclosing function, if it has one.
#define PLUMBLINE_TRY(expression)                                         \
    do {                                                                  \
        auto&& plumblineTryResult = (expression);                         \
        if (!plumblineTryResult) {                                        \
            return tl::unexpected(std::move(plumblineTryResult).error()); \
        }                                                                 \
    } while (false)

#define PLUMBLINE_CONCAT_IMPL(a, b) a##b
#define PLUMBLINE_CONCAT(a, b) PLUMBLINE_CONCAT_IMPL(a, b)
/// `PLUMBLINE_ASSIGN(auto value, f());`: the value of f(), or its error returned from the enclosing function.
#define PLUMBLINE_ASSIGN(declaration, ...) \
    PLUMBLINE_ASSIGN_IMPL(PLUMBLINE_CONCAT(plumblineResult, __COUNTER__), declaration, __VA_ARGS__)
#define PLUMBLINE_ASSIGN_IMPL(result, declaration, ...)   \
    auto result = (__VA_ARGS__);                          \
    if (!result) {                                        \
        return tl::unexpected(std::move(result).error()); \
    }                                                     \
    declaration = std::move(*result)
