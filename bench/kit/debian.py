"""Debian's own Python, which has PyTorch, SciPy and Dask where they are installed."""

import json
import subprocess

from kit import processes

PYTHON = "/usr/bin/python3"
PACKAGES = {
    "torch": "python3-torch",
    "scipy": "python3-scipy",
    "distributed": "python3-distributed",
}


def missing(module):
    """Why a module cannot be used, or None."""
    try:
        found = subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True)
    except OSError:
        return f"{PYTHON} missing"
    return None if found.returncode == 0 else f"{PACKAGES[module]} missing"


def run_peer(setting, name, arguments, environment):
    """Runs a program of the folder peers, which prints one line of JSON at its end."""
    script = setting.root / "bench" / "peers" / name
    out = processes.run([PYTHON, script, *arguments], env=environment)
    return json.loads(out.splitlines()[-1])
