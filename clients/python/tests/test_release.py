"""Which release the commands of the package use."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from remuda.command import server


class TheRelease(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def release(self, name: str) -> Path:
        program = self.folder / name / "bin" / "remuda"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return program

    def found(self, **environment: str) -> str:
        alone = {"HOME": str(self.folder), "PATH": "/nowhere", **environment}
        with mock.patch.dict(os.environ, alone, clear=True), mock.patch.object(
            server, "folder_above", return_value=self.folder / "lib" / "python" / "site-packages"
        ):
            return server.program()

    def test_the_named_release_comes_first(self) -> None:
        named = self.release("named")
        on_path = self.release("path")
        found = self.found(REMUDA_DIST=str(self.folder / "named"), PATH=str(on_path.parent))
        self.assertEqual(str(named), found)

    def test_a_named_folder_without_a_release_is_refused(self) -> None:
        with self.assertRaisesRegex(server.NoServer, "REMUDA_DIST is .*, which has no bin/remuda"):
            self.found(REMUDA_DIST=str(self.folder))

    def test_a_release_in_the_usual_folder_is_found_when_none_is_on_the_path(self) -> None:
        usual = self.release(".local/share/remuda")
        self.assertEqual(str(usual), self.found())
        on_path = self.release("path")
        self.assertEqual(str(on_path), self.found(PATH=str(on_path.parent)))

    def test_without_any_the_ways_to_have_one_are_named(self) -> None:
        with self.assertRaisesRegex(server.NoServer, "REMUDA_DIST"):
            self.found()
