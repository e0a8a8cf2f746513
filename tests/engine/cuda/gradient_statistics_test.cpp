// The statistics against plain loops, on the CPU and, where there is one, on a GPU.

#include "cuda/gradient_statistics.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cuda/cpu_statistics.h"
#include "cuda/cuda_runtime.h"

namespace plumbline::cuda {
namespace {

/// The definition, value by value in long double.
GradientStatistics naive(const at::Tensor& tensor) {
    const at::Tensor values = tensor.detach().cpu().to(at::kDouble).contiguous();
    const double* data = values.const_data_ptr<double>();
    long double sum = 0;
    GradientStatistics result;
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        if (!std::isfinite(data[i])) {
            ++result.nonFinite;
            continue;
        }
        sum += static_cast<long double>(data[i]) * data[i];
        result.maxAbs = std::max(result.maxAbs, std::fabs(data[i]));
    }
    result.sumSquares = static_cast<double>(sum);
    return result;
}

void expectEqual(const GradientStatistics& got, const GradientStatistics& wanted) {
    EXPECT_NEAR(got.sumSquares, wanted.sumSquares, 1e-12 * std::fabs(wanted.sumSquares));
    EXPECT_EQ(got.maxAbs, wanted.maxAbs);
    EXPECT_EQ(got.nonFinite, wanted.nonFinite);
}

GradientStatistics one(const at::Tensor& tensor) {
    const at::Tensor list[1] = {tensor};
    const auto result = gradientStatistics(list);
    EXPECT_TRUE(result.has_value());
    return result.value_or(GradientStatistics{});
}

void spoil(const at::Tensor& tensor) {
    tensor.view(-1)[tensor.numel() / 2].fill_(std::numeric_limits<double>::infinity());
    tensor.view(-1)[0].fill_(std::numeric_limits<double>::quiet_NaN());
    tensor.view(-1)[tensor.numel() - 1].fill_(-std::numeric_limits<double>::infinity());
}

std::vector<at::Tensor> mixture(at::Device device) {
    std::vector<at::Tensor> tensors;
    for (const std::int64_t count : {1, 15, 16, 17, 255, 16384, 16385, 100003}) {
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
            tensors.push_back(at::randn({count}).to(device, type));
        }
    }
    tensors.push_back(at::randn({40}).to(device));
    spoil(tensors.back());
    tensors.push_back(at::randn({70000}).to(device, at::kHalf));
    spoil(tensors.back());
    tensors.emplace_back();
    tensors.push_back(at::empty({0}).to(device));
    tensors.push_back(at::randn({8, 3, 5, 5}).to(device).contiguous(at::MemoryFormat::ChannelsLast));
    tensors.push_back(at::randn({8, 6}).to(device).slice(1, 0, 3));
    return tensors;
}

TEST(GradientStatistics, EqualTheirDefinitionForEveryDtypeAndSize) {
    const std::vector<at::Tensor> tensors = mixture(at::kCPU);
    std::vector<GradientStatistics> each(tensors.size());
    ASSERT_TRUE(gradientStatistics(tensors, each).has_value());
    GradientStatistics sum;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        SCOPED_TRACE(i);
        expectEqual(each[i], tensors[i].defined() ? naive(tensors[i]) : GradientStatistics{});
        sum.add(each[i]);
    }
    expectEqual(*gradientStatistics(tensors), sum);
}

TEST(GradientStatistics, SquaresThatWouldOverflowInFloat32AreWhole) {
    const at::Tensor large = at::full({100}, 1e30F);
    EXPECT_NEAR(one(large).norm(), static_cast<double>(1e30F) * 10.0, 1e18);
    EXPECT_EQ(one(large).maxAbs, static_cast<double>(1e30F));
    EXPECT_GT(one(at::full({4}, 1e-30F)).norm(), 0.0);
}

TEST(GradientStatistics, ANormWithSomethingNonFiniteIsNotANumber) {
    at::Tensor tensor = at::ones({5});
    tensor[3].fill_(std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(one(tensor).norm()));
    EXPECT_EQ(one(tensor).sumSquares, 4.0);
    EXPECT_EQ(one(tensor).nonFinite, 1);
}

TEST(GradientStatistics, ASparseGradientCountsItsSumOnce) {
    at::Tensor indices = at::empty({1, 3}, at::kLong);
    indices[0][0].fill_(1);
    indices[0][1].fill_(1);
    indices[0][2].fill_(4);
    const at::Tensor sparse = at::sparse_coo_tensor(indices, at::ones({3, 2}), {6, 2});
    EXPECT_EQ(one(sparse).sumSquares, 2 * 4.0 + 2 * 1.0);
    EXPECT_EQ(one(sparse).maxAbs, 2.0);
}

TEST(GradientStatistics, IntegersAreRefusedWithASentence) {
    const at::Tensor list[1] = {at::ones({3}, at::kLong)};
    const auto result = gradientStatistics(list);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, "gradient-dtype");
}

TEST(CudaKernel, LiesBesideTheProgramWhereNvccIs) {
#ifdef PLUMBLINE_HAS_CUDA_KERNELS
    EXPECT_TRUE(kernelLibraryAvailable());
#else
    EXPECT_FALSE(kernelLibraryAvailable());
#endif
}

TEST(CudaRuntime, SaysWhyThereIsNoCuda) {
    const Status status = loadCuda();
    EXPECT_EQ(status.has_value(), cudaLoaded());
    if (!status) {
        EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
        EXPECT_EQ(status.error().code, "no-cuda");
        EXPECT_FALSE(status.error().hint.empty());
        std::cout << toSentence(status.error()) << '\n';
    }
    EXPECT_EQ(loadCuda().has_value(), status.has_value());
}

TEST(CudaKernel, GivesTheCpuPathsResultOnAGpu) {
    if (const Status status = loadCuda(); !status) {
        GTEST_SKIP() << "no GPU was used: " << toSentence(status.error());
    }
    const std::vector<at::Tensor> tensors = mixture(at::kCUDA);
    std::vector<GradientStatistics> each(tensors.size());
    const Status status = gradientStatistics(tensors, each);
    ASSERT_TRUE(status.has_value()) << toSentence(status.error());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        SCOPED_TRACE(i);
        expectEqual(each[i], tensors[i].defined() ? naive(tensors[i]) : GradientStatistics{});
    }
    std::vector<GradientStatistics> again(tensors.size());
    ASSERT_TRUE(gradientStatistics(tensors, again).has_value());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        EXPECT_EQ(each[i].sumSquares, again[i].sumSquares);
    }
}

}  // namespace
}  // namespace plumbline::cuda
