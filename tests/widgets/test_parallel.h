// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestParallel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aValueStandsWhereItsAxisHasIt();
    void coloursAreReadableInBothModesAndGoFromTheBestOn();
    void theLineUnderThePointerIsReadOutAndSelectedByAClick();
    void aDragAlongAnAxisMarksARangeAndADoubleClickTakesItAway();
    void aRangeIsMovedAndItsEndsAreDragged();
    void linesOutsideTheRangesFadeAndAreNotFound();
    void theKeyboardReachesEveryLineAndMarksRanges();
    void rangesAndWhatIsSelectedOutliveNewContent();
    void aLineWithoutAValueEndsBeforeTheLastAxis();
    void theContentIsItsDescriptionAndATable();
    void itIsExportedAsPictureDrawingAndTable();
    void aLayerIsDrawnInPiecesAndTheLastWholeOneIsShownMeanwhile();
    void tenThousandLinesAreDrawnPieceByPieceAndThenKept();
    void nothingAndOneLineAndOddNumbersAreDrawnToo();
};
