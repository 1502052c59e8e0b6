"""The examples of trainings, preempted and started again, with the frameworks that there are.

A framework is looked for in this Python, in that of $REMUDA_TEST_PYTHON and in Debian's. Where
there is no Lightning or Keras, the stand-ins of ``stand_ins`` run the examples; the other tests
are skipped without the framework.
"""

import os
import shutil
import subprocess
import sys
import unittest
from typing import List, Optional

from tests.training_manager import PACKAGE, TrainingCase

EXAMPLES = PACKAGE / "../../examples/training"
STAND_INS = PACKAGE / "tests/stand_ins"
PYTHONS = (sys.executable, os.environ.get("REMUDA_TEST_PYTHON"), "/usr/bin/python3")
SECONDS = 120
EPOCHS = [f"epoch {number}" for number in range(1, 6)]


def python_with(*modules: str) -> Optional[str]:
    """Returns the first Python that has all the modules."""
    for python in PYTHONS:
        if python is not None and shutil.which(python):
            command = [python, "-c", f"import {', '.join(modules)}"]
            if subprocess.run(command, stderr=subprocess.DEVNULL, timeout=SECONDS).returncode == 0:
                return python
    return None


class ExampleCase(TrainingCase):
    """Starts an example as the scheduler does."""

    def start(self, python: str, example: str, *folders: str) -> List[str]:
        """Runs it to its end, which has to be with status 0, and returns its lines."""
        path = os.pathsep.join([*folders, str(PACKAGE)])
        done = subprocess.run(
            [python, str(EXAMPLES / f"{example}.py")],
            env={**os.environ, "PYTHONPATH": path, "NUM_GPUS": "1", "TRAINING_SET_SIZE": "256"},
            cwd=self.snapshots,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def twice_preempted(self, python: str, example: str, *folders: str) -> List[str]:
        """Stops it after its 2nd and after its 3rd epoch; returns the lines of all three parts."""
        lines: List[str] = []
        self.manager.requests.clear()
        for stop_after in (2, 3, None):
            self.manager.stop_after = stop_after
            lines += self.start(python, example, *folders)
            if stop_after is not None:
                self.assertEqual(self.manager.done, stop_after)
                self.restarted(stop_after)
        self.assertEqual(self.manager.done, 5)
        return lines

    def each_epoch_once(self, python: str, example: str, *folders: str) -> None:
        lines = self.twice_preempted(python, example, *folders)
        self.assertEqual([line for line in lines if line.startswith("epoch ")], EPOCHS, lines)


class TorchTest(ExampleCase):
    python: str

    @classmethod
    def setUpClass(cls) -> None:
        python = python_with("torch", "numpy")
        if python is None:
            raise unittest.SkipTest("no Python here has PyTorch")
        cls.python = python

    def test_a_preempted_training_ends_with_the_same_weights_bit_by_bit(self) -> None:
        undisturbed = self.start(self.python, "remuda_torch")
        self.assertEqual([line.split(":")[0] for line in undisturbed[:5]], EPOCHS)
        os.environ["JOB_UUID"] = "another"
        self.assertEqual(self.twice_preempted(self.python, "remuda_torch"), undisturbed)

    def test_the_guides_way_does_each_epoch_once(self) -> None:
        self.each_epoch_once(self.python, "kube_torch")

    def test_lightning_does_each_epoch_once_with_a_stand_in_for_lightning(self) -> None:
        for example in ("remuda_lightning", "kube_lightning"):
            with self.subTest(example):
                os.environ.update(JOB_UUID=example, JOB_RESTARTED="FALSE", EPOCHS_DONE="0")
                self.each_epoch_once(self.python, example, str(STAND_INS))


class LightningTest(ExampleCase):
    def test_lightning_does_each_epoch_once(self) -> None:
        python = python_with("pytorch_lightning", "numpy")
        if python is None:
            self.skipTest("no Python here has PyTorch Lightning")
        for example in ("remuda_lightning", "kube_lightning"):
            with self.subTest(example):
                os.environ.update(JOB_UUID=example, JOB_RESTARTED="FALSE", EPOCHS_DONE="0")
                self.each_epoch_once(python, example)


class KerasTest(ExampleCase):
    def examples(self, python: str, *folders: str) -> None:
        for example in ("remuda_keras", "kube_keras"):
            with self.subTest(example):
                os.environ.update(JOB_UUID=example, JOB_RESTARTED="FALSE", EPOCHS_DONE="0")
                self.each_epoch_once(python, example, *folders)

    def test_keras_does_each_epoch_once_with_a_stand_in_for_keras(self) -> None:
        python = python_with("numpy")
        if python is None:
            self.skipTest("no Python here has NumPy")
        self.examples(python, str(STAND_INS))

    def test_keras_does_each_epoch_once(self) -> None:
        os.environ.setdefault("KERAS_BACKEND", "jax")
        self.addCleanup(os.environ.pop, "KERAS_BACKEND", None)
        python = python_with("keras")
        if python is None:
            self.skipTest("no Python here has Keras")
        self.examples(python)


if __name__ == "__main__":
    unittest.main()
