"""Scripts that were written for GLB and GRN, unmodified."""

import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import glb
import grn
from tests.lease_case import PACKAGE, LeaseCase

JOB = """
import glb

@glb.gpu_load_balance()
def job():
    import torch
    x = torch.randn(1000, device='cuda:0')

if __name__ == '__main__':
    job()
"""  # from GLB's guide

LONG_JOB = """
import glb

@glb.gpu_load_balance()
def long_job(sleep: int):
    import torch
    import time
    x = torch.randn(1000, device='cuda:0')
    time.sleep(sleep)

@long_job.profile
def short_job(*args):
    import torch
    import time
    x = torch.randn(1000, device='cuda:0')

if __name__ == '__main__':
    # short_job will run first to gather the resource profile.
    # Then long_job will run automatically.
    # The arguments passed to long_job here will also be passed to short_job.
    long_job(10)
"""  # from GLB's guide

TORCH = """
import os, sys

def randn(size, device):
    caller = sys._getframe(1)
    arguments = caller.f_locals.get("args", caller.f_locals.get("sleep"))
    print(caller.f_code.co_name, arguments, size, device, os.environ["CUDA_VISIBLE_DEVICES"])
"""


def stand_in(folder: str) -> None:
    """A torch that says what it is asked for, and by whom."""
    Path(folder, "torch.py").write_text(TORCH)


class GuideTest(LeaseCase):
    def test_the_first_script_of_the_guide_runs_on_the_gpu_that_it_was_lent(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stand_in(folder)
            done = self.script(JOB, PYTHONPATH=f"{PACKAGE}:{folder}")
        self.assertEqual(done.stdout, "job None 1000 cuda:0 GPU-0\n", done.stderr)
        self.assertRegex(self.lender.types()[0], r"\Ajob\.py::job in /.+\Z")
        self.assertEqual(self.outcomes(), [True])

    def test_the_second_script_of_the_guide_profiles_once_and_runs_once(self) -> None:
        """GLB runs long_job twice, and short_job never."""
        with tempfile.TemporaryDirectory() as folder:
            stand_in(folder)
            quick = "import time\ntime.sleep = lambda seconds: print('slept', seconds)\n"
            Path(folder, "sitecustomize.py").write_text(quick)
            done = self.script(LONG_JOB, PYTHONPATH=f"{PACKAGE}:{folder}")
        profiled = "short_job (10,) 1000 cuda:0 GPU-0\n"
        ran = "long_job 10 1000 cuda:0 GPU-0\nslept 10\n"
        self.assertEqual(done.stdout, profiled + ran, done.stderr)
        self.assertEqual(len(set(self.lender.types())), 1, self.lender.types())
        self.assertRegex(self.lender.types()[0], r"\Ajob\.py::long_job in /.+\Z")
        self.assertEqual(self.outcomes(), [True] * 2)

    def test_a_failure_is_seen(self) -> None:
        """GRN swallows a RuntimeError, and its program exits with 0."""
        done = self.script(JOB.replace("import torch", "raise RuntimeError('CUDA error')"))
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.endswith("RuntimeError: CUDA error\n"), done.stderr)
        self.assertEqual(self.outcomes(), [False])


class ShimTest(LeaseCase):
    def test_all_spellings_decorate(self) -> None:
        with_and_without = (glb.gpu_load_balance, glb.gpu_load_balance(), glb.job, glb.job())
        for decorate in (*with_and_without, grn.job, grn.job("mine")):
            self.assertEqual(decorate(lambda: "ran")(), "ran")  # type: ignore[operator]
        asked = [(body["gpuMem"], body["policy"]) for body in self.lender.asked]
        self.assertEqual(asked, [("auto", "spread")] * 6)
        self.assertEqual(self.lender.types()[-1], "mine")

    def test_grns_policies_are_understood(self) -> None:
        for given in ("spread", "spreading", "pack", "packing"):
            grn.job(resource_policy=given)(lambda: None)()
        policies = [body["policy"] for body in self.lender.asked]
        self.assertEqual(policies, ["spread", "spread", "pack", "pack"])
        with self.assertRaisesRegex(ValueError, "Got resource_policy='x', but options are "):
            grn.job(resource_policy="x")

    def test_without_a_server_it_is_a_connection_error(self) -> None:
        script = textwrap.dedent(
            """
            import glb

            def work():
                return "unbalanced"

            try:
                glb.gpu_load_balance()(work)()
            except ConnectionError as fault:
                print("start" in str(fault))
            print(glb.gpu_load_balance(continue_on_server_unavailable=True)(work)())
            """
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"REMUDA_HOME": "/nonexistent", "PYTHONPATH": str(PACKAGE)},
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(done.stdout, "True\nunbalanced\n")
        self.assertIn("runs without load balancing", done.stderr)


if __name__ == "__main__":
    unittest.main()
