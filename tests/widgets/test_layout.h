// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChainIsAStraightLine();
    void aSkipLeavesTheMainPathStraight();
    void edgesRunToTheRightAndNothingOverlaps();
    void cyclesSelfLoopsAndWildIndicesAreSurvived();
    void separatePartsStandBelowEachOther();
    void theSameGraphGivesTheSamePicture();
    void aLargeGraphHasNoOverlap();
    void aLongChainGoesOnInTheNextRow();
    void namesOfBlocksFindTheirPlaces();
};
