#pragma once
// How far a step moves each block: ‖Δw‖ / ‖w‖, L2 over all its trained parameters, ‖w‖ as it was before the step.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

#include "monitor/tensor_statistics.h"
#include "monitor/watch.h"

namespace plumbline::monitor {

/// Of one block (index into RunFacts::blocks).
struct BlockUpdate {
    int block = 0;
    double ratio = 0;
};

/// Copies parameters before the step and compares afterwards. Where the model is large its blocks take turns, so that
/// the copies of one measurement stay small. A block of more than kLargest times the elements of one measurement (64 MB
/// of float32 in all) has no ratio: a copy of it alone would cost more than it tells. One thread.
class UpdateWatch {
public:
    explicit UpdateWatch(const Watch& watch, std::int64_t elementsAtOnce = kElementsAtOnce);
    /// Between two steps: parameters of the watch have been frozen or set free.
    void follow(const Watch& watch);

    /// Before the optimizer steps: copies the blocks whose turn it is. Where there is no memory for that, none.
    void before();
    /// After it has. Appends what the blocks have moved by; a block whose parameters were all zero has no ratio.
    void after(std::vector<BlockUpdate>& found);
    /// The optimizer did not step: the same blocks are next again.
    void drop() { m_copies.clear(); }

    /// The block whose turn is next, for a resume.
    std::size_t turn() const { return m_turn; }
    void setTurn(std::size_t turn) { m_turn = turn < m_blocks.size() ? turn : 0; }

    static constexpr std::int64_t kElementsAtOnce = std::int64_t{1} << 20;
    static constexpr std::int64_t kLargest = 16;

private:
    struct Block {
        int index = 0;
        std::vector<at::Tensor> parameters;
        std::int64_t elements = 0;
    };
    std::vector<Block> m_blocks;
    std::int64_t m_elementsAtOnce;
    std::size_t m_turn = 0, m_end = 0;  ///< copied: from m_turn to before m_end
    std::vector<at::Tensor> m_copies;
    std::vector<TensorStatistics> m_before, m_moved;
};

}  // namespace plumbline::monitor
