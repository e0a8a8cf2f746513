// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestPlot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePyramidAnswersAsASearchWould();
    void smoothingIsTheBiasCorrectedAverage();
    void appendingInPiecesSmoothsAsAtOnce();
    void aResumedRunReplacesWhatCameAfterItsCheckpoint();
    void valuesOutOfOrderAreSorted();
    void newDataNeverResetsAZoom();
    void withoutAZoomTheAxesFollowTheData();
    void draggingZoomsIntoTheBoxAndDoubleClickResets();
    void aFlatDragZoomsTheStepsAlone();
    void keysPanZoomAndReset();
    void plotsOfAGroupShareCursorAndSteps();
    void aMarkThatIsClickedIsTold();
    void otherAxesRedrawTheSameValues();
    void logAxisKeepsToPositiveValues();
    void whatIsNoStepHasItsOwnName();
    void theNewestValuesAreATable();
    void exportsInFourFormatsAndRefusesAFifth();
    void copyingGivesPictureDrawingAndText();
    void oddDataIsDrawnWithoutHarm();
    void noTwoOfManyCurvesLookAlike();
    void theTitleChoosesAmongSeveral();
    void namesOfSeriesNeverCoverTheTitle();
    void whatStaysAtZeroIsDrawnAtTheFootOfAnAxisWithoutNegativeNumbers();
    void hiddenPlotsDoNotPaintUntilTheyAreShown();
};
