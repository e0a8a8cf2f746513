// SPDX-License-Identifier: GPL-3.0-or-later
// After Sugiyama, Tagawa and Toda (1981): break cycles, layers by longest path, points on long edges, order by
// barycentres, then coordinates by isotonic regression of each layer towards its neighbours.
#include "widgets/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace plumbline::widgets {

namespace {

constexpr int kOrderSweeps = 8;
constexpr int kPlaceSweeps = 12;
constexpr double kPointHeight = 8;     ///< room a passing edge takes in a layer
constexpr double kPointWeight = 1e-3;  ///< a passing edge gives way to blocks, so that the main path stays straight
constexpr std::size_t kPointsPerNode = 6;

struct Vertex {
    int layer = 0;
    double height = kPointHeight;
    double weight = 1;
    double y = 0;   ///< centre
    int place = 0;  ///< index in its layer
    std::vector<int> before, after;
};

/// One connected part of the graph.
class Part {
public:
    Part(std::span<const QSizeF> sizes, const LayoutOptions& options) : m_options(options) {
        for (const QSizeF& size : sizes) {
            Vertex vertex;
            vertex.height = size.height();
            m_vertices.push_back(std::move(vertex));
            m_widths.push_back(size.width());
        }
        m_real = m_vertices.size();
    }

    void addEdge(const LayoutEdge& edge) { m_edges.push_back(edge); }

    std::vector<QPointF> run() {
        breakCycles();
        assignLayers();
        addPoints();
        fillLayers();
        order();
        place();
        return positions();
    }

    double height() const { return m_height; }

private:
    void breakCycles() {
        std::vector<std::vector<int>> out(m_real);
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            out[static_cast<std::size_t>(m_edges[i].from)].push_back(static_cast<int>(i));
        std::vector<std::uint8_t> state(m_real, 0);  // 0 new, 1 on the path, 2 done
        std::vector<std::uint8_t> dropped(m_edges.size(), 0);
        std::vector<std::pair<int, std::size_t>> path;
        std::vector<std::uint8_t> hasInput(m_real, 0);
        for (const LayoutEdge& edge : m_edges)
            hasInput[static_cast<std::size_t>(edge.to)] = 1;
        const auto walk = [&](int root) {
            if (state[static_cast<std::size_t>(root)] != 0)
                return;
            path.push_back({root, 0});
            state[static_cast<std::size_t>(root)] = 1;
            while (!path.empty()) {
                auto& [node, next] = path.back();
                const auto& edges = out[static_cast<std::size_t>(node)];
                if (next == edges.size()) {
                    state[static_cast<std::size_t>(node)] = 2;
                    path.pop_back();
                    continue;
                }
                const int edge = edges[next++];
                const int to = m_edges[static_cast<std::size_t>(edge)].to;
                auto& seen = state[static_cast<std::size_t>(to)];
                if (seen == 1) {
                    dropped[static_cast<std::size_t>(edge)] = 1;
                } else if (seen == 0) {
                    seen = 1;
                    path.push_back({to, 0});
                }
            }
        };
        for (std::size_t node = 0; node < m_real; ++node)
            if (!hasInput[node])
                walk(static_cast<int>(node));
        for (std::size_t node = 0; node < m_real; ++node)
            walk(static_cast<int>(node));
        std::vector<LayoutEdge> kept;
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            if (!dropped[i])
                kept.push_back(m_edges[i]);
        m_edges = std::move(kept);
    }

    void assignLayers() {
        for (const LayoutEdge& edge : m_edges) {
            vertex(edge.from).after.push_back(edge.to);
            vertex(edge.to).before.push_back(edge.from);
        }
        std::vector<int> waiting(m_real), ready, sorted;
        for (std::size_t i = 0; i < m_real; ++i) {
            waiting[i] = static_cast<int>(m_vertices[i].before.size());
            if (waiting[i] == 0)
                ready.push_back(static_cast<int>(i));
        }
        for (std::size_t head = 0; head < ready.size(); ++head) {
            const int node = ready[head];
            sorted.push_back(node);
            for (const int to : vertex(node).after) {
                vertex(to).layer = std::max(vertex(to).layer, vertex(node).layer + 1);
                if (--waiting[static_cast<std::size_t>(to)] == 0)
                    ready.push_back(to);
            }
        }
        // A block without inputs stands right before its first reader, not at the far left.
        for (auto node = sorted.rbegin(); node != sorted.rend(); ++node) {
            Vertex& v = vertex(*node);
            if (!v.before.empty() || v.after.empty())
                continue;
            int nearest = vertex(v.after.front()).layer;
            for (const int to : v.after)
                nearest = std::min(nearest, vertex(to).layer);
            v.layer = nearest - 1;
        }
    }

    void addPoints() {
        for (Vertex& v : m_vertices) {
            v.before.clear();
            v.after.clear();
        }
        // Short edges first: when the budget of points runs out, only the longest ones go without.
        std::vector<LayoutEdge> edges = m_edges;
        std::stable_sort(edges.begin(), edges.end(), [this](const LayoutEdge& a, const LayoutEdge& b) {
            return vertex(a.to).layer - vertex(a.from).layer < vertex(b.to).layer - vertex(b.from).layer;
        });
        const std::size_t budget = m_real * kPointsPerNode + 1000;
        std::size_t used = 0;
        for (const LayoutEdge& edge : edges) {
            const int first = vertex(edge.from).layer;
            const int last = vertex(edge.to).layer;
            const auto points = static_cast<std::size_t>(last - first - 1);
            int from = edge.from;
            if (used + points <= budget) {
                used += points;
                for (int layer = first + 1; layer < last; ++layer) {
                    Vertex point;
                    point.layer = layer;
                    point.weight = kPointWeight;
                    m_vertices.push_back(std::move(point));
                    const int id = static_cast<int>(m_vertices.size()) - 1;
                    connect(from, id);
                    from = id;
                }
                connect(from, edge.to);
            } else if (points == 0) {
                connect(from, edge.to);
            }
        }
    }

    void fillLayers() {
        int last = 0;
        for (const Vertex& v : m_vertices)
            last = std::max(last, v.layer);
        m_layers.assign(static_cast<std::size_t>(last) + 1, {});
        // A walk along the edges gives a first order in which neighbours are near each other.
        std::vector<std::uint8_t> seen(m_vertices.size(), 0);
        std::vector<int> stack;
        const auto visit = [&](std::size_t root) {
            if (seen[root])
                return;
            seen[root] = 1;
            stack.push_back(static_cast<int>(root));
            while (!stack.empty()) {
                const int id = stack.back();
                stack.pop_back();
                Vertex& v = vertex(id);
                auto& layer = m_layers[static_cast<std::size_t>(v.layer)];
                v.place = static_cast<int>(layer.size());
                layer.push_back(id);
                for (auto to = v.after.rbegin(); to != v.after.rend(); ++to) {
                    if (!seen[static_cast<std::size_t>(*to)]) {
                        seen[static_cast<std::size_t>(*to)] = 1;
                        stack.push_back(*to);
                    }
                }
            }
        };
        for (std::size_t id = 0; id < m_vertices.size(); ++id)
            if (m_vertices[id].before.empty())
                visit(id);
        for (std::size_t id = 0; id < m_vertices.size(); ++id)
            visit(id);
    }

    void orderLayer(std::vector<int>& layer, bool towardsBefore) {
        std::vector<std::pair<double, int>> keys;
        keys.reserve(layer.size());
        for (const int id : layer) {
            const auto& neighbours = towardsBefore ? vertex(id).before : vertex(id).after;
            double key = vertex(id).place;
            if (!neighbours.empty()) {
                double sum = 0;
                for (const int other : neighbours)
                    sum += relative(other);
                key = sum / static_cast<double>(neighbours.size()) * static_cast<double>(layer.size());
            }
            keys.push_back({key, id});
        }
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < keys.size(); ++i) {
            layer[i] = keys[i].second;
            vertex(layer[i]).place = static_cast<int>(i);
        }
    }

    double relative(int id) const {
        const Vertex& v = m_vertices[static_cast<std::size_t>(id)];
        return (v.place + 0.5) / static_cast<double>(m_layers[static_cast<std::size_t>(v.layer)].size());
    }

    /// Crossings between a layer and the next one: inversions, counted with a Fenwick tree.
    std::int64_t crossings(std::size_t layer) const {
        std::vector<int> ends;
        for (const int id : m_layers[layer]) {
            const std::size_t from = ends.size();
            for (const int to : m_vertices[static_cast<std::size_t>(id)].after)
                ends.push_back(m_vertices[static_cast<std::size_t>(to)].place);
            std::sort(ends.begin() + static_cast<std::ptrdiff_t>(from), ends.end());
        }
        std::vector<int> tree(m_layers[layer + 1].size() + 1, 0);
        std::int64_t count = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            int smallerOrEqual = 0;
            for (int at = ends[i] + 1; at > 0; at -= at & -at)
                smallerOrEqual += tree[static_cast<std::size_t>(at)];
            count += static_cast<std::int64_t>(i) - smallerOrEqual;
            for (int at = ends[i] + 1; at < static_cast<int>(tree.size()); at += at & -at)
                ++tree[static_cast<std::size_t>(at)];
        }
        return count;
    }

    void order() {
        const auto total = [this] {
            std::int64_t sum = 0;
            for (std::size_t layer = 0; layer + 1 < m_layers.size(); ++layer)
                sum += crossings(layer);
            return sum;
        };
        auto best = m_layers;
        std::int64_t fewest = total();
        for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
            if (sweep % 2 == 0) {
                for (std::size_t layer = 1; layer < m_layers.size(); ++layer)
                    orderLayer(m_layers[layer], true);
            } else {
                for (std::size_t layer = m_layers.size() - 1; layer-- > 0;)
                    orderLayer(m_layers[layer], false);
            }
            const std::int64_t now = total();
            if (now < fewest) {
                fewest = now;
                best = m_layers;
            }
        }
        m_layers = std::move(best);
        for (const auto& layer : m_layers)
            for (std::size_t i = 0; i < layer.size(); ++i)
                vertex(layer[i]).place = static_cast<int>(i);
    }

    double gap(const Vertex& above, const Vertex& below) const {
        const bool points = above.height == kPointHeight && below.height == kPointHeight;
        return above.height / 2 + below.height / 2 + (points ? m_options.nodeGap / 4 : m_options.nodeGap);
    }

    /// The centres nearest to the wishes (weighted least squares) that keep the order and the gaps:
    /// isotonic regression by pooling adjacent violators.
    void settle(const std::vector<int>& layer, const std::vector<double>& wishes) {
        struct Block {
            double sum, weight;
            std::size_t first;
            double mean() const { return sum / weight; }
        };
        std::vector<double> offset(layer.size(), 0);
        for (std::size_t i = 1; i < layer.size(); ++i)
            offset[i] = offset[i - 1] + gap(vertex(layer[i - 1]), vertex(layer[i]));
        std::vector<Block> blocks;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            const double weight = vertex(layer[i]).weight;
            blocks.push_back({(wishes[i] - offset[i]) * weight, weight, i});
            while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
                const Block last = blocks.back();
                blocks.pop_back();
                blocks.back().sum += last.sum;
                blocks.back().weight += last.weight;
            }
        }
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const std::size_t end = b + 1 < blocks.size() ? blocks[b + 1].first : layer.size();
            for (std::size_t i = blocks[b].first; i < end; ++i)
                vertex(layer[i]).y = blocks[b].mean() + offset[i];
        }
    }

    void place() {
        for (const auto& layer : m_layers) {
            double y = 0;
            for (std::size_t i = 0; i < layer.size(); ++i) {
                if (i > 0)
                    y += gap(vertex(layer[i - 1]), vertex(layer[i]));
                vertex(layer[i]).y = y;
            }
            for (const int id : layer)
                vertex(id).y -= y / 2;
        }
        std::vector<double> wishes;
        const auto pull = [&](const std::vector<int>& layer, bool before) {
            wishes.clear();
            for (const int id : layer) {
                const Vertex& v = vertex(id);
                double sum = 0, weight = 0;
                for (const int other : before ? v.before : v.after) {
                    sum += vertex(other).y * vertex(other).weight;
                    weight += vertex(other).weight;
                }
                wishes.push_back(weight > 0 ? sum / weight : v.y);
            }
            settle(layer, wishes);
        };
        for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
            if (sweep % 2 == 0) {
                for (std::size_t layer = 1; layer < m_layers.size(); ++layer)
                    pull(m_layers[layer], true);
            } else {
                for (std::size_t layer = m_layers.size() - 1; layer-- > 0;)
                    pull(m_layers[layer], false);
            }
        }
        for (std::size_t layer = 1; layer < m_layers.size(); ++layer)
            pull(m_layers[layer], true);
    }

    std::vector<QPointF> positions() {
        std::vector<double> widths(m_layers.size(), 0), lefts(m_layers.size(), 0),
            gaps(m_layers.size(), m_options.layerGap);
        for (const LayoutEdge& edge : m_edges) {
            double& gap = gaps[static_cast<std::size_t>(vertex(edge.from).layer)];
            gap = std::max(gap, edge.room);
        }
        double top = INFINITY, bottom = -INFINITY;
        for (std::size_t i = 0; i < m_real; ++i) {
            const Vertex& v = m_vertices[i];
            auto& width = widths[static_cast<std::size_t>(v.layer)];
            width = std::max(width, m_widths[i]);
            top = std::min(top, v.y - v.height / 2);
            bottom = std::max(bottom, v.y + v.height / 2);
        }
        for (std::size_t layer = 1; layer < m_layers.size(); ++layer)
            lefts[layer] = lefts[layer - 1] + widths[layer - 1] + gaps[layer - 1];
        std::vector<QPointF> result;
        result.reserve(m_real);
        for (std::size_t i = 0; i < m_real; ++i) {
            const Vertex& v = m_vertices[i];
            result.push_back({lefts[static_cast<std::size_t>(v.layer)], std::round(v.y - v.height / 2 - top)});
        }
        m_height = std::ceil(bottom - top);
        return result;
    }

    void connect(int from, int to) {
        vertex(from).after.push_back(to);
        vertex(to).before.push_back(from);
    }
    Vertex& vertex(int id) { return m_vertices[static_cast<std::size_t>(id)]; }

    const LayoutOptions& m_options;
    std::size_t m_real = 0;
    std::vector<Vertex> m_vertices;
    std::vector<double> m_widths;
    std::vector<LayoutEdge> m_edges;
    std::vector<std::vector<int>> m_layers;
    double m_height = 0;
};

int rootOf(std::vector<int>& parents, int node) {
    while (parents[static_cast<std::size_t>(node)] != node) {
        auto& parent = parents[static_cast<std::size_t>(node)];
        parent = parents[static_cast<std::size_t>(parent)];
        node = parent;
    }
    return node;
}

}  // namespace

std::vector<QPointF> layeredLayout(std::span<const QSizeF> sizes, std::span<const LayoutEdge> edges,
                                   const LayoutOptions& options) {
    const int count = static_cast<int>(sizes.size());
    std::vector<LayoutEdge> good;
    std::vector<int> parents(sizes.size());
    std::iota(parents.begin(), parents.end(), 0);
    for (const LayoutEdge& edge : edges) {
        if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count || edge.from == edge.to)
            continue;
        good.push_back(edge);
        parents[static_cast<std::size_t>(rootOf(parents, edge.from))] = rootOf(parents, edge.to);
    }
    // Parts below each other in the order of their first block.
    std::vector<int> partOf(sizes.size(), -1), partOfRoot(sizes.size(), -1), local(sizes.size(), 0);
    std::vector<std::vector<int>> members;
    for (int node = 0; node < count; ++node) {
        int& part = partOfRoot[static_cast<std::size_t>(rootOf(parents, node))];
        if (part < 0) {
            part = static_cast<int>(members.size());
            members.emplace_back();
        }
        partOf[static_cast<std::size_t>(node)] = part;
        auto& nodes = members[static_cast<std::size_t>(part)];
        local[static_cast<std::size_t>(node)] = static_cast<int>(nodes.size());
        nodes.push_back(node);
    }
    std::vector<std::vector<LayoutEdge>> edgesOf(members.size());
    for (const LayoutEdge& edge : good)
        edgesOf[static_cast<std::size_t>(partOf[static_cast<std::size_t>(edge.from)])].push_back(
            {local[static_cast<std::size_t>(edge.from)], local[static_cast<std::size_t>(edge.to)], edge.room});

    std::vector<QPointF> result(sizes.size());
    double top = 0;
    for (std::size_t p = 0; p < members.size(); ++p) {
        std::vector<QSizeF> partSizes;
        for (const int node : members[p])
            partSizes.push_back(sizes[static_cast<std::size_t>(node)]);
        Part part(partSizes, options);
        for (const LayoutEdge& edge : edgesOf[p])
            part.addEdge(edge);
        const std::vector<QPointF> places = part.run();
        for (std::size_t i = 0; i < places.size(); ++i)
            result[static_cast<std::size_t>(members[p][i])] = places[i] + QPointF(0, top);
        top += part.height() + options.nodeGap;
    }
    return result;
}

}  // namespace plumbline::widgets
