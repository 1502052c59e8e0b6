"""SciPy's time for one item of the convolution pool, and how far Remuda's results are from its."""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy
from scipy.signal import convolve2d


def main():
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2])
    image = np.fromfile(folder / "image", "<f8")
    side = int(len(image) ** 0.5)
    image = image.reshape(side, side)
    kernel = np.fromfile(folder / "filter", "<f8").reshape(4, 4)
    times = []
    for number in range(rounds + 3):
        began = time.perf_counter()
        kept = convolve2d(image, kernel)[::5, ::5]
        if number >= 3:
            times.append(time.perf_counter() - began)
    full = convolve2d(image, kernel)
    difference = max(
        float(np.abs(np.fromfile(folder / "kept", "<f8") - kept.ravel()).max()),
        float(np.abs(np.fromfile(folder / "full", "<f8") - full.ravel()).max()),
    )
    print(
        json.dumps(
            {"version": scipy.__version__, "seconds": sorted(times), "difference": difference}
        )
    )


if __name__ == "__main__":
    main()
