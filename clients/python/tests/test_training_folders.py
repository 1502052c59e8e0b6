"""Folders of snapshots, on a real file system."""

import os
import stat
import tempfile
import unittest
from unittest import mock

from remuda.training._folders import FOLDER, snapshot_folder

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


if __name__ == "__main__":
    unittest.main()
