// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of docs/: their links lead somewhere, and in the Chinese window they are Chinese and say the same.
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLocale>
#include <QTextBrowser>
#include <QToolButton>

#include "diagnostics/registry.h"
#include "documentation_outline.h"
#include "gui/help_viewer.h"
#include "support.h"

namespace plumbline::gui::test {

namespace {

const QString kChinese = QStringLiteral("zh_CN");

QString docs(const QString& page) {
    return text(documentationFolder()) + QLatin1Char('/') + page;
}

QString contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Where a page's links and pictures lead to, as paths that are clean; those to other sites are left out.
QStringList targetsOf(const QString& path) {
    QStringList all;
    for (const QString& link : linksOf(
             contents(path).remove(QRegularExpression("```.*?```", QRegularExpression::DotMatchesEverythingOption)))) {
        if (!link.contains(QLatin1String("://"))) {
            all << QDir::cleanPath(QFileInfo(path).dir().filePath(link));
        }
    }
    return all;
}

/// Every page that can be reached from the one that the Help menu opens, below docs/.
QStringList pagesOfTheWindow() {
    QStringList found{docs(QStringLiteral("README.md"))};
    for (qsizetype i = 0; i < found.size(); ++i) {
        for (const QString& target : targetsOf(found[i])) {
            if (target.endsWith(QLatin1String(".md")) && !found.contains(target)) {
                found << target;
            }
        }
    }
    found.replaceInStrings(docs(QString()), QString());
    return found;
}

}  // namespace

class DocumentationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void theHelpMenusPageLeadsToTheGuideAndToEachDetector() {
        const QStringList pages = pagesOfTheWindow();
        QVERIFY(pages.contains("user-guide.md"));
        for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
            QVERIFY2(pages.contains("detectors/" + text(entry.spec.id) + ".md"), entry.spec.id.c_str());
        }
    }

    void aPage_data() {
        QTest::addColumn<QString>("page");
        for (const QString& page : pagesOfTheWindow()) {
            QTest::newRow(qPrintable(page)) << page;
        }
    }

    void aPage() {
        QFETCH(QString, page);
        const QString chinese = docs(kChinese + QLatin1Char('/') + page);
        QVERIFY2(QFileInfo(chinese).isFile(), qPrintable("write " + chinese));
        for (const QString& path : {docs(page), chinese}) {
            for (const QString& target : targetsOf(path)) {
                QVERIFY2(QFileInfo::exists(target), qPrintable(path + " leads to " + target));
            }
        }
        const QStringList told = drift(contents(docs(page)), contents(chinese));
        QVERIFY2(told.isEmpty(),
                 qPrintable("docs/zh_CN/" + page + " does not say what docs/" + page + " says:\n" + told.join('\n')));
    }

    void aNumberARowOrAPieceOfCodeThatDriftsIsTold() {
        const QString english(
            "# Page\n\nWaits for `share` (0.2) at most 3 times.\n\n| a | b |\n|---|---|\n| `x` | 50 |\n\n```\nrun it   "
            "# 2 times\n```\n");
        const QString chinese = QString::fromUtf8(
            "# 页面\n\n最多等待 `share`（0.2）3 次。\n\n| 甲 | 乙 |\n|---|---|\n| `x` | 50 |\n\n```\nrun it   # 2 "
            "次\n```\n");
        QCOMPARE(drift(english, chinese), QStringList());
        for (const auto& [was, is] : {std::pair{"0.2", "0.3"},
                                      {"`share`", "`part`"},
                                      {"| 50 |", "| 60 |"},
                                      {"`x`", "`y`"},
                                      {"# 2 ", "# 4 "},
                                      {"\n| `x` | 50 |", ""},
                                      {"\n\n| ", "\n\n## 又\n\n| "}}) {
            const QString changed = QString(chinese).replace(QLatin1String(was), QString::fromUtf8(is));
            QVERIFY2(changed != chinese && !drift(english, changed).isEmpty(), was);
        }
        QVERIFY(!drift(english, english).isEmpty());  // not translated
    }

    void theWindowOpensPagesInItsLanguageWhereTheyAreThere() {
        const auto open = [](const QString& language, const QString& page) {
            QLocale::setDefault(QLocale(language));
            return text(documentationPage(page));
        };
        QCOMPARE(open("en", "data.md"), docs("data.md"));
        QCOMPARE(open("zh_CN", "data.md"), docs("zh_CN/data.md"));
        QCOMPARE(open("de", "data.md"), docs("data.md"));
        QCOMPARE(open("zh_CN", "decisions/README.md"), docs("decisions/README.md"));
        QCOMPARE(open("zh_CN", "no-such-page.md"), QString());
    }

    void theHelpWindowShowsTheChinesePageAndItsPicturesFit() {
        QLocale::setDefault(QLocale("zh_CN"));
        QWidget window;
        QVERIFY(!showDocumentation(&window, "no-such-page.md"));
        QVERIFY(showDocumentation(&window, "user-guide.md"));
        auto* browser = window.findChild<QTextBrowser*>("help_text");
        QVERIFY(browser && browser->toPlainText().contains(kHan));
        int pictures = 0;
        for (const QString& link : linksOf(contents(docs("zh_CN/user-guide.md")))) {
            if (link.endsWith(".png")) {
                const auto picture =
                    browser->document()->resource(QTextDocument::ImageResource, QUrl(link)).value<QImage>();
                QVERIFY2(!picture.isNull() && picture.deviceIndependentSize().width() <= browser->viewport()->width(),
                         qPrintable(link));
                ++pictures;
            }
        }
        QVERIFY(pictures > 3);
        window.findChild<QToolButton*>("help_home")->click();
        QCOMPARE(browser->source(), QUrl::fromLocalFile(docs("zh_CN/README.md")));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::DocumentationTest>(argc, argv);
}

#include "test_documentation.moc"
