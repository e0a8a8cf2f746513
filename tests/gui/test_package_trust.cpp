// SPDX-License-Identifier: GPL-3.0-or-later
// A package that is not trusted: the sentence has a button, the button asks, and only its Trust trusts.
#include <QMessageBox>
#include <QPushButton>
#include <QtTest>

#include "core/files.h"
#include "core/trusted_files.h"
#include "gui/workspace.h"
#include "support.h"

namespace plumbline::gui::test {

namespace {

/// A workspace with a project whose first block runs the file "f.pt2", and the last thing that it said.
struct Desk {
    /// `twice`: two instances of a definition run the file "f.pt2" and the file "g.pt2".
    explicit Desk(bool twice = false) {
        Json json = smallProject();
        json["model"]["graph"]["nodes"]["package"] = {
            {"type", "AOTIPackage"},
            {"from", Json::array({"image"})},
            {"params", {{"path", "f.pt2"}, {"inputs", "float32 [B, 1, 8, 8]"}, {"output", "float32 [B, 1, 8, 8]"}}}};
        if (twice) {
            Json& definition = json["model"]["definitions"]["Features"];
            definition = {{"parameters", {{"file", {{"type", "text"}, {"default", "f.pt2"}}}}},
                          {"inputs", {{"x", Json::object()}}},
                          {"nodes", {{"run", json["model"]["graph"]["nodes"]["package"]}}},
                          {"outputs", {{"y", "run"}}}};
            definition["nodes"]["run"]["from"] = Json::array({"x"});
            definition["nodes"]["run"]["params"]["path"] = "=file";
            json["model"]["graph"]["nodes"].erase("package");  // blocks stand in the order in which they are written
            json["model"]["graph"]["nodes"]["first"] = {{"type", "Features"}, {"from", "image"}};
            json["model"]["graph"]["nodes"]["package"] = {
                {"type", "Features"}, {"from", "first"}, {"params", {{"file", "g.pt2"}}}};
        }
        json["model"]["graph"]["nodes"]["conv"]["from"] = "package";
        const Status made = workspace.document().create(json, filePath(temporary.filePath("small")));
        // Of each desk its own: what one test trusts, another would not be asked about.
        const std::string content = "native code of " + bytes(temporary.path());
        if (!made || !writeFileAtomically(file(), content) || !writeFileAtomically(file("g.pt2"), "other " + content)) {
            qFatal("no project");
        }
        QObject::connect(&workspace, &Workspace::messageRequested, &workspace,
                         [this](widgets::Severity, const QString& sentence, const QString&, const QString& button,
                                std::function<void()> pressed) {
                             said = sentence;
                             action = button;
                             press = std::move(pressed);
                         });
    }
    std::filesystem::path file(const char* name = "f.pt2") const {
        return filePath(temporary.filePath("small")) / name;
    }
    bool trusted(const char* name = "f.pt2") const { return isTrusted(sumOf(file(name)).value().sha256).value(); }
    /// Presses the sentence's button; the question that comes.
    QMessageBox* ask(const std::string& pointer = "/model/graph/nodes/package") {
        workspace.tell(
            {ErrorKind::kInvalid, "package-not-trusted", "f.pt2 is native code.", pointer, "plumbline trust"});
        press();
        QMessageBox* box = nullptr;
        (void)QTest::qWaitFor(
            [&] {
                for (QWidget* widget : QApplication::topLevelWidgets()) {
                    box = widget->objectName() == "dialog_trust_package" ? qobject_cast<QMessageBox*>(widget) : box;
                }
                return box != nullptr;
            },
            10000);
        return box;
    }

    QTemporaryDir temporary;
    Workspace workspace;
    QString said, action;
    std::function<void()> press;
};

}  // namespace

class PackageTrustTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theQuestionSaysWhatItIsAboutAndNothingIsTrustedUnlessItIsPressed() {
        Desk desk;
        QPointer<QMessageBox> box = desk.ask();
        QVERIFY(box != nullptr);
        QCOMPARE(desk.action, QStringLiteral("Trust this package…"));
        const QString told = box->text() + box->informativeText();
        QVERIFY2(told.contains("f.pt2") && told.contains("native code") && told.contains("package"), qPrintable(told));
        QVERIFY(told.contains(text(sumOf(desk.file()).value().sha256)));
        QCOMPARE(box->defaultButton()->objectName(), QStringLiteral("trust_nothing"));
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(box.isNull());
        QVERIFY(!desk.trusted());
    }

    void trustIsGivenByItsButton() {
        Desk desk;
        QPointer<QMessageBox> box = desk.ask();
        QVERIFY(box != nullptr);
        box->findChild<QPushButton*>("trust_package")->click();
        QTRY_VERIFY(box.isNull());
        QVERIFY(desk.trusted());
        QCOMPARE(desk.action, QStringLiteral("Run"));
        QSignalSpy asked(&desk.workspace, &Workspace::runWanted);
        desk.press();
        QCOMPARE(asked.size(), 1);
    }

    void ofTheInstancesOfADefinitionItIsTheOneThatMayNotRun() {
        Desk desk(true);
        const std::string place = "/model/definitions/Features/nodes/run";
        for (const char* name : {"f.pt2", "g.pt2"}) {
            QPointer<QMessageBox> box = desk.ask(place);
            QVERIFY(box != nullptr);
            const QString told = box->text() + box->informativeText();
            QVERIFY2(told.contains(name) && told.contains(text(sumOf(desk.file(name)).value().sha256)),
                     qPrintable(told));
            box->findChild<QPushButton*>("trust_package")->click();
            QTRY_VERIFY(box.isNull());
            QVERIFY(desk.trusted(name));
        }
        // The sentence may still stand there once all are trusted.
        desk.workspace.tell({ErrorKind::kInvalid, "package-not-trusted", "f.pt2 is native code.", place, ""});
        desk.press();
        QTRY_COMPARE(desk.action, QStringLiteral("Run"));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::PackageTrustTest>(argc, argv);
}

#include "test_package_trust.moc"
