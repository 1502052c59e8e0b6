"""Functions and commands that share simulated GPUs of a real server."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from pathlib import Path
from typing import Any, List, Optional
from unittest import mock

import remuda
from remuda.command import server
from tests.lease_case import PACKAGE, SHELL_WORDS
from tests.service import DIST, WAIT_SECONDS, ServiceCase

NO_GPUS = {"CUDA_VISIBLE_DEVICES": "", "ROCR_VISIBLE_DEVICES": ""}
STAMP = r"\[\d\d/\d\d/\d\d \d\d:\d\d:\d\d\]"


class ProgramCase(ServiceCase):
    """Starts programs that find the class's server."""

    def setUp(self) -> None:
        here = mock.patch.dict(os.environ, REMUDA_HOME=str(self.service.home))
        here.start()
        self.addCleanup(here.stop)

    def program(self, text: str, *words: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(text), *words],
            env={**os.environ, "PYTHONPATH": str(PACKAGE)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(_end, process)
        return process

    def ran(self, text: str, *words: str) -> Any:
        process = self.program(text, *words)
        out, err = process.communicate(timeout=WAIT_SECONDS)
        return process.returncode, out, err

    def lease_of(self, type: str) -> remuda.Job:
        (found,) = [job for job in self.client.jobs(all=True) if job.name == type]
        return found


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


HOLD = """
    import os, sys, remuda

    @remuda.job(sys.argv[1])
    def hold():
        print(os.environ["CUDA_VISIBLE_DEVICES"], flush=True)
        sys.stdin.readline()

    hold()
    """
SLEEP = """
    import os, sys, time, remuda

    @remuda.job(sys.argv[1])
    def sleep():
        begin = time.time()
        time.sleep(1.5)
        print(sys.argv[1], os.environ["CUDA_VISIBLE_DEVICES"], begin, time.time())

    sleep()
    """
HOLD_ALL = """
    import sys, remuda

    with remuda.lease("all", gpus=2, gpu_mem="all") as lease:
        print(lease.devices, flush=True)
        sys.stdin.readline()
    """
BOUND = """
    import os, sys, types, remuda

    cuda = types.SimpleNamespace(is_initialized=lambda: False, empty_cache=lambda: None)
    sys.modules["torch"] = types.SimpleNamespace(cuda=cuda)

    @remuda.job("bound", gpu_mem="all")
    def use():
        cuda.is_initialized = lambda: True  # from the first use on
        print(os.environ["CUDA_VISIBLE_DEVICES"], flush=True)

    use()
    sys.stdin.readline()
    use()
    """
FAIL = """
    import sys, remuda

    @remuda.job(sys.argv[1])
    def fail():
        raise RuntimeError("no")

    fail()
    """


class BalancingTest(ProgramCase):
    options = ("--simulate-gpus", "h200:2")

    def test_nine_programs_of_three_types_never_share_a_gpu_that_measures(self) -> None:
        """The schedule of GLB's MNIST example."""
        types = [f"nine-{number}" for number in range(3)]
        programs = [self.program(SLEEP, type) for type in types for _ in range(3)]
        runs: List[Any] = []
        for program in programs:
            out, err = program.communicate(timeout=WAIT_SECONDS)
            self.assertEqual(program.returncode, 0, err)
            type, device, begin, end = out.split()
            runs.append((float(begin), float(end), type, device))
        for type in types:
            measured, *twins = sorted(run for run in runs if run[2] == type)
            beside = [run for run in runs if run[3] == measured[3] and _overlap(run, measured)]
            self.assertEqual(beside, [measured])
            self.assertTrue(all(twin[0] >= measured[1] for twin in twins), runs)

    def test_types_that_measure_take_a_gpu_each(self) -> None:
        measuring = [self.program(HOLD, f"pair-{number}") for number in range(2)]
        devices = {_line(program) for program in measuring}  # both hold at once
        self.assertEqual(len(devices), 2, devices)
        for program in measuring:
            program.communicate("\n", timeout=WAIT_SECONDS)

    def test_failures_of_all_gpus_lock_none(self) -> None:
        """In GRN, M failures of M GPUs have every request wait for ever."""
        for number in range(3):
            code, _, err = self.ran(FAIL, f"fails-{number}")
            self.assertEqual(code, 1)
            self.assertTrue(err.endswith("RuntimeError: no\n"), err)
        self.assertEqual(self.lease_of("fails-0").state, "failed")
        self.assertIn("RuntimeError: no", str(self.lease_of("fails-0").reason))
        with remuda.lease("good", gpus=2) as lease:
            self.assertEqual(len(lease.devices), 2)

    def test_what_a_killed_program_held_is_lent_again(self) -> None:
        for number in (signal.SIGKILL, signal.SIGTERM):
            holders = [self.program(HOLD, f"dies-{number}-{each}") for each in range(2)]
            for holder in holders:
                _line(holder)
                holder.send_signal(number)
                holder.communicate(timeout=WAIT_SECONDS)
            with remuda.lease(f"after-{number}", gpus=2) as lease:
                self.assertEqual(len(lease.devices), 2)
            self.assertEqual(self.lease_of(f"dies-{number}-0").state, "failed")

    def test_cancelling_a_lease_ends_its_program(self) -> None:
        holder = self.program(HOLD, "to-be-cancelled")
        _line(holder)
        self.client.cancel(self.lease_of("to-be-cancelled"))
        holder.communicate(timeout=WAIT_SECONDS)
        self.assertEqual(holder.returncode, -signal.SIGTERM)
        self.ended(self.lease_of("to-be-cancelled"))
        self.assertEqual(self.lease_of("to-be-cancelled").state, "cancelled")

    def test_a_cancelled_lease_that_waits_is_refused(self) -> None:
        holder = self._holder_of_all()
        waiter = self.program(HOLD, "waits")
        self._await(lambda: len(self._live("waiting")) == 1)
        self.client.cancel(self._live("waiting")[0])
        _, err = waiter.communicate(timeout=WAIT_SECONDS)
        holder.communicate("\n", timeout=WAIT_SECONDS)
        self.assertRegex(err, r"remuda._errors.Refused: lease \d+ was cancelled")

    def test_a_process_that_has_used_a_gpu_waits_for_it_while_the_other_is_free(self) -> None:
        bound = self.program(BOUND)
        used = _line(bound)
        holders = [self.program(HOLD, f"holds-{number}") for number in range(2)]
        by_gpu = {_line(holder): holder for holder in holders}
        there = by_gpu.pop(used)
        for holder in by_gpu.values():
            holder.communicate("\n", timeout=WAIT_SECONDS)
        assert bound.stdin is not None
        bound.stdin.write("\n")
        bound.stdin.flush()
        why = f"no room on {used.strip()}, and its process can use no other GPU"
        self._await(
            lambda: any(
                why in line
                for job in self._live("waiting")
                for line in self.client.explain(job).text
            )
        )
        there.communicate("\n", timeout=WAIT_SECONDS)
        out, err = bound.communicate(timeout=WAIT_SECONDS)
        self.assertEqual((out, err, bound.returncode), (used, "", 0))

    def test_what_is_bigger_than_every_gpu_is_refused_naming_the_largest(self) -> None:
        with self.assertRaisesRegex(remuda.Refused, "14[01]|13[9]|GiB") as raised:
            with remuda.lease("huge", gpu_mem="999GiB"):
                self.fail("it was granted")
        self.assertEqual(raised.exception.code, "never-fits")
        with self.assertRaises(remuda.Refused):
            with remuda.lease("many", gpus=3):
                self.fail("it was granted")

    def test_what_fails_for_want_of_memory_runs_again_with_more(self) -> None:
        promised: List[Any] = []

        @remuda.job("hungry", gpu_mem="2GiB")
        def hungry() -> str:
            number = os.environ["REMUDA_LEASE"]
            view = self.client._transport.request("GET", f"/leases/{number}").json()
            promised.append(view["gpuMemoryBytes"])
            if len(promised) < 3:
                raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
            return "fed"

        self.assertEqual(hungry(), "fed")
        gib = 1 << 30
        self.assertEqual(promised, [2 * gib, 3 * gib, 4.5 * gib])

    def test_a_stand_in_and_its_function_run_once_each(self) -> None:
        code, out, err = self.ran(
            """
            import remuda

            @remuda.job("long")
            def long_job(seconds):
                print("main", seconds)

            @long_job.profile
            def short_job(*args):
                print("profile", *args)

            long_job(10)
            """
        )
        self.assertEqual((code, out), (0, "profile 10\nmain 10\n"), err)

    def test_a_program_that_stands_still_while_it_waits_can_go_on(self) -> None:
        holder = self._holder_of_all()
        waiter = self.program(HOLD, "stands")
        self._await(lambda: len(self._live("waiting")) == 1)
        waiter.send_signal(signal.SIGSTOP)
        holder.communicate("\n", timeout=WAIT_SECONDS)
        waiter.send_signal(signal.SIGCONT)
        self.assertTrue(_line(waiter))

    def _holder_of_all(self) -> "subprocess.Popen[str]":
        holder = self.program(HOLD_ALL)
        _line(holder)
        return holder

    def test_a_command_is_a_type_and_is_lent_a_gpu_as_a_whole(self) -> None:
        done = _command(
            "grn-run", "sh -c 'echo $CUDA_VISIBLE_DEVICES; echo err >&2'", "sh -c 'exit 3'"
        )
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"\AGPU-[-0-9a-f]+\n\Z")
        self.assertIn("err\n", done.stderr)

    def test_no_shell_looks_at_a_command(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = _command("grn-run", f"printf '%s\\n' {SHELL_WORDS}", folder=folder)
            self.assertEqual(os.listdir(folder), [])
        printed = "".join(word + "\n" for word in SHELL_WORDS.split())
        self.assertEqual((done.returncode, done.stdout), (0, printed), done.stderr)

    def test_a_decorated_function_below_grn_run_asks_for_nothing_more(self) -> None:
        """With GRN it asks twice."""
        with tempfile.TemporaryDirectory() as folder:
            job = Path(folder, "job.py")
            job.write_text("import grn\n@grn.job('below')\ndef f(): print('ran')\nf()\n")
            done = _command("grn-run", f"{sys.executable} {job}")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ran\n", ""))
        self.assertNotIn("below", [job.name for job in self.client.jobs(all=True)])

    def _live(self, state: str) -> List[remuda.Job]:
        return [job for job in self.client.jobs() if job.state == state]

    def _await(self, condition: Any) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, list(self.client.jobs()))
            time.sleep(0.02)


def _overlap(one: Any, other: Any) -> bool:
    return bool(one[0] < other[1] and other[0] < one[1])


def _line(process: "subprocess.Popen[str]") -> str:
    """The next that it prints; all it has to say if that is nothing."""
    assert process.stdout is not None
    late = threading.Timer(WAIT_SECONDS, process.kill)
    late.start()
    line = process.stdout.readline()
    late.cancel()
    if not line:
        raise AssertionError(process.communicate()[1])
    return line


def _command(
    name: str, *words: str, folder: Optional[str] = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(Path(str(DIST), "bin", name).resolve()), *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WAIT_SECONDS,
    )


@unittest.skipUnless(DIST, "REMUDA_DIST names no built distribution")
class OwnServerTest(unittest.TestCase):
    """Commands that start a server."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="remuda-")
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name, "home")
        changes = {"REMUDA_HOME": str(self.home), **NO_GPUS}
        if "REMUDA_CACHE" not in os.environ:
            changes.update(REMUDA_CACHE=str(Path(folder.name, "cache")), REMUDA_NO_ARCHIVE="1")
        changed = mock.patch.dict(os.environ, changes)
        changed.start()
        self.addCleanup(changed.stop)

    def test_glb_start_and_glb_run_start_a_server_also_after_one_that_was_killed(self) -> None:
        first = self._started()
        second = _command("glb-start")
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, "a server of yours is running already, at https://127.0.0.1")
        self._kill_server(first)
        self.assertTrue((self.home / "access.json").exists())
        again = self._started()
        again.send_signal(signal.SIGINT)
        out, err = again.communicate(timeout=WAIT_SECONDS)
        self.assertEqual((again.returncode, err), (0, ""))
        self.assertRegex(out, STAMP + r" INFO     \[GPUMaster\] Cleaning up\.\.\.\n\Z")
        self.assertIsNone(server.answering(self.home))
        self._run_without_a_gpu()
        self.assertIsNone(server.answering(self.home))

    def _run_without_a_gpu(self) -> None:
        """The inner one joins the outer one's server, and leaves it running."""
        job = "import glb\n@glb.job('t')\ndef f(): print('ran')\nf()\n"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "job.py").write_text(job)
            python = f"{sys.executable} {folder}/job.py"
            inner = f"{Path(str(DIST), 'bin', 'glb-run')} '{python}'"
            then = f'sh -c "{inner} && {python} && exit 5"'
            done = _command("glb-run", then)
        self.assertEqual((done.returncode, done.stdout), (5, "ran\nran\n"), done.stderr)
        self.assertEqual(done.stderr.count("Managing GPUs {}\n"), 1)
        self.assertEqual(done.stderr.count("remuda: no GPU here, balancing on the CPU\n"), 3)

    def _started(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [str(Path(str(DIST), "bin", "glb-start")), "--cpus", "1", "--simulate-gpus", "h200:2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(_end, process)
        lines = [_line(process) for _ in range(8)]
        self.assertIn("/ ___| |   | __ )   _   / ___|", lines[2])
        self.assertRegex(lines[-1], r"\A" + STAMP + r" INFO     Managing GPUs \{0, 1\}\n\Z")
        return process

    def _kill_server(self, start: "subprocess.Popen[str]") -> None:
        children = Path(f"/proc/{start.pid}/task/{start.pid}/children").read_text().split()
        self.assertEqual(len(children), 1)
        os.kill(int(children[0]), signal.SIGKILL)
        self.assertEqual(start.wait(WAIT_SECONDS), 1)


if __name__ == "__main__":
    unittest.main()
