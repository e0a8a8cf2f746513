#include "monitor/update_watch.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace plumbline::monitor {

UpdateWatch::UpdateWatch(const Watch& watch, std::int64_t elementsAtOnce) : m_elementsAtOnce(elementsAtOnce) {
    follow(watch);
}

void UpdateWatch::follow(const Watch& watch) {
    const int next = m_turn < m_blocks.size() ? m_blocks[m_turn].index : 0;
    m_copies.clear();
    m_blocks.clear();
    std::vector<int> place(watch.facts.blocks.size(), -1);
    for (std::size_t i = 0; i < watch.parameters.size(); ++i) {
        if (watch.facts.parameters[i].frozen) {
            continue;
        }
        const int index = watch.parameterBlocks[i];
        int& at = place[static_cast<std::size_t>(index)];
        if (at < 0) {
            at = static_cast<int>(m_blocks.size());
            m_blocks.emplace_back().index = index;
        }
        Block& block = m_blocks[static_cast<std::size_t>(at)];
        block.parameters.push_back(watch.parameters[i].detach());
        block.elements += watch.parameters[i].numel();
    }
    std::erase_if(m_blocks, [this](const Block& block) { return block.elements > kLargest * m_elementsAtOnce; });
    const auto turn =
        std::find_if(m_blocks.begin(), m_blocks.end(), [next](const Block& block) { return block.index >= next; });
    m_turn = turn == m_blocks.end() ? 0 : static_cast<std::size_t>(turn - m_blocks.begin());
}

void UpdateWatch::before() {
    m_copies.clear();
    std::int64_t elements = 0;
    try {
        for (m_end = m_turn; m_end < m_blocks.size(); ++m_end) {
            elements += m_blocks[m_end].elements;
            if (m_end > m_turn && elements > m_elementsAtOnce) {
                break;
            }
            for (const at::Tensor& parameter : m_blocks[m_end].parameters) {
                m_copies.push_back(parameter.clone());
            }
        }
    } catch (const std::exception&) {
        m_copies.clear();  // a number to look at is no reason to end a run for want of memory
        m_turn = m_end + 1 < m_blocks.size() ? m_end + 1 : 0;
    }
}

void UpdateWatch::after(std::vector<BlockUpdate>& found) {
    if (m_copies.empty()) {
        return;
    }
    statisticsOf(m_copies, m_before);
    std::size_t at = 0;
    for (std::size_t block = m_turn; block < m_end; ++block) {
        for (const at::Tensor& parameter : m_blocks[block].parameters) {
            m_copies[at++].sub_(parameter);
        }
    }
    statisticsOf(m_copies, m_moved);
    m_copies.clear();
    at = 0;
    for (std::size_t block = m_turn; block < m_end; ++block) {
        TensorStatistics before, moved;
        for (std::size_t i = 0; i < m_blocks[block].parameters.size(); ++i, ++at) {
            before.add(m_before[at]);
            moved.add(m_moved[at]);
        }
        const double ratio = moved.norm() / before.norm();
        if (before.nonFinite > 0 || moved.nonFinite > 0 || before.sumSquares > 0) {
            found.push_back({m_blocks[block].index, ratio});
        }
    }
    m_turn = m_end < m_blocks.size() ? m_end : 0;
}

}  // namespace plumbline::monitor
