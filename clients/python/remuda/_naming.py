"""Names the type of a function's calls, which have equal needs and are measured once."""

import inspect
import os
from typing import Any, Callable, Tuple

from remuda._process import printable
from remuda._project import in_project, root_of


def type_of(function: Callable[..., Any]) -> str:
    """``FILE::FUNCTION in PROJECT``: the file from the folder of its project, so that it does not
    matter by which path it was imported. Arguments are no part of it."""
    inner = inspect.unwrap(function)
    name = getattr(inner, "__qualname__", type(inner).__qualname__)
    file, project = _file_of(inner)
    return printable(in_project(f"{file}::{name}", project))


def _file_of(function: Callable[..., Any]) -> Tuple[str, str]:
    """The file, from the folder of its project, and that folder."""
    code = getattr(function, "__code__", None)
    module = inspect.getmodule(function)
    file = str(code.co_filename if code else getattr(module, "__file__", "<unknown>"))
    if file.startswith("<"):  # typed in, or compiled from text
        return file, root_of(os.path.realpath(os.curdir))
    path = os.path.realpath(file)
    project = root_of(os.path.dirname(path))
    return os.path.relpath(path, project), project
