// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestCanvas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDragMovesOnce();
    void aDragOfASelectionMovesAllOfIt();
    void escapePutsADragBack();
    void aDragSnapsToANeighboursLine();
    void aWireConnectsTwoPorts();
    void aWireMayBeDroppedOnTheBlockAndDrawnBackwards();
    void aPortThatDoesNotFitTakesNoWire();
    void aWireInTheOpenAsksForABlock();
    void aPortThatIsPressedAsksForABlock();
    void aWireTakenOffItsInputIsMovedOrRemoved();
    void aBlockDroppedOnAWireIsInserted();
    void keysAskForWhatTheySay();
    void arrowsGoToTheNeighbour();
    void doubleClickAddsEntersOrActivates();
    void aBandSelectsWhatItTouches();
    void aWireCanBeSelectedAndDeleted();
    void selectionZoomAndScrollSurviveARefresh();
    void eachLevelIsShownWhereItWasLeft();
    void panningAndWheelChangeTheViewAlone();
    void fitShowsEverything();
    void aLevelIsFirstShownAtASizeThatCanBeRead();
    void aLevelThatCanBeReadWholeIsFirstShownWhole();
    void aWireToTheNextRowRunsBetweenTheRowsAndCanBePressed();
    void aMenuIsAboutWhatWasPressed();
    void aBlockThatVanishesDuringADragDoesNoHarm();
    void theModelMayGoFirst();
    void theListSelectsInStepWithTheCanvas();
    void allSizesOfZoomArePainted();
    void shapesStandOnTheWiresOfTheAutomaticLayout();
    void aShapeStandsAboveBlocksThatAreCloseTogether();
};
