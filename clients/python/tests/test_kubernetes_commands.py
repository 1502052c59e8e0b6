"""The commands of the Kubernetes scheduler, as its guide has them typed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from remuda.command import run_scheduler
from tests.service import DIST, ServiceCase
from tests.waiting import WAIT_SECONDS

SCRIPT = """
import sys, time
from kubernetesdlprofile import kubeprofiler
api = kubeprofiler.KubeProfiler()
for epoch in range(api.EPOCHS_DONE, api.EPOCHS):
    api.start_epoch()
    for step in range(3):
        time.sleep(0.02)
        api.measure()
    api.end_epoch()
print("batch", api.BATCH_SIZE, "of", api.TRAINING_SET_SIZE, flush=True)
print("warned", file=sys.stderr)
"""


class OptionsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "train.py").write_text(SCRIPT)

    def fields(self, *arguments: str) -> Dict[str, Any]:
        return run_scheduler.fields_of(run_scheduler.parser().parse_args([*arguments, "mine"]))

    def refusal(self, *arguments: str) -> str:
        with self.assertRaises(run_scheduler.BadUsage) as refused:
            self.fields(*arguments)
        return str(refused.exception)

    def test_a_script_in_the_custom_folder_is_found_as_in_the_container(self) -> None:
        fields = self.fields("--custom_dir", str(self.folder), "--script_path", "/custom/train.py")
        self.assertEqual(fields["argv"], ["python3", str(self.folder / "train.py")])
        self.assertEqual(fields["name"], "mine")

    def test_with_an_image_the_script_runs_in_a_container_that_sees_its_folder(self) -> None:
        script = str(self.folder / "train.py")
        fields = self.fields("--image_name", "torch", "--script_path", script)
        self.assertEqual(fields["container"], "torch")
        self.assertEqual(fields["mounts"], [str(self.folder)])
        self.assertEqual(fields["argv"], ["python3", script])
        self.assertIsNone(self.fields("--script_path", script)["container"])

    def test_contradictions_are_refused_before_anything_is_sent(self) -> None:
        script = ("--script_path", str(self.folder / "train.py"))
        self.assertIn("--image_name is empty", self.refusal("--image_name", "", *script))
        self.assertIn("script_path is missing", self.refusal())
        self.assertIn("no file /custom/x.py", self.refusal("--script_path", "/custom/x.py"))
        for hours in ("1", "inf", "nan", "1e9"):
            wanted = f"must be above 1 and at most 87600, got {float(hours):g}"
            self.assertIn(wanted, self.refusal("--est_nhours", hours, *script))
        self.assertIn("--snapshots_dir is empty", self.refusal("--snapshots_dir", "", *script))
        self.assertIn(
            "/custom is --custom_dir, which is missing",
            self.refusal("--script_path", "/custom/x.py"),
        )
        self.assertIn("the node's", self.refusal("--port_mapping", "80:8080", *script))
        self.assertIn("NODEPORT:PORT", self.refusal("--port_mapping", "http", *script))
        self.assertIn("no folder /none", self.refusal("--custom_dir", "/none", *script))
        self.fields("--port_mapping", "8080:8080,9090:9090", *script)

    def test_values_that_are_none_are_refused_with_the_value(self) -> None:
        for option, value in (
            ("--is_single_gpu", "maybe"),
            ("--max_epochs", "0"),
            ("--batch_size", "-1"),
            ("--estimated_memory", "1.5"),
            ("--no_such_option", "--no_such_option"),
        ):
            with self.subTest(option), mock.patch("sys.stderr") as err:
                with self.assertRaises(SystemExit) as ended:
                    self.fields(option, value)
                self.assertEqual(ended.exception.code, 2)
                self.assertIn(value, "".join(str(call) for call in err.write.call_args_list))


class CommandsTest(ServiceCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "train.py").write_text(SCRIPT)

    def command(self, *words: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [str(Path(str(DIST), "bin", words[0]).resolve()), *words[1:]],
            env={**os.environ, "REMUDA_HOME": str(self.service.home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=WAIT_SECONDS,
            cwd=self.folder,
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def submitted(self, *more: str) -> List[str]:
        return self.command(
            *"run-scheduler --script_path train.py --snapshots_dir snap --batch_size 64".split(),
            *"--training_set_size 6400 --max_epochs 3".split(),
            *more,
            "my-experiment",
        ).stdout.split()

    def test_a_training_goes_through_all_four_commands(self) -> None:
        number, uuid = self.submitted("--is_single_gpu", "true", "--est_nhours", "2")
        (ended,) = self.client.wait(int(number), timeout=WAIT_SECONDS)
        logs = self.command("scheduler-get-logs", uuid)
        self.assertEqual(ended.state, "succeeded", logs.stderr)
        self.assertEqual(logs.stdout, "batch 64 of 6400\n")
        self.assertIn("warned\n", logs.stderr)
        short = self.command(*"scheduler-state --nlast 1".split()).stdout.splitlines()
        self.assertEqual(len(short), 2)
        self.assertEqual(
            short[1].split()[:5], [number, "my-experiment", "succeeded", "3/3", "1"]
        )
        whole = self.command(*"scheduler-state --all_users --extended".split()).stdout
        self.assertIn(uuid, whole)
        self.assertIn(str(self.folder / "snap"), whole)

    def test_a_job_is_cancelled_by_force(self) -> None:
        (self.folder / "train.py").write_text("import time; time.sleep(600)")
        number, _ = self.submitted("--disable_gpu_sharing", "true", "--estimated_memory", "1000")
        self.command("scheduler-cancel-job", number)
        (ended,) = self.client.wait(int(number), timeout=WAIT_SECONDS)
        self.assertEqual(ended.state, "cancelled")

    def test_what_is_wrong_has_an_exit_code(self) -> None:
        self.assertIn("no job 'x'", self.command("scheduler-cancel-job", "x", code=2).stderr)
        self.command("scheduler-get-logs", "999999", code=1)
        self.command("run-scheduler", "--image_name", "", "name", code=2)


if __name__ == "__main__":
    sys.exit(unittest.main())
