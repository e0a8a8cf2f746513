// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's fixed texts (help, summaries, titles, categories) in the person's language.
#pragma once

#include <QString>
#include <string>

namespace plumbline::gui {

/// The translation of a fixed text of the engine, or the text itself. Its English words are the key, in the context
/// "Engine" of resources/translations; gui/engine_text.cpp walks the registries for the test that none is missing.
QString engineText(const std::string& english);
/// A setting's or parameter's name as a label: "out_channels" stays as PyTorch spells it.
QString engineWord(const std::string& name);

/// Every fixed text that the window may show: what the translation has to cover.
QStringList allEngineTexts();

}  // namespace plumbline::gui
