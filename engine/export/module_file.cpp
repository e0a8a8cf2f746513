#include "export/module_file.h"

#include <fmt/format.h>
#include <torch/nn/module.h>
#include <torch/serialize/archive.h>

#include "core/files.h"

namespace plumbline::exporting {

Status writeModuleFile(const std::filesystem::path& file, model::Model& model) {
    try {
        torch::serialize::OutputArchive archive;
        model.asModule()->save(archive);
        AtomicFile atomic(file);
        archive.save_to(atomic.temporaryPath().string());
        return atomic.commit();
    } catch (const std::exception& error) {
        return fail(ErrorKind::kMachine, "write-failed", fmt::format("Cannot write {}: {}", file.string(), error.what()), file.string(),
                    "Check the free space and the permissions of the folder.");
    }
}

}  // namespace plumbline::exporting
