#pragma once
// How a run goes on, for a person: a bar with ETA on a terminal, a plain line an epoch elsewhere.

#include <map>
#include <string>

#include "cli/output.h"
#include "session/training_session.h"

namespace plumbline::cli {

class ProgressView {
public:
    /// `goOn`: the command that ends a pause.
    ProgressView(const Output& output, std::string goOn);
    /// Draws the bar anew; call a few times a second.
    void update(const session::RunSink::Progress& progress);
    void show(const session::SessionEvent& event);
    void finish();

private:
    void clearBar();
    void showFinding(const diagnostics::Finding& finding);

    /// What another process has asked of the run (plumbline tell); "" = something else.
    std::string saidBy(const session::SessionEvent& event) const;

    const Output& m_output;
    std::string m_goOn;
    bool m_terminal;
    bool m_drawn = false;
    std::map<std::string, graph::Severity> m_told;  ///< findings by id, as they were last told
};

}  // namespace plumbline::cli
