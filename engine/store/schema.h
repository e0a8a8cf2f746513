#pragma once
// The tables of run.sqlite and their versions; docs/run-store.md describes them.

#include "store/sqlite.h"

namespace plumbline::store {

constexpr const char* kRunFile = "run.sqlite";
constexpr int kSchemaVersion = 2;
/// Stores from this version on hold everything that is read, so that reading one never changes it.
constexpr int kOldestReadable = 1;

/// Brings a new or older database to kSchemaVersion, in one transaction, and notes each version in `versions`. The old
/// file is kept beside it first, as run.sqlite.v1 and so on. A newer one is an error (store-newer). The caller is the
/// only writer.
Status migrate(SQLite::Database& database, const std::filesystem::path& file);
/// An error unless the database is a run's store of a version that can be read.
Status checkVersion(SQLite::Database& database, const std::filesystem::path& file);

}  // namespace plumbline::store
