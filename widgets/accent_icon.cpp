// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/accent_icon.h"

#include <QAbstractButton>

#include "widgets/icons.h"

namespace plumbline::widgets {

void setAccentIcon(QAbstractButton& button, const QString& name) {
    const auto draw = [&button, name] { button.setIcon(icon(name, Theme::instance().colors().onAccent)); };
    draw();
    QObject::connect(&Theme::instance(), &Theme::changed, &button, draw);
}

}  // namespace plumbline::widgets
