import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from classes import ROOT


class OneWordCommandsTest(unittest.TestCase):
    """The scripts of bin/ for tools that take no more than a word, beside a remuda of this test."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def said(self, script, remuda, *arguments):
        for file in (script, "shell-variables"):
            shutil.copy(ROOT / "bin" / file, self.folder)
        stand_in = self.folder / "remuda"
        stand_in.write_text("#!/bin/sh\n" + remuda)
        stand_in.chmod(0o755)
        ran = subprocess.run(
            [self.folder / script, *arguments], capture_output=True, text=True, check=False
        )
        return ran.returncode, ran.stdout.strip()

    def test_each_is_the_command_that_its_name_says(self):
        told = 'echo "$@"'
        self.assertEqual(self.said("remuda-cancel", told, "3", "4"), (0, "cancel 3 4"))
        self.assertEqual(self.said("remuda-submit", told, "true"), (0, "submit --quiet true"))
        self.assertEqual(self.said("remuda-cancel", "exit 2", "3")[0], 2)

    def test_a_status_is_one_of_snakemakes_three_words(self):
        states = {
            "succeeded": "success",
            "failed": "failed",
            "cancelled": "failed",
            "lost": "failed",
            "waiting": "running",
            "running": "running",
            "stopping": "running",
        }
        for state, word in states.items():
            self.assertEqual(self.said("remuda-status", f"echo STATE; echo {state}", "7"), (0, word))

    def test_a_job_whose_server_is_away_still_runs_and_an_unknown_one_is_an_error(self):
        self.assertEqual(self.said("remuda-status", "exit 3", "7"), (0, "running"))
        self.assertEqual(self.said("remuda-status", "exit 1", "7"), (1, ""))
        self.assertNotEqual(self.said("remuda-status", "exit 0")[0], 0)


class FindingsTest(unittest.TestCase):
    """Scripts about other programs, which nobody's build depends on."""

    def test_no_check_and_no_build_runs_a_finding(self):
        runners = [ROOT / "check", ROOT / "pom.xml", *(ROOT / "checks").glob("*")]
        ci = ROOT / ".ci" / "run"
        runners += [ci] if ci.exists() else []
        for runner in runners:
            if runner.is_file() and runner.name != Path(__file__).name:
                self.assertNotIn("findings/", runner.read_text("utf-8", "replace"), runner)

    def test_each_finding_is_listed_and_states_version_guess_and_behaviour(self):
        folder = ROOT / "findings"
        listed = (folder / "README.md").read_text("utf-8")
        scripts = list(folder.glob("*.sh"))
        self.assertGreaterEqual(len(scripts), 4)
        for script in scripts:
            text = script.read_text("utf-8")
            self.assertIn(f"({script.name})", listed)
            for word in ("# Guess:", "# Behaviour:", "verdict "):
                self.assertIn(word, text, script.name)

    def test_each_finding_stands_alone_in_a_temporary_folder(self):
        for script in (ROOT / "findings").glob("*.sh"):
            text = script.read_text("utf-8")
            self.assertIn('cd "$tools" || exit 2', text, script.name)
            self.assertNotIn("$0", text, script.name)


if __name__ == "__main__":
    unittest.main()
