"""Frameworks are imported only when they are needed, and named if they are not there."""

import importlib
import sys
from typing import Any


def framework(wanted_by: str, package: str, *modules: str) -> Any:
    """Returns the first of the modules that is imported already, else the first that is installed.

    Raises ModuleNotFoundError, which names the package to install, if there is none.
    """
    for name in sorted(modules, key=lambda name: name not in sys.modules):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if not name.startswith(missing.name or name):  # it is there, and something else is not
                raise
    raise ModuleNotFoundError(
        f"{wanted_by} needs the package {package}, which is not installed for {sys.executable}",
        name=modules[0],
    )
