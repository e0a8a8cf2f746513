// SPDX-License-Identifier: GPL-3.0-or-later
// A grid of pictures with captions: samples as the model gets them.
#pragma once

#include <QImage>
#include <QListView>
#include <vector>

#include "widgets/theme.h"

namespace plumbline::widgets {

struct GridImage {
    QImage image;  ///< any size; small ones are enlarged without blur
    QString caption;
    QString toolTip;
    Severity badge = Severity::None;  ///< e.g. Critical on a wrong prediction
};

/// Arrow keys move, Return activates, Ctrl+C copies the picture.
class ImageGrid : public QListView {
    Q_OBJECT

public:
    explicit ImageGrid(QWidget* parent = nullptr);
    ~ImageGrid() override;

    /// Keeps the current index when the count stays.
    void setImages(const std::vector<GridImage>& images);
    int imageCount() const;
    int currentImage() const;
    void setCurrentImage(int index);
    /// Edge length of a tile in pixels, 32 to 512.
    void setTileSize(int pixels);
    int tileSize() const { return m_tileSize; }
    void setEmptyText(const QString& text);

Q_SIGNALS:
    void currentImageChanged(int index);
    void imageActivated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Model;
    class Delegate;
    Model* m_model;
    QString m_emptyText;
    int m_tileSize = 72;
};

}  // namespace plumbline::widgets
