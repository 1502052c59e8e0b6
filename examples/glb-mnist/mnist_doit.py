"""Nine independent trainings: doit -d . -f mnist_doit.py -n 9"""

import sys

import mnist
from doit.task import clean_targets

SCRIPTS = (
    ("Tensorflow", "tensorflow", "tf_mnist_train.py"),
    ("PyTorch", "torch", "torch_mnist_train.py"),
    ("JAX", "jax", "jax_mnist_train.py"),
)
EACH = 3


def training(number):
    framework, module, script = SCRIPTS[number // EACH]
    missing = mnist.lack_of(module)
    skipped = f" skipped: {missing}" if missing else ""
    return {
        "basename": str(number),
        "doc": f"{framework} MNIST training {number % EACH}{skipped}",
        "title": lambda task: task.name + skipped,
        "uptodate": [True] if missing else [],  # then doit marks it with -- and does not start it
        "file_dep": [],
        "targets": [],
        "actions": [[sys.executable, script]],
        "clean": [clean_targets],
    }


def task_mnist():
    for number in range(EACH * len(SCRIPTS)):
        yield training(number)
