"""mnist_doit.py by the name that GLB's guide uses: doit -d . -f example_doit.py -n 9"""

from mnist_doit import task_mnist

__all__ = ["task_mnist"]
