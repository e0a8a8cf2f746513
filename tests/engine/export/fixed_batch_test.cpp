// A model whose input states how many samples it takes at a time is compared on exactly so many.

#include <gtest/gtest.h>

#include "core/run_control.h"
#include "export/export.h"
#include "export/tensor_files.h"
#include "support/temporary_folder.h"

namespace plumbline::exporting {
namespace {

/// Sixteen samples at a time, from data of so many.
project::Project takingSixteen(int samples) {
    const Json json = parseJson(R"({"schema_version": 1, "name": "sixteen",
      "model": {"definitions": {}, "graph": {"inputs": {"x": {"shape": [16, 6], "dtype": "float32"}},
        "nodes": {"hidden": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "relu": {"type": "ReLU", "from": "hidden"},
                  "fc": {"type": "Linear", "from": "relu", "params": {"out_features": 3}}}, "outputs": {"logits": "fc"}}},
      "data": {"sources": {"g": {"type": "generated", "kind": "clusters", "classes": 3, "features": 6, "samples": )" +
                                    std::to_string(samples) + R"(}},
        "inputs": {"x": {"from": "g.features"}}, "targets": {"label": {"from": "g.label"}}, "splits": {"train": 0.8, "validation": 0.2, "seed": 0},
        "loader": {"batch_size": 16, "workers": 0, "drop_last": true}},
      "training": {"seed": 0, "device": "cpu", "stop": {"epochs": 1}, "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
        "metrics": [], "optimizer": {"type": "SGD", "lr": 0.1}}, "monitor": {}})",
                                "test")
                          .value();
    auto project = project::readProject(json, "");
    EXPECT_TRUE(project) << (project ? "" : toSentence(project.error()));
    return project ? *project : project::Project{};
}

Result<session::ExportReport> exported(int samples, const std::string& format, const std::filesystem::path& folder,
                                       bool verify) {
    session::ExportRequest request;
    request.project = takingSixteen(samples);
    request.format = format;
    request.folder = folder;
    request.verify = verify;
    RunControl control;
    return exportModel(request, control, [](const std::string&) {});
}

TEST(FixedBatch, OfATorchScriptIsComparedWhetherTheSplitHasFewerSamplesOrMore) {
    for (const int samples : {12, 200}) {
        const testing::TemporaryFolder folder;
        const auto report = exported(samples, "torchscript", folder / "out", true);
        ASSERT_TRUE(report) << samples << ": " << toSentence(report.error());
        EXPECT_TRUE(report->checked && report->passed) << report->worst.dump();
    }
}

TEST(FixedBatch, IsTheSizeOfTheSampleOfACppProject) {
    for (const int samples : {12, 200}) {
        const testing::TemporaryFolder folder;
        const auto report = exported(samples, "cpp", folder / "out", false);
        ASSERT_TRUE(report) << samples << ": " << toSentence(report.error());
        for (const char* file : {"sample.pt", "raw.pt"}) {
            const auto tensors = readTensorFile(folder / "out" / file);
            ASSERT_TRUE(tensors) << toSentence(tensors.error());
            ASSERT_FALSE(tensors->empty()) << file;
            for (const auto& [name, tensor] : *tensors) {
                EXPECT_EQ(tensor.size(0), 16) << file << ": " << name;
            }
        }
    }
}

}  // namespace
}  // namespace plumbline::exporting
