// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_picture.h"

#include <QPainter>
#include <algorithm>

#include "gui/model/canvas_adapter.h"
#include "gui/project_document.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kColumns = 3;
constexpr int kMaximum = 12;

/// Blocks in reading order, row by row, with a short line to the next.
void drawBlocks(QPainter& painter, const QList<CanvasNode>& nodes, QSize size) {
    const ThemeColors& colors = Theme::instance().colors();
    const int shown = std::min<int>(kMaximum, static_cast<int>(nodes.size()));
    const int rows = (shown + kColumns - 1) / kColumns;
    const double gapX = space::kMedium;
    const double gapY = space::kSmall;
    const double width = (size.width() - 2 * space::kMedium - (kColumns - 1) * gapX) / kColumns;
    const double height = std::min(28.0, (size.height() - 2 * space::kSmall - (rows - 1) * gapY) / std::max(1, rows));
    const double top = (size.height() - rows * height - (rows - 1) * gapY) / 2;
    painter.setFont(Theme::instance().smallFont());
    for (int i = 0; i < shown; ++i) {
        const QRectF box(space::kMedium + (i % kColumns) * (width + gapX), top + (i / kColumns) * (height + gapY),
                         width, height);
        if (i + 1 < shown && i % kColumns != kColumns - 1) {
            painter.setPen(QPen(colors.muted, 1));
            painter.drawLine(QPointF(box.right(), box.center().y()), QPointF(box.right() + gapX, box.center().y()));
        }
        painter.setPen(QPen(colors.border, 1));
        painter.setBrush(colors.raised);
        painter.drawRoundedRect(box, space::kTiny, space::kTiny);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::instance().categoryColor(nodes[i].category));
        painter.drawRoundedRect(QRectF(box.left(), box.top() + 2, kCategoryEdge, box.height() - 4), 1, 1);
        painter.setPen(colors.text);
        const bool rest = i == kMaximum - 1 && nodes.size() > kMaximum;
        const QString label = rest ? QStringLiteral("+%1").arg(nodes.size() - kMaximum + 1) : nodes[i].type;
        const QRectF place = box.adjusted(kCategoryEdge + space::kTiny, 0, -2, 0);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(place.width())));
    }
}

}  // namespace

QPixmap modelPicture(const std::filesystem::path& projectFolder, QSize size, double pixelRatio) {
    ProjectDocument document;
    if (!document.openForReading(projectFolder)) {
        return {};
    }
    const CanvasAdapter adapter(document);
    QPixmap picture(size * pixelRatio);
    picture.setDevicePixelRatio(pixelRatio);
    picture.fill(Theme::instance().colors().background);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawBlocks(painter, adapter.nodes(), size);
    return picture;
}

}  // namespace plumbline::gui
