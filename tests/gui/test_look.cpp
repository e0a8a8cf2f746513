// SPDX-License-Identifier: GPL-3.0-or-later
// Every page at every size, in English, Chinese and texts 40 % longer: names for all that can be operated, nothing cut.
// PLUMBLINE_SHOTS names a folder for pictures of what was looked at.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMap>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QTranslator>

#include "fake_engine.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/page.h"
#include "gui/run_controller.h"
#include "support.h"
#include "widgets/filter_table.h"
#include "widgets/labels.h"

namespace plumbline::gui::test {

namespace {

const QStringList kPages{"model", "data", "train", "runs", "sweeps", "export", "welcome"};

/// A screen of 1440×900 at 200 %.
constexpr QSize kSmallest(720, 450);

/// Every text of the window with 40 % more letters.
class LongTexts : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        if (QByteArray(context).startsWith("Q")) {
            return {};
        }
        QString text = QString::fromUtf8(source);
        const auto more = static_cast<qsizetype>(std::ceil(0.4 * static_cast<double>(text.size())));
        static const QString filler = QStringLiteral("longer lengthened text of another language ");
        return text + QLatin1Char(' ') +
               filler.repeated(1 + static_cast<int>(more / filler.size()))
                   .left(std::max<qsizetype>(1, more - 1))
                   .trimmed();
    }
    bool isEmpty() const override { return false; }
};

bool isQtsOwn(const QWidget* widget) {
    const QByteArray type = widget->metaObject()->className();
    return widget->objectName().startsWith("qt_") || widget->objectName().startsWith("_q_") ||
           type.startsWith("QDockWidgetTitleButton") || type == "QComboBoxListView" || type == "QHeaderView" ||
           qobject_cast<QLineEdit*>(widget->parentWidget()) ||
           qobject_cast<QTabBar*>(widget->parentWidget());  // the buttons inside a field, a header, a tab bar
}

QString whereIs(const QWidget* widget) {
    QStringList path;
    for (const QWidget* each = widget; each; each = each->parentWidget()) {
        path.prepend(each->objectName().isEmpty() ? QString(each->metaObject()->className()) : each->objectName());
    }
    return path.join('/');
}

/// Texts that have less room than they need; those that elide or wrap say so themselves.
QStringList cutTexts(QWidget& window) {
    QStringList cut;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || isQtsOwn(widget)) {
            continue;
        }
        QString text;
        int needed = 0;
        if (const auto* label = qobject_cast<QLabel*>(widget);
            label && !label->text().isEmpty() && !label->wordWrap()) {
            text = label->text();
            needed = label->sizeHint().width();
        } else if (const auto* button = qobject_cast<QAbstractButton*>(widget);
                   button && !button->text().isEmpty() &&
                   (qobject_cast<QPushButton*>(widget) || qobject_cast<QCheckBox*>(widget))) {
            text = button->text();
            needed = button->sizeHint().width();
        } else if (const auto* choice = qobject_cast<QComboBox*>(widget);
                   choice && !choice->isEditable() && choice->currentIndex() >= 0) {
            text = choice->currentText();
            QStyleOptionComboBox option;
            option.initFrom(choice);
            const QSize content(choice->fontMetrics().horizontalAdvance(text), choice->fontMetrics().height());
            needed = choice->style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, choice).width();
        }
        if (needed > widget->width() + 1) {
            cut << QStringLiteral("%1 \"%2\": %3 of %4 px").arg(whereIs(widget), text).arg(widget->width()).arg(needed);
        }
    }
    return cut;
}

/// Widgets of one row that lie over each other.
QStringList overlaps(QWidget& window) {
    QStringList found;
    for (QWidget* parent : window.findChildren<QWidget*>()) {
        if (!parent->isVisible() || !parent->layout()) {
            continue;
        }
        QList<QWidget*> shown;
        for (int i = 0; i < parent->layout()->count(); ++i) {
            QWidget* widget = parent->layout()->itemAt(i)->widget();
            if (widget && widget->isVisible() && !widget->size().isEmpty()) {
                shown << widget;
            }
        }
        for (qsizetype a = 0; a < shown.size(); ++a) {
            for (qsizetype b = a + 1; b < shown.size(); ++b) {
                const QRect both = shown[a]->geometry() & shown[b]->geometry();
                if (both.width() > 1 && both.height() > 1) {
                    found << whereIs(shown[a]) + " over " + shown[b]->objectName();
                }
            }
        }
    }
    return found;
}

void settle() {
    for (int i = 0; i < 5; ++i) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCoreApplication::processEvents();
    }
}

/// A copy of the project in a window of this size, arranged as at first.
bool showCopy(MainWindow& window, OpenProject& project, const QSize& size) {
    const QString folder = project.temporary.filePath("copy");
    if (!project.document.saveAs(filePath(folder))) {
        return false;
    }
    window.resetLayout();
    window.resize(size);
    window.show();
    return window.files().openNow(folder);
}

}  // namespace

class LookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOperableWidgetOfEveryPageHasNames() {
        OpenProject project;
        const QString folder = project.temporary.filePath("copy");
        QVERIFY(project.document.saveAs(filePath(folder)));
        MainWindow window;
        QVERIFY(window.files().openNow(folder));
        window.resize(1400, 900);
        window.show();
        QStringList nameless;
        for (const QString& page : kPages) {
            QVERIFY2(window.showPage(page), qPrintable(page));
            settle();
            for (QWidget* widget : window.findChildren<QWidget*>()) {
                const bool operable = (widget->focusPolicy() & Qt::TabFocus) || qobject_cast<QAbstractButton*>(widget);
                if (!operable || !widget->isVisible() || isQtsOwn(widget)) {
                    continue;
                }
                const auto* button = qobject_cast<QAbstractButton*>(widget);
                const auto* tool = qobject_cast<QToolButton*>(widget);
                const bool ofAnAction = tool && !tool->actions().isEmpty();
                const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                                   ofAnAction || qobject_cast<QTabBar*>(widget);
                const bool identified = !widget->objectName().isEmpty() || ofAnAction;
                if (!named || !identified) {
                    nameless << page + ": " + whereIs(widget) + (named ? "" : " has no name for people") +
                                    (identified ? "" : " has no object name");
                }
            }
        }
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
    }

    void nothingIsCutOrCovered_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QSize>("size");
        for (const char* language : {"en", "zh_CN", "long"}) {
            for (const QSize& size :
                 {kSmallest, QSize(900, 600), QSize(1280, 800), QSize(1400, 900), QSize(1920, 1080)}) {
                QTest::addRow("%s %dx%d", language, size.width(), size.height()) << QString(language) << size;
            }
        }
    }

    void nothingIsCutOrCovered() {
        QFETCH(QString, language);
        QFETCH(QSize, size);
        OpenProject project;
        LongTexts longer;
        QTranslator chinese;
        if (language == "long") {
            QCoreApplication::installTranslator(&longer);
        } else if (language == "zh_CN") {
            QVERIFY(chinese.load(":/i18n/plumbline_zh_CN.qm"));
            QCoreApplication::installTranslator(&chinese);
        }
        QStringList ugly;
        {
            MainWindow window;
            QVERIFY(showCopy(window, project, size));
            // Pages with a run and its findings need more room than empty ones.
            auto engine = std::make_shared<FakeEngine>();
            engine->findSomething = true;
            engine->findIsCritical = true;
            window.workspace().bridge().setEngine(engine);
            window.runs().run();
            QVERIFY(QTest::qWaitFor([&] { return !window.workspace().bridge().isActive(); }, 20000));
            const QSize least = window.minimumSizeHint();
            QVERIFY2(least.boundedTo(kSmallest) == least,
                     qPrintable(QString("the window needs %1x%2").arg(least.width()).arg(least.height())));
            for (const QString& page : kPages) {
                window.showPage(page);
                window.currentPage()->activated();
                QVERIFY(QTest::qWaitFor([&] { return window.currentPage()->isSettled(); }, 10000));
                settle();
                QVERIFY2(window.width() == size.width() && window.height() == size.height(),
                         qPrintable(QString("%1 needs %2x%3").arg(page).arg(window.width()).arg(window.height())));
                for (const QString& each : cutTexts(window) + overlaps(window)) {
                    ugly << page + ": " + each;
                }
                const QString shots = qEnvironmentVariable("PLUMBLINE_SHOTS");
                if (!shots.isEmpty()) {
                    QVERIFY(window.grab().save(
                        QString("%1/%2-%3-%4.png").arg(shots, language).arg(size.width()).arg(page)));
                }
            }
        }
        QCoreApplication::removeTranslator(&longer);
        QCoreApplication::removeTranslator(&chinese);
        ugly.removeDuplicates();
        QVERIFY2(ugly.isEmpty(), qPrintable(ugly.join("\n")));
    }

    void docksTakeALineWhileThereIsNothingToRead() {
        OpenProject project;
        MainWindow window;
        QVERIFY(showCopy(window, project, QSize(1200, 800)));
        auto* panel = window.findChild<QWidget*>("problems_panel");
        // So few samples leave splits without some classes, which is told; more do not.
        QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<QWidget*>("problems_table")->isHidden() &&
                                     window.findChild<QDockWidget*>("dock_problems")->windowTitle() == "Problems 2",
                                 20000);
        QVERIFY(window.workspace().document().applyPatch(
            "samples",
            Json::array({{{"op", "replace"}, {"path", "/data/sources/generated/samples"}, {"value", 600}}})));
        QTRY_COMPARE_WITH_TIMEOUT(window.findChild<QDockWidget*>("dock_problems")->windowTitle(), QString("Problems 0"),
                                  20000);
        settle();
        const int quiet = panel->height();
        QVERIFY2(quiet < 3 * panel->fontMetrics().height(), qPrintable(QString::number(quiet)));
        const auto setFeatures = [&](int features) {
            return window.workspace().document().applyPatch(
                "outputs",
                Json::array(
                    {{{"op", "replace"}, {"path", "/model/graph/nodes/fc/params/out_features"}, {"value", features}}}));
        };
        const int before = window.workspace()
                               .document()
                               .project()
                               .json.at(Json::json_pointer("/model/graph/nodes/fc/params/out_features"))
                               .get<int>();
        QVERIFY(setFeatures(0));
        QTRY_VERIFY(panel->height() > quiet + panel->fontMetrics().height());
        QVERIFY(setFeatures(before));
        QTRY_COMPARE(panel->height(), quiet);
    }

    void docksMakeRoomInALowWindowAndComeBack() {
        OpenProject project;
        MainWindow window;
        QVERIFY(showCopy(window, project, QSize(1200, 800)));
        auto* problems = window.findChild<QDockWidget*>("dock_problems");
        auto* palette = window.findChild<QDockWidget*>("dock_palette");
        auto* count = window.findChild<widgets::StatusChip*>("status_problems");
        QVERIFY(window.workspace().document().applyPatch(
            "outputs",
            Json::array({{{"op", "replace"}, {"path", "/model/graph/nodes/fc/params/out_features"}, {"value", 0}}})));
        QVERIFY(!window.workspace().document().report().ok());
        QVERIFY(!problems->isHidden() && !palette->isHidden() && count->isHidden());
        window.resize(kSmallest);
        settle();
        QCOMPARE(window.size(), kSmallest);
        QVERIFY(problems->isHidden() && palette->isHidden());
        QVERIFY(!count->isHidden());  // what is wrong is told all the same
        QTest::keyClick(count, Qt::Key_Space);
        settle();
        QVERIFY(!problems->isHidden() && count->isHidden());
        problems->toggleViewAction()->trigger();
        QVERIFY(problems->isHidden());
        window.resize(1200, 800);
        settle();
        QVERIFY(problems->isHidden());  // a person closed it
        QVERIFY(!palette->isHidden());
        QVERIFY(!window.findChild<QDockWidget*>("dock_findings")->isHidden());
    }

    void noLetterCallsTwoThingsOfAPage_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("Chinese") << "zh_CN";
    }

    void noLetterCallsTwoThingsOfAPage() {
        QFETCH(QString, language);
        QTranslator chinese;
        if (language == "zh_CN") {
            QVERIFY(chinese.load(":/i18n/plumbline_zh_CN.qm"));
            QCoreApplication::installTranslator(&chinese);
        }
        OpenProject project;
        QStringList twice;
        int letters = 0;
        {
            MainWindow window;
            QVERIFY(showCopy(window, project, QSize(1400, 900)));
            for (const QString& page : kPages) {
                QVERIFY(window.showPage(page));
                settle();
                QMap<QString, QString> owners;
                const auto take = [&](const QString& text) {
                    const QString letter = QKeySequence::mnemonic(text).toString();
                    if (letter.isEmpty()) {
                        return;
                    }
                    ++letters;
                    if (owners.contains(letter)) {
                        twice << QString("%1: %2 is %3 and %4").arg(page, letter, owners.value(letter), text);
                    }
                    owners.insert(letter, text);
                };
                for (const QAction* menu : window.menuBar()->actions()) {
                    take(menu->text());
                }
                for (const QLabel* label : window.findChildren<QLabel*>()) {
                    if (label->isVisible() && label->buddy()) {
                        take(label->text());
                    }
                }
                for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
                    if (button->isVisible()) {
                        take(button->text());
                    }
                }
            }
        }
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(letters > 30, qPrintable(QString::number(letters)));
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join("\n")));
    }

    void everyTextCanBeReadInTheDark_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    /// By the pixels: what is darkest or lightest in a label against what it stands on.
    void everyTextCanBeReadInTheDark() {
        QFETCH(bool, dark);
        widgets::Theme::instance().setMode(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light);
        OpenProject project;
        QStringList pale;
        int looked = 0;
        {
            MainWindow window;
            QVERIFY(showCopy(window, project, QSize(1400, 900)));
            for (const QString& page : kPages) {
                QVERIFY(window.showPage(page));
                QVERIFY(QTest::qWaitFor([&] { return window.currentPage()->isSettled(); }, 10000));
                window.workspace().quiet();  // a message lies over the page
                settle();
                const QImage whole = window.grab().toImage();
                const double scale = whole.devicePixelRatio();
                const double ground =
                    widgets::contrastRatio(whole.pixelColor(whole.width() / 2, whole.height() - 3), Qt::black);
                QVERIFY2(dark ? ground < 3 : ground > 12, qPrintable(QString("%1: %2").arg(page).arg(ground)));
                for (const QLabel* label : window.findChildren<QLabel*>()) {
                    if (!label->isVisible() || !label->isEnabled() || label->text().trimmed().isEmpty() ||
                        label->visibleRegion().boundingRect() != label->rect()) {
                        continue;
                    }
                    const QRect place(label->mapTo(&window, QPoint()) * scale, label->size() * scale);
                    const QImage picture = whole.copy(place);
                    const QColor behind = picture.pixelColor(0, 0);
                    double best = 1;
                    for (int y = 0; y < picture.height(); ++y) {
                        for (int x = 0; x < picture.width(); ++x) {
                            best = std::max(best, widgets::contrastRatio(picture.pixelColor(x, y), behind));
                        }
                    }
                    ++looked;
                    if (best < 4) {
                        pale << QString("%1: %2 \"%3\" %4").arg(page, whereIs(label), label->text()).arg(best);
                    }
                }
            }
        }
        widgets::Theme::instance().setMode(widgets::ThemeMode::Light);
        QVERIFY2(looked > 20, qPrintable(QString::number(looked)));
        QVERIFY2(pale.isEmpty(), qPrintable(pale.join("\n")));
    }

    void theKeyboardReachesEveryControlOfEveryPageAndComesBack_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("forward");
        for (const QString& page : kPages) {
            QTest::addRow("%s backward", qPrintable(page)) << page << false;
            if (page != "model") {  // on the canvas Tab adds a block: Shift+Tab goes on from there
                QTest::addRow("%s forward", qPrintable(page)) << page << true;
            }
        }
    }

    void theKeyboardReachesEveryControlOfEveryPageAndComesBack() {
        QFETCH(QString, page);
        QFETCH(bool, forward);
        OpenProject project;
        MainWindow window;
        QVERIFY(showCopy(window, project, QSize(1400, 900)));
        auto engine = std::make_shared<FakeEngine>();
        engine->findSomething = true;
        window.workspace().bridge().setEngine(engine);
        window.runs().run();
        QVERIFY(QTest::qWaitFor([&] { return !window.workspace().bridge().isActive(); }, 20000));
        QVERIFY(window.showPage(page));
        QVERIFY(QTest::qWaitFor([&] { return window.currentPage()->isSettled(); }, 10000));
        settle();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSet<QWidget*> wanted;
        for (QWidget* widget : window.currentPage()->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
                !widget->focusProxy() && !isQtsOwn(widget)) {
                wanted.insert(widget);
            }
        }
        // Without a sweep that page has the button that makes one.
        QVERIFY2(wanted.size() >= (page == "sweeps" ? 1 : 4), qPrintable(QString::number(wanted.size())));
        QWidget* const first = *wanted.begin();
        first->setFocus(Qt::TabFocusReason);
        QCOMPARE(QApplication::focusWidget(), first);
        QSet<QWidget*> reached;
        constexpr int kMost = 500;
        int steps = 0;
        do {
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now);
            reached.insert(now);
            forward ? QTest::keyClick(now, Qt::Key_Tab) : QTest::keyClick(now, Qt::Key_Backtab, Qt::ShiftModifier);
            QVERIFY2(QApplication::focusWidget() != now, qPrintable(whereIs(now) + " keeps the focus"));
        } while (QApplication::focusWidget() != first && ++steps < kMost);
        QVERIFY2(steps < kMost, "it does not come back");
        QStringList missing;
        for (const QWidget* widget : wanted - reached) {
            missing << whereIs(widget);
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }

    void tablesAreSortedByKeyboard() {
        widgets::FilterTable table;
        QTableWidget model(3, 2);
        for (int row = 0; row < 3; ++row) {
            auto* number = new QTableWidgetItem;
            number->setData(Qt::EditRole, (row + 1) % 3);
            model.setItem(row, 1, number);
            model.setItem(row, 0, new QTableWidgetItem(QString("run %1").arg(row)));
        }
        table.setModel(model.model());
        table.show();
        QTableView* view = table.view();
        view->setFocus();
        view->setCurrentIndex(view->model()->index(0, 1));
        QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(view->model()->index(0, 1).data().toInt(), 0);
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(view->model()->index(0, 1).data().toInt(), 2);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::LookTest>(argc, argv);
}

#include "test_look.moc"
