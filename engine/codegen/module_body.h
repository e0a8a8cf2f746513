#pragma once
// The body of one module instance as code: members, constructor lines, forward lines, with literals in place.

#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "graph/resolve.h"

namespace plumbline::codegen {

/// One child of an instance.
struct BodyPart {
    std::string name;        ///< C++ identifier of the member
    std::string member;      ///< declaration; "" when there is none
    std::string construct;   ///< statement of the constructor; "" when there is none
    std::string forward;     ///< statements
    std::string afterwards;  ///< statement of the constructor after all members exist (freezing); may be empty
    std::string modes;       ///< statement of train(): blocks that stay in eval; may be empty
    Json params;             ///< of a leaf: for naming arguments
};

struct ModuleBody {
    std::string type;                      ///< definition name, "Model" for the root
    std::vector<std::string> inputs;       ///< argument names of forward
    std::vector<std::string> results;      ///< expressions that forward returns
    std::vector<std::string> resultNames;  ///< the definition's output names
    std::vector<BodyPart> parts;           ///< construction order
    std::vector<std::size_t> callOrder;    ///< indices in parts
    Json params;                           ///< values of the definition's parameters
};

/// How a child composite is named and constructed in this place, given its tree index: struct name and argument text.
struct CompositeUse {
    std::string structName;
    std::string arguments;  ///< "1, 32, true"
};

class CompositeNames {
public:
    virtual ~CompositeNames() = default;
    /// Empty while it is not known.
    virtual CompositeUse use(int treeIndex) const = 0;
};

/// The body of tree[treeIndex]. Children that are composites have to be known to `names` already. `complete` code
/// spells out options that have their default.
Result<ModuleBody> makeBody(const graph::ResolvedModel& model, const graph::BlockRegistry& registry, int treeIndex,
                            const CompositeNames& names, bool complete = false);

/// `text` as a string literal of C++, with its quotes; what a project calls its things may hold anything.
std::string cppString(const std::string& text);
/// A literal of type double with exactly this value.
std::string cppNumber(double value);
/// "torch::kFloat32"
std::string cppDType(DType dtype);
/// `text` as lines of comment, each ended; nothing in it can end the comment.
std::string cppComment(const std::string& text);
/// `name` made an identifier of C++: "0" becomes "m0", what has another meaning gets an underscore.
std::string cppIdentifier(const std::string& name);

}  // namespace plumbline::codegen
