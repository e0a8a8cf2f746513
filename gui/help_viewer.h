// SPDX-License-Identifier: GPL-3.0-or-later
// The documentation that comes with the program, read inside it.
#pragma once

#include <QString>
#include <filesystem>

class QWidget;

namespace plumbline::gui {

/// Where docs/ is: beside the installed program, or in the source tree. Empty when there is none.
std::filesystem::path documentationFolder();
/// The file of a page in the window's language, docs/zh_CN/README.md for "README.md", else in English. Empty when there
/// is none.
std::filesystem::path documentationPage(const QString& page);
/// A page below docs/, as "README.md" or "detectors/loader-stall.md", in the one help window of `window`. False when
/// the page is not there.
bool showDocumentation(QWidget* window, const QString& page = QStringLiteral("README.md"));

}  // namespace plumbline::gui
