#!/usr/bin/env python3
"""Writes remuda-VERSION-py3-none-any.whl into the folder given: with this Python alone, without a
network, and the same bytes every time."""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path
from typing import Dict

HERE = Path(__file__).resolve().parent
WHEEL = "Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
EPOCH = (1980, 1, 1, 0, 0, 0)
MODE = 0o644
PACKAGES = ("remuda", "glb", "grn", "kubernetesdlprofile")
SUFFIXES = (".py", ".typed")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: make_wheel.py FOLDER")
    print(make_wheel(Path(sys.argv[1])))


def make_wheel(folder: Path) -> Path:
    """Makes the folder, too, if there is none. Returns the wheel's path."""
    version = quoted("__version__", HERE / "remuda" / "__init__.py")
    info = f"remuda-{version}.dist-info"
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sources()}
    files[f"{info}/METADATA"] = metadata(version).encode("utf-8")
    files[f"{info}/WHEEL"] = WHEEL.encode("utf-8")
    files[f"{info}/entry_points.txt"] = console_scripts().encode("utf-8")
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode("utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"remuda-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = MODE << 16
            archive.writestr(entry, content)
    return wheel


def sources() -> "list[Path]":
    return sorted(
        path for name in PACKAGES for path in (HERE / name).rglob("*") if path.suffix in SUFFIXES
    )


def metadata(version: str) -> str:
    project = HERE / "pyproject.toml"
    return (
        f"Metadata-Version: 2.1\nName: {quoted('name', project)}\nVersion: {version}\n"
        f"Summary: {quoted('description', project)}\nLicense: Apache-2.0\n"
        f"Requires-Python: {quoted('requires-python', project)}\n"
        "Description-Content-Type: text/markdown\n\n"
        + (HERE / "README.md").read_text(encoding="utf-8")
    )


def console_scripts() -> str:
    table = (HERE / "pyproject.toml").read_text(encoding="utf-8").split("[project.scripts]\n")[1]
    return "[console_scripts]\n" + table.split("\n\n")[0].replace('"', "") + "\n"


def quoted(name: str, file: Path) -> str:
    """The text that a line of a file gives to a name."""
    found = re.search(rf'^{name} = "(.*)"$', file.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{file} does not say {name}")
    return found.group(1)


def record(files: Dict[str, bytes], own_name: str) -> str:
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{own_name},,\n"


if __name__ == "__main__":
    main()
