// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTest>

#include "test_canvas.h"
#include "test_form.h"
#include "test_layout.h"
#include "test_paint.h"
#include "test_parallel.h"
#include "test_plot.h"
#include "test_small.h"
#include "test_theme.h"
#include "widgets/theme.h"

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    plumbline::widgets::Theme::instance().install(application, plumbline::widgets::ThemeMode::Light);
    int failed = 0;
    const auto run = [&](QObject&& test) { failed += QTest::qExec(&test, argc, argv); };
    run(TestTheme());
    run(TestLayout());
    run(TestForm());
    run(TestPlot());
    run(TestCanvas());
    run(TestPaint());
    run(TestParallel());
    run(TestSmall());
    return failed == 0 ? 0 : 1;
}
