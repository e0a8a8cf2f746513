#!/usr/bin/env python3
"""Handwritten digits, 1,797 images of 8x8 pixels (0..16), as IDX for digits-cnn and digits-mlp.

Needs: scikit-learn
"""
import pathlib

from sklearn.datasets import load_digits

from idx import write_idx_gz

PROJECTS = pathlib.Path(__file__).resolve().parents[2] / "projects"

digits = load_digits()
images = digits.images.astype("uint8")
labels = digits.target.astype("uint8")
if not (images == digits.images).all() or images.max() != 16:
    raise SystemExit("the digits are no longer whole numbers from 0 to 16")
for project in ("digits-cnn", "digits-mlp"):
    write_idx_gz(PROJECTS / project / "data" / "images.idx.gz", images.tobytes(), images.shape)
    write_idx_gz(PROJECTS / project / "data" / "labels.idx.gz", labels.tobytes(), labels.shape)
