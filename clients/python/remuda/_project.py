"""Distinguishes equal commands and functions of different projects."""

import os
from typing import Union

from remuda._process import printable

MARKERS = (
    ".git",
    ".hg",
    ".svn",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "package.json",
    "Cargo.toml",
    "go.mod",
)  # as docs/job-service.md lists them

MOST_NAME, MOST_PROJECT = 499, 200  # characters


def root_of(folder: Union[str, "os.PathLike[str]"]) -> str:
    """Returns the nearest of the folder and its parents that has a marker, else the folder.
    The home folder and the root are no projects of the folders below them."""
    start = os.path.abspath(folder)
    home = os.path.expanduser("~")
    at = start
    while at not in (home, os.path.dirname(at)):
        if any(os.path.lexists(os.path.join(at, marker)) for marker in MARKERS):
            return at
        at = os.path.dirname(at)
    return start


def in_project(name: str, root: str) -> str:
    """The name of a type of this project, as the server names those of commands."""
    shown = printable(root)
    end = f" in {shown if len(shown) <= MOST_PROJECT else '...' + shown[-MOST_PROJECT:]}"
    return name[: MOST_NAME - len(end)] + end
