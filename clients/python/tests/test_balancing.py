"""Functions and commands that share simulated GPUs of a real server."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

import remuda
from tests.lease_case import PACKAGE, SHELL_WORDS
from tests.programs import command, end, line
from tests.service import ServiceCase
from tests.waiting import WAIT_SECONDS, await_that


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
        self.addCleanup(end, process)
        return process

    def ran(self, text: str, *words: str) -> Any:
        process = self.program(text, *words)
        out, err = process.communicate(timeout=WAIT_SECONDS)
        return process.returncode, out, err

    def lease_of(self, type: str) -> remuda.Job:
        (found,) = [job for job in self.client.jobs(all=True) if job.name == type]
        return found


HOLD = """
    import os, sys, remuda

    @remuda.job(sys.argv[1])
    def hold():
        print(os.environ["REMUDA_DEVICES"], flush=True)
        sys.stdin.readline()

    hold()
    """
SLEEP = """
    import os, sys, time, remuda

    @remuda.job(sys.argv[1])
    def sleep():
        begin = time.time()
        time.sleep(1.5)
        print(sys.argv[1], os.environ["REMUDA_DEVICES"], begin, time.time())

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
        print(os.environ["REMUDA_DEVICES"], flush=True)

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
        devices = {line(program) for program in measuring}  # both hold at once
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
                line(holder)
                holder.send_signal(number)
                holder.communicate(timeout=WAIT_SECONDS)
            with remuda.lease(f"after-{number}", gpus=2) as lease:
                self.assertEqual(len(lease.devices), 2)
            self.assertEqual(self.lease_of(f"dies-{number}-0").state, "failed")

    def test_cancelling_a_lease_ends_its_program(self) -> None:
        holder = self.program(HOLD, "to-be-cancelled")
        line(holder)
        self.client.cancel(self.lease_of("to-be-cancelled"))
        holder.communicate(timeout=WAIT_SECONDS)
        self.assertEqual(holder.returncode, -signal.SIGTERM)
        self.ended(self.lease_of("to-be-cancelled"))
        self.assertEqual(self.lease_of("to-be-cancelled").state, "cancelled")

    def test_a_cancelled_lease_that_waits_is_refused(self) -> None:
        holder = self._holder_of_all()
        waiter = self.program(HOLD, "waits")
        self.client.cancel(self._await_waiting())
        _, err = waiter.communicate(timeout=WAIT_SECONDS)
        holder.communicate("\n", timeout=WAIT_SECONDS)
        self.assertRegex(err, r"remuda._errors.Refused: lease \d+ was cancelled")

    def test_a_process_that_has_used_a_gpu_waits_for_it_while_the_other_is_free(self) -> None:
        bound = self.program(BOUND)
        used = line(bound)
        holders = [self.program(HOLD, f"holds-{number}") for number in range(2)]
        by_gpu = {line(holder): holder for holder in holders}
        there = by_gpu.pop(used)
        for holder in by_gpu.values():
            holder.communicate("\n", timeout=WAIT_SECONDS)
        assert bound.stdin is not None
        bound.stdin.write("\n")
        bound.stdin.flush()
        why = f"no room on {used.strip()}, and its process can use no other GPU"
        self._await(
            why,
            lambda: any(
                why in text
                for job in self._live("waiting")
                for text in self.client.explain(job).text
            ),
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
        self._await_waiting()
        waiter.send_signal(signal.SIGSTOP)
        holder.communicate("\n", timeout=WAIT_SECONDS)
        waiter.send_signal(signal.SIGCONT)
        self.assertTrue(line(waiter))

    def _holder_of_all(self) -> "subprocess.Popen[str]":
        holder = self.program(HOLD_ALL)
        line(holder)
        return holder

    def test_a_command_is_a_type_and_is_lent_a_gpu_as_a_whole(self) -> None:
        done = command(
            "grn-run", "sh -c 'echo $REMUDA_DEVICES $CUDA_VISIBLE_DEVICES; echo err >&2'", "sh -c 'exit 3'"
        )
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"\AGPU-[-0-9a-f]+ [01]\n\Z")
        self.assertIn("err\n", done.stderr)

    def test_no_shell_looks_at_a_command(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = command("grn-run", f"printf '%s\\n' {SHELL_WORDS}", folder=folder)
            self.assertEqual(os.listdir(folder), [])
        printed = "".join(word + "\n" for word in SHELL_WORDS.split())
        self.assertEqual((done.returncode, done.stdout), (0, printed), done.stderr)

    def test_a_decorated_function_below_grn_run_asks_for_nothing_more(self) -> None:
        """With GRN it asks twice."""
        with tempfile.TemporaryDirectory() as folder:
            job = Path(folder, "job.py")
            job.write_text("import grn\n@grn.job('below')\ndef f(): print('ran')\nf()\n")
            done = command("grn-run", f"{sys.executable} {job}")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ran\n", ""))
        self.assertNotIn("below", [job.name for job in self.client.jobs(all=True)])

    def _live(self, state: str) -> List[remuda.Job]:
        return [job for job in self.client.jobs() if job.state == state]

    def _await(self, what: str, holds: Callable[[], bool]) -> None:
        await_that(what, holds, lambda: list(self.client.jobs()))

    def _await_waiting(self) -> remuda.Job:
        self._await("one waits", lambda: len(self._live("waiting")) == 1)
        return self._live("waiting")[0]


def _overlap(one: Any, other: Any) -> bool:
    return bool(one[0] < other[1] and other[0] < one[1])


if __name__ == "__main__":
    unittest.main()
