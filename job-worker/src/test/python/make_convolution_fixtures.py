"""Writes the convolution fixtures of ConvolutionFixtureTest with SciPy.

    python3 make_convolution_fixtures.py ../resources/convolution

The image is image[i][j] = ((31 i + 17 j + 7 i j) mod 101 - 50) / 64, exact in binary; the filter is
standard normal. Each file has lines of a name and numbers: size, filter, subsampled and, for the
small sizes, full. Numbers are written so that reading them back gives the same double.
"""

import sys
from pathlib import Path

import numpy as np
import scipy
from scipy.signal import convolve2d

SIZES = (4, 5, 7, 16, 33, 64)


def line(name, values):
    return f"{name} {' '.join(repr(float(v)) for v in values)}\n"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.random.RandomState(20260101)
    for size in SIZES:
        i, j = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
        image = ((31 * i + 17 * j + 7 * i * j) % 101 - 50) / 64.0
        kernel = numbers.normal(size=(4, 4))
        full = convolve2d(image, kernel)
        text = f"# scipy {scipy.__version__}\nsize {size}\n"
        text += line("filter", kernel.ravel())
        text += line("subsampled", full[::5, ::5].ravel())
        if size <= 16:
            text += line("full", full.ravel())
        (folder / f"size-{size}.txt").write_text(text)


if __name__ == "__main__":
    main()
