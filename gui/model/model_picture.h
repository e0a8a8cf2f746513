// SPDX-License-Identifier: GPL-3.0-or-later
// A small picture of a project's model.
#pragma once

#include <QPixmap>
#include <QSize>
#include <filesystem>

namespace plumbline::gui {

/// The root graph of the project in this folder, drawn as the canvas draws it; null when it cannot be read.
QPixmap modelPicture(const std::filesystem::path& projectFolder, QSize size, double pixelRatio);

}  // namespace plumbline::gui
