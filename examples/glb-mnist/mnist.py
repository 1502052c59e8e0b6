"""MNIST as arrays, and the start of a script, for all three frameworks."""

import argparse
import gzip
import importlib.util
import os
import sys

FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")
PIXELS = 28
MADE_UP = 4096
SKIPPED = 77  # the exit code of a skipped test for automake and many test runners


def load(limit=None):
    """Images as float32 from 0 to 1 of shape (n, 28, 28), and their labels as int64.

    Reads MNIST's training files in $MNIST_DIR, gzipped or not. Without these it draws digits,
    enough to see the balancing, but not to learn from. Nothing is downloaded.
    """
    folder = os.environ.get("MNIST_DIR", "")
    try:
        images, labels = (_read(os.path.join(folder, name)) for name in FILES)
    except FileNotFoundError as missing:
        say(f"no {missing.filename}: set MNIST_DIR; training on made-up digits instead")
        images, labels = _made_up()
    count = int(limit or os.environ.get("MNIST_IMAGES") or len(images))
    return (images[:count] / 255).astype("float32"), labels[:count].astype("int64")


def _read(path):
    """Returns the array of a file in MNIST's format: two zeros, type, dimensions, sizes, bytes."""
    import numpy

    with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz") as file:
        data = file.read()
    sizes = numpy.frombuffer(data, ">i4", count=data[3], offset=4)
    return numpy.frombuffer(data, "uint8", offset=4 + 4 * data[3]).reshape(sizes)


def _made_up():
    """Draws noise in which each label is a different bright row."""
    import numpy

    random = numpy.random.default_rng(1)
    labels = random.integers(0, 10, MADE_UP)
    images = random.integers(0, 100, (MADE_UP, PIXELS, PIXELS))
    images[numpy.arange(MADE_UP), 2 * labels] = 255
    return images, labels


def say(text):
    """Prints to stderr, beside the tool's own output."""
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr, flush=True)


def main(framework, train_job):
    """Runs a script's training, or says why not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=128)
    arguments = parser.parse_args()
    missing = lack_of(framework)
    if missing:
        say(f"{missing}: skipped")
        sys.exit(SKIPPED)
    train_job(arguments.epochs, arguments.batch_size)


def lack_of(framework):
    """Returns what a training with the framework lacks, in words; None if nothing."""
    for wanted in ("numpy", framework):
        if importlib.util.find_spec(wanted) is None:
            return f"{wanted} is not installed for {sys.executable}"
    return None
