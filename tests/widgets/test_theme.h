// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textHasContrastOfFourAndAHalf();
    void whatCarriesMeaningHasContrastOfThree();
    void heatRampGrowsEvenlyInBrightness();
    void switchingModesChangesPaletteAndTells();
    void everyPictureNamedInTheStyleSheetExists();
    void everyIconDrawsSomethingInTheAskedColour();
    void severitiesHaveShapesOfTheirOwn();
    void figuresOfNumbersAreEquallyWide();
};
