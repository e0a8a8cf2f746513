// SPDX-License-Identifier: GPL-3.0-or-later
// Many lines in a picture that is drawn piece by piece and kept. Internal to the parallel plot.
#pragma once

#include <QImage>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace plumbline::widgets {

class LineLayer {
public:
    /// A new picture; `order` says which lines it gets, the last one on top. One of the same size is shown until it is
    /// whole.
    void restart(const QSize& size, double pixelRatio, std::vector<int> order);
    /// The same once the picture that is being drawn is whole: what changes with each move of the pointer is seen to
    /// change.
    void restartNext(const QSize& size, double pixelRatio, std::vector<int> order);
    /// Draws for about so long.
    void advance(std::chrono::milliseconds budget, const std::function<void(QPainter& painter, int line)>& draw);
    bool isDone() const { return m_next >= m_order.size(); }
    bool isEmpty() const { return m_order.empty(); }
    const QImage& image() const { return !isDone() && m_shown.size() == m_image.size() ? m_shown : m_image; }
    void clear();

private:
    struct Picture {
        QSize size;
        double pixelRatio;
        std::vector<int> order;
    };

    QImage m_image;
    QImage m_shown;  ///< the last whole one, while another is drawn
    std::optional<Picture> m_wanted;
    std::vector<int> m_order;
    std::size_t m_next = 0;
};

}  // namespace plumbline::widgets
