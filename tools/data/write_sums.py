#!/usr/bin/env python3
"""Writes the text of the project char-transformer: small sums in words, the same every time, cut into windows of 64 characters.

Needs: nothing but Python's standard library
"""
import pathlib
import random

from idx import write_idx_gz

TARGET = pathlib.Path(__file__).resolve().parents[2] / "projects" / "char-transformer" / "data"
WINDOW = 64
WINDOWS = 2048
ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen").split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def words(number):
    """0 to 99 in words."""
    if number < 20:
        return ONES[number]
    ten = TENS[number // 10 - 2]
    return ten if number % 10 == 0 else f"{ten}-{ONES[number % 10]}"


def sentence(rng):
    one = rng.randrange(0, 50)
    other = rng.randrange(0, 50)
    kind = rng.randrange(4)
    if kind == 0:
        return f"{words(one)} and {words(other)} make {words(one + other)}. "
    if kind == 1:
        return f"{words(one + other)} less {words(other)} leaves {words(one)}. "
    if kind == 2:
        return f"twice {words(one)} is {words(2 * one)}. "
    return f"after {words(one + other)} comes {words(one + other + 1)}. "


rng = random.Random(0)
text = ""
while len(text) <= WINDOW * WINDOWS:
    text += sentence(rng)
characters = "".join(sorted(set(text)))
ids = bytes(characters.index(character) for character in text[:WINDOW * WINDOWS + 1])
# What follows a window's last character is the next one's first.
write_idx_gz(TARGET / "text.idx.gz", ids[:-1], (WINDOWS, WINDOW))
write_idx_gz(TARGET / "next.idx.gz", ids[1:], (WINDOWS, WINDOW))
(TARGET / "characters.txt").write_text(characters + "\n")
print(len(characters), "characters:", characters)
