#!/usr/bin/env python3
"""Runs the tests of this package, each module in a process of its own, three at a time.

    REMUDA_DIST=../../dist ./run_tests.py [-k WORD]... [MODULE...]

With REMUDA_DIST the modules that need a server have one together, one module after the other; it
ends with the run. Without, their tests are skipped. REMUDA_CACHE names the folder of the class
archives of servers: with it they start faster the next time.

Each module is a line as it ends, with its processor time and that of what it has started; what a
module printed follows it if a test has failed. The last line is ``N passed, N failed, N skipped``;
the exit code is 1 if any has failed, or there was none.
"""

import argparse
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set

HERE = Path(__file__).resolve().parent
TESTS = HERE / "tests"
AT_ONCE = 3
MODULE_SECONDS = 1200  # far more than any takes on a slow machine
_RUNNING: List["subprocess.Popen[bytes]"] = []
SERVER_USER = re.compile(r"\bServiceCase\b")
OWN_SERVERS = ("test_own_servers", "test_crowd")
LONG_FIRST = (*OWN_SERVERS, "test_training_examples", "test_package")


class Counts(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: "Counts") -> "Counts":
        return Counts(*(one + more for one, more in zip(self, other)))

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


class Ended(NamedTuple):
    """A module that has run; ``processor`` are seconds of it and all that it has waited for."""

    counts: Counts
    seconds: float
    processor: float
    output: str


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the tests of the Python package.")
    parser.add_argument("-k", action="append", metavar="WORD", help="only tests with this in their name")
    parser.add_argument("--one", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("module", nargs="*", help="such as test_leases (all)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _interrupted)
    if options.one:
        return run_here(options.module[0], options.k, Path(options.one))
    modules = chosen(options.module)
    counts = Run(modules, options.k or []).all()
    print(counts, flush=True)
    return 1 if counts.failed or not any(counts) else 0


def _interrupted(number: int, frame: Any) -> None:
    """SIGTERM ends a run as Ctrl-C does: with its modules, and the server that they have."""
    raise KeyboardInterrupt


def chosen(given: List[str]) -> List[str]:
    """Returns names of modules, of those that are given by name or path."""
    there = sorted(file.stem for file in TESTS.glob("test_*.py"))
    wanted = [re.sub(r"\.py$", "", name).replace("/", ".").rpartition(".")[2] for name in given]
    unknown = sorted(set(wanted) - set(there))
    if unknown:
        raise SystemExit(f"run_tests: there is no module {', '.join(unknown)} in {TESTS}")
    return wanted or there


class Run:
    """Modules that are run; ``turn`` guards all fields."""

    def __init__(self, modules: List[str], words: List[str]) -> None:
        self._words = words
        text = {name: (TESTS / f"{name}.py").read_text(encoding="utf-8") for name in modules}
        self._of_server = [name for name in modules if SERVER_USER.search(text[name])]
        others = [name for name in modules if name not in self._of_server]
        self._others = sorted(others, key=lambda name: (name not in LONG_FIRST, name))
        self._left = len(modules)
        self._counts = Counts()
        self._turn = threading.Condition()
        self._may_start_servers = not self._of_server
        self._environment = {**os.environ, "PYTHONPATH": str(HERE)}

    def all(self) -> Counts:
        lanes = [threading.Thread(target=self._lane) for _ in range(AT_ONCE - 1)]
        for lane in lanes:
            lane.start()
        try:
            self._server_lane()
        except BaseException:  # mostly Ctrl-C or SIGTERM
            with self._turn:
                self._others.clear()
                self._turn.notify_all()
            end_modules()
            raise
        finally:
            for lane in lanes:
                lane.join()
        return self._counts

    def _server_lane(self) -> None:
        """Runs what needs the server, and then helps the other lanes."""
        if self._of_server:
            with shared_server() as variables:
                self._let_servers_start()
                for name in self._of_server:
                    self._run(name, variables)
        self._lane()

    def _let_servers_start(self) -> None:
        """The first start of a build records its class archives, which no second should do, too."""
        with self._turn:
            self._may_start_servers = True
            self._turn.notify_all()

    def _lane(self) -> None:
        name = self._next()
        while name is not None:
            self._run(name, {})
            name = self._next()

    def _next(self) -> Optional[str]:
        with self._turn:
            while self._others:
                for name in self._others:
                    if self._may_start_servers or name not in OWN_SERVERS:
                        self._others.remove(name)
                        return name
                self._turn.wait()
            return None

    def _run(self, name: str, variables: Dict[str, str]) -> None:
        ended = run_apart(name, self._words, {**self._environment, **variables})
        with self._turn:
            self._left -= 1
            self._counts = self._counts.plus(ended.counts)
            count = sum(ended.counts)
            more = "" if not ended.counts.skipped else f", {ended.counts.skipped} skipped"
            if ended.counts.failed:
                more += f", {ended.counts.failed} FAILED"
            print(
                f"{name:<26}{count:>4} tests{ended.seconds:>7.1f} s"
                f"{ended.processor:>7.1f} s of processors, {self._left} modules left{more}",
                flush=True,
            )
            if ended.counts.failed:
                print(ended.output, flush=True)


@contextlib.contextmanager
def shared_server() -> Iterator[Dict[str, str]]:
    """Starts a server, if there is a distribution; gives the variable that names it."""
    sys.path.insert(0, str(HERE))
    from tests import service

    if not service.DIST:
        yield {}
        return
    began = time.monotonic()
    server = service.Service(*service.GPUS)
    print(f"the server of several modules starts in {time.monotonic() - began:.1f} s", flush=True)
    try:
        yield {service.SHARED: server.named()}
    finally:
        server.close()


def end_modules() -> None:
    """Asks the modules that run to end, and waits until the threads that run them have seen it."""
    for process in list(_RUNNING):
        process.terminate()


def run_apart(name: str, words: List[str], environment: Dict[str, str]) -> Ended:
    """Runs a module in a process of its own."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="remuda-tests-") as folder:
        told = Path(folder, "counts")
        patterns = [word for each in words for word in ("-k", each)]
        command = [sys.executable, str(HERE / "run_tests.py"), "--one", str(told), *patterns]
        # to a file: what a module leaves running may hold a pipe for ever
        with open(Path(folder, "output"), "w+b") as printed:
            process = subprocess.Popen(
                [*command, "--", name],
                cwd=HERE,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
            )
            _RUNNING.append(process)
            try:
                late = ""
                process.wait(MODULE_SECONDS)
            except subprocess.TimeoutExpired:
                late = f"\n{name} does not end in {MODULE_SECONDS} s: it was killed"
                process.kill()
                process.wait()
            finally:
                _RUNNING.remove(process)
            printed.seek(0)
            output = printed.read().decode("utf-8", "replace") + late
        seconds = time.monotonic() - began
        try:
            found: Any = json.loads(told.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            output += f"\n{name} ended with status {process.returncode} before its tests had"
            return Ended(Counts(failed=1), seconds, 0.0, output)
    return Ended(Counts(*found["counts"]), seconds, found["processor"], output)


def run_here(name: str, words: Optional[List[str]], told: Path) -> int:
    """Runs a module in this process, and writes what became of its tests."""
    loader = unittest.TestLoader()
    if words:
        loader.testNamePatterns = [f"*{word}*" for word in words]
    tests = loader.loadTestsFromName(f"tests.{name}")
    warned = None if sys.warnoptions else "default"
    runner = unittest.TextTestRunner(verbosity=0, resultclass=Result, warnings=warned)
    result: Any = runner.run(tests)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    told.write_text(json.dumps({"counts": result.counts(), "processor": processor}))
    return 0 if result.wasSuccessful() else 1


class Result(unittest.TextTestResult):
    """Counts each test once, whatever becomes of its subtests."""

    def __init__(self, *arguments: Any, **words: Any) -> None:
        super().__init__(*arguments, **words)
        self._passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self._passed += 1

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self._passed += 1

    def counts(self) -> Counts:
        failed = _names([*self.failures, *self.errors]) | {
            str(test) for test in self.unexpectedSuccesses
        }
        skipped = _names(self.skipped) - failed
        return Counts(self._passed, len(failed), len(skipped))


def _names(found: List[Any]) -> Set[str]:
    """The tests of failures or skips, a test once for all its subtests."""
    return {str(getattr(test, "test_case", test)) for test, _ in found}


if __name__ == "__main__":
    sys.exit(main())
