#pragma once
// Patterns over parameter names.

#include <string>

namespace plumbline {

/// Whether a name matches a pattern of the shell: * any run of characters (dots too), ? one, [abc] one of these.
bool matchesGlob(const std::string& pattern, const std::string& name);

}  // namespace plumbline
