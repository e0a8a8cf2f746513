// SPDX-License-Identifier: GPL-3.0-or-later
// Where a new project goes: a name, the folder it is made in, and whether that can be.
#pragma once

#include <QWidget>
#include <filesystem>

class QDialog;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace plumbline::gui {

/// The folder is remembered between projects (remember()).
class ProjectPlace : public QWidget {
    Q_OBJECT

public:
    explicit ProjectPlace(QWidget* parent = nullptr);

    QString name() const;
    void setName(const QString& name);
    std::filesystem::path folder() const;
    /// Why nothing can be made there; empty where it can.
    QString refusal() const;
    /// Shows a sentence in place of where it is made, or with an empty one the place.
    void showRefusal(const QString& sentence);
    void remember() const;
    /// "Create", which the dialog answers itself, and "Cancel", which rejects it.
    static QDialogButtonBox* makeButtons(QDialog* dialog);

Q_SIGNALS:
    void changed();

private:
    QLineEdit* m_name;
    QLineEdit* m_parent;
    QLabel* m_where;
};

}  // namespace plumbline::gui
