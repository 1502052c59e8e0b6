"""GLB's MNIST example, with the frameworks that there are, on a CPU."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.lease_case import PACKAGE
from tests.lease_server import lending

EXAMPLE = PACKAGE / "../../examples/glb-mnist"
SECONDS = 120


class ScriptTest(unittest.TestCase):
    def test_a_script_without_its_framework_exits_with_the_code_for_skipped(self) -> None:
        for script in sorted(EXAMPLE.glob("*_mnist_train.py")):
            with self.subTest(script.name):
                done = subprocess.run(
                    [sys.executable, "-S", script.name],  # without what is installed
                    cwd=EXAMPLE,
                    env={**os.environ, "PYTHONPATH": str(PACKAGE)},
                    stderr=subprocess.PIPE,
                    text=True,
                    timeout=SECONDS,
                )
                self.assertEqual(done.returncode, 77, done.stderr)
                self.assertIn("numpy is not installed for ", done.stderr)


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
            lines = sorted(done.stdout.splitlines(), key=lambda line: line[3:])
            ran = [line for line in lines if re.match(r"\.  \d\Z", line)]
            skipped = [
                line for line in lines if re.match(r"-- \d skipped: \w+ is not installed for ", line)
            ]
            self.assertEqual((len(lines), len(ran) + len(skipped)), (9, 9), done.stdout)
            self.assertEqual(len(ran), len(lender.leases), done.stderr)
            self.assertTrue(all(end["succeeded"] for _, end in lender.released))


if __name__ == "__main__":
    unittest.main()
