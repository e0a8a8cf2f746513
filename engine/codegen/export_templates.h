#pragma once
// The files under resources/export/, compiled in.

#include <string>
#include <vector>

namespace plumbline::codegen {

struct ExportTemplate {
    std::string file;  ///< name in the exported project
    std::string text;  ///< @NAME@ marks what is filled in
};
const std::vector<ExportTemplate>& exportTemplates();

}  // namespace plumbline::codegen
