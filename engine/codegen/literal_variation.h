#pragma once
// Pieces of code that are alike but for literals, turned into one piece with named arguments.

#include <string>
#include <vector>

namespace plumbline::codegen {

/// C++ tokens, white space dropped; a string literal is one token.
std::vector<std::string> tokenize(const std::string& code);
/// A number, true or false.
bool isLiteral(const std::string& token);
/// The code with every literal replaced by a mark: equal skeletons differ in literals only.
std::string skeletonOf(const std::string& code);
/// The literals in order.
std::vector<std::string> literalsOf(const std::string& code);
/// The code with its n-th literal replaced by names[n] where that is not empty.
std::string withLiterals(const std::string& code, const std::vector<std::string>& names);

}  // namespace plumbline::codegen
