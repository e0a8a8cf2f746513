// SPDX-License-Identifier: GPL-3.0-or-later
// What a new sweep is: settings and their values, how trials are chosen, how they are judged.
#pragma once

#include <QDialog>

#include "core/error.h"
#include "project/project.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace plumbline::gui {

class ParameterRows;

class SweepDialog : public QDialog {
    Q_OBJECT

public:
    /// `unsaved`: trials read project.json, so it is saved first.
    SweepDialog(std::shared_ptr<const project::Project> project, bool unsaved, QWidget* parent);

    ParameterRows& parameters() { return *m_parameters; }
    /// What follows `plumbline sweep PROJECT`.
    QStringList arguments() const;

private:
    void makeFields(QFormLayout& form);
    /// The first thing that keeps the sweep from starting.
    Status check() const;
    /// What is tried although nothing reads it; it keeps no sweep from starting.
    QString warning() const;
    void update();

    std::shared_ptr<const project::Project> m_project;
    ParameterRows* m_parameters;
    QComboBox* m_method;
    QLabel* m_methodHelp;
    QSpinBox* m_trials;
    QSpinBox* m_parallel;
    QComboBox* m_series;
    QComboBox* m_mode;
    QSpinBox* m_maxSteps;
    QSpinBox* m_minSteps;
    QSpinBox* m_eta;
    QSpinBox* m_seed;
    QLineEdit* m_name;
    QFormLayout* m_form;
    QLabel* m_problem;
    QWidget* m_warnings;
    QLabel* m_warning;
    QPushButton* m_start;
};

/// Settings whose values are single numbers, words or truths: what a sweep can choose from a list.
QStringList sweepableSettings();

}  // namespace plumbline::gui
