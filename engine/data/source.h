#pragma once
// Where samples come from. One file a source type, and one line in sources.h.

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"
#include "data/data_spec.h"
#include "data/raw_input.h"
#include "data/value_type.h"

namespace plumbline::data {

/// One named value of every sample: "image", "label", a column.
struct Field {
    std::string name;
    ValueType type;
    bool inAll = true;  ///< part of "source.*"
};

/// Samples 0 … size()-1, each with the same fields. After prepare() everything is const and thread-safe.
class Source {
public:
    virtual ~Source() = default;
    virtual std::int64_t size() const = 0;
    virtual const std::vector<Field>& fields() const = 0;

    /// The field's bytes where they lie in memory as Field::type says; nullptr where they have to be made by read().
    virtual const std::byte* view(std::size_t field, std::int64_t row) const;
    /// Writes the field (Field::type.byteCount() bytes) to `out`.
    virtual Status read(std::size_t field, std::int64_t row, std::byte* out) const = 0;

    /// Called once, when the splits are known: fills missing values from the training rows alone.
    virtual Status prepare(const std::vector<std::int64_t>& trainRows);
    /// Equal content, equal hash, however it is stored.
    virtual std::uint64_t contentHash() const = 0;
    virtual std::size_t residentBytes() const = 0;
    /// Reading a sample costs a file: whole passes over the data are avoided.
    virtual bool readsFilesLater() const { return false; }
    /// Rows of the file were left out, so that row i no longer belongs to row i of another source.
    virtual bool droppedRows() const { return false; }
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Where a value is, for a sentence: "wine.csv, row 3, column "alcohol"".
    virtual std::string placeOf(std::size_t field, std::int64_t row) const;

    /// Fills the named fields from what a person typed (see Dataset::makeInput).
    virtual Status parse(const std::string& text, const std::vector<std::size_t>& fields,
                         const std::vector<std::byte*>& out) const = 0;
    using FillSample = std::function<Status(const std::vector<std::byte*>& out)>;
    using EachSample = std::function<Status(const std::string& name, const FillSample& fill)>;
    /// The samples in what a person gave: each text is one, unless the source knows better.
    virtual Status samplesOf(const std::vector<std::string>& texts, const std::vector<std::size_t>& fields,
                             const EachSample& each) const;
    /// What parse() takes for these fields, as the next step of a sentence.
    virtual std::string inputHint(const std::vector<std::size_t>& fields) const;
    /// What parse() does for this field.
    virtual RawForm rawForm(std::size_t field) const;

protected:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
};

/// How to open a source.
struct OpenContext {
    std::filesystem::path folder;      ///< relative paths start here
    std::string pointer;               ///< JSON pointer of the source
    std::vector<std::string> wanted;   ///< names of the fields in use; "*" = all
    std::vector<std::string> targets;  ///< those of them that are targets: never made up where they are missing
    RunControl* control = nullptr;     ///< may be null

    bool wants(std::string_view field) const;
    bool isTarget(std::string_view field) const;
    std::filesystem::path resolve(const std::string& path) const;
};

struct SourceType {
    std::string_view name;
    std::vector<std::string> fields;  ///< where they are known without a file
    std::string_view help;
    std::vector<std::string> required, optional;  ///< keys of its options; the required ones are texts
    Status (*check)(const Json& options, const std::string& pointer);
    Result<std::unique_ptr<Source>> (*open)(const SourceSpec& spec, const OpenContext& context);
};

const std::vector<SourceType>& sourceTypes();
/// nullptr where there is none of that name.
const SourceType* findSourceType(std::string_view name);

/// Bytes of a file that can be read; a folder, a device or a missing file is an error.
Result<std::uintmax_t> regularFileSize(const std::filesystem::path& file);
/// Error "stopped", once a stop was asked for.
Status checkStop(const RunControl* control);

}  // namespace plumbline::data
