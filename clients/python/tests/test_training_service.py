"""Trainings on a real server: the library of the Kubernetes scheduler and ``remuda.training``."""

import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, List

import remuda
from tests.service import ServiceCase
from tests.test_training_examples import EXAMPLES, python_with
from tests.waiting import await_that

EPOCHS = 6
PLAIN = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from remuda import training
    saved = training.folder() / "saved"
    for epoch in training.epochs():
        for step in range(4):
            time.sleep(0.05)
            training.step()
        saved.write_text(str(epoch + 1))
        print("epoch", epoch + 1, flush=True)
    """
)


class TrainingServiceTest(ServiceCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"

    def await_epochs(self, job: remuda.Job, done: int) -> None:
        def are_done() -> bool:
            now = self.client.show(job)
            self.assertFalse(now.over, self.lines())
            return (now.epochs_done or 0) >= done

        await_that(f"{done} epochs are done", are_done, self.lines)

    def requeue(self, job: remuda.Job) -> None:
        """Requeues a job as soon as it runs: it may just have left after an earlier request."""

        def is_requeued() -> bool:
            try:
                self.client.requeue(job)
                return True
            except remuda.Refused:
                return self.client.show(job).over

        await_that("it runs and is requeued", is_requeued, lambda: self.client.show(job))

    def lines(self) -> List[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def preempted_twice(self, python: str, script: Path, **more: Any) -> None:
        """Runs a training, has it leave after two epochs, and checks that each is done once."""
        job = self.client.submit(
            shell=f"exec {python} {script} >> {self.log} 2> {self.folder}/err",
            epochs=EPOCHS,
            snapshots=self.folder / "snap",
            batch_size=32,
            env={"PYTHONPATH": ""},
            **more,
        )
        for done in (1, 3):
            self.await_epochs(job, done)
            self.requeue(job)
        (ended,) = self.ended(job)
        self.assertEqual(ended.state, "succeeded", (self.folder / "err").read_text())
        self.assertEqual((ended.epochs, ended.epochs_done), (EPOCHS, EPOCHS))
        epochs = [int(line.split()[1].rstrip(":")) for line in self.lines() if "epoch" in line]
        self.assertEqual(epochs, list(range(1, EPOCHS + 1)), self.lines())

    def test_a_training_with_our_library_does_each_epoch_once(self) -> None:
        script = self.folder / "train.py"
        script.write_text(PLAIN)
        self.preempted_twice("python3", script)

    def test_the_guides_pytorch_training_does_each_epoch_once(self) -> None:
        python = python_with("torch", "numpy")
        if python is None:
            self.skipTest("no Python here has PyTorch")
        self.preempted_twice(python, EXAMPLES / "kube_torch.py", training_set_size=20_000)


if __name__ == "__main__":
    unittest.main()
