// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCommitIsToldOnce();
    void leavingAFieldCommits();
    void settingAValueTellsNothing();
    void aWrongValueIsRefusedWithASentence();
    void anExpressionIsTakenWhereItIsAllowed();
    void resetGivesTheDefaultBack();
    void textBeingTypedSurvivesARefresh();
    void aFieldKeepsItsOwnUndoAcrossACommit();
    void aLabelNeverTouchesItsField();
    void whatIsChosenFromIsOpenedAndHoldsNothingUp();
    void problemsStandAtTheirFields();
    void anEditMayRebuildTheForm();
    void aWheelOverAChoiceWithoutFocusLeavesIt();
    void fieldsHaveNamesForPeopleAndPrograms();
    void filterHidesTheRest();
    void aFilterThatFindsNothingSaysSo();
    void whatWasRefusedIsSoNoLongerOnceItsTextIsMended();
    void undoOfTheDocumentTakesWhatWasRefusedAway();
    void valuesSurviveTheWayThroughText_data();
    void valuesSurviveTheWayThroughText();
    void aLongNumberIsReadFromItsStartAndEditedWhole();
    void aRefusedFieldIsNamedUntilItIsMended();
    void whatIsNoValueIsRefused_data();
    void whatIsNoValueIsRefused();
};
