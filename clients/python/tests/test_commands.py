"""glb-run with a server that is there, and servers that must not be joined."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import remuda
from remuda.command import server
from tests import fake
from tests.lease_case import PACKAGE, SECONDS, SHELL_WORDS, LeaseCase

JOB = "import glb, os\n@glb.job('t')\ndef f(): print(os.environ['CUDA_VISIBLE_DEVICES'])\nf()\n"


class GlbRunTest(LeaseCase):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "job.py").write_text(JOB)

    def start(self, *commands: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [str(PACKAGE / "../../bin/glb-run"), *commands],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_with_signals,
        )
        self.addCleanup(self._end, process)
        return process

    def _end(self, process: "subprocess.Popen[str]") -> None:
        """With all that it has started, which may hold its output open."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def ran(self, *commands: str) -> Any:
        """The exit code, stdout and stderr."""
        process = self.start(*commands)
        out, err = process.communicate(timeout=SECONDS)
        return process.returncode, out, err

    def test_decorated_functions_of_all_commands_find_the_server_and_the_package(self) -> None:
        job = f"{sys.executable} job.py"
        self.assertEqual(self.ran(job, job), (0, "GPU-0\nGPU-0\n", ""))
        self.assertEqual(self.lender.types(), ["t", "t"])

    def test_an_undecorated_command_gets_no_lease(self) -> None:
        self.assertEqual(self.ran("echo plain"), (0, "plain\n", ""))
        self.assertEqual(self.lender.asked, [])

    def test_words_are_split_as_by_a_shell_and_no_shell_runs(self) -> None:
        """GLB splits at single spaces, so that quotes break."""
        found = self.ran("printf '%s.' 'two  words'   \"it's\" $HOME a;b")
        self.assertEqual(found, (0, "two  words.it's.$HOME.a;b.", ""))

    def test_what_a_shell_would_act_on_reaches_the_command_as_it_is(self) -> None:
        found = self.ran(f"printf '%s\\n' {SHELL_WORDS}")
        self.assertEqual(found, (0, "".join(word + "\n" for word in SHELL_WORDS.split()), ""))
        self.assertEqual([file.name for file in self.folder.iterdir()], ["job.py"])

    def test_all_run_at_once(self) -> None:
        os.mkfifo(self.folder / "meet")
        self.assertEqual(self.ran("sh -c 'echo hi > meet'", "cat meet"), (0, "hi\n", ""))

    def test_it_exits_as_the_first_command_that_failed(self) -> None:
        """GLB and GRN exit with 0."""
        os.mkfifo(self.folder / "gate")
        opens_once_its_end_is_noticed = (
            "sh -c '(while kill -0 $$ 2>/dev/null; do sleep 0.05; done; echo > gate) & exit 5'"
        )
        code, _, _ = self.ran(
            "sh -c 'read x < gate; exit 7'", opens_once_its_end_is_noticed, "true"
        )
        self.assertEqual(code, 5)
        self.assertEqual(self.ran("true", "true")[0], 0)
        self.assertEqual(self.ran("sh -c 'kill -9 $$'")[0], 128 + 9)
        self.assertEqual(self.ran("nosuch")[0], 127)
        self.assertEqual(self.ran("'open")[0], 2)

    def test_a_failure_is_no_profile(self) -> None:
        """GRN takes the memory of a command that crashed for a good profile."""
        (self.folder / "job.py").write_text(JOB.replace("print(", "raise ValueError("))
        self.assertEqual(self.ran(f"{sys.executable} job.py")[0], 1)
        self.assertEqual(self.lender.known, set())

    def test_a_signal_is_passed_on_and_all_are_waited_for(self) -> None:
        trap = "trap 'echo ended; exit 3' TERM INT; echo ready; while :; do sleep 0.1; done"
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start(f'sh -c "{trap}"')
            assert process.stdout is not None
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(number)
            out, _ = process.communicate(timeout=SECONDS)
            self.assertEqual((process.returncode, out), (3, "ended\n"))

    def test_ctrl_c_reaches_each_command_once(self) -> None:
        count = "trap 'echo int' INT; trap 'echo term' TERM; echo ready; until read line; do :; done"
        master, terminal = os.openpty()
        process = subprocess.Popen(
            [str(PACKAGE / "../../bin/glb-run"), f'sh -c "{count}"'],
            stdin=terminal,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(terminal)
        self.addCleanup(os.close, master)
        self.addCleanup(self._end, process)
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.write(master, b"\x03")
        self.assertEqual(process.stdout.readline(), "int\n")
        process.send_signal(signal.SIGTERM)  # what glb-run itself passed on before has come by then
        self.assertEqual(process.stdout.readline(), "term\n")
        os.write(master, b"\n")
        self.assertEqual(process.stdout.read(), "")

    def test_it_runs_below_another_tool(self) -> None:
        """As below doit or make: blocking, quiet, the exit code passed on."""
        self.assertEqual(self.ran(f"sh -c '{sys.executable} job.py && exit 6'"), (6, "GPU-0\n", ""))


def _with_signals() -> None:
    """As from a shell at a terminal: what was started in the background ignores Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _take_terminal() -> None:
    _with_signals()
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class JoinTest(unittest.TestCase):
    """Which servers are joined."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def test_one_that_was_killed_is_not(self) -> None:
        """GLB refuses to start while the file of a killed server is there."""
        self.assertIsNone(server.answering(self.home))
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            fake.access(str(self.home), f"http://127.0.0.1:{unused.getsockname()[1]}")
            self.assertIsNone(server.answering(self.home))

    def test_another_that_has_its_port_now_is_not(self) -> None:
        unknown = fake.whole(401, {"error": {"message": "no valid token"}})
        for other in (unknown, fake.whole(200, "hello"), fake.nothing):
            with fake.server(other) as (home, asked):
                self.assertIsNone(server.answering(home))
                self.assertEqual([path for path, _ in asked], ["/api/v1/version"])

    def test_another_users_is_not(self) -> None:
        """GLB has one server per machine, whoever runs it."""
        with fake.server() as (home, asked):
            with mock.patch("os.geteuid", return_value=os.geteuid() + 1):
                with self.assertRaisesRegex(remuda.Forbidden, "another user's"):
                    server.answering(home)
            (home / "access.json").chmod(0o644)
            with self.assertRaisesRegex(remuda.Forbidden, "may be used by others"):
                server.answering(home)
        self.assertEqual(asked, [])

    def test_ones_own_is(self) -> None:
        with fake.server(fake.whole(200, {"version": "1"})) as (home, _):
            self.assertIsNotNone(server.answering(home))


if __name__ == "__main__":
    unittest.main()
