#!/usr/bin/env python3
"""Wine (classification, 178 rows) and diabetes (regression, 442 rows) as CSV.

Needs: scikit-learn
"""
import pathlib

from sklearn.datasets import load_diabetes, load_wine

from csv_table import write_csv

PROJECTS = pathlib.Path(__file__).resolve().parents[2] / "projects"

wine = load_wine()
write_csv(
    PROJECTS / "wine" / "data" / "wine.csv",
    # A slash in a column's name would read as a path: OD280/OD315 is a ratio of two absorbances.
    [name.replace("/", "_") for name in wine.feature_names] + ["class"],
    [list(row) + [str(wine.target_names[label])] for row, label in zip(wine.data, wine.target)],
)

# scaled=False: the measurements as they were taken, not the normalised ones that the package gives by default.
diabetes = load_diabetes(scaled=False)
write_csv(
    PROJECTS / "diabetes" / "data" / "diabetes.csv",
    list(diabetes.feature_names) + ["target"],
    [list(row) + [value] for row, value in zip(diabetes.data, diabetes.target)],
)
