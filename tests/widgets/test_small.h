// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestSmall : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void searchRanksTheCloserAnswerHigher();
    void thePopupFiltersAndChoosesByKeyboard();
    void closingThePopupWithoutAChoiceIsTold();
    void thePaletteTriggersActionsOfTheWindow();
    void returnAndDoubleClickInAnEditorOfATableDoNotOpenTheRow();
    void tablesSortNumbersAndKeepEmptyOnesLast();
    void tablesFilterByAllWordsAndCopyAsTsv();
    void barsAreReadByKeyboardAndAsText();
    void spansOfAFlameAreReadByKeyboardAndOpened();
    void namesOfBarsNeverCoverTheTitle();
    void imagesKeepTheirPlaceWhenReplaced();
    void theBannerSpeaksAndGoes();
    void whatIsMerelyToldLeavesByItself();
    void aSecondButtonOfTheBannerIsThereForOneSentence();
    void binsOfSeveralSeriesHaveTheirRanges();
    void labelsElideAndChipsAreButtons();
    void numbersAreShortAndTicksRound();
};
