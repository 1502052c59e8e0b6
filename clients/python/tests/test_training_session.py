"""Epochs of a training that uses our library, as the scheduler sees them."""

from remuda.training import _session, epochs
from tests.training_manager import TrainingCase


class EpochsTest(TrainingCase):
    def test_a_snapshot_with_more_epochs_than_the_scheduler_knows_is_told(self) -> None:
        self.restarted(4)
        _session.current().begin_after(5)  # of five; it died before it could tell
        self.assertEqual(list(epochs()), [])
        self.assertEqual(self.manager.asked(), ["POST /end_epoch 5"])

    def test_a_snapshot_with_as_many_epochs_is_no_news(self) -> None:
        self.restarted(4)
        _session.current().begin_after(4)
        self.assertEqual(list(epochs()), [4])
        self.assertNotIn("POST /end_epoch 4", self.manager.asked())
