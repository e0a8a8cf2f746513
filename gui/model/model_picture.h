// SPDX-License-Identifier: GPL-3.0-or-later
// A small picture of a project's model.
#pragma once

#include <QPixmap>
#include <QSize>
#include <filesystem>

namespace plumbline::gui {

/// The blocks of the root graph in reading order, with their categories' colours; null when it cannot be read.
QPixmap modelPicture(const std::filesystem::path& projectFolder, QSize size, double pixelRatio);

}  // namespace plumbline::gui
