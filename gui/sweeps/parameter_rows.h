// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a sweep tries, a row each: its path, and the values it may take.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace plumbline::gui {

class ParameterRow : public QWidget {
    Q_OBJECT

public:
    ParameterRow(const QStringList& paths, QWidget* parent);

    /// As sweep::parseParameter() reads it; empty while no setting is chosen.
    QString over() const;
    void setOver(const QString& path, const QString& values);
    /// How many values a grid takes of a range means something.
    void setGrid(bool grid);
    void setRemovable(bool removable);
    void focus();
    /// What Tab stops at, from left to right.
    QList<QWidget*> tabStops() const;

Q_SIGNALS:
    void changed();
    void removed();

private:
    QComboBox* m_path;
    QComboBox* m_kind;
    QStackedWidget* m_stack;
    QLineEdit* m_values;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QSpinBox* m_count;
    QToolButton* m_remove;
};

class ParameterRows : public QWidget {
    Q_OBJECT

public:
    /// `paths`: settings to choose from; any other path can be typed.
    ParameterRows(const QStringList& paths, QWidget* parent);

    /// Of the rows that name a setting.
    QStringList over() const;
    void setGrid(bool grid);
    ParameterRow* add();
    ParameterRow* row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

Q_SIGNALS:
    void changed();

private:
    void remove(ParameterRow* row);
    void number();

    QStringList m_paths;
    std::vector<ParameterRow*> m_rows;
    QVBoxLayout* m_layout;
    QPushButton* m_add;
    bool m_grid = false;
};

}  // namespace plumbline::gui
