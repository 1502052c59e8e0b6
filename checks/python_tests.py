"""Runs the tests of the Python package and of this folder."""

import os
import re
import sys
import time

import processes
from classes import ROOT
from runner import Lines

_CLOSING = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
_RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
_END = re.compile(r"^(OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)


def unittest_counts(text):
    """Passed, failed and skipped of one run of unittest; None if it did not come to its end."""
    ran, end = _RAN.search(text), None
    for end in _END.finditer(text):
        pass
    if not ran or not end:
        return None
    words = dict(pair.split("=") for pair in (end[2] or "").split(", ") if "=" in pair)
    failed = sum(int(words.get(word, 0)) for word in ("failures", "errors", "unexpected successes"))
    skipped = int(words.get("skipped", 0))
    return max(0, int(ran[1]) - failed - skipped), failed, skipped


def run_own(progress, root=ROOT):
    """The tests of this folder."""
    progress.heading("checks: tests of ./check itself")
    _module(progress, "checks", [sys.executable, "-m", "unittest", "discover", "-s", "checks"],
            root, None)


def run(progress, chosen=None, root=ROOT):
    """The tests of the Python package, which want dist/; of it all, or of the chosen classes."""
    folder = root / "clients" / "python"
    environment = {
        **os.environ,
        "REMUDA_DIST": "../../dist",
        "REMUDA_CACHE": str(root / "target" / "it-cache"),
    }
    progress.heading("python: tests of the package")
    command = [sys.executable, str(folder / "run_tests.py")]
    for each in chosen or ():
        command += ["-k", f"{each.name}."]
    command += sorted({each.name.split(".")[1] for each in chosen or ()})
    _through(progress, command, folder, environment)


def _module(progress, name, command, folder, environment):
    started = time.monotonic()
    progress.running(name)
    process = processes.start(command, cwd=folder, env=environment)
    text, _ = process.communicate()
    code = process.returncode
    counts = unittest_counts(text)
    if code != 0 or counts is None:
        progress.say(text)
    else:
        progress.log(text)
    if counts is None or code != 0 and not counts[1]:
        progress.lost([name], f"ended with code {code}")
        return
    passed, failed, skipped = counts
    progress.expect(1)
    progress.ended(name, passed + failed + skipped, failed, skipped, time.monotonic() - started)


def _through(progress, command, folder, environment):
    """A runner that has lines of its own; its closing line becomes part of ours."""
    process = processes.start(command, cwd=folder, env=environment)
    progress.running("Python")
    counts = None
    for line in Lines(process, progress.remind):
        closing = _CLOSING.match(line.strip())
        if closing:
            counts = [int(closing[n]) for n in (1, 2, 3)]
        else:
            progress.say(line)
    code = process.wait()
    progress.over("Python")
    if counts:
        progress.count(*counts)
        if counts[1]:
            progress.fail("python: see above")
    if counts is None or code != 0 and not counts[1]:
        progress.lost(["python"], f"ended with code {code}")
