// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_picture.h"

#include "gui/model/canvas_adapter.h"
#include "gui/project_document.h"
#include "widgets/canvas_view.h"

namespace plumbline::gui {

QPixmap modelPicture(const std::filesystem::path& projectFolder, QSize size, double pixelRatio) {
    ProjectDocument document;
    if (!document.openForReading(projectFolder)) {
        return {};
    }
    CanvasAdapter adapter(document);
    widgets::CanvasView view;
    view.setMinimapVisible(false);
    view.resize(size * 2);
    view.setModel(&adapter);
    QImage image = view.toImage(size * pixelRatio);
    image.setDevicePixelRatio(pixelRatio);
    return QPixmap::fromImage(image);
}

}  // namespace plumbline::gui
