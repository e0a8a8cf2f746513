// Which of several signals a command ends by.
#include <gtest/gtest.h>
#include <csignal>
#include <initializer_list>

#include "cli/signals.h"

namespace plumbline::cli {
namespace {

TEST(Signals, TheFirstOfTwoSaysWhatStoppedTheWorkWhicheverWayItIsAsked) {
    struct Case {
        int first, second, code;
        ErrorKind kind;
        const char* says;
    };
    for (const Case& each : {Case{SIGTERM, SIGINT, 143, ErrorKind::kTerminated, "SIGTERM"},
                             Case{SIGINT, SIGTERM, 130, ErrorKind::kInterrupted, "Ctrl-C"}}) {
        SCOPED_TRACE(each.says);
        RunControl control;
        {
            const SignalScope signals(control);
            std::raise(each.first);
            std::raise(each.second);
        }
        EXPECT_EQ(exitCodeOf(control.stopReason()), each.code);
        const Error error = stoppedBySignal();
        EXPECT_EQ(error.kind, each.kind);
        EXPECT_NE(error.message.find(each.says), std::string::npos) << error.message;
    }
}

TEST(Signals, WhatEndsAtOnceEndsWithTheCodeOfTheFirst) {
    const auto interruptTwice = [](std::initializer_list<int> before) {
        RunControl control;
        const SignalScope signals(control);
        for (const int signal : before) {
            std::raise(signal);
        }
        std::raise(SIGINT);
        std::raise(SIGINT);
    };
    EXPECT_EXIT(interruptTwice({}), testing::ExitedWithCode(130), "");
    EXPECT_EXIT(interruptTwice({SIGTERM}), testing::ExitedWithCode(143), "");
}

}  // namespace
}  // namespace plumbline::cli
