"""A server that lends, for each test."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, List
from unittest import mock

from tests.lease_server import Lender, lending
from tests.waiting import WAIT_SECONDS as SECONDS

PACKAGE = Path(__file__).resolve().parent.parent
SHELL_WORDS = "a;touch made && >made 2>made |tee $HOME `touch made` $(touch made) {a,b} * ~ #"
VARIABLES = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "TF_FORCE_GPU_ALLOW_GROWTH")


class NeverCase(unittest.TestCase):
    """Has a function that must not run."""

    def never(self) -> None:
        self.fail("it ran")


class LeaseCase(NeverCase):
    """Has ``lender``, a server with one GPU, which the environment names."""

    gpus = 1
    known: Any = ()

    def setUp(self) -> None:
        opened = lending(self.gpus, self.known)
        self.lender: Lender = opened.__enter__()
        self.addCleanup(opened.__exit__, None, None, None)
        clean = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        clean["REMUDA_HOME"] = str(self.lender.home)
        changed = mock.patch.dict(os.environ, clean, clear=True)
        changed.start()
        self.addCleanup(changed.stop)

    def outcomes(self) -> List[bool]:
        return [body["succeeded"] for _, body in self.lender.released]

    def script(
        self, text: str, *words: str, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Runs a script in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "job.py")
            file.write_text(textwrap.dedent(text))
            return subprocess.run(
                [sys.executable, "job.py", *words],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(PACKAGE), **variables},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                timeout=SECONDS,
            )
