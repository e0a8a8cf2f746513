#pragma once
// The functions that source_registry.cpp lists, two a source type.

#include "data/source.h"

namespace plumbline::data {

Status checkCsvOptions(const Json& options, const std::string& pointer);
Result<std::unique_ptr<Source>> openCsv(const SourceSpec& spec, const OpenContext& context);

Status checkIdxOptions(const Json& options, const std::string& pointer);
Result<std::unique_ptr<Source>> openIdx(const SourceSpec& spec, const OpenContext& context);

Status checkImageFolderOptions(const Json& options, const std::string& pointer);
Result<std::unique_ptr<Source>> openImageFolder(const SourceSpec& spec, const OpenContext& context);

Status checkGeneratedOptions(const Json& options, const std::string& pointer);
Result<std::unique_ptr<Source>> openGenerated(const SourceSpec& spec, const OpenContext& context);

}  // namespace plumbline::data
