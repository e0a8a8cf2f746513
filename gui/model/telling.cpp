// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/telling.h"

#include <QHash>
#include <QStringList>

#include "gui/convert.h"
#include "widgets/theme.h"

namespace plumbline::gui {

QString valueText(const Json& value) {
    if (value.is_string()) {
        return text(value.get_ref<const std::string&>());
    }
    if (value.is_array()) {
        QStringList parts;
        for (const Json& each : value) {
            parts << valueText(each);
        }
        return parts.join(QChar(0x00d7));
    }
    return text(value.dump());
}

QString tellingText(const graph::BlockSpec& spec, const Json& params) {
    static const QHash<QString, QString> letters{
        {QStringLiteral("kernel_size"), QStringLiteral("k")}, {QStringLiteral("stride"), QStringLiteral("s")},
        {QStringLiteral("padding"), QStringLiteral("p")},     {QStringLiteral("dilation"), QStringLiteral("d")},
        {QStringLiteral("groups"), QStringLiteral("g")},      {QStringLiteral("p"), QStringLiteral("p=")},
        {QStringLiteral("dim"), QStringLiteral("dim ")},      {QStringLiteral("num_layers"), QStringLiteral("×")}};
    QStringList plain;
    QStringList lettered;
    for (const std::string& name : spec.telling) {
        const auto value = params.find(name);
        if (value == params.end() || value->is_null()) {
            continue;
        }
        const graph::ParameterSpec* parameter = spec.parameter(name);
        const QString letter = letters.value(text(name));
        if (letter.isEmpty()) {
            plain << valueText(*value);
        } else if (name == "kernel_size" || name == "p" || !parameter || *value != parameter->defaultValue) {
            lettered << letter + valueText(*value);
        }
    }
    QStringList all = plain;
    if (!lettered.isEmpty()) {
        all << lettered.join(QLatin1Char(' '));
    }
    return all.join(QStringLiteral(", "));
}

int categoryOf(const std::string& category) {
    using widgets::BlockCategory;
    static const QHash<QString, BlockCategory> known{{QStringLiteral("input"), BlockCategory::InputOutput},
                                                     {QStringLiteral("output"), BlockCategory::InputOutput},
                                                     {QStringLiteral("linear"), BlockCategory::Linear},
                                                     {QStringLiteral("embedding"), BlockCategory::Linear},
                                                     {QStringLiteral("convolution"), BlockCategory::Convolution},
                                                     {QStringLiteral("pooling"), BlockCategory::Pooling},
                                                     {QStringLiteral("normalisation"), BlockCategory::Normalisation},
                                                     {QStringLiteral("activation"), BlockCategory::Activation},
                                                     {QStringLiteral("recurrent"), BlockCategory::Recurrent},
                                                     {QStringLiteral("attention"), BlockCategory::Recurrent},
                                                     {QStringLiteral("merge"), BlockCategory::Merge},
                                                     {QStringLiteral("tensor"), BlockCategory::Merge},
                                                     {QStringLiteral("regularisation"), BlockCategory::Regularisation},
                                                     {QStringLiteral("composite"), BlockCategory::Composite}};
    return static_cast<int>(known.value(text(category), BlockCategory::Plugin));
}

}  // namespace plumbline::gui
