"""GLB's MNIST example, with the frameworks that there are, on a CPU."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.lease_case import PACKAGE
from tests.lease_server import lending

EXAMPLE = PACKAGE / "../../examples/glb-mnist"
SECONDS = 120


@unittest.skipUnless(shutil.which("doit"), "there is no doit")
class MnistTest(unittest.TestCase):
    def test_nine_trainings_run_under_doit(self) -> None:
        with lending(gpus=0) as lender, tempfile.TemporaryDirectory() as folder:
            shutil.copytree(EXAMPLE, Path(folder, "example"))
            environment = {**os.environ, "REMUDA_HOME": str(lender.home), "MNIST_IMAGES": "256"}
            environment.pop("MNIST_DIR", None)
            done = subprocess.run(
                [str(PACKAGE / "../../bin/glb-run"), "doit -d . -f example_doit.py -n 9"],
                cwd=Path(folder, "example"),
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                timeout=SECONDS,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(done.stdout.splitlines()), [f".  {n}" for n in range(9)])
            skipped = done.stderr.count(": skipped\n")
            self.assertEqual(9 - skipped, len(lender.leases), done.stderr)
            self.assertTrue(all(end["succeeded"] for _, end in lender.released))


if __name__ == "__main__":
    unittest.main()
