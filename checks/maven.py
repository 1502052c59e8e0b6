"""Runs Maven and says what it does in few lines."""

import os
import re
import shutil
import threading
import time

import processes
from building import BuildFailed
from classes import ROOT
from maven_output import Ended, FailureText, Goal, MavenOutput, Problem, Running

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# what a goal is for, in the words of the headings and of the table of times
PURPOSES = {
    "spotless": "format",
    "compiler": "compile",
    "resources": "compile",
    "exec": "compile",
    "surefire": "unit tests",
    "failsafe": "integration tests",
    "jar": "package",
    "shade": "package",
    "antrun": "package",
    "clean": "package",
    "dependency": "dependencies",
}
_HEADINGS = ("compile", "unit tests", "package", "integration tests")


class Maven:
    """Maven for one check; the times of its goals add up over its runs."""

    def __init__(self, progress, root=ROOT, command="mvn"):
        self._progress, self._root, self._command = progress, root, command
        self.seconds_of = {}

    def run(self, arguments, environment=None, phase=""):
        """Returns its exit code and the names of the classes that ended."""
        prefix = f"{phase}, " if phase else ""
        command = [shutil.which(self._command) or self._command, "-B", "-Dstyle.color=never",
                   *arguments]
        self._progress.log("$ " + " ".join(command))
        process = processes.start(
            command, cwd=self._root, env={**os.environ, **(environment or {})})
        stop = threading.Event()
        threading.Thread(target=self._remind, args=(stop,), daemon=True).start()
        ended = []
        try:
            self._read(process.stdout, ended, prefix)
        finally:
            stop.set()
            process.stdout.close()
        return process.wait(), ended

    def _remind(self, stop):
        while not stop.wait(2):
            self._progress.remind()

    def _read(self, lines, ended, prefix):
        output = MavenOutput()
        since, purpose, heading = time.monotonic(), "start", None
        for line in lines:
            line = _COLOUR.sub("", line.rstrip("\n"))
            event = output.event(line)
            if not isinstance(event, (FailureText, Problem)):
                self._progress.log(line)
            if isinstance(event, Goal):
                now = time.monotonic()
                self._add(purpose, now - since)
                since, purpose = now, PURPOSES.get(event.plugin, event.plugin)
                if (event.module, purpose) != heading and purpose in _HEADINGS:
                    heading = (event.module, purpose)
                    if event.module != "remuda":
                        self._progress.heading(f"{prefix}{event.module}: {purpose}")
            elif isinstance(event, Running):
                self._progress.running(event.name)
            elif isinstance(event, Ended):
                ended.append(event.name)
                self._progress.ended(
                    event.name, event.tests, event.failed, event.skipped, event.seconds)
            elif isinstance(event, FailureText):
                self._progress.say(event.text)
            elif isinstance(event, Problem):
                self._progress.say_once(event.text)
        self._add(purpose, time.monotonic() - since)

    def _add(self, purpose, seconds):
        self.seconds_of[purpose] = self.seconds_of.get(purpose, 0) + seconds

    def build(self, arguments):
        """Goals that run no tests."""
        code, _ = self.run([*arguments])
        if code != 0:
            raise BuildFailed("Maven failed: see above and target/check.log")
