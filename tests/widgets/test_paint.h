// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What plots and canvas show by their pixels, and what the mouse over them tells.
class TestPaint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWheelZoomsIntoWhatIsUnderThePointer();
    void theReadOutFollowsTheMouseUntilItLeaves();
    void theRawCurveStandsPaleBehindItsSmoothedOne();
    void whatIsNotFiniteOrSkippedIsMarkedOnTheAxis();
    void everySecondEpochHasABand();
    void manyPointsAreDrawnWithAThinPen();
    void portsThatFitLightUpAndBlocksThatDoNotFade();
    void aPortThatDoesNotFitSaysWhy();
    void aBadgeSitsOnTheUpperRightCornerAndTellsItsText();
    void farAwayABlockIsItsNameThenItsColourAlone();
};
