"""A server of its own for a test class: ``bin/remuda serve`` on loopback, in a temporary folder."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

import remuda

DIST = os.environ.get("REMUDA_DIST")
WAIT_SECONDS = 60.0
OUTPUT_LIMIT_MIB = 4


class Service:
    """Starts in the constructor, ends in ``close``. ``pid`` is the server's."""

    def __init__(self, *options: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="remuda-")
        self.home = Path(self._folder.name, "home")
        environment = dict(
            os.environ,
            REMUDA_HOME=str(self.home),
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
        self.pid = self._process.pid
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        if not first.startswith("serving"):
            self.close()
            raise AssertionError(f"the server said {first!r}")

    def close(self) -> None:
        """Cancels what still runs, so that nothing outlives the server."""
        if self._process.poll() is None and (self.home / "access.json").exists():
            with remuda.Client(self.home) as client:
                left = list(client.jobs())
                for job in left:
                    with contextlib.suppress(remuda.Refused):  # over meanwhile
                        client.cancel(job)
                client.wait(*left, timeout=WAIT_SECONDS)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(WAIT_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()


@unittest.skipUnless(DIST, "REMUDA_DIST names no built distribution")
class ServiceCase(unittest.TestCase):
    """Tests that ask ``client`` of a real server, which the class shares."""

    options: Any = ()
    service: Service
    client: remuda.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service(*cls.options)
        cls.addClassCleanup(cls.service.close)
        cls.client = remuda.Client(cls.service.home)
        cls.addClassCleanup(cls.client.close)

    def ended(self, *jobs: remuda.Job) -> Any:
        return self.client.wait(*jobs, timeout=WAIT_SECONDS)

    def await_running(self, job: remuda.Job) -> None:
        until = time.monotonic() + WAIT_SECONDS
        while self.client.show(job).state != "running":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def output(self, job: remuda.Job, **which: Any) -> bytes:
        self.ended(job)
        return b"".join(self.client.logs(job, **which))
