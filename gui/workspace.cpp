// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workspace.h"

#include "gui/convert.h"

namespace plumbline::gui {

Workspace::Workspace(QObject* parent) : QObject(parent) {
    connect(&m_document, &ProjectDocument::refused, this, [this](const Error& error) { tell(error); });
}

void Workspace::tell(widgets::Severity severity, const QString& sentence, const QString& hint,
                     const QString& actionText, std::function<void()> action) {
    Q_EMIT messageRequested(severity, sentence, hint, actionText, action);
}

void Workspace::tell(const Error& error) {
    QString sentence = text(error.message);
    if (!error.where.empty()) {
        sentence += QStringLiteral(" (%1)").arg(text(error.where));
    }
    Q_EMIT messageRequested(widgets::Severity::Critical, sentence, text(error.hint), {}, {});
}

bool Workspace::applyRemedy(const graph::Remedy& remedy) {
    if (remedy.patch.empty() || !m_document.isOpen()) {
        return false;
    }
    if (const Status done = m_document.applyPatch(text(remedy.title), remedy.patch); !done) {
        tell(widgets::Severity::Warning,
             tr("\"%1\" does not fit any more: the project has changed since it was proposed.").arg(text(remedy.title)),
             text(done.error().message));
        return false;
    }
    if (remedy.applies == "live" && m_bridge.isActive()) {
        for (const Json& operation : remedy.patch) {
            const std::string kind = operation.value("op", std::string());
            if (kind == "replace" || kind == "add") {
                QString path = text(operation.value("path", std::string())).mid(1);
                m_bridge.post(path.replace(QLatin1Char('/'), QLatin1Char('.')), operation.value("value", Json()));
            }
        }
    }
    return true;
}

}  // namespace plumbline::gui
