// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the window: `work` on a thread of the pool, `done` with its result in the window's thread.
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/error.h"

namespace plumbline::gui {

/// More threads than processors: a build that an export waits for holds none of the short work up.
inline QThreadPool& backgroundPool() {
    static QThreadPool s_pool;
    static const bool s_sized = (s_pool.setMaxThreadCount(8), true);
    Q_UNUSED(s_sized);
    return s_pool;
}

/// What an exception becomes that has left work which ought not to throw.
inline tl::unexpected<Error> failedInBackground(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
        return fail(ErrorKind::kMachine, "out-of-memory", "The memory of this machine is exhausted.", {},
                    "Close other programs and try again.");
    }
    return fail(ErrorKind::kRunFailed, "internal", std::string("This did not work: ") + error.what() + ".", {},
                "Try again; save under another name if it stays.");
}

/// `work` takes nothing and touches nothing that the window owns; `done` takes its result. When `context` is gone by
/// then, the result is dropped. A page that may ask again keeps a stamp and drops what is stale.
template <class Work, class Done>
void runInBackground(QObject* context, Work work, Done done) {
    using Value = std::invoke_result_t<Work>;
    using Shared = std::shared_ptr<Value>;
    auto* watcher = new QFutureWatcher<Shared>(context);
    auto promise = std::make_shared<QPromise<Shared>>();
    QObject::connect(watcher, &QFutureWatcher<Shared>::finished, context, [watcher, done = std::move(done)]() mutable {
        const Shared value = watcher->future().resultCount() > 0 ? watcher->result() : nullptr;
        watcher->deleteLater();
        if (value) {
            done(std::move(*value));
        }
    });
    promise->start();
    watcher->setFuture(promise->future());
    backgroundPool().start([promise, work = std::move(work)]() mutable {
        try {
            promise->addResult(std::make_shared<Value>(work()));
        } catch (const std::exception& error) {
            if constexpr (std::is_constructible_v<Value, tl::unexpected<Error>>) {
                promise->addResult(std::make_shared<Value>(failedInBackground(error)));
            } else {
                qWarning("Work in the background ended with: %s", error.what());
            }
        }
        promise->finish();
    });
}

}  // namespace plumbline::gui
