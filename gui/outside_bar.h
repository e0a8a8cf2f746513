// SPDX-License-Identifier: GPL-3.0-or-later
// The bar that says that another program wrote project.json, until it is answered.
#pragma once

#include <QObject>
#include <optional>
#include <string>

namespace plumbline::widgets {
class MessageBanner;
}

namespace plumbline::gui {

class FileController;
class Workspace;

/// Reload takes what the file holds (unsaved changes can be restored); Keep mine goes on as it is, and saving asks.
/// Other sentences do not take its place, and it goes by itself once the file holds again what is known here.
class OutsideBar : public QObject {
    Q_OBJECT

public:
    OutsideBar(Workspace& workspace, FileController& files, widgets::MessageBanner* banner, QObject* parent);

private:
    void look();
    void keepMine();

    Workspace& m_workspace;
    widgets::MessageBanner* m_banner;
    std::optional<std::string> m_kept;  ///< what it was answered for
};

}  // namespace plumbline::gui
