"""Commands that start a server of their own."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from remuda.command import server
from tests.programs import command, end, line
from tests.service import DIST
from tests.waiting import WAIT_SECONDS

NO_GPUS = {"CUDA_VISIBLE_DEVICES": "", "ROCR_VISIBLE_DEVICES": ""}
STAMP = r"\[\d\d/\d\d/\d\d \d\d:\d\d:\d\d\]"


@unittest.skipUnless(DIST, "REMUDA_DIST names no built distribution")
class OwnServerTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="remuda-")
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name, "home")
        changes = {"REMUDA_HOME": str(self.home), **NO_GPUS}
        if "REMUDA_CACHE" not in os.environ:
            changes.update(REMUDA_CACHE=str(Path(folder.name, "cache")), REMUDA_NO_ARCHIVE="1")
        changed = mock.patch.dict(os.environ, changes)
        changed.start()
        self.addCleanup(changed.stop)

    def test_glb_start_and_glb_run_start_a_server_also_after_one_that_was_killed(self) -> None:
        first = self._started()
        second = command("glb-start")
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, "a server of yours is running already, at https://127.0.0.1")
        self._kill_server(first)
        self.assertTrue((self.home / "access.json").exists())
        again = self._started()
        again.send_signal(signal.SIGINT)
        out, err = again.communicate(timeout=WAIT_SECONDS)
        self.assertEqual((again.returncode, err), (0, ""))
        self.assertRegex(out, STAMP + r" INFO     \[GPUMaster\] Cleaning up\.\.\.\n\Z")
        self.assertIsNone(server.answering(self.home))
        self._run_without_a_gpu()
        self.assertIsNone(server.answering(self.home))

    def _run_without_a_gpu(self) -> None:
        """The inner one joins the outer one's server, and leaves it running."""
        job = "import glb\n@glb.job('t')\ndef f(): print('ran')\nf()\n"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "job.py").write_text(job)
            python = f"{sys.executable} {folder}/job.py"
            inner = f"{Path(str(DIST), 'bin', 'glb-run')} '{python}'"
            then = f'sh -c "{inner} && {python} && exit 5"'
            done = command("glb-run", then)
        self.assertEqual((done.returncode, done.stdout), (5, "ran\nran\n"), done.stderr)
        self.assertEqual(done.stderr.count("Managing GPUs {}\n"), 1)
        self.assertEqual(done.stderr.count("remuda: no GPU here, balancing on the CPU\n"), 3)

    def _started(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [str(Path(str(DIST), "bin", "glb-start")), "--cpus", "1", "--simulate-gpus", "h200:2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(end, process)
        lines = [line(process) for _ in range(8)]
        self.assertIn("/ ___| |   | __ )   _   / ___|", lines[2])
        self.assertRegex(lines[-1], r"\A" + STAMP + r" INFO     Managing GPUs \{0, 1\}\n\Z")
        return process

    def _kill_server(self, start: "subprocess.Popen[str]") -> None:
        children = Path(f"/proc/{start.pid}/task/{start.pid}/children").read_text().split()
        self.assertEqual(len(children), 1)
        os.kill(int(children[0]), signal.SIGKILL)
        self.assertEqual(start.wait(WAIT_SECONDS), 1)


if __name__ == "__main__":
    unittest.main()
