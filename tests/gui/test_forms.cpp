// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that hold several things are edited as rows; nothing else in project.json moves.
#include <QAbstractItemModel>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QUndoStack>

#include "diagnostics/detector.h"
#include "gui/model/block_fields.h"
#include "gui/model/canvas_adapter.h"
#include "gui/pages/phase_form.h"
#include "gui/pages/setting_form.h"
#include "gui/workspace.h"
#include "plan/plan.h"
#include "plan/setting_reader.h"
#include "support.h"

namespace plumbline::gui::test {

namespace {

/// The settings of the Train page on the small project.
struct Form {
    explicit Form(const Json& project = smallProject()) {
        const QString folder = temporary.filePath("small");
        const Status made = workspace.document().create(project, filePath(folder));
        if (!made) {
            qFatal("%s", toSentence(made.error()).c_str());
        }
        form = std::make_unique<SettingForm>(workspace, "training_settings", QStringList{"training.", "monitor."});
        form->show();
    }
    template <class Widget>
    Widget* editor(const char* path) {
        return form->findChild<Widget*>(QStringLiteral("field_") + QLatin1String(path));
    }
    void choose(const char* path, const QString& word) {
        auto* combo = editor<QComboBox>(path);
        QVERIFY2(combo, path);
        const int row = combo->findText(word);
        QVERIFY2(row >= 0, qPrintable(word));
        combo->setCurrentIndex(row);
        Q_EMIT combo->activated(row);
    }
    void write(const char* path, const QString& words) {
        auto* line = editor<QLineEdit>(path);
        QVERIFY2(line, path);
        line->setText(words);
        Q_EMIT line->editingFinished();
    }
    const Json& training() { return workspace.document().project().json.at("training"); }
    std::string text() { return formatJson(workspace.document().project().json); }

    QTemporaryDir temporary;
    Workspace workspace;
    std::unique_ptr<SettingForm> form;
};

/// Two adversaries: composites of the root graph, each trained by a phase of its own.
Json adversaries() {
    Json json = smallProject();
    json["model"] = Json::parse(R"json({
      "definitions": {
        "Part": {"parameters": {}, "inputs": {"x": {}}, "outputs": {"y": "out"}, "nodes": {
          "flat": {"type": "Flatten", "from": "x"}, "out": {"type": "Linear", "from": "flat", "params": {"out_features": 10}}}}},
      "graph": {"inputs": {"image": {"shape": ["B", 1, 8, 8], "dtype": "float32"}},
        "nodes": {"generator": {"type": "Part", "from": "image"}, "discriminator": {"type": "Part", "from": "generator"}},
        "outputs": {"made": "generator", "logits": "discriminator"}}})json");
    json["training"]["losses"] =
        Json::parse(R"json([{"type": "CrossEntropyLoss", "output": "logits", "target": "label"},
                                                     {"type": "CrossEntropyLoss", "output": "made", "target": "label"}])json");
    json["training"]["optimizer"] = {{"type", "Adam"}, {"lr", 0.002}, {"betas", {0.5, 0.999}}};
    return json;
}

QStringList keysOf(const Json& object) {
    QStringList keys;
    for (const auto& [key, value] : object.items()) {
        keys << gui::text(key);
    }
    return keys;
}

}  // namespace

class FormsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsLeftOutIsShownAsTheOptimizerHasIt() {
        Form f;
        const auto shown = [&] {
            const auto fields = f.form->findChild<widgets::FormWidget*>("training_settings")->fields();
            const auto field = std::find_if(fields.begin(), fields.end(), [](const auto& each) {
                return each.path == "training.optimizer.weight_decay";
            });
            return field == fields.end() ? QJsonValue() : field->defaultValue;
        };
        QCOMPARE(shown().toDouble(-1), 0.0);
        f.choose("training.optimizer.type", "AdamW");
        QCOMPARE(shown().toDouble(-1), 0.01);
        QCOMPARE(f.editor<QLineEdit>("training.optimizer.weight_decay")->placeholderText().isEmpty()
                     ? f.editor<QLineEdit>("training.optimizer.weight_decay")->text()
                     : f.editor<QLineEdit>("training.optimizer.weight_decay")->placeholderText(),
                 QString("0.01"));
        f.choose("training.optimizer.type", "SGD");
        QCOMPARE(shown().toDouble(-1), 0.0);
    }

    void whatASettingCountsIsNamedAndAgreesWithItsNumber() {
        English english;
        Form f;
        const auto unit = [&](const char* path) {
            const auto fields = f.form->findChild<widgets::FormWidget*>("training_settings")->fields();
            const auto field = std::find_if(fields.begin(), fields.end(),
                                            [path](const auto& each) { return each.path == QLatin1String(path); });
            return field == fields.end() ? QString("no field") : field->unit;
        };
        QCOMPARE(unit("training.stop.epochs"), QString("epochs"));
        f.write("training.stop.epochs", "1");
        QCOMPARE(unit("training.stop.epochs"), QString("epoch"));
        QCOMPARE(unit("training.validation.every"), QString("epoch"));  // its default is 1
        f.choose("training.validation.unit", "step");
        QCOMPARE(unit("training.validation.every"), QString("step"));
        f.write("training.validation.every", "20");
        QCOMPARE(unit("training.validation.every"), QString("steps"));
        for (const widgets::FieldSpec& field : f.form->findChild<widgets::FormWidget*>("training_settings")->fields()) {
            QVERIFY2(field.unit != QLatin1String("units"), qPrintable(field.path));
        }
    }

    void listsNameTheirElementsAndCountAsTheScheduleDoes() {
        English english;
        Form f;
        f.choose("training.scheduler.type", "sequence");
        auto* rows = f.form->findChild<widgets::FormWidget*>("training_settings");
        const auto field = [rows](const char* path) {
            const QList<widgets::FieldSpec> fields = rows->fields();
            const auto found = std::find_if(fields.begin(), fields.end(),
                                            [path](const auto& each) { return each.path == QLatin1String(path); });
            return found == fields.end() ? widgets::FieldSpec() : *found;
        };
        QCOMPARE(field("training.scheduler.phases").placeholder, QString("Add a phase"));
        QCOMPARE(field("training.freeze").placeholder, QString("Add frozen parameters"));
        Q_EMIT rows->addRequested("training.scheduler.phases", QStringLiteral("linear"));
        f.editor<QToolButton>("training.freeze")->click();
        QCOMPARE(field("training.scheduler.phases.0.type").label, QString("phase 1"));
        QCOMPARE(field("training.freeze.0.match").label, QString("frozen 1"));
        QCOMPARE(field("training.scheduler.phases.0.length").unit, QString("epochs"));
        f.choose("training.scheduler.unit", "step");
        QCOMPARE(field("training.scheduler.phases.0.length").unit, QString("steps"));
    }

    void aLabelIsShortOnlyWhereAllUnderItsHeadingLieTogether() {
        Form f;
        QHash<QString, QString> labels;
        for (const widgets::FieldSpec& field : f.form->findChild<widgets::FormWidget*>("training_settings")->fields()) {
            labels.insert(field.path, field.label);
        }
        QCOMPARE(labels.value("training.clip.type"), QString("clip.type"));
        QCOMPARE(labels.value("training.stop.target.mode"), QString("stop.target.mode"));
        QCOMPARE(labels.value("training.gradient_noise.eta"), QString("gradient_noise.eta"));
        QCOMPARE(labels.value("training.optimizer.lr"), QString("lr"));
        QCOMPARE(labels.value("training.early_stopping.patience"), QString("patience"));
    }

    void undoTakesARefusedEntryAway() {
        Form f;
        f.write("training.seed", "7");
        f.write("training.optimizer.lr", "fast");
        auto* line = f.editor<QLineEdit>("training.optimizer.lr");
        QCOMPARE(line->property("problem").toString(), QString("critical"));
        f.workspace.document().undoStack()->undo();
        QCOMPARE(line->text(), QString("0.1"));
        QCOMPARE(line->property("problem").toString(), QString());
        f.write("training.optimizer.lr", "fast");
        f.workspace.document().undoStack()->redo();
        QCOMPARE(line->property("problem").toString(), QString());
    }

    void noSettingIsEditedAsJson() {
        Form form;
        QVERIFY(form.form->findChildren<QPlainTextEdit*>().isEmpty());
        for (const plan::SettingSpec& spec : plan::settings()) {
            QVERIFY2(settingField(spec).type != widgets::FieldType::Json, spec.path.c_str());
        }
    }

    void outputsAndTargetsAreChosenFromThoseThatAre() {
        Form form;
        auto* output = form.editor<QComboBox>("training.losses.0.output");
        auto* target = form.editor<QComboBox>("training.losses.0.target");
        QVERIFY(output && target);
        QCOMPARE(output->currentText(), QString("logits"));
        QCOMPARE(target->currentText(), QString("label"));
        auto* type = form.editor<QComboBox>("training.losses.0.type");
        QCOMPARE(type->count(), static_cast<int>(plan::lossTypes().size()));
        // A renamed output is offered at once, and the one that is gone stays visible as no choice.
        QVERIFY(form.workspace.document().applyPatch(
            "rename",
            Json::parse(
                R"([{"op":"move","from":"/model/graph/outputs/logits","path":"/model/graph/outputs/scores"}])")));
        output = form.editor<QComboBox>("training.losses.0.output");
        QVERIFY(output->findText("scores") >= 0);
        QVERIFY(output->currentText().contains("logits"));
    }

    void anOptionOfALossIsOneUndoableEditThatKeepsTheOrderOfKeys() {
        Form form;
        const std::string before = form.text();
        form.write("training.losses.0.weight", "0.5");
        QCOMPARE(keysOf(form.training().at("losses")[0]), (QStringList{"type", "output", "target", "weight"}));
        form.choose("training.losses.0.type", "MSELoss");
        QCOMPARE(keysOf(form.training().at("losses")[0]), (QStringList{"type", "output", "target", "weight"}));
        QCOMPARE(form.workspace.document().undoStack()->count(), 2);
        form.workspace.document().undoStack()->setIndex(0);
        QCOMPARE(form.text(), before);
        QCOMPARE(form.editor<QComboBox>("training.losses.0.type")->currentText(), QString("CrossEntropyLoss"));
    }

    void anotherTypeTakesTheOptionsOfTheOldOneAlong() {
        Form form;
        form.write("training.losses.0.label_smoothing", "0.1");
        QVERIFY(form.training().at("losses")[0].contains("label_smoothing"));
        form.choose("training.losses.0.type", "MSELoss");
        QVERIFY(!form.training().at("losses")[0].contains("label_smoothing"));
        QVERIFY(!form.editor<QLineEdit>("training.losses.0.label_smoothing"));
        form.workspace.document().undoStack()->undo();
        QCOMPARE(form.training().at("losses")[0].at("label_smoothing").get<double>(), 0.1);
        QVERIFY(form.editor<QLineEdit>("training.losses.0.label_smoothing"));
    }

    void metricsAreAddedAndRemoved() {
        Form form;
        const std::string before = form.text();
        auto* rows = form.form->findChild<widgets::FormWidget*>();
        Q_EMIT rows->addRequested("training.metrics", QStringLiteral("rmse"));
        QCOMPARE(form.training().at("metrics").size(), std::size_t{2});
        QCOMPARE(keysOf(form.training().at("metrics")[1]), (QStringList{"type", "output", "target"}));
        QVERIFY(form.editor<QComboBox>("training.metrics.1.output"));
        // What is there already is not offered again.
        for (const widgets::FieldSpec& field : rows->fields()) {
            if (field.path == "training.metrics") {
                QCOMPARE(field.choices.size(), static_cast<qsizetype>(plan::metricTypes().size()) - 2);
                for (const widgets::FieldChoice& choice : field.choices) {
                    QVERIFY(choice.value != QJsonValue("accuracy") && choice.value != QJsonValue("rmse"));
                }
            }
        }
        auto* remove = form.form->findChild<QToolButton*>("remove_training.metrics.1.type");
        QVERIFY(remove && !remove->accessibleName().isEmpty());
        remove->click();
        QCOMPARE(form.training().at("metrics").size(), std::size_t{1});
        QVERIFY(!form.editor<QComboBox>("training.metrics.1.type"));
        form.workspace.document().undoStack()->setIndex(0);
        QCOMPARE(form.text(), before);
    }

    void groupsOfParametersMakeTheirListWhenThereIsNone() {
        Form form;
        form.editor<QToolButton>("training.optimizer.groups")->click();
        QCOMPARE(form.training().at("optimizer").at("groups").size(), std::size_t{1});
        form.write("training.optimizer.groups.0.match", "*.bias");
        form.write("training.optimizer.groups.0.weight_decay", "0");
        QCOMPARE(form.training().at("optimizer").at("groups")[0].at("match").get<std::string>(), std::string("*.bias"));
        QVERIFY(form.workspace.document().project().training.optimizer.groups[0].weightDecay == 0.0);
        QVERIFY(!form.workspace.document().project().training.optimizer.groups[0].lr);
        form.write("training.optimizer.groups.0.weight_decay", "");
        QVERIFY(!form.training().at("optimizer").at("groups")[0].contains("weight_decay"));
    }

    void everyDetectorHasItsThresholds() {
        Form form;
        for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
            const std::string path = "monitor.detectors." + entry.spec.id;
            QVERIFY2(form.editor<QCheckBox>((path + ".enabled").c_str()), path.c_str());
            for (const diagnostics::ThresholdSpec& threshold : entry.spec.thresholds) {
                QVERIFY2(form.editor<QLineEdit>((path + "." + threshold.name).c_str()), threshold.name.c_str());
            }
        }
        const diagnostics::DetectorSpec& spec = diagnostics::detectors().back().spec;
        QVERIFY(!spec.thresholds.empty());
        const std::string path = "monitor.detectors." + spec.id;
        const std::string threshold = path + "." + spec.thresholds.front().name;
        form.editor<QCheckBox>((path + ".enabled").c_str())->setChecked(false);
        QCOMPARE(form.workspace.document().project().monitor.detectors.at(spec.id).at("enabled").get<bool>(), false);
        QVERIFY(form.editor<QLineEdit>(threshold.c_str())->parentWidget()->isHidden());
    }

    void aRefusedElementIsToldAndShownAsItWas() {
        Form form;
        QSignalSpy refused(&form.workspace.document(), &ProjectDocument::refused);
        const std::string before = form.text();
        form.write("training.losses.0.label_smoothing", "7");
        QCOMPARE(form.text(), before);
        QCOMPARE(refused.count(), 0);  // the field itself knows its limits
        auto* problem = form.form->findChild<QLabel*>("problem_training.losses.0.label_smoothing");
        QVERIFY(problem && !problem->text().isEmpty());
    }

    void aProblemStandsAtTheRowItMeans() {
        Form form;
        QVERIFY(form.workspace.document().setSetting("training.losses.0.target", "lable"));
        auto* problem = form.form->findChild<QLabel*>("problem_training.losses.0.target");
        QVERIFY(problem);
        QVERIFY2(problem->text().contains("lable"), qPrintable(problem->text()));
        QVERIFY(form.form->revealPointer("/training/losses/0/target"));
    }

    void theInitialisationOfABlockIsARowForEachKey() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        const auto init = [&]() -> const Json& { return open.document.project().model.root.find("conv")->init; };
        const auto paths = [&] {
            QStringList all;
            for (const widgets::FieldSpec& field : formOf(adapter, "conv").fields) {
                all << field.path;
            }
            return all;
        };
        QVERIFY(!paths().contains("@init.mode"));
        QVERIFY(applyField(adapter, "conv", "@init.scheme", "kaiming_normal"));
        QVERIFY(paths().contains("@init.mode") && paths().contains("@init.nonlinearity"));
        QVERIFY(applyField(adapter, "conv", "@init.mode", "fan_out"));
        QVERIFY(applyField(adapter, "conv", "@init.bias", 0));
        QCOMPARE(keysOf(init()), (QStringList{"scheme", "mode", "bias"}));
        QVERIFY(applyField(adapter, "conv", "@init.scheme", "normal"));
        QCOMPARE(keysOf(init()), (QStringList{"scheme", "bias"}));  // normal knows no mode
        QVERIFY(applyField(adapter, "conv", "@init.scheme", QJsonValue::Undefined));
        QVERIFY(init().is_null());
    }

    void groupsFoldAndStayFoldedUntilTheirSettingIsWanted() {
        const QString group = plumbline::gui::text(plan::findSetting("training.optimizer.lr")->group);
        {
            Form f;
            auto* heading = f.form->findChild<QToolButton*>("fold_" + group);
            QVERIFY(heading);
            QVERIFY(f.editor<QLineEdit>("training.optimizer.lr")->isVisible());
            heading->click();
            QVERIFY(!f.editor<QLineEdit>("training.optimizer.lr")->isVisible());
            QVERIFY(f.editor<QLineEdit>("training.stop.epochs")->isVisible());
            QVERIFY(f.workspace.document().setSetting("training.stop.epochs", 3));  // the form reads anew
            QVERIFY(!f.editor<QLineEdit>("training.optimizer.lr")->isVisible());
            f.form->filterField()->setText("optimizer.lr");  // what is searched is shown
            QVERIFY(f.editor<QLineEdit>("training.optimizer.lr")->isVisible());
            f.form->filterField()->clear();
            QVERIFY(!f.editor<QLineEdit>("training.optimizer.lr")->isVisible());
        }
        Form again;  // remembered
        QVERIFY(!again.editor<QLineEdit>("training.optimizer.lr")->isVisible());
        auto* heading = again.form->findChild<QToolButton*>("fold_" + group);
        QCOMPARE(heading->accessibleName(), group);
        QVERIFY(again.form->revealPointer("/training/optimizer/lr"));
        QVERIFY(again.editor<QLineEdit>("training.optimizer.lr")->isVisible());
        auto* all = again.form->findChild<QToolButton*>("training_settings_fold");
        all->click();
        QVERIFY(!again.editor<QLineEdit>("training.stop.epochs")->isVisible());
        QVERIFY(!again.editor<QLineEdit>("training.optimizer.lr")->isVisible());
        all->click();
        QVERIFY(again.editor<QLineEdit>("training.stop.epochs")->isVisible());
        QVERIFY(again.editor<QLineEdit>("training.optimizer.lr")->isVisible());
    }

    void tabLeadsFromTheSearchToTheFieldsInTheirOrder() {
        Form f;
        auto* form = f.form->findChild<widgets::FormWidget*>("training_settings");
        QVERIFY(QTest::qWaitForWindowExposed(f.form.get()));
        f.form->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(f.form.get()));
        f.form->filterField()->setText("learning");
        QTest::qWait(50);  // laid out
        f.form->filterField()->setFocus();
        QTest::keyClick(f.form->filterField(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("training_settings_fold"));
        QList<int> places;
        for (int i = 0; i < 6; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget* focus = QApplication::focusWidget();
            QVERIFY2(form->isAncestorOf(focus), qPrintable(focus->objectName()));
            places << focus->mapTo(form, QPoint(0, 0)).y();
            QTest::qWait(10);
        }
        QVERIFY(std::is_sorted(places.begin(), places.end()));
    }

    void aSearchIsOverWithItsProjectAndLeavesUndoToIt() {
        Form f;
        ProjectDocument& document = f.workspace.document();
        QVERIFY(document.applyPatch(
            "rate", Json::array({{{"op", "replace"}, {"path", "/training/optimizer/lr"}, {"value", 0.5}}})));
        QLineEdit* search = f.form->filterField();
        const auto isTaken = [search](const QKeySequence& keys) {
            const QKeyCombination key = keys[0];
            QKeyEvent event(QEvent::ShortcutOverride, key.key(), key.keyboardModifiers());
            event.ignore();
            QCoreApplication::sendEvent(search, &event);
            return event.isAccepted();
        };
        QVERIFY(!isTaken(QKeySequence::Undo) && !isTaken(QKeySequence::Redo));
        QTest::keyClicks(search, "lr");
        QVERIFY(isTaken(QKeySequence::Undo));  // of what was typed
        QVERIFY(document.create(smallProject(), filePath(f.temporary.filePath("another"))));
        QVERIFY(search->text().isEmpty());
    }

    void aPhaseIsAddedForAPartThatNoneTrainsAndTheProjectStaysWhole() {
        English english;
        Form f(adversaries());
        const std::string before = f.text();
        f.editor<QToolButton>("training.phases")->click();
        // The first one takes the losses, so that it has something to train towards.
        QVERIFY(f.training().at("phases") == Json::parse(R"([{"name": "generator", "train": "generator.*"}])"));
        QVERIFY(f.training().at("losses")[1].at("phase") == Json("generator"));
        QCOMPARE(f.workspace.document().undoStack()->count(), 1);
        f.editor<QToolButton>("training.phases")->click();
        QVERIFY(f.training().at("phases")[1] ==
                Json::parse(R"({"name": "discriminator", "train": "discriminator.*"})"));
        QVERIFY(!f.workspace.document().report().ok());  // it has no loss yet
        // A loss has one phase: taken by another, the first gives it up.
        f.editor<QCheckBox>("training.phases.1.minimises.0")->click();
        QVERIFY(f.training().at("losses")[0].at("phase") == Json("discriminator"));
        QVERIFY(!f.editor<QCheckBox>("training.phases.0.minimises.0")->isChecked());
        QVERIFY(f.editor<QCheckBox>("training.phases.0.minimises.1")->isChecked());
        QCOMPARE(f.editor<QComboBox>("training.losses.0.phase")->currentText(), QString("discriminator"));
        QCOMPARE(f.workspace.document().undoStack()->count(), 3);
        f.editor<QCheckBox>("training.phases.1.minimises.0")->click();
        QVERIFY(!f.training().at("losses")[0].contains("phase"));
        f.workspace.document().undoStack()->setIndex(0);
        QCOMPARE(f.text(), before);
    }

    void aModelInOnePieceHasOnePhaseForAllOfIt() {
        Form f;
        f.editor<QToolButton>("training.phases")->click();
        QVERIFY(f.training().at("phases") == Json::parse(R"([{"name": "phase", "train": "*"}])"));
        QVERIFY(f.workspace.document().report().ok());
    }

    void aPhasesOptimizerHasEveryRowOfTheMainOneAndStartsFromIt() {
        Form f(adversaries());
        f.editor<QToolButton>("training.phases")->click();
        auto* form = f.form->findChild<widgets::FormWidget*>("training_settings");
        const auto rowsOf = [form](const QString& prefix) {
            QStringList rows;
            for (const widgets::FieldSpec& field : form->fields()) {
                if (field.path.startsWith(prefix) && form->editor(field.path)->isVisible()) {
                    rows << field.path.mid(prefix.size());
                }
            }
            return rows;
        };
        const auto field = [form](const char* path) {
            const QList<widgets::FieldSpec> fields = form->fields();
            const auto found = std::find_if(fields.begin(), fields.end(),
                                            [path](const auto& each) { return each.path == QLatin1String(path); });
            return found == fields.end() ? widgets::FieldSpec() : *found;
        };
        for (const std::string& type : plan::namesOf(plan::optimizerTypes())) {
            f.choose("training.optimizer.type", text(type));
            // What the project states though this type has no such option stays in sight in the main form alone.
            QStringList wanted = rowsOf("training.optimizer.");
            wanted.removeIf([&type](const QString& row) {
                const std::vector<plan::TypeSpec>& all = plan::optimizerTypes();
                const auto has = [name = bytes(row)](const plan::TypeSpec& each) {
                    return each.option(name) != nullptr;
                };
                return std::any_of(all.begin(), all.end(), has) && !has(*plan::findType(all, type));
            });
            QCOMPARE(rowsOf("training.phases.0.optimizer.").join(' '), wanted.join(' '));
        }
        f.choose("training.optimizer.type", "Adam");
        QCOMPARE(field("training.phases.0.optimizer.lr").defaultValue.toDouble(), 0.002);
        QCOMPARE(field("training.phases.0.optimizer.betas").defaultValue.toArray().first().toDouble(), 0.5);
        // Of another type it takes over what that has as well, and has its own of what it has not.
        f.choose("training.phases.0.optimizer.type", "SGD");
        QVERIFY(f.training().at("phases")[0].at("optimizer") == Json::parse(R"({"type": "SGD"})"));
        QVERIFY(f.training().at("optimizer").at("type") == Json("Adam"));
        QVERIFY(!f.editor<QLineEdit>("training.phases.0.optimizer.betas"));
        QCOMPARE(field("training.phases.0.optimizer.momentum").defaultValue.toDouble(-1), 0.0);
        f.write("training.phases.0.optimizer.momentum", "0.9");
        f.write("training.phases.0.optimizer.lr", "0.05");
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.number("momentum"), 0.9);
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.lr, 0.05);
        // What is stated in vain stays in sight with its problem, and can be taken back.
        f.choose("training.phases.0.optimizer.type", "Adam");
        QVERIFY(f.editor<QLineEdit>("training.phases.0.optimizer.momentum"));
        auto* problem = f.form->findChild<QLabel*>("problem_training.phases.0.optimizer.momentum");
        QVERIFY(problem && !problem->text().isEmpty());
        f.form->findChild<QToolButton*>("reset_training.phases.0.optimizer.momentum")->click();
        QVERIFY(!f.editor<QLineEdit>("training.phases.0.optimizer.momentum"));
        f.form->findChild<QToolButton*>("reset_training.phases.0.optimizer.lr")->click();
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.lr, 0.002);
    }

    void aPhaseThatStatesGroupsKeepsThoseThatItHad() {
        English english;
        Json json = adversaries();
        json["training"]["optimizer"]["groups"] = Json::parse(R"([{"match": "*.bias", "weight_decay": 0}])");
        Form f(json);
        f.editor<QToolButton>("training.phases")->click();
        const std::string before = f.text();
        f.editor<QToolButton>("training.phases.0.optimizer.groups")->click();
        const auto& optimizer = f.workspace.document().project().training.phases[0].optimizer;
        QCOMPARE(optimizer.groups.size(), std::size_t{2});
        QCOMPARE(optimizer.groups[0].match, std::string("*.bias"));
        f.write("training.phases.0.optimizer.groups.1.match", "generator.out.*");
        f.write("training.phases.0.optimizer.groups.1.lr", "0.5");
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.groups[1].lr,
                 std::optional<double>(0.5));
        f.form->findChild<QToolButton*>("move_up_training.phases.0.optimizer.groups.1.match")->click();
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.groups[0].match,
                 std::string("generator.out.*"));
        f.form->findChild<QToolButton*>("remove_training.phases.0.optimizer.groups.0.match")->click();
        QCOMPARE(f.workspace.document().project().training.phases[0].optimizer.groups.size(), std::size_t{1});
        f.form->findChild<QToolButton*>("reset_training.phases.0.optimizer.groups")
            ->click();  // those of training.optimizer again
        QVERIFY(!f.training().at("phases")[0].at("optimizer").contains("groups"));
        f.workspace.document().undoStack()->setIndex(1);
        QCOMPARE(f.text(), before);
    }

    void whateverNamesAPhaseGoesWithItsNameAndNothingOfItsNamesakes() {
        const Json json = Json::parse(R"({"training": {
            "phases": [{"name": "a"}, {"name": "b"}, {"name": "b"}], "losses": [{"phase": "b"}, {"phase": "a"}],
            "early_stopping": {"series": "train.loss.a"}, "checkpoints": {"best": {"series": "lr/a: fc.*"}},
            "scheduler": {"series": "val.loss.ab"}, "stop": {"target": {"series": "val.loss.a"}}}})");
        const Json renamed = *applyJsonPatch(json, renamePhasePatch(json, 0, "c"));
        const Json& training = renamed.at("training");
        QVERIFY(training.at("losses")[1].at("phase") == Json("c"));
        QVERIFY(training.at("early_stopping").at("series") == Json("train.loss.c"));
        QVERIFY(training.at("checkpoints").at("best").at("series") == Json("lr/c: fc.*"));
        QVERIFY(training.at("scheduler").at("series") == Json("val.loss.ab"));
        QVERIFY(training.at("stop").at("target").at("series") == Json("val.loss.c"));
        const Json removed = *applyJsonPatch(json, removePhasePatch(json, 1));
        QCOMPARE(removed.at("training").at("phases").size(), std::size_t{2});
        QVERIFY(removed.at("training").at("losses")[0].at("phase") == Json("b"));
    }

    void aPhaseIsRenamedMovedAndRemovedWithWhatNamesIt() {
        English english;
        Json json = adversaries();
        json["training"]["phases"] = Json::parse(
            R"([{"name": "a", "train": "generator.*"}, {"name": "b", "train": "discriminator.*", "optimizer": {"lr": 0.01}, "every": 2}])");
        json["training"]["losses"][0]["phase"] = "b";
        json["training"]["losses"][1]["phase"] = "a";
        json["training"]["early_stopping"] = {{"patience", 2}, {"series", "val.loss.b"}};
        json["training"]["checkpoints"]["best"] = {{"series", "val.loss.b"}, {"mode", "min"}};
        Form f(json);
        const std::string before = f.text();
        QUndoStack* undo = f.workspace.document().undoStack();
        QCOMPARE(f.form->findChild<QToolButton*>("fold_Phase 2")->text(), QString("Phase 2: b"));
        f.write("training.phases.1.name", "critic");
        QCOMPARE(f.form->findChild<QToolButton*>("fold_Phase 2")->text(), QString("Phase 2: critic"));
        QVERIFY(f.training().at("losses")[0].at("phase") == Json("critic"));
        QVERIFY(f.training().at("early_stopping").at("series") == Json("val.loss.critic"));
        QVERIFY(f.training().at("checkpoints").at("best").at("series") == Json("val.loss.critic"));
        QVERIFY(f.workspace.document().report().ok());
        QCOMPARE(undo->count(), 1);
        QVERIFY(!f.form->findChild<QToolButton*>("move_up_training.phases.0.name")->isEnabled());
        QVERIFY(!f.form->findChild<QToolButton*>("move_down_training.phases.1.name")->isEnabled());
        QCOMPARE(f.form->findChild<QToolButton*>("move_up_training.phases.1.name")->accessibleName(),
                 QString("Move phase 2 up"));
        f.form->findChild<QToolButton*>("move_up_training.phases.1.name")->click();
        QVERIFY(
            f.training().at("phases")[0] ==
            Json::parse(R"({"name": "critic", "train": "discriminator.*", "optimizer": {"lr": 0.01}, "every": 2})"));
        QCOMPARE(f.editor<QLineEdit>("training.phases.0.optimizer.lr")->text(), QString("0.01"));
        QVERIFY(f.editor<QCheckBox>("training.phases.0.minimises.0")->isChecked());
        QCOMPARE(undo->count(), 2);
        f.form->findChild<QToolButton*>("remove_training.phases.0.name")->click();
        QCOMPARE(f.training().at("phases").size(), std::size_t{1});
        QVERIFY(!f.training().at("losses")[0].contains("phase"));
        QVERIFY(f.training().at("losses")[1].at("phase") == Json("a"));
        QCOMPARE(undo->count(), 3);
        undo->setIndex(0);
        QCOMPARE(f.text(), before);
    }

    void parametersAreChosenByPatternsThatTheModelOffers() {
        Form f(adversaries());
        f.editor<QToolButton>("training.phases")->click();
        auto* train = f.editor<QLineEdit>("training.phases.0.train");
        const QCompleter* completer = train->completer();
        QVERIFY(completer);
        const auto offered = [completer] {
            QStringList all;
            for (int row = 0; row < completer->completionModel()->rowCount(); ++row) {
                all << completer->completionModel()->index(row, 0).data().toString();
            }
            return all;
        };
        train->completer()->setCompletionPrefix("discr");
        QCOMPARE(offered(), (QStringList{"discriminator.*", "discriminator.out.*", "discriminator.out.weight",
                                         "discriminator.out.bias"}));
        f.write("training.phases.0.train", "generator.out.weight, discriminator.out.bias");
        QVERIFY(f.training().at("phases")[0].at("train") ==
                Json::parse(R"(["generator.out.weight", "discriminator.out.bias"])"));
        f.write("training.phases.0.train", "generator.*");
        QVERIFY(f.training().at("phases")[0].at("train") == Json("generator.*"));
        // Of a list the element that is being typed is completed.
        train->setText("generator.*, out.b");
        train->completer()->setCompletionPrefix(train->text());
        QVERIFY(offered().contains("discriminator.out.bias"));
        QVERIFY(train->completer()->setCurrentRow(static_cast<int>(offered().indexOf("discriminator.out.bias"))));
        QCOMPARE(completer->currentCompletion(), QString("generator.*, discriminator.out.bias"));
        QVERIFY(f.editor<QLineEdit>("training.no_grad")->completer());
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::FormsTest>(argc, argv);
}

#include "test_forms.moc"
