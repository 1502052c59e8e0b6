"""Images like MNIST's, drawn: 28 x 28 points and a label from 0 to 9, the same every time."""

import numpy

POINTS = 28 * 28
SEED = 1


def load(count):
    """Returns images, of float32 from 0 to 1, and their labels, of int64."""
    draw = numpy.random.default_rng(SEED)
    shapes = draw.random((10, POINTS), dtype=numpy.float32)
    labels = draw.integers(0, 10, count)
    noise = draw.random((count, POINTS), dtype=numpy.float32)
    return (shapes[labels] + noise) / 2, labels
