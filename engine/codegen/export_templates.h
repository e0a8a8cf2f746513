#pragma once
// The files under resources/export/, compiled in.

#include <string>
#include <vector>

namespace plumbline::codegen {

struct ExportTemplate {
    std::string file;  ///< name in the exported project
    std::string text;  ///< @NAME@ marks what is filled in
};
/// Those that every exported project has.
const std::vector<ExportTemplate>& exportTemplates();
/// What goes into one of them where a plan uses it, by its path: "optimizers/sgd.h". Empty where there is none.
const std::string& exportPart(const std::string& path);

}  // namespace plumbline::codegen
