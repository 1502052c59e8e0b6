"""The project that jobs and functions belong to, which tells their types apart."""

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import remuda
from remuda._project import MARKERS, in_project, root_of
from tests.fake import job, server, whole
from tests.lease_case import PACKAGE


def asked_for(**fields: Any) -> Dict[str, Any]:
    """What a submission with these fields asks of a server."""
    with server(whole(201, {"ids": [1]}), job()) as (home, asked), remuda.Client(home) as client:
        client.submit(["train.py"], gpu_mem="auto", **fields)
    body = asked[0][1]
    assert isinstance(body, dict)
    return body


class ProjectTest(unittest.TestCase):
    def test_the_nearest_marker_below_the_home_folder_is_the_root_of_a_project(self) -> None:
        with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, HOME=home):
            runs = Path(home, "cifar", "runs")
            runs.mkdir(parents=True)
            Path(home, "package.json").touch()
            self.assertEqual(root_of(runs), str(runs))
            Path(home, "cifar", ".git").touch()  # a file, as in a worktree
            self.assertEqual(root_of(runs), str(runs.parent))
        self.assertEqual(root_of("/"), "/")

    def test_a_long_type_keeps_the_end_of_its_project(self) -> None:
        name = in_project("python train.py " + "x" * 600, "/" + "y" * 600 + "/cifar")
        self.assertEqual(len(name), 499)
        self.assertTrue(name.startswith("python train.py xxx"), name)
        self.assertTrue(name.endswith("yyy/cifar"), name)

    def test_the_documentation_names_the_markers(self) -> None:
        docs = (PACKAGE / "../../docs/job-service.md").read_text()
        self.assertIn(", ".join(f"`{marker}`" for marker in MARKERS), docs)

    def test_a_job_is_sent_with_the_project_of_its_folder_unless_it_has_a_type(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "setup.py").touch()
            runs = Path(folder, "runs")
            runs.mkdir()
            self.assertEqual(asked_for(workdir=runs)["project"], folder)
            self.assertNotIn("project", asked_for(workdir=runs, type="mine"))


if __name__ == "__main__":
    unittest.main()
