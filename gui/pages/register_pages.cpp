// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/register_pages.h"

#include "gui/pages/data_page.h"
#include "gui/pages/export_page.h"
#include "gui/pages/model_page.h"
#include "gui/pages/runs_page.h"
#include "gui/pages/sweeps_page.h"
#include "gui/pages/train_page.h"
#include "gui/pages/welcome_page.h"

namespace plumbline::gui {

QList<Page*> makePages(Workspace& workspace, FileController& files, QWidget* parent) {
    return {
        new WelcomePage(workspace, files, parent), new ModelPage(workspace, parent), new DataPage(workspace, parent),
        new TrainPage(workspace, parent),          new RunsPage(workspace, parent),  new SweepsPage(workspace, parent),
        new ExportPage(workspace, parent),
    };
}

}  // namespace plumbline::gui
