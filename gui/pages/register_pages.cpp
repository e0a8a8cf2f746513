// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/register_pages.h"

#include "gui/pages/model_page.h"
#include "gui/pages/welcome_page.h"

namespace plumbline::gui {

QList<Page*> makePages(Workspace& workspace, FileController& files, QWidget* parent) {
    return {
        new WelcomePage(workspace, files, parent),
        new ModelPage(workspace, parent),
    };
}

}  // namespace plumbline::gui
