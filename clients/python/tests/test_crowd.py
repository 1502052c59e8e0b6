"""A crowd of programs that share the GPUs of the simulated driver, and what becomes of those killed."""

import fcntl
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, List, Tuple
from unittest import mock

import remuda
from tests.lease_case import PACKAGE
from tests.service import DIST, Service
from tests.waiting import await_that

DRIVER = PACKAGE.parent.parent / "telemetry/target/simulated-driver/libremuda-nvml.so"
SEED = int(os.environ.get("CROWD_SEED", time.time_ns() % 1_000_000))
PROGRAMS = int(os.environ.get("CROWD_PROGRAMS", 24))
KILLED = PROGRAMS // 6
SHORT = PROGRAMS // 20
GPUS = 4
GIB = 1024
ROOM = 24 * GIB - 512
PEAKS = (1 * GIB, 3 * GIB, 5 * GIB, 8 * GIB, 12 * GIB, 20 * GIB)
LONGEST_DELAY = float(os.environ.get("CROWD_DELAY", 0.5))
LIMIT_SECONDS = 240

PROGRAM = """
import fcntl, os, sys, time
import remuda

kind, peak, short, delay, life = sys.argv[1:]

def change(sign, gpu):
    with open("lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open("ledger", "a") as ledger:
            ledger.write(f"{sign} {gpu} {peak} {os.getpid()}\\n")
        own = f"process.{os.getpid()}"
        if sign == "+":
            with open(own, "w") as file:
                file.write(f"gpu {gpu} process {os.getpid()} {peak}MiB\\n")
        else:
            os.remove(own)
        parts = ["machine"] + [name for name in os.listdir() if name.startswith("process.")]
        with open("next", "w") as file:
            file.writelines(open(name).read() for name in parts)
        os.rename("next", "control")

calls = []

@remuda.job(type=kind)
def work():
    calls.append(1)
    promised = int(os.environ["REMUDA_GPU_MEM_MIB"])
    gpu = int(os.environ["REMUDA_DEVICES"][4:12], 16) - 1
    time.sleep(float(delay))
    if promised and (promised < int(peak) or (short == "yes" and len(calls) == 1)):
        raise RuntimeError(f"CUDA out of memory. Tried to allocate {peak} MiB")
    change("+", gpu)
    time.sleep(float(life))
    change("-", gpu)
    return len(calls)

print(work())
"""


@unittest.skipUnless(DIST, "REMUDA_DIST names no built distribution")
@unittest.skipUnless(DRIVER.exists(), "the simulated driver is built with the telemetry tests")
class CrowdTest(unittest.TestCase):
    def setUp(self) -> None:
        opened = tempfile.TemporaryDirectory(prefix="remuda-crowd-")
        self.addCleanup(opened.cleanup)
        self.folder = Path(opened.name)
        machine = f"gpus {GPUS}\n" + "".join(
            f"gpu {gpu} uuid GPU-{gpu + 1:08x}-{os.getpid():04x}-4000-8000-000000000000"[:60]
            + " memory 24GiB reserved 512MiB\n"
            for gpu in range(GPUS)
        )
        for name, text in (
            ("machine", machine),
            ("control", machine),
            ("lock", ""),
            ("ledger", ""),
            ("program.py", PROGRAM),
        ):
            (self.folder / name).write_text(text)
        driver = {
            "REMUDA_NVML_LIBRARY": str(DRIVER),
            "REMUDA_SIMULATED_NVML": str(self.folder / "control"),
            "REMUDA_DEVICE_LOCKS": str(self.folder / "locks"),
        }
        with mock.patch.dict(os.environ, driver):
            self.service = Service()
        self.addCleanup(self.service.close)

    def test_a_crowd_of_programs_shares_what_there_is_though_some_are_killed(self) -> None:
        print(f"crowd: seed {SEED}", file=sys.stderr)
        chance = random.Random(SEED)
        kinds = [number % len(PEAKS) for number in range(PROGRAMS)]
        short = set(chance.sample(range(PROGRAMS), SHORT))
        began = time.monotonic()
        programs = [
            self.start(
                kind,
                number in short,
                chance.uniform(0, LONGEST_DELAY),
                chance.uniform(0.2, 1.0),
            )
            for number, kind in enumerate(kinds)
        ]
        victims = set(chance.sample(range(PROGRAMS), KILLED))
        for number in victims:
            time.sleep(chance.uniform(0, 1.0))
            self.kill(programs[number])
        ends: Dict[int, Tuple[int, str, str]] = {}
        for number, program in enumerate(programs):
            out, err = program.communicate(timeout=LIMIT_SECONDS)
            ends[number] = (program.returncode, out, err)
        print(f"crowd: {time.monotonic() - began:.1f} s", file=sys.stderr)
        with remuda.Client(self.service.home) as client:
            failed = [f"{job.id} {job.name} {job.state}: {job.reason}" for job in client.jobs(all=True)]
        for number, (code, out, err) in ends.items():
            if number not in victims:
                self.assertEqual(0, code, f"program {number}: {err}\n{failed}")
        self.assert_never_too_much()
        self.assert_nothing_stays()

    def start(self, kind: int, short: bool, delay: float, life: float) -> "subprocess.Popen[str]":
        words = [f"kind-{kind}", str(PEAKS[kind]), "yes" if short else "no", f"{delay:.2f}"]
        process = subprocess.Popen(
            [sys.executable, "program.py", *words, f"{life:.2f}"],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(PACKAGE),
                "REMUDA_HOME": str(self.service.home),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(_end, process)
        return process

    def kill(self, program: "subprocess.Popen[str]") -> None:
        """By SIGKILL, upon which the driver frees what it had, between two changes of others."""
        with open(self.folder / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if program.poll() is not None:
                return
            program.send_signal(signal.SIGKILL)
            program.wait()
            own = self.folder / f"process.{program.pid}"
            if own.exists():
                _, gpu, _, pid, memory = own.read_text().split()
                own.unlink()
                with open(self.folder / "ledger", "a") as ledger:
                    ledger.write(f"- {gpu} {memory[:-3]} {pid}\n")
                parts = [self.folder / "machine", *self.folder.glob("process.*")]
                (self.folder / "next").write_text("".join(part.read_text() for part in parts))
                os.rename(self.folder / "next", self.folder / "control")

    def assert_never_too_much(self) -> None:
        used = [0] * GPUS
        most: List[int] = [0] * GPUS
        for line in (self.folder / "ledger").read_text().splitlines():
            sign, gpu, memory, _ = line.split()
            used[int(gpu)] += int(memory) if sign == "+" else -int(memory)
            most[int(gpu)] = max(most[int(gpu)], used[int(gpu)])
        self.assertEqual([0] * GPUS, used)
        self.assertLessEqual(max(most), ROOM)

    def assert_nothing_stays(self) -> None:
        with remuda.Client(self.service.home) as client:
            await_that("no job is left", lambda: not list(client.jobs()), lambda: [*client.jobs()])
            (node,) = client.nodes()
            for device in node.devices:
                self.assertEqual(device.memory_bytes, device.free_memory_bytes)


def _end(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        process.kill()
    process.communicate()
