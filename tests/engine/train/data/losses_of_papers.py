#!/usr/bin/env python3
"""Writes losses_of_papers.json: losses that PyTorch lacks, from the formulas of their papers in decimal arithmetic of 60 digits, with
gradients by central differences. Shares no code with the engine.

    python3 losses_of_papers.py > losses_of_papers.json
"""
import json
from decimal import Decimal as D, getcontext

getcontext().prec = 60
H = D("1e-20")


def exp(x): return x.exp()
def sigmoid(x): return 1 / (1 + exp(-x))
def power(x, y): return D(1) if y == 0 else (D(0) if x == 0 else x ** y)


def softmax(row):
    total = sum(exp(x) for x in row)
    return [exp(x) / total for x in row]


def mean(values): return sum(values) / len(values)


# Shapes: scores [B][C] or [B][C][P] with P positions; targets [B] or [B][P] of classes, or of the scores' shape.
def positions(scores): return len(scores[0][0]) if isinstance(scores[0][0], list) else None


def column(sample, p): return [c if p is None else c[p] for c in sample]


def focal_classes(scores, target, gamma, weights=None, ignore=-100, reduction="mean"):
    """Lin et al. 2017, equation 5: -alpha_t (1 - p_t)^gamma log p_t with alpha_t the class's weight."""
    each = []
    n = positions(scores)
    for b, sample in enumerate(scores):
        for p in ([None] if n is None else range(n)):
            label = target[b] if p is None else target[b][p]
            if label == ignore:
                continue
            pt = softmax(column(sample, p))[label]
            each.append(-(D(1) if weights is None else weights[label]) * power(1 - pt, gamma) * pt.ln())
    return sum(each) if reduction == "sum" else mean(each)


def focal_elements(scores, target, gamma, alpha=None, ignore=-100, reduction="mean"):
    """Lin et al. 2017, equation 4: p_t is p for a positive, 1 - p for a negative; alpha_t is alpha, 1 - alpha."""
    each = []
    for row, truth in zip(scores, target):
        for x, t in zip(row, truth):
            if t == ignore:
                continue
            p = sigmoid(x)
            pt = p if t == 1 else 1 - p
            at = D(1) if alpha is None else (alpha if t == 1 else 1 - alpha)
            each.append(-at * power(1 - pt, gamma) * pt.ln())
    return sum(each) if reduction == "sum" else mean(each)


def dice_regions(shares, truths, smooth, squared):
    below = sum(p * p for p in shares) + sum(g * g for g in truths) if squared else sum(shares) + sum(truths)
    return 1 - (2 * sum(p * g for p, g in zip(shares, truths)) + smooth) / (below + smooth)


def dice_classes(scores, target, smooth, squared=False, background=True, ignore=-100):
    """Milletari et al. 2016 (squared) a sample and class over its positions; then classes; then the samples that count."""
    samples = []
    for sample, labels in zip(scores, target):
        kept = [p for p in range(len(labels)) if labels[p] != ignore]
        if not kept:
            continue
        shares = {p: softmax(column(sample, p)) for p in kept}
        classes = range(0 if background else 1, len(sample))
        samples.append(mean([dice_regions([shares[p][c] for p in kept], [D(labels[p] == c) for p in kept], smooth, squared) for c in classes]))
    return mean(samples)


def dice_elements(scores, target, smooth, squared=False):
    return mean([mean([dice_regions([sigmoid(x) for x in row], truth, smooth, squared) for row, truth in zip(sample, truths)]) for sample, truths in zip(scores, target)])


def cross_entropy(scores, target, weights=None, ignore=-100):
    above, below = D(0), D(0)
    for sample, labels in zip(scores, target):
        for p, label in enumerate(labels):
            if label != ignore:
                w = D(1) if weights is None else weights[label]
                above -= w * softmax(column(sample, p))[label].ln()
                below += w
    return above / below


def contrastive(first, second, y, margin, reduction="mean"):
    """Hadsell et al. 2006, equation 4."""
    each = []
    for a, b, label in zip(first, second, y):
        d2 = sum((u - v) ** 2 for u, v in zip(a, b))
        each.append((1 - label) / 2 * d2 + label / 2 * max(D(0), margin - d2.sqrt()) ** 2)
    return sum(each) if reduction == "sum" else mean(each)


def hinge(scores, target, margin, reduction="mean"):
    each = [max(D(0), margin - x * y) for row, truth in zip(scores, target) for x, y in zip(row, truth)]
    return sum(each) if reduction == "sum" else mean(each)


def decimal(value):
    return [decimal(v) for v in value] if isinstance(value, list) else D(repr(value)) if isinstance(value, float) else value


def plain(value): return [plain(v) for v in value] if isinstance(value, list) else float(value)


def gradient(function, inputs, which):
    def at(node):
        if isinstance(node[0], list):
            return [at(child) for child in node]
        slopes = []
        for i, x in enumerate(node):
            node[i] = x + H
            high = function(*inputs)
            node[i] = x - H
            low = function(*inputs)
            node[i] = x
            slopes.append((high - low) / (2 * H))
        return slopes
    return at(inputs[which])


cases = []


def case(loss, options, inputs, target, function):
    outputs = [decimal(value) for value in inputs.values()]
    cases.append({"loss": loss, "options": options, "inputs": inputs, "targets": {"target": target}, "value": float(function(*outputs)),
                  "grad": {name: plain(gradient(function, outputs, i)) for i, name in enumerate(inputs)}})


ROWS = [[0.905773, 1.489286, -1.871232], [1.999915, -1.857919, 0.464463], [-0.872798, 0.163004, -0.568851], [1.223716, 0.712956, 1.970356]]
IMAGES = [[[0.45, 0.74, -0.94, 0.99], [0.93, -0.73, 0.44, 0.08], [-0.28, 0.61, 0.86, -0.99]], [[0.11, -0.46, 0.75, 0.94], [-1.0, 0.93, 0.73, 0.43], [0.07, 0.29, -0.62, 0.86]],
          [[1.2, 0.3, -0.4, 0.5], [0.2, 0.8, -0.9, 1.1], [-0.6, 0.7, 1.3, -1.4]]]
LABELS = [[0, 1, 2, 1], [2, -100, 1, 0], [-100, -100, -100, -100]]
MASKS = [[[1.0, 0.0, 0.0, 1.0]], [[0.0, 1.0, 1.0, 1.0]]]
CHANNEL = [[[0.45, 0.74, -0.94, 0.99]], [[-1.0, 0.93, 0.73, 0.43]]]
TWO, HALF, QUARTER, ONE = D(2), D("0.5"), D("0.25"), D(1)
WEIGHTS = [D("0.5"), D(2), D("1.5")]
for reduction in ("mean", "sum"):
    case("FocalLoss", {"reduction": reduction}, {"input": ROWS}, [2, 0, 1, 1], lambda x, r=reduction: focal_classes(x, [2, 0, 1, 1], TWO, reduction=r))
    case("FocalLoss", {"reduction": reduction, "alpha": 0.25}, {"input": ROWS}, [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
         lambda x, r=reduction: focal_elements(x, [[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 1, 0]], TWO, QUARTER, reduction=r))
    case("ContrastiveLoss", {"reduction": reduction, "margin": 2.5}, {"input1": ROWS, "input2": [[0.5, 1.0, -1.0], [1.0, -1.0, 0.25], [2.0, -2.0, 1.0], [1.5, 0.5, 0.75]]},
         [0.0, 1.0, 1.0, 1.0], lambda a, b, r=reduction: contrastive(a, b, [D(0), D(1), D(1), D(1)], D("2.5"), r))
    case("HingeLoss", {"reduction": reduction, "margin": 1.5}, {"input": ROWS}, [[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]],
         lambda x, r=reduction: hinge(x, [[1, -1, 1], [-1, -1, 1], [1, 1, -1], [-1, 1, 1]], D("1.5"), r))
case("FocalLoss", {"focus": 0.5, "class_weights": [0.5, 2.0, 1.5]}, {"input": IMAGES}, LABELS, lambda x: focal_classes(x, LABELS, HALF, WEIGHTS))
case("FocalLoss", {"focus": 0.0}, {"input": ROWS}, [2, -100, 1, 1], lambda x: focal_classes(x, [2, -100, 1, 1], D(0)))
case("FocalLoss", {"focus": 1.0, "ignore_index": -1}, {"input": ROWS}, [[1, 0, -1], [0, -1, 1], [1, 1, 0], [0, 1, 0]],
     lambda x: focal_elements(x, [[1, 0, -1], [0, -1, 1], [1, 1, 0], [0, 1, 0]], ONE, ignore=-1))
case("DiceLoss", {}, {"input": IMAGES}, LABELS, lambda x: dice_classes(x, LABELS, ONE))
case("DiceLoss", {"squared": True, "smooth": 0.0}, {"input": IMAGES}, LABELS, lambda x: dice_classes(x, LABELS, D(0), True))
case("DiceLoss", {"include_background": False, "smooth": 0.25}, {"input": IMAGES}, LABELS, lambda x: dice_classes(x, LABELS, QUARTER, background=False))
case("DiceLoss", {}, {"input": CHANNEL}, MASKS, lambda x: dice_elements(x, decimal(MASKS), ONE))
case("DiceLoss", {"squared": True}, {"input": CHANNEL}, MASKS, lambda x: dice_elements(x, decimal(MASKS), ONE, True))
case("DiceCELoss", {"dice_weight": 0.5, "ce_weight": 2.0, "class_weights": [0.5, 2.0, 1.5], "squared": True}, {"input": IMAGES}, LABELS,
     lambda x: HALF * dice_classes(x, LABELS, ONE, True) + TWO * cross_entropy(x, LABELS, WEIGHTS))
print(json.dumps({"how": "losses_of_papers.py: the papers' formulas in decimal arithmetic of 60 digits, gradients by central differences", "cases": cases}, separators=(",", ":")))
