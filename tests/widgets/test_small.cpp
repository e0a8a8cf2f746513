// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_small.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "widgets/axis_ticks.h"
#include "widgets/bar_chart.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/flame_chart.h"
#include "widgets/fuzzy_match.h"
#include "widgets/image_grid.h"
#include "widgets/labels.h"
#include "widgets/message_banner.h"
#include "widgets/number_tile.h"
#include "widgets/search_popup.h"
#include "widgets/theme.h"

using namespace plumbline::widgets;

namespace {

SearchEntry entry(const QString& id, const QString& subtitle = {}, bool enabled = true) {
    SearchEntry result;
    result.id = result.title = id;
    result.subtitle = subtitle;
    result.enabled = enabled;
    return result;
}

QLineEdit* searchField(SearchPopup& popup) {
    return popup.findChild<QLineEdit*>(QStringLiteral("searchPopupField"));
}

}  // namespace

void TestSmall::searchRanksTheCloserAnswerHigher() {
    QVERIFY(fuzzyScore("conv2d", "Conv2d") > fuzzyScore("conv", "Conv2d"));
    QVERIFY(fuzzyScore("conv", "Conv2d") > fuzzyScore("conv", "ConvTranspose2d"));
    QVERIFY(fuzzyScore("pool", "MaxPool2d") > fuzzyScore("ool", "MaxPool2d"));
    QVERIFY(fuzzyScore("cv2", "Conv2d") > 0);
    QVERIFY(fuzzyScore("bn", "BatchNorm2d") > 0);
    QCOMPARE(fuzzyScore("xyz", "Conv2d"), 0);
    QCOMPARE(fuzzyScore("conv nothing", "Conv2d"), 0);
    QVERIFY(fuzzyScore("", "Conv2d") > 0);
}

void TestSmall::thePopupFiltersAndChoosesByKeyboard() {
    QuickSearchPopup popup;
    popup.setBlocks({entry("Linear", "Linear"), entry("Conv2d", "Convolution"),
                     entry("ConvTranspose2d", "Convolution", false), entry("Conv1d", "Convolution")});
    popup.popupAt({10, 10});
    QSignalSpy chosen(&popup, &SearchPopup::chosen);
    QTest::keyClicks(searchField(popup), "conv");
    QCOMPARE(popup.shownIds().first(), QStringLiteral("Conv2d"));
    QVERIFY(!popup.shownIds().contains("Linear"));
    QTest::keyClick(searchField(popup), Qt::Key_Down);
    QTest::keyClick(searchField(popup), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("Conv1d"));
    QVERIFY(!popup.isVisible());
    popup.setBlocks({entry("Linear"), entry("Conv2d"), entry("Conv1d")});
    QCOMPARE(popup.shownIds().first(), QStringLiteral("Conv1d"));
}

void TestSmall::closingThePopupWithoutAChoiceIsTold() {
    SearchPopup popup;
    popup.setEntries({entry("a")});
    popup.popupAt({10, 10});
    QSignalSpy cancelled(&popup, &SearchPopup::cancelled);
    QSignalSpy chosen(&popup, &SearchPopup::chosen);
    QTest::keyClicks(searchField(popup), "nothing like it");
    QTest::keyClick(searchField(popup), Qt::Key_Return);
    QVERIFY(popup.isVisible());
    QTest::keyClick(searchField(popup), Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 1);
    QCOMPARE(chosen.count(), 0);
}

void TestSmall::thePaletteTriggersActionsOfTheWindow() {
    QMainWindow window;
    auto* run = new QAction(QStringLiteral("&Run"), &window);
    run->setShortcut(QKeySequence(Qt::Key_F5));
    run->setObjectName(QStringLiteral("action_run"));
    auto* off = new QAction(QStringLiteral("Resume"), &window);
    off->setObjectName(QStringLiteral("action_resume"));
    new QAction(QStringLiteral("train.loss"), &window);  // a legend's own: no command
    off->setEnabled(false);
    auto* separator = new QAction(&window);
    separator->setSeparator(true);
    window.resize(800, 600);
    window.show();
    CommandPalette palette;
    palette.popupFor(&window);
    QCOMPARE(palette.shownIds().size(), 2);
    QSignalSpy triggered(run, &QAction::triggered);
    QTest::keyClicks(searchField(palette), "run");
    QTest::keyClick(searchField(palette), Qt::Key_Return);
    QCOMPARE(triggered.count(), 1);
    palette.popupFor(&window);
    delete run;
    palette.setQuery(QStringLiteral("run"));
    QTest::keyClick(searchField(palette), Qt::Key_Return);
}

void TestSmall::returnAndDoubleClickInAnEditorOfATableDoNotOpenTheRow() {
    QStandardItemModel model(2, 2);
    model.setData(model.index(0, 1), QStringLiteral("before"));
    auto* fixed = new QStandardItem(QStringLiteral("row"));
    fixed->setEditable(false);
    model.setItem(0, 0, fixed);
    FilterTable table;
    table.setModel(&model);
    table.view()->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    table.resize(400, 200);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    QSignalSpy opened(&table, &FilterTable::rowActivated);
    QTableView* view = table.view();
    const auto middle = [&](int column) { return view->visualRect(view->model()->index(0, column)).center(); };
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(1));
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, middle(1));
    auto* editor = view->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->setFocus();
    editor->setText(QStringLiteral("after"));
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(opened.count(), 0);
    QTRY_COMPARE(model.index(0, 1).data().toString(), QStringLiteral("after"));
    QTRY_VERIFY(!view->viewport()->findChild<QLineEdit*>());
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(0));
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, middle(0));
    QCOMPARE(opened.count(), 2);
}

void TestSmall::tablesSortNumbersAndKeepEmptyOnesLast() {
    QStandardItemModel model(4, 2);
    model.setHorizontalHeaderLabels({"run", "loss"});
    const QVariant losses[] = {10.0, 9.0, QVariant(), NAN};
    for (int row = 0; row < 4; ++row) {
        model.setData(model.index(row, 0), QStringLiteral("run %1").arg(row));
        model.setData(model.index(row, 1), losses[row], Qt::EditRole);
    }
    FilterTable table;
    table.setModel(&model);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        table.view()->sortByColumn(1, order);
        const auto value = [&](int row) { return table.view()->model()->index(row, 1).data(Qt::EditRole); };
        QCOMPARE(value(0).toDouble(), order == Qt::AscendingOrder ? 9.0 : 10.0);
        QVERIFY(!value(2).isValid() || std::isnan(value(2).toDouble()));
        QVERIFY(!value(3).isValid() || std::isnan(value(3).toDouble()));
    }
}

void TestSmall::tablesFilterByAllWordsAndCopyAsTsv() {
    QStandardItemModel model(0, 2);
    model.setHorizontalHeaderLabels({"name", "state"});
    for (const auto& [name, state] :
         {std::pair("cnn", "completed"), std::pair("mlp", "failed"), std::pair("cnn wide", "failed")})
        model.appendRow({new QStandardItem(name), new QStandardItem(state)});
    FilterTable table;
    table.setModel(&model);
    table.show();
    table.filterField()->setText(QStringLiteral("failed cnn"));
    QCOMPARE(table.view()->model()->rowCount(), 1);
    table.view()->selectAll();
    QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("name\tstate\ncnn wide\tfailed"));
    QCOMPARE(table.selectedRows(), QList<int>{2});
    QSignalSpy activated(&table, &FilterTable::rowActivated);
    table.selectRow(2);
    QTest::keyClick(table.view(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toInt(), 2);
}

void TestSmall::spansOfAFlameAreReadByKeyboardAndOpened() {
    FlameChart chart;
    chart.setEmptyText(QStringLiteral("nothing yet"));
    QCOMPARE(chart.accessibleDescription(), QStringLiteral("nothing yet"));
    QVERIFY(!chart.grab().isNull());
    // One of no length lies between the two above.
    chart.setSpans({{"a", "a: 4 ms", 0, 0, 4, 0},
                    {"b", "b: 0 ms", 0, 4, 0, 1},
                    {"c", "c: 6 ms", 0, 4, 6, 2},
                    {"x", "x: 1 ms", 1, 0, 1, 0, "x"},
                    {"y", "y: 5 ms", 1, 5, 5, 2, "y"}},
                   10);
    chart.resize(402, chart.sizeHint().height());
    chart.show();
    QCOMPARE(chart.accessibleDescription(), QStringLiteral("a: 4 ms; b: 0 ms; c: 6 ms; x: 1 ms; y: 5 ms"));
    QCOMPARE(chart.spanRect(2).left(), 161.0);
    QCOMPARE(chart.spanRect(2).width(), 240.0);
    QVERIFY(chart.spanRect(4).top() >= chart.spanRect(2).bottom());
    QSignalSpy activated(&chart, &FlameChart::spanActivated);
    const auto press = [&chart](Qt::Key key) {
        QTest::keyClick(&chart, key);
        return chart.currentSpan();
    };
    QCOMPARE(press(Qt::Key_Right), 0);
    QCOMPARE(press(Qt::Key_Left), 0);  // nothing before it
    QCOMPARE(press(Qt::Key_Right), 1);
    QCOMPARE(press(Qt::Key_Right), 2);
    QCOMPARE(press(Qt::Key_Return), 2);
    QCOMPARE(activated.count(), 0);  // nothing to open
    QCOMPARE(press(Qt::Key_Down), 4);
    QCOMPARE(press(Qt::Key_Left), 3);
    QCOMPARE(press(Qt::Key_Up), 0);
    QCOMPARE(press(Qt::Key_Down), 3);
    QCOMPARE(press(Qt::Key_Return), 3);
    QCOMPARE(activated.count(), 1);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.spanRect(4).center().toPoint());
    QCOMPARE(activated.count(), 2);
    QCOMPARE(activated[1][0].toString(), QStringLiteral("y"));
    chart.setSpans({}, 0);
    QCOMPARE(chart.currentSpan(), -1);
    QVERIFY(!chart.grab().isNull());
}

void TestSmall::barsAreReadByKeyboardAndAsText() {
    BarChart chart;
    chart.setTitle(QStringLiteral("Classes"));
    chart.setUnit(QStringLiteral("samples"));
    chart.setBars({"0", "1", "2"}, {{QStringLiteral("train"), {10, NAN, 30}, 0}});
    chart.resize(300, 200);
    chart.show();
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("2: train 30 samples")));
    QCOMPARE(chart.barText(1), QStringLiteral("1: no value"));
    QTest::keyClick(&chart, Qt::Key_End);
    QCOMPARE(chart.currentBar(), 2);
    QSignalSpy activated(&chart, &BarChart::barActivated);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    chart.setHistogram(0, 1, {1, 2});
    QCOMPARE(chart.barText(0), QStringLiteral("0 to 0.5: 1 samples"));
    QVERIFY(!chart.grab().isNull());
    chart.clear();
    QVERIFY(!chart.grab().isNull());
}

void TestSmall::namesOfBarsNeverCoverTheTitle() {
    BarChart chart;
    chart.setTitle(QStringLiteral("Samples a class"));
    chart.setUnit(QStringLiteral("samples"));
    const QStringList names{QStringLiteral("Training"), QStringLiteral("Validation"), QStringLiteral("Test")};
    chart.setBars({"0", "1"}, {{names[0], {1, 2}, 0}, {names[1], {1, 2}, 1}, {names[2], {1, 2}, 2}});
    const QFontMetrics bold(Theme::instance().titleFont());
    for (const int width : {160, 220, 300, 400, 800}) {
        chart.resize(width, 200);
        const QRect title(0, 0, std::min(width, bold.horizontalAdvance(chart.titleText())), bold.height());
        const std::vector<QRect> legend = chart.legendPlaces();
        QCOMPARE(legend.size(), std::size_t{3});
        for (std::size_t i = 0; i < legend.size(); ++i) {
            QVERIFY2(!legend[i].intersects(title), qPrintable(QString::number(width)));
            QVERIFY(chart.rect().contains(legend[i]));
            constexpr int kSwatch = 14;
            const QString shown = QFontMetrics(Theme::instance().smallFont())
                                      .elidedText(names[i], Qt::ElideRight, legend[i].width() - kSwatch);
            QVERIFY2(shown == names[i], qPrintable(QStringLiteral("%1 at %2").arg(shown).arg(width)));
            QVERIFY(i == 0 || !legend[i].intersects(legend[i - 1]));
        }
        QVERIFY(!chart.grab().isNull());
    }
    for (const double most : {3.0, 8.0, 90.0, 4000.0}) {
        BarChart low;
        low.setBars(QStringList{QStringLiteral("0")}, std::vector<BarSeries>{BarSeries{{}, {most}, 0}});
        low.resize(300, 100);
        QVERIFY(low.ticks().size() <= 8);
        const int letters = QFontMetrics(Theme::instance().smallFont()).height();
        QVERIFY(low.ticks().size() < 2 || 100.0 * (low.ticks()[1] - low.ticks()[0]) / (most * 1.08) >= letters);
        low.resize(300, 40);
        QVERIFY(low.ticks().size() <= 2);
    }
    chart.resize(800, 200);
    QVERIFY(chart.legendPlaces().front().bottom() <= bold.height());  // beside the title where there is room
}

void TestSmall::imagesKeepTheirPlaceWhenReplaced() {
    ImageGrid grid;
    std::vector<GridImage> images(20);
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i] = {QImage(8, 8, QImage::Format_Grayscale8), QString::number(i), QStringLiteral("class %1").arg(i),
                     Severity::None};
    grid.setImages(images);
    grid.setCurrentImage(7);
    grid.setImages(images);
    QCOMPARE(grid.currentImage(), 7);
    QCOMPARE(grid.imageCount(), 20);
    QCOMPARE(grid.model()->index(3, 0).data(Qt::AccessibleTextRole).toString(), QStringLiteral("class 3"));
    QSignalSpy moved(&grid, &ImageGrid::currentImageChanged);
    grid.resize(400, 300);
    grid.show();
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(grid.currentImage(), 8);
}

void TestSmall::theBannerSpeaksAndGoes() {
    MessageBanner banner;
    QSignalSpy action(&banner, &MessageBanner::actionTriggered);
    QSignalSpy dismissed(&banner, &MessageBanner::dismissed);
    banner.showMessage(Severity::Warning, QStringLiteral("a < b & c"), QStringLiteral("Set a."), QStringLiteral("Set"));
    QVERIFY(banner.isVisible());
    QCOMPARE(banner.message(), QStringLiteral("a < b & c"));
    QCOMPARE(banner.accessibleName(), QStringLiteral("a < b & c Set a."));
    banner.findChild<QPushButton*>(QStringLiteral("messageBannerAction"))->click();
    QCOMPARE(action.count(), 1);
    banner.dismiss();
    QCOMPARE(dismissed.count(), 1);
    QVERIFY(!banner.isVisible());
}

void TestSmall::whatIsMerelyToldLeavesByItself() {
    QWidget host;
    host.resize(600, 300);
    const auto banner = [&host](Severity severity, const QString& action) {
        auto* made = new MessageBanner(&host);
        made->setReadingMs(10);
        made->showMessage(severity, QStringLiteral("a sentence"), {}, action);
        return made;
    };
    // Those that stay are shown first: their time is over before that of the ones that go.
    QList<MessageBanner*> stay{banner(Severity::Critical, {}), banner(Severity::Warning, {}),
                               banner(Severity::Info, QStringLiteral("Stop"))};
    QList<MessageBanner*> go{banner(Severity::Info, {}), banner(Severity::Good, {}),
                             banner(Severity::Good, QStringLiteral("Look"))};
    for (MessageBanner* each : go) {
        QSignalSpy dismissed(each, &MessageBanner::dismissed);
        QTRY_VERIFY(each->isHidden());
    }
    for (MessageBanner* each : stay)
        QVERIFY(!each->isHidden());
    // A sentence that stays takes the place of one that would have gone.
    go[0]->showMessage(Severity::Info, QStringLiteral("told"));
    go[0]->showMessage(Severity::Critical, QStringLiteral("wrong"));
    go[1]->showMessage(Severity::Info, QStringLiteral("told"));
    QTRY_VERIFY(go[1]->isHidden());
    QVERIFY(!go[0]->isHidden());
    MessageBanner unhurried(&host);
    unhurried.showMessage(Severity::Info, QStringLiteral("short"));
    const int brief = unhurried.readingMs();
    unhurried.showMessage(Severity::Info, QStringLiteral("a sentence that is rather longer than the one before it"));
    QVERIFY(brief >= 5000 && unhurried.readingMs() > brief);
}

void TestSmall::aSecondButtonOfTheBannerIsThereForOneSentence() {
    MessageBanner banner;
    QSignalSpy second(&banner, &MessageBanner::secondTriggered);
    banner.showMessage(Severity::Warning, QStringLiteral("changed"), {}, QStringLiteral("Reload"));
    banner.setSecondAction(QStringLiteral("Keep mine"));
    auto* button = banner.findChild<QPushButton*>(QStringLiteral("messageBannerSecond"));
    QVERIFY(!button->isHidden());
    QCOMPARE(button->accessibleName(), QStringLiteral("Keep mine"));
    button->click();
    QCOMPARE(second.count(), 1);
    banner.showMessage(Severity::Warning, QStringLiteral("another"));
    QVERIFY(button->isHidden());
}

void TestSmall::binsOfSeveralSeriesHaveTheirRanges() {
    BarChart chart;
    chart.setUnit(QStringLiteral("samples"));
    chart.setHistogram(
        10, 30,
        std::vector{BarSeries{QStringLiteral("Training"), {4, 6}, 0}, BarSeries{QStringLiteral("Test"), {1, 2}, 1}});
    QCOMPARE(chart.barText(0), QStringLiteral("10 to 20: Training 4 samples, Test 1 samples"));
    QCOMPARE(chart.toTsv(), QStringLiteral("bin\tTraining\tTest\n10 to 20\t4\t1\n20 to 30\t6\t2"));
}

void TestSmall::labelsElideAndChipsAreButtons() {
    ElidedLabel label(QStringLiteral("a long name that needs room"));
    label.resize(60, 20);
    QVERIFY(label.isElided());
    QCOMPARE(label.toolTip(), label.text());
    StatusChip chip;
    chip.setStatus(Severity::Critical, QStringLiteral("2 findings"));
    chip.setClickable(true);
    chip.resize(chip.sizeHint());
    chip.show();
    QSignalSpy clicked(&chip, &StatusChip::clicked);
    QTest::mouseClick(&chip, Qt::LeftButton);
    QTest::keyClick(&chip, Qt::Key_Space);
    QCOMPARE(clicked.count(), 2);
    QVERIFY(chip.accessibleName().startsWith(QStringLiteral("critical")));
    chip.setStatus(Severity::Good, QStringLiteral("right"));
    QCOMPARE(chip.accessibleName(), QStringLiteral("right"));
    EmptyState empty(QStringLiteral("runs"), QStringLiteral("No runs yet."), QStringLiteral("Train"));
    QSignalSpy pressed(&empty, &EmptyState::buttonClicked);
    empty.findChild<QPushButton*>(QStringLiteral("emptyStateButton"))->click();
    QCOMPARE(pressed.count(), 1);
}

void TestSmall::numbersAreShortAndTicksRound() {
    QCOMPARE(shortNumber(0.12345), QStringLiteral("0.1235"));
    QCOMPARE(shortNumber(0.5), QStringLiteral("0.5"));
    QCOMPARE(shortNumber(12345), QStringLiteral("12,345"));
    QCOMPARE(shortNumber(1.2e-5), QStringLiteral("1.2e-05"));
    QCOMPARE(shortNumber(NAN), QStringLiteral("NaN"));
    QCOMPARE(shortNumber(-INFINITY), QStringLiteral("−∞"));
    QVERIFY((roundTicks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10}));
    QVERIFY(roundTicks(1, 1, 5).empty());
    QVERIFY(roundTicks(0, INFINITY, 5).empty());
    // Of few ticks of a logarithmic axis none lie close together, and the lower end has one.
    QVERIFY((logTicks(0.006, 2.5, 2) == std::vector<double>{0.01, 1}));
    for (const double upper : {0.5, 2.5, 25.0, 300.0}) {
        constexpr double kLower = 0.004, kShare = 0.2;
        const std::vector<double> ticks = logTicks(kLower, upper, 3, kShare);
        QVERIFY(ticks.size() >= 2);
        for (std::size_t i = 1; i < ticks.size(); ++i)
            QVERIFY(std::log(ticks[i] / ticks[i - 1]) >= kShare * std::log(upper / kLower) * 0.999);
    }
    NumberTile tile(QStringLiteral("Loss"));
    tile.setValue(QStringLiteral("0.12"), QStringLiteral("nats"));
    QVERIFY(tile.accessibleName().contains(QStringLiteral("0.12 nats")));
    tile.appendHistory(1);
    tile.appendHistory(NAN);
    QVERIFY(!tile.grab().isNull());
}
