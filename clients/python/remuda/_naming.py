"""Names the type of a function's calls, which need alike and are measured once."""

import inspect
import os
from typing import Any, Callable

from remuda._process import printable


def type_of(function: Callable[..., Any]) -> str:
    """``FILE::FUNCTION``: the file from the working folder if it is below that, else from the root,
    so that it does not matter by which path it was imported. Arguments are no part of it."""
    inner = inspect.unwrap(function)
    name = getattr(inner, "__qualname__", type(inner).__qualname__)
    return printable(f"{_file_of(inner)}::{name}")


def _file_of(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    module = inspect.getmodule(function)
    file = str(code.co_filename if code else getattr(module, "__file__", "<unknown>"))
    if file.startswith("<"):  # typed in, or compiled from text
        return file
    path, folder = os.path.realpath(file), os.path.realpath(os.curdir)
    return os.path.relpath(path, folder) if path.startswith(folder + os.sep) else path
