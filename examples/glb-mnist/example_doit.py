"""mnist_doit.py under the name of GLB's guide: doit -d . -f example_doit.py -n 9"""

from mnist_doit import task_mnist

__all__ = ["task_mnist"]
