// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_form.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFocusEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "widgets/form_widget.h"
#include "widgets/theme.h"

using namespace plumbline::widgets;

namespace {

FieldSpec makeField(const QString& path, FieldType type, const QJsonValue& defaultValue = QJsonValue::Undefined) {
    FieldSpec spec;
    spec.path = path;
    spec.type = type;
    spec.defaultValue = defaultValue;
    return spec;
}

QList<FieldSpec> convolutionFields() {
    FieldSpec channels = makeField(QStringLiteral("out_channels"), FieldType::Integer);
    channels.minimum = 1;
    channels.allowsExpression = true;
    channels.help = QStringLiteral("Number of filters.");
    FieldSpec kernel = makeField(QStringLiteral("kernel_size"), FieldType::List, 3);
    kernel.scalarAllowed = true;
    FieldSpec bias = makeField(QStringLiteral("bias"), FieldType::Boolean, true);
    FieldSpec padding = makeField(QStringLiteral("padding_mode"), FieldType::Choice, QStringLiteral("zeros"));
    padding.choices = {{QStringLiteral("zeros"), {}, {}}, {QStringLiteral("reflect"), {}, {}}};
    FieldSpec rate = makeField(QStringLiteral("lr"), FieldType::Real, 1e-3);
    rate.minimum = 0;
    return {channels, kernel, bias, padding, rate};
}

void type(QWidget* field, const QString& text, bool enter = true) {
    auto* line = qobject_cast<QLineEdit*>(field);
    QVERIFY(line);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    if (enter)
        QTest::keyClick(line, Qt::Key_Return);
}

}  // namespace

void TestForm::aLabelNeverTouchesItsField() {
    FormWidget form;
    FieldSpec longest = makeField(QStringLiteral("label_smoothing"), FieldType::Real, 0.0);
    longest.nested = 1;
    form.setFields({makeField(QStringLiteral("lr"), FieldType::Real, 0.1), longest,
                    makeField(QStringLiteral("weight decay of the optimizer"), FieldType::Real, 0.1)});
    form.show();
    for (const int width : {200, 230, 262, 280, 300, 340, 420, 600}) {
        form.resize(width, 400);
        QCoreApplication::sendPostedEvents();
        for (QLabel* label : form.findChildren<QLabel*>()) {
            if (label->text() != QLatin1String("label_smoothing") && label->text() != QLatin1String("lr"))
                continue;
            const auto* line = form.findChild<QLineEdit*>(QStringLiteral("field_") + label->text());
            const QRect text(label->mapTo(&form, QPoint(label->contentsMargins().left(), 0)),
                             QSize(label->fontMetrics().horizontalAdvance(label->text()), label->height()));
            const QRect field(line->mapTo(&form, QPoint()), line->size());
            QVERIFY2(!text.adjusted(0, 0, space::kTiny, 0).intersects(field),
                     qPrintable(QStringLiteral("%1 at %2").arg(label->text()).arg(width)));
        }
    }
}

void TestForm::whatIsChosenFromIsOpenedAndHoldsNothingUp() {
    FormWidget form;
    FieldSpec file = makeField(QStringLiteral("path"), FieldType::Path);
    FieldSpec list = makeField(QStringLiteral("losses"), FieldType::Add);
    list.choices = {{QStringLiteral("one"), {}, {}}, {QStringLiteral("two"), {}, {}}};
    form.setFields({file, list});
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    QSignalSpy additions(&form, &FormWidget::addRequested);
    form.findChild<QToolButton*>(QStringLiteral("browse_path"))->click();  // comes back
    auto* dialog = form.findChild<QFileDialog*>(QStringLiteral("dialog_path"));
    QVERIFY(dialog && dialog->fileMode() == QFileDialog::ExistingFile);
    Q_EMIT dialog->fileSelected(QStringLiteral("/somewhere/table.csv"));
    QCOMPARE(edits.count(), 1);
    QCOMPARE(edits.first().at(1).value<QJsonValue>().toString(), QStringLiteral("/somewhere/table.csv"));
    dialog->close();
    form.findChild<QToolButton*>(QStringLiteral("field_losses"))->click();
    auto* menu = form.findChild<QMenu*>(QStringLiteral("menu_losses"));
    QVERIFY(menu && menu->actions().size() == 2);
    menu->actions().at(1)->trigger();
    QCOMPARE(additions.count(), 1);
    QCOMPARE(additions.first().at(1).value<QJsonValue>().toString(), QStringLiteral("two"));
    menu->close();
}

void TestForm::aCommitIsToldOnce() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("32"));
    QCOMPARE(edits.count(), 1);
    QCOMPARE(edits[0][0].toString(), QStringLiteral("out_channels"));
    QCOMPARE(edits[0][1].toJsonValue(), QJsonValue(32));
    form.editor(QStringLiteral("lr"))->setFocus();  // leaving the field says nothing more
    QTest::keyClick(form.editor(QStringLiteral("lr")), Qt::Key_Return);
    QCOMPARE(edits.count(), 1);
}

void TestForm::leavingAFieldCommits() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    QSignalSpy edits(&form, &FormWidget::edited);
    type(form.editor(QStringLiteral("lr")), QStringLiteral("1e-2"), false);
    QCOMPARE(edits.count(), 0);
    form.editor(QStringLiteral("out_channels"))->setFocus();
    QCOMPARE(edits.count(), 1);
    QCOMPARE(edits[0][1].toJsonValue(), QJsonValue(0.01));
}

void TestForm::settingAValueTellsNothing() {
    FormWidget form;
    form.setFields(convolutionFields());
    QSignalSpy edits(&form, &FormWidget::edited);
    form.setValues({{QStringLiteral("out_channels"), 16},
                    {QStringLiteral("bias"), false},
                    {QStringLiteral("padding_mode"), QStringLiteral("reflect")}});
    QCOMPARE(edits.count(), 0);
    QCOMPARE(qobject_cast<QLineEdit*>(form.editor(QStringLiteral("out_channels")))->text(), QStringLiteral("16"));
    QVERIFY(!qobject_cast<QCheckBox*>(form.editor(QStringLiteral("bias")))->isChecked());
    QCOMPARE(qobject_cast<QComboBox*>(form.editor(QStringLiteral("padding_mode")))->currentText(),
             QStringLiteral("reflect"));
}

void TestForm::aWheelOverAChoiceWithoutFocusLeavesIt() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    form.editor(QStringLiteral("lr"))->setFocus();
    QSignalSpy edits(&form, &FormWidget::edited);
    auto* choice = qobject_cast<QComboBox*>(form.editor(QStringLiteral("padding_mode")));
    QVERIFY(choice);
    const QPointF place = QRectF(choice->rect()).center();
    QWheelEvent wheel(place, choice->mapToGlobal(place), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&wheel);  // as from a mouse: only then can it give focus
    qApp->notify(choice, &wheel);
    QCOMPARE(choice->currentText(), QStringLiteral("zeros"));
    QVERIFY(!choice->hasFocus());
    QCOMPARE(edits.count(), 0);
}

void TestForm::aWrongValueIsRefusedWithASentence() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("many"));
    QCOMPARE(edits.count(), 0);
    auto* problem = form.findChild<QLabel*>(QStringLiteral("problem_out_channels"));
    QVERIFY(problem->isVisible());
    QVERIFY(problem->text().contains(QStringLiteral("whole number")));
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("0"));
    QCOMPARE(edits.count(), 0);
    QVERIFY(problem->text().contains(QStringLiteral("at least 1")));
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("8"));
    QCOMPARE(edits.count(), 1);
    QVERIFY(!problem->isVisible());
}

void TestForm::anExpressionIsTakenWhereItIsAllowed() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("=channels * 2"));
    QCOMPARE(edits.last()[1].toJsonValue(), QJsonValue(QStringLiteral("=channels * 2")));
    type(form.editor(QStringLiteral("lr")), QStringLiteral("=2"));
    QCOMPARE(edits.count(), 1);
}

void TestForm::resetGivesTheDefaultBack() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    form.setValue(QStringLiteral("lr"), 0.5);
    auto* reset = form.findChild<QToolButton*>(QStringLiteral("reset_lr"));
    QVERIFY(reset->isVisible());
    QSignalSpy edits(&form, &FormWidget::edited);
    reset->click();
    QCOMPARE(edits.count(), 1);
    QVERIFY(edits[0][1].toJsonValue().isUndefined());
    QVERIFY(!reset->isVisible());
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    QCOMPARE(line->text(), QString());
    QCOMPARE(line->placeholderText(), QStringLiteral("0.001"));
}

void TestForm::textBeingTypedSurvivesARefresh() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.setValue(QStringLiteral("lr"), 0.5);
    form.show();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    type(line, QStringLiteral("0.2"), false);
    form.setFields(convolutionFields());
    form.setValue(QStringLiteral("lr"), 0.5);  // the same value again: somebody else's change elsewhere
    QCOMPARE(form.editor(QStringLiteral("lr")), line);
    QCOMPARE(line->text(), QStringLiteral("0.2"));
    form.setValue(QStringLiteral("lr"), 0.7);
    QCOMPARE(line->text(), QStringLiteral("0.7"));
}

void TestForm::aFieldKeepsItsOwnUndoAcrossACommit() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    connect(&form, &FormWidget::edited, &form,
            [&form](const QString& path, const QJsonValue& value) { form.setValue(path, value); });
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("out_channels")));
    type(line, QStringLiteral("32"));
    QVERIFY(line->isUndoAvailable());
    line->undo();
    QCOMPARE(line->text(), QString());
}

void TestForm::problemsStandAtTheirFields() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    form.setProblems(
        {{QStringLiteral("bias"), {Severity::Warning, QStringLiteral("Without effect before BatchNorm2d.")}}});
    QVERIFY(form.findChild<QLabel*>(QStringLiteral("problem_bias"))->isVisible());
    form.setProblems({});
    QVERIFY(!form.findChild<QLabel*>(QStringLiteral("problem_bias"))->isVisible());
}

void TestForm::anEditMayRebuildTheForm() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    connect(&form, &FormWidget::edited, &form,
            [&form] { form.setFields({makeField(QStringLiteral("other"), FieldType::Text, QStringLiteral("x"))}); });
    type(form.editor(QStringLiteral("out_channels")), QStringLiteral("4"));
    QVERIFY(form.editor(QStringLiteral("other")));
    QVERIFY(!form.editor(QStringLiteral("out_channels")));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void TestForm::fieldsHaveNamesForPeopleAndPrograms() {
    FormWidget form;
    form.setFields(convolutionFields());
    for (const FieldSpec& spec : form.fields()) {
        QWidget* editor = form.editor(spec.path);
        QCOMPARE(editor->objectName(), QStringLiteral("field_") + spec.path);
        QCOMPARE(editor->accessibleName(), spec.path);
        QVERIFY(form.findChild<QWidget*>(QStringLiteral("reset_") + spec.path));
    }
    QVERIFY(form.editor(QStringLiteral("out_channels"))->accessibleDescription().contains(QStringLiteral("filters")));
}

void TestForm::aFilterThatFindsNothingSaysSo() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    auto* none = form.findChild<QLabel*>(QStringLiteral("formNoMatch"));
    QVERIFY(none->isHidden());
    form.setFilter(QStringLiteral("kernel"));
    QVERIFY(none->isHidden());
    form.setFilter(QStringLiteral("zebra"));
    QVERIFY(!none->isHidden());
    QVERIFY2(none->text().contains(QStringLiteral("zebra")), qPrintable(none->text()));
    form.setFilter({});
    QVERIFY(none->isHidden());
}

void TestForm::whatWasRefusedIsSoNoLongerOnceItsTextIsMended() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.setValue(QStringLiteral("lr"), 0.1);
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    auto* problem = form.findChild<QLabel*>(QStringLiteral("problem_lr"));
    type(line, QStringLiteral("fast"));
    QVERIFY(!problem->text().isEmpty());
    QCOMPARE(line->property("problem").toString(), QStringLiteral("critical"));
    while (line->text() != QLatin1String("0.1") && line->isUndoAvailable())
        line->undo();  // as Ctrl+Z in the field
    QCOMPARE(line->text(), QStringLiteral("0.1"));
    QVERIFY2(problem->text().isEmpty(), qPrintable(problem->text()));
    QCOMPARE(line->property("problem").toString(), QString());
    type(line, QStringLiteral("fast"));
    type(line, QStringLiteral("0.2"), false);
    QVERIFY(problem->text().isEmpty());
    QCOMPARE(edits.count(), 0);  // not before it is committed
}

void TestForm::undoOfTheDocumentTakesWhatWasRefusedAway() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.setValue(QStringLiteral("lr"), 0.1);
    form.show();
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    auto* problem = form.findChild<QLabel*>(QStringLiteral("problem_lr"));
    type(line, QStringLiteral("fast"));
    form.editor(QStringLiteral("kernel_size"))->setFocus();
    form.setValue(QStringLiteral("lr"), 0.1);
    QCOMPARE(line->text(), QStringLiteral("fast"));  // an edit elsewhere leaves it to be mended
    form.dropRefused();
    QCOMPARE(line->text(), QStringLiteral("0.1"));
    QVERIFY(problem->text().isEmpty());
    QCOMPARE(line->property("problem").toString(), QString());
}

void TestForm::filterHidesTheRest() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    form.setFilter(QStringLiteral("kernel"));
    QVERIFY(form.editor(QStringLiteral("kernel_size"))->isVisible());
    QVERIFY(!form.editor(QStringLiteral("lr"))->isVisible());
}

void TestForm::valuesSurviveTheWayThroughText_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("integer") << int(FieldType::Integer) << "42" << QJsonValue(42);
    QTest::newRow("large integer") << int(FieldType::Integer) << "9007199254740993"
                                   << QJsonValue(qint64(9007199254740993));
    QTest::newRow("real") << int(FieldType::Real) << "0.1" << QJsonValue(0.1);
    QTest::newRow("short real") << int(FieldType::Real) << "0.0005" << QJsonValue(0.0005);
    QTest::newRow("long real") << int(FieldType::Real) << "0.0031622776601683794" << QJsonValue(0.0031622776601683794);
    QTest::newRow("large real") << int(FieldType::Real) << "250000.5" << QJsonValue(250000.5);
    QTest::newRow("small real") << int(FieldType::Real) << "1e-08" << QJsonValue(1e-8);
    QTest::newRow("list") << int(FieldType::List) << "3, 5" << QJsonValue(QJsonArray{3, 5});
    QTest::newRow("list of one") << int(FieldType::List) << "[3]" << QJsonValue(QJsonArray{3});
    QTest::newRow("scalar list") << int(FieldType::List) << "3" << QJsonValue(3);
    QTest::newRow("words") << int(FieldType::List) << "a, b" << QJsonValue(QJsonArray{"a", "b"});
    QTest::newRow("json") << int(FieldType::Json) << "{\"a\":[1,null]}"
                          << QJsonValue(QJsonObject{{"a", QJsonArray{1, QJsonValue()}}});
    QTest::newRow("json text") << int(FieldType::Json) << "\"x\"" << QJsonValue("x");
    QTest::newRow("text") << int(FieldType::Text) << " two words " << QJsonValue(" two words ");
    QTest::newRow("expression") << int(FieldType::Expression) << "=a // 2" << QJsonValue("=a // 2");
    QTest::newRow("None") << int(FieldType::Integer) << "None" << QJsonValue(QJsonValue::Null);
    QTest::newRow("auto") << int(FieldType::Integer) << "auto" << QJsonValue("auto");
}

void TestForm::valuesSurviveTheWayThroughText() {
    QFETCH(int, type);
    QFETCH(QString, text);
    QFETCH(QJsonValue, value);
    FieldSpec spec = makeField(QStringLiteral("x"), static_cast<FieldType>(type));
    spec.scalarAllowed = true;
    spec.nullable = true;
    spec.words = QStringList{QStringLiteral("auto")};
    QString problem;
    QCOMPARE(parseField(spec, text, &problem), value);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QCOMPARE(fieldText(spec, value), text);
}

void TestForm::aLongNumberIsReadFromItsStartAndEditedWhole() {
    QCOMPARE(plainNumber(0.0005), QStringLiteral("0.0005"));
    QCOMPARE(plainNumber(0.0031622776601683794, kReadDigits), QStringLiteral("0.00316228"));
    QCOMPARE(plainNumber(1.5e-7), QStringLiteral("1.5e-07"));
    QCOMPARE(plainNumber(-0.25, kReadDigits), QStringLiteral("-0.25"));

    FormWidget form;
    form.setFields({makeField(QStringLiteral("lr"), FieldType::Real, 1e-3),
                    makeField(QStringLiteral("name"), FieldType::Text, QString())});
    const double exact = 0.0031622776601683794;
    form.setValues({{QStringLiteral("lr"), exact}});
    form.show();
    QSignalSpy edits(&form, &FormWidget::edited);
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    QVERIFY(line);
    QCOMPARE(line->text(), QStringLiteral("0.00316228"));
    QCOMPARE(line->cursorPosition(), 0);
    QVERIFY(line->toolTip().contains(QStringLiteral("0.0031622776601683794")));
    form.commitPending();  // what is shown shortened is no edit
    QCOMPARE(edits.size(), 0);
    QCOMPARE(form.value(QStringLiteral("lr")), QJsonValue(exact));

    QFocusEvent in(QEvent::FocusIn, Qt::TabFocusReason), out(QEvent::FocusOut, Qt::TabFocusReason);
    QApplication::sendEvent(line, &in);
    QCOMPARE(line->text(), QStringLiteral("0.0031622776601683794"));
    line->setText(QStringLiteral("0.00316228"));  // what was shown can be meant
    QApplication::sendEvent(line, &out);
    QCOMPARE(form.value(QStringLiteral("lr")), QJsonValue(0.00316228));
    QCOMPARE(line->cursorPosition(), 0);
}

void TestForm::aRefusedFieldIsNamedUntilItIsMended() {
    FormWidget form;
    form.setFields(convolutionFields());
    form.show();
    QVERIFY(form.refusedField().isEmpty());
    auto* line = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("lr")));
    line->setText(QStringLiteral("abc"));
    form.commitPending();
    QCOMPARE(form.refusedField(), QStringLiteral("lr"));
    QVERIFY2(form.refusal(QStringLiteral("lr")).contains(QStringLiteral("abc")),
             qPrintable(form.refusal(QStringLiteral("lr"))));
    form.setFieldVisible(QStringLiteral("lr"), false);  // its setting does not apply
    QVERIFY(form.refusedField().isEmpty());
    form.setFieldVisible(QStringLiteral("lr"), true);
    line->setText(QStringLiteral("0.5"));
    form.commitPending();
    QVERIFY(form.refusedField().isEmpty());
}

void TestForm::whatIsNoValueIsRefused_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("text");
    QTest::newRow("fraction") << int(FieldType::Integer) << "1.5";
    QTest::newRow("empty") << int(FieldType::Integer) << "";
    QTest::newRow("infinite") << int(FieldType::Real) << "inf";
    QTest::newRow("nan") << int(FieldType::Real) << "nan";
    QTest::newRow("word") << int(FieldType::Real) << "fast";
    QTest::newRow("hole in list") << int(FieldType::List) << "3,,3";
    QTest::newRow("broken list") << int(FieldType::List) << "[3, 3";
    QTest::newRow("broken json") << int(FieldType::Json) << "{";
    QTest::newRow("two json values") << int(FieldType::Json) << "1, 2";
    QTest::newRow("bare expression") << int(FieldType::Expression) << "a * 2";
    QTest::newRow("boolean") << int(FieldType::Boolean) << "yes";
}

void TestForm::whatIsNoValueIsRefused() {
    QFETCH(int, type);
    QFETCH(QString, text);
    QString problem;
    QVERIFY(parseField(makeField(QStringLiteral("x"), static_cast<FieldType>(type)), text, &problem).isUndefined());
    QVERIFY(!problem.isEmpty());
    QVERIFY(problem.endsWith(QLatin1Char('.')) || problem.contains(QLatin1Char('=')));
}
