// SPDX-License-Identifier: GPL-3.0-or-later
// The only way to include QCustomPlot: its header needs the keywords that QT_NO_KEYWORDS takes away.
// Keep it out of public headers.
#pragma once

#include <QtGlobal>

#pragma push_macro("signals")
#pragma push_macro("slots")
#pragma push_macro("emit")
#pragma push_macro("foreach")
#ifndef signals
#define signals Q_SIGNALS
#endif
#ifndef slots
#define slots Q_SLOTS
#endif
#ifndef emit
#define emit Q_EMIT
#endif
#ifndef foreach
#define foreach Q_FOREACH
#endif

#include <qcustomplot.h>

#undef signals
#undef slots
#undef emit
#undef foreach
#pragma pop_macro("signals")
#pragma pop_macro("slots")
#pragma pop_macro("emit")
#pragma pop_macro("foreach")
