"""Reads what Maven prints, line by line, as events."""

import re
from dataclasses import dataclass

_GOAL = re.compile(
    r"^\[INFO\] --- (?:maven-)?(\S+?)(?:-maven)?(?:-plugin)?:\S+?:(\S+) \((\S+)\) @ (\S+) ---$"
)
# a native library that prints to the same stream may begin the line, and not end its own
_RUNNING = re.compile(r"\[INFO\] Running (\S+)$")
_ENDED = re.compile(
    r"\[(?:INFO|WARNING|ERROR)\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+),"
    r" Time elapsed: ([\d.]+) s(?: <<< \w+!)? -- in (\S+)$"
)
_LEVEL = re.compile(r"^\[(INFO|WARNING|ERROR|DEBUG)\]")
_ADVICE = re.compile(r"^\[ERROR\] *(?:$|-> |Re-run Maven|To see the full|For more inf|After correct|\[Help)")
_CRASH = re.compile(r"forked VM|ExecutionException|Crashed tests|error in the forked process")


@dataclass(frozen=True)
class Goal:
    """A goal begins; what Maven calls it and its module."""

    plugin: str
    goal: str
    module: str


@dataclass(frozen=True)
class Running:
    name: str


@dataclass(frozen=True)
class Ended:
    """A class has ended, with its counts."""

    name: str
    tests: int
    failed: int
    skipped: int
    seconds: float


@dataclass(frozen=True)
class FailureText:
    """A line about a failed test: what it was, a message, a frame of the stack."""

    text: str


@dataclass(frozen=True)
class Problem:
    """Why Maven itself fails: no format, does not compile, a dependency that is not declared."""

    text: str


class MavenOutput:
    """Keeps what the next line is part of: a failure, a summary of what was printed before."""

    def __init__(self):
        self._of_failure = False
        self._of_summary = False

    def event(self, line):
        """What a line says, or None for Maven's own noise."""
        ended = _ENDED.search(line)
        if ended:
            tests, failures, errors, skipped = (int(ended[n]) for n in range(1, 5))
            failed = failures + errors
            self._of_failure = failed > 0
            return Ended(ended[6], tests, failed, skipped, float(ended[5]))
        goal = _GOAL.match(line)
        if goal:
            self._of_failure = self._of_summary = False
            return Goal(goal[1], goal[2], goal[4])
        running = _RUNNING.search(line)
        if running:
            self._of_failure = False
            return Running(running[1])
        if line == "[INFO] Results:":
            self._of_failure = False
            self._of_summary = True
            return None
        if line.startswith("[INFO] BUILD"):
            self._of_summary = False
        level = _LEVEL.match(line)
        if level and level[1] != "ERROR":
            self._of_failure = False
            return None
        if self._of_failure:
            return FailureText(line)
        if not level or _ADVICE.match(line) or self._of_summary and not _CRASH.search(line):
            return None
        return Problem(line)
