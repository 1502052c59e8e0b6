"""Folders of snapshots, on a real file system."""

import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from remuda.training._files import replacing
from remuda.training._folders import FOLDER, snapshot_folder
from remuda.training._ranks import is_first
from remuda.training._variables import read

JOB = "0c1d2e3f-0000-4000-8000-000000000001"


class SnapshotFolderTest(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.base = os.path.join(place.name, "deep", "snapshots")
        variables = mock.patch.dict(os.environ, {FOLDER: self.base})
        variables.start()
        self.addCleanup(variables.stop)
        self.addCleanup(os.umask, os.umask(0o022))

    def test_only_its_owner_may_enter_the_folder_of_a_training(self) -> None:
        folder = snapshot_folder(JOB)
        self.assertEqual(folder, os.path.join(self.base, JOB))
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)

    def test_a_folder_that_is_there_stays_as_it_is(self) -> None:
        os.makedirs(os.path.join(self.base, JOB), 0o750)
        self.assertEqual(stat.S_IMODE(os.stat(snapshot_folder(JOB)).st_mode), 0o750)

    def test_a_file_in_its_place_is_an_error(self) -> None:
        os.makedirs(self.base)
        with open(os.path.join(self.base, JOB), "w"):
            pass
        self.assertRaises(FileExistsError, snapshot_folder, JOB)


class ReplacedFileTest(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = pathlib.Path(place.name, "snapshot.pt")

    def test_a_draft_that_another_living_process_writes_is_left_alone(self) -> None:
        its = self.path.with_name(f".new-{os.getppid()}-snapshot.pt")
        its.write_text("half")
        with replacing(self.path) as fresh:
            fresh.write_text("whole")
        self.assertEqual((its.read_text(), self.path.read_text()), ("half", "whole"))

    def test_a_draft_of_a_process_that_has_ended_is_removed(self) -> None:
        ended = subprocess.Popen(["true"])
        ended.wait()
        its = self.path.with_name(f".new-{ended.pid}-snapshot.pt")
        its.write_text("half")
        with replacing(self.path) as fresh:
            fresh.write_text("whole")
        self.assertEqual([self.path], list(self.path.parent.iterdir()))


class FirstProcessTest(unittest.TestCase):
    """Processes that a program started itself have no number, until PyTorch has connected them."""

    def first(self, rank: int, **environment: str) -> bool:
        torch = mock.Mock()
        torch.distributed.is_available.return_value = True
        torch.distributed.is_initialized.return_value = True
        torch.distributed.get_rank.return_value = rank
        with mock.patch.dict(sys.modules, {"torch": torch}):
            return is_first(read(environment))

    def test_of_processes_without_a_number_the_first_rank_saves(self) -> None:
        self.assertEqual([True, False], [self.first(rank) for rank in (0, 1)])

    def test_what_a_launcher_says_counts(self) -> None:
        self.assertTrue(self.first(8, LOCAL_RANK="0"))  # its ranks may be in another order
        self.assertFalse(self.first(0, LOCAL_RANK="1"))
        self.assertFalse(self.first(0, NODE_RANK="1"))


if __name__ == "__main__":
    unittest.main()
