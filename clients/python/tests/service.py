"""A real server for tests: ``bin/remuda serve`` on loopback, with two simulated GPUs.

``run_tests.py`` starts one and names it in the environment; modules use it one after the other. A
module that is run alone starts its own. Tests that need a server of another kind, or kill one,
start a ``Service`` themselves.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional

import remuda
from tests.waiting import WAIT_SECONDS, await_that

DIST = os.environ.get("REMUDA_DIST")
SHARED = "REMUDA_TEST_SERVER"  # PID:FOLDER of the server that modules share
GPUS = ("--simulate-gpus", "h200:2")
OUTPUT_LIMIT_MIB = 4


class Server:
    """A server that runs: ``pid`` is its process, ``home`` its state folder."""

    def __init__(self, pid: int, home: Path) -> None:
        self.pid = pid
        self.home = home

    def clear(self) -> None:
        """Cancels what still runs, so that nothing outlives the tests that have begun it."""
        with remuda.Client(self.home) as client:
            left = list(client.jobs())
            for job in left:
                with contextlib.suppress(remuda.Refused):  # over meanwhile
                    client.cancel(job)
            client.wait(*left, timeout=WAIT_SECONDS)

    def named(self) -> str:
        """Returns what ``shared`` reads."""
        return f"{self.pid}:{self.home}"


def shared() -> Optional[Server]:
    """Returns the server of the environment."""
    pid, _, home = os.environ.get(SHARED, "").partition(":")
    return Server(int(pid), Path(home)) if home else None


class Service(Server):
    """Starts in the constructor, ends in ``close``."""

    def __init__(self, *options: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="remuda-")
        home = Path(self._folder.name, "home")
        environment = dict(
            os.environ,
            REMUDA_HOME=str(home),
            JDK_JAVA_OPTIONS=f"-Dremuda.agent.output-limit={OUTPUT_LIMIT_MIB}MiB",
        )
        if "REMUDA_CACHE" not in environment:  # its class archives would not be used again
            environment["REMUDA_CACHE"] = str(Path(self._folder.name, "cache"))
            environment["REMUDA_NO_ARCHIVE"] = "1"
        self._process = subprocess.Popen(
            [str(Path(str(DIST), "bin", "remuda")), "serve", "--cpus", "2", *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        super().__init__(self._process.pid, home)
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        if not first.startswith("serving"):
            self.close()
            raise AssertionError(f"the server said {first!r}")

    def close(self) -> None:
        if self._process.poll() is None and (self.home / "access.json").exists():
            self.clear()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(WAIT_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()


_of_module: Optional[Service] = None


def _server() -> Server:
    """Returns the server of the environment, else that of the module, which is started now."""
    global _of_module
    found = shared()
    if found is not None:
        return found
    if _of_module is None:
        _of_module = Service(*GPUS)
        unittest.addModuleCleanup(_end_of_module)
    return _of_module


def _end_of_module() -> None:
    global _of_module
    assert _of_module is not None
    _of_module.close()
    _of_module = None


@unittest.skipUnless(DIST, "REMUDA_DIST names no built distribution")
class ServiceCase(unittest.TestCase):
    """Tests that ask ``client`` of a real server, which others share."""

    service: Server
    client: remuda.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = _server()
        cls.addClassCleanup(cls.service.clear)
        cls.client = remuda.Client(cls.service.home)
        cls.addClassCleanup(cls.client.close)

    def ended(self, *jobs: remuda.Job) -> Any:
        return self.client.wait(*jobs, timeout=WAIT_SECONDS)

    def await_running(self, job: remuda.Job) -> None:
        await_that(
            f"job {job.id} runs",
            lambda: self.client.show(job).state == "running",
            lambda: self.client.show(job),
        )

    def output(self, job: remuda.Job, **which: Any) -> bytes:
        self.ended(job)
        return b"".join(self.client.logs(job, **which))
