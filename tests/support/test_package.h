#pragma once
// A package of the tests' own code (package_code.cpp) as a file, and a private list of trusted files.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <cstdlib>

#include "core/files.h"
#include "core/trusted_files.h"
#include "support/temporary_folder.h"
#include "support/zip_writer.h"

namespace plumbline::testing {

/// While it lives the list of trusted files is one of its own, empty at first.
class PrivateTrust {
public:
    PrivateTrust() {
        ::setenv("XDG_CONFIG_HOME", m_folder.path().c_str(), 1);
        // A test has the runtime's code in it and not beside it what answers to the name libtorch.so.
        EXPECT_NE(::dlopen(PLUMBLINE_LIBTORCH_NAME, RTLD_NOW | RTLD_GLOBAL), nullptr) << ::dlerror();
    }
    ~PrivateTrust() { ::unsetenv("XDG_CONFIG_HOME"); }
    PrivateTrust(const PrivateTrust&) = delete;
    PrivateTrust& operator=(const PrivateTrust&) = delete;

private:
    TemporaryFolder m_folder;
};

/// PLUMBLINE_PACKAGE_CODE is the library of package_code.cpp, PLUMBLINE_LIBTORCH_NAME that of model/libtorch_name.c.
inline void writePackage(const std::filesystem::path& file, const std::string& behaviour = {}) {
    const auto code = readFile(PLUMBLINE_PACKAGE_CODE);
    ASSERT_TRUE(code.has_value()) << toSentence(code.error());
    ASSERT_TRUE(writeFileAtomically(file, zipOf(packageMembers(*code, behaviour))).has_value());
}

inline void trustIt(const std::filesystem::path& file) {
    const auto sum = sumOf(file);
    ASSERT_TRUE(sum.has_value());
    ASSERT_TRUE(trustFile(file, *sum).has_value());
}

}  // namespace plumbline::testing
