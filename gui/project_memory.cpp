// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project_memory.h"

#include <QCryptographicHash>
#include <QSettings>
#include <QStringList>

namespace plumbline::gui {

namespace {
const QString kGroup = QStringLiteral("project_memory/");
const QString kOrder = kGroup + QStringLiteral("order");
}  // namespace

ProjectMemory::ProjectMemory(const std::filesystem::path& folder) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, failed);
    const QByteArray name = QByteArray::fromStdString((failed ? folder : whole).string());
    m_key = QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha1).toHex().left(16));
}

QVariant ProjectMemory::value(const QString& name) const {
    return QSettings().value(kGroup + m_key + QLatin1Char('/') + name);
}

void ProjectMemory::setValue(const QString& name, const QVariant& value) {
    QSettings settings;
    QStringList order = settings.value(kOrder).toStringList();
    order.removeAll(m_key);
    order.prepend(m_key);
    while (order.size() > kProjects) {
        settings.remove(kGroup + order.takeLast());
    }
    settings.setValue(kOrder, order);
    settings.setValue(kGroup + m_key + QLatin1Char('/') + name, value);
}

}  // namespace plumbline::gui
