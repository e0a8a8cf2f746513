// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where pages are named.
#pragma once

#include <QList>

class QWidget;

namespace plumbline::gui {

class FileController;
class Page;
class Workspace;

/// All pages in the order they stand down the left. Owned by `parent`.
QList<Page*> makePages(Workspace& workspace, FileController& files, QWidget* parent);

}  // namespace plumbline::gui
