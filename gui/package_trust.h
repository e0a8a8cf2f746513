// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was refused because a compiled package is not trusted: what trusting it means, and the question.
#pragma once

#include <string>

namespace plumbline::gui {

class Workspace;

/// Shows the package of the block at this JSON pointer, its size and SHA-256 (worked out beside the window), and asks.
/// Nothing is trusted unless the person presses the button for it, which is not the default.
void askToTrustPackage(Workspace& workspace, const std::string& pointer);

}  // namespace plumbline::gui
