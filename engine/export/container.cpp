#include "export/container.h"

#include "core/files.h"

namespace plumbline::exporting {

Status writeContainer(const std::filesystem::path& file, const std::function<void(const ByteSink&)>& write) {
    AtomicFile atomic(file);
    FileWriter writer(atomic.temporaryPath(), file);
    write([&writer](const void* data, std::size_t bytes) {
        writer.write(data, bytes);
        return bytes;
    });
    PLUMBLINE_TRY(writer.close());
    return atomic.commit();
}

}  // namespace plumbline::exporting
