// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the window: `work` on a thread of the pool, `done` with its result in the window's thread.
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <type_traits>
#include <utility>

namespace plumbline::gui {

/// `work` takes nothing and touches nothing that the window owns; `done` takes its result. When `context` is gone by
/// then, the result is dropped. A page that may ask again keeps a stamp and drops what is stale.
template <class Work, class Done>
void runInBackground(QObject* context, Work work, Done done) {
    using Value = std::invoke_result_t<Work>;
    using Shared = std::shared_ptr<Value>;
    auto* watcher = new QFutureWatcher<Shared>(context);
    auto promise = std::make_shared<QPromise<Shared>>();
    QObject::connect(watcher, &QFutureWatcher<Shared>::finished, context,
                     [watcher, done = std::move(done)]() mutable {
                         const Shared value = watcher->future().resultCount() > 0 ? watcher->result() : nullptr;
                         watcher->deleteLater();
                         if (value) {
                             done(std::move(*value));
                         }
                     });
    promise->start();
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, work = std::move(work)]() mutable {
        promise->addResult(std::make_shared<Value>(work()));
        promise->finish();
    });
}

}  // namespace plumbline::gui
