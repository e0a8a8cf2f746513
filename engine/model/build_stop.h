#pragma once
// Who may stop a model that is being built: blocks that read large files look.

#include "core/run_control.h"

namespace plumbline::model {

/// While it lives, what this thread builds stops once `control`, which may be null, asks for it.
class StopWhileBuilding {
public:
    explicit StopWhileBuilding(const RunControl* control) : m_before(s_control) { s_control = control; }
    ~StopWhileBuilding() { s_control = m_before; }
    StopWhileBuilding(const StopWhileBuilding&) = delete;
    StopWhileBuilding& operator=(const StopWhileBuilding&) = delete;

    /// Of this thread, or null.
    static const RunControl* control() { return s_control; }

private:
    static inline thread_local const RunControl* s_control = nullptr;
    const RunControl* m_before;
};

}  // namespace plumbline::model
