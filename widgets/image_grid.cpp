// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/image_grid.h"

#include <QAbstractListModel>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {
constexpr int kBadgeRole = Qt::UserRole + 1;
constexpr int kImageRole = Qt::UserRole + 2;
}  // namespace

class ImageGrid::Model : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_images.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const GridImage& entry = m_images[static_cast<std::size_t>(index.row())];
        switch (role) {
            case Qt::DisplayRole:
                return entry.caption;
            case Qt::ToolTipRole:
                return entry.toolTip;
            case Qt::AccessibleTextRole: {
                QString text = entry.toolTip.isEmpty() ? entry.caption : entry.toolTip;
                if (entry.badge != Severity::None)
                    text += QStringLiteral(", ") + severityName(entry.badge);
                return text;
            }
            case kBadgeRole:
                return static_cast<int>(entry.badge);
            case kImageRole:
                return entry.image;
            default:
                return {};
        }
    }
    void setImages(const std::vector<GridImage>& images) {
        if (images.size() == m_images.size() && !images.empty()) {
            m_images = images;
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
            return;
        }
        beginResetModel();
        m_images = images;
        endResetModel();
    }

private:
    std::vector<GridImage> m_images;
};

class ImageGrid::Delegate : public QStyledItemDelegate {
public:
    explicit Delegate(ImageGrid* grid) : QStyledItemDelegate(grid), m_grid(grid) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {m_grid->m_tileSize + space::kSmall, m_grid->m_tileSize + option.fontMetrics.height() + space::kMedium};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QRect cell = option.rect.adjusted(1, 1, -1, -1);
        painter->save();
        if (selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(colors.accent, 1.5));
            painter->setBrush(mixed(colors.surface, colors.accent, 0.16));
            painter->drawRoundedRect(cell, kRadius, kRadius);
            painter->setRenderHint(QPainter::Antialiasing, false);
        }
        const int edge = m_grid->m_tileSize;
        const QRect tile(cell.center().x() - edge / 2 + 1, cell.top() + space::kTiny - 1, edge, edge);
        const QImage image = index.data(kImageRole).value<QImage>();
        if (!image.isNull()) {
            const QSize size = image.size().scaled(tile.size(), Qt::KeepAspectRatio);
            const QRect place(tile.center().x() - size.width() / 2 + 1, tile.center().y() - size.height() / 2 + 1,
                              size.width(), size.height());
            // Enlarged pixels stay pixels; a large picture is smoothed on its way down.
            painter->setRenderHint(QPainter::SmoothPixmapTransform, image.width() > size.width());
            painter->drawImage(place, image);
            painter->setPen(colors.border);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(place.adjusted(0, 0, -1, -1));
        }
        const auto badge = static_cast<Severity>(index.data(kBadgeRole).toInt());
        if (badge != Severity::None) {
            const QRectF place(tile.right() - kIconSize, tile.top() + 1, kIconSize, kIconSize);
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(colors.surface);
            painter->drawEllipse(place.adjusted(-2, -2, 2, 2));
            paintIcon(*painter, severityIconName(badge), place, Theme::instance().severityColor(badge));
        }
        painter->setPen(colors.text);
        const QRect text(cell.left(), tile.bottom() + 2, cell.width(), option.fontMetrics.height());
        painter->drawText(text, Qt::AlignCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, text.width() - 2));
        painter->restore();
    }

private:
    ImageGrid* m_grid;
};

ImageGrid::ImageGrid(QWidget* parent) : QListView(parent), m_model(new Model(this)) {
    setModel(m_model);
    setItemDelegate(new Delegate(this));
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setSpacing(2);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Samples"));
    connect(this, &QListView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT imageActivated(index.row()); });
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

ImageGrid::~ImageGrid() = default;

void ImageGrid::setImages(const std::vector<GridImage>& images) {
    m_model->setImages(images);
    viewport()->update();
}

int ImageGrid::imageCount() const {
    return m_model->rowCount();
}
int ImageGrid::currentImage() const {
    return currentIndex().row();
}
void ImageGrid::setCurrentImage(int index) {
    setCurrentIndex(m_model->index(index));
}

void ImageGrid::setTileSize(int pixels) {
    m_tileSize = std::clamp(pixels, 32, 512);
    scheduleDelayedItemsLayout();
}

void ImageGrid::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void ImageGrid::paintEvent(QPaintEvent* event) {
    QListView::paintEvent(event);
    if (m_model->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(Theme::instance().colors().muted);
    painter.drawText(viewport()->rect().adjusted(space::kLarge, 0, -space::kLarge, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void ImageGrid::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
        QApplication::clipboard()->setImage(currentIndex().data(kImageRole).value<QImage>());
        return;
    }
    QListView::keyPressEvent(event);
}

void ImageGrid::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    Q_EMIT currentImageChanged(current.row());
}

}  // namespace plumbline::widgets
