#pragma once
// A data set that passes everything on to another one: for tests that stand between the two.

#include <memory>
#include <utility>

#include "data/dataset.h"

namespace plumbline::test {

class ForwardingDataset : public data::Dataset {
public:
    explicit ForwardingDataset(std::shared_ptr<const data::Dataset> real) : m_real(std::move(real)) {}

    std::int64_t size(data::Split split) const override { return m_real->size(split); }
    const std::vector<data::FeedInfo>& inputs() const override { return m_real->inputs(); }
    const std::vector<data::FeedInfo>& targets() const override { return m_real->targets(); }
    std::vector<std::int64_t> classCounts(data::Split split, const std::string& target) const override {
        return m_real->classCounts(split, target);
    }
    Result<data::HostBatch> makeBatch(data::Split split, const std::vector<std::int64_t>& positions, std::uint64_t seed,
                                      bool augment) const override {
        return m_real->makeBatch(split, positions, seed, augment);
    }
    std::string fingerprint() const override { return m_real->fingerprint(); }
    std::size_t residentBytes() const override { return m_real->residentBytes(); }
    Result<data::HostBatch> makeInput(const std::string& text) const override { return m_real->makeInput(text); }

private:
    std::shared_ptr<const data::Dataset> m_real;
};

}  // namespace plumbline::test
