#pragma once
// The options of a "csv" source, checked.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::data {

enum class MissingPolicy { kError, kMean, kMedian, kMostFrequent, kDropRow };
enum class ColumnType { kInferred, kNumeric, kCategorical };

struct CsvOptions {
    std::string path;
    char delimiter = ',';
    bool header = true;
    char decimal = '.';
    MissingPolicy missing = MissingPolicy::kError;
    std::map<std::string, MissingPolicy, std::less<>> missingOfColumn;  ///< where it differs from `missing`
    std::map<std::string, ColumnType, std::less<>> types;  ///< "numeric" or "categorical" instead of inferred
    std::vector<std::string> ignore;                       ///< columns that "source.*" leaves out

    MissingPolicy missingPolicy(std::string_view column) const;
    ColumnType typeOf(std::string_view column) const;
};

Result<CsvOptions> readCsvOptions(const Json& options, const std::string& pointer);

/// "", "NA", "N/A", "nan", "null" and "?", in any case.
bool isMissing(std::string_view field);

}  // namespace plumbline::data
