#include "export/module_file.h"

#include <torch/nn/module.h>
#include <torch/serialize/archive.h>

#include "export/container.h"
#include "model/failure.h"

namespace plumbline::exporting {

Status writeModuleFile(const std::filesystem::path& file, model::Model& model) {
    try {
        torch::serialize::OutputArchive archive;
        model.asModule()->save(archive);
        return writeContainer(file, [&archive](const ByteSink& sink) { archive.save_to(sink); });
    } catch (...) {
        return fail(model::errorOfCurrentException("The weights could not be written", file.string()));
    }
}

}  // namespace plumbline::exporting
