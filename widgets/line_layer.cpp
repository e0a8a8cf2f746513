// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/line_layer.h"

#include <QPainter>
#include <utility>

namespace plumbline::widgets {

namespace {
constexpr int kLook = 32;  ///< lines between two looks at the clock
}  // namespace

void LineLayer::restart(const QSize& size, double pixelRatio, std::vector<int> order) {
    const QSize pixels = size * pixelRatio;
    if (isDone() && !isEmpty())
        m_shown = std::move(m_image);
    m_wanted.reset();
    m_order = std::move(order);
    m_next = 0;
    if (m_image.size() != pixels)
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(pixelRatio);
    m_image.fill(Qt::transparent);
}

void LineLayer::restartNext(const QSize& size, double pixelRatio, std::vector<int> order) {
    if (isDone())
        restart(size, pixelRatio, std::move(order));
    else
        m_wanted = Picture{size, pixelRatio, std::move(order)};
}

void LineLayer::clear() {
    m_wanted.reset();
    m_order.clear();
    m_next = 0;
    m_shown = m_image = QImage();
}

void LineLayer::advance(std::chrono::milliseconds budget, const std::function<void(QPainter&, int)>& draw) {
    if (isDone() || m_image.isNull())
        return;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + budget;
    QPainter painter(&m_image);
    do {
        for (int i = 0; i < kLook && m_next < m_order.size(); ++i)
            draw(painter, m_order[m_next++]);
    } while (m_next < m_order.size() && Clock::now() < end);
    painter.end();
    if (isDone() && m_wanted)
        restart(m_wanted->size, m_wanted->pixelRatio, std::exchange(m_wanted->order, {}));
}

}  // namespace plumbline::widgets
