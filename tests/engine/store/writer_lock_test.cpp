#include "store/writer_lock.h"

#include <gtest/gtest.h>

#include "store_fixture.h"

namespace plumbline::store {
namespace {

TEST(WriterLock, IsTakenByOneOnlyAndNamesItsHolder) {
    const testing::TemporaryFolder folder;
    const auto first = WriterLock::take(folder.path());
    ASSERT_TRUE(first);
    const auto second = WriterLock::take(folder.path());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, "store-locked");
    EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
        << second.error().message;
}

TEST(WriterLock, AskingForItLeavesItFree) {
    const testing::TemporaryFolder folder;
    EXPECT_FALSE(WriterLock::isHeld(folder.path()));
    {
        const auto lock = WriterLock::take(folder.path());
        ASSERT_TRUE(lock);
        EXPECT_TRUE(WriterLock::isHeld(folder.path()));
    }
    EXPECT_FALSE(WriterLock::isHeld(folder.path()));
    EXPECT_TRUE(WriterLock::take(folder.path()));
}

TEST(WriterLock, IsFreeOnceItsProcessWasKilled) {
    const testing::TemporaryFolder folder;
    inKilledProcess([&] { (void)new auto(WriterLock::take(folder.path())); });
    EXPECT_FALSE(WriterLock::isHeld(folder.path()));
    EXPECT_TRUE(WriterLock::take(folder.path()));
}

TEST(WriterLock, InAFolderThatIsNotThereIsASentence) {
    const auto lock = WriterLock::take("/nowhere/at/all");
    ASSERT_FALSE(lock);
    EXPECT_EQ(lock.error().code, "file-missing");
}

}  // namespace
}  // namespace plumbline::store
