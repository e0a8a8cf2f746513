#pragma once
// The tables of run.sqlite and their versions; docs/run-store.md describes them.

#include "store/sqlite.h"

namespace plumbline::store {

constexpr const char* kRunFile = "run.sqlite";
constexpr int kSchemaVersion = 1;

/// Brings a new or older database to kSchemaVersion, in one transaction. A newer one is an error (store-newer).
Status migrate(SQLite::Database& database, const std::filesystem::path& file);
/// An error unless the database is a run's store of kSchemaVersion.
Status checkVersion(SQLite::Database& database, const std::filesystem::path& file);

}  // namespace plumbline::store
