"""Nine trainings, which depend on nothing: doit -d . -f mnist_doit.py -n 9"""

import sys

from doit.task import clean_targets

SCRIPTS = (
    ("Tensorflow", "tf_mnist_train.py"),
    ("PyTorch", "torch_mnist_train.py"),
    ("JAX", "jax_mnist_train.py"),
)
EACH = 3


def training(number):
    framework, script = SCRIPTS[number // EACH]
    return {
        "basename": str(number),
        "doc": f"{framework} MNIST training {number % EACH}",
        "file_dep": [],
        "targets": [],
        "actions": [[sys.executable, script]],
        "clean": [clean_targets],
    }


def task_mnist():
    for number in range(EACH * len(SCRIPTS)):
        yield training(number)
