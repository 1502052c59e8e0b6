import io
import tempfile
import unittest
from pathlib import Path

import run
from classes import LONG_ATTACK, TestClass
from maven import Maven
from progress import Progress

_ENDED = "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in "
_GOAL = "[INFO] --- maven-surefire-plugin:3.5.4:test (default-test) @ telemetry ---"


class PhaseTest(unittest.TestCase):
    """Phases with a Maven that says what it is told to."""

    def run_phase(self, lines, code=0, expected=(), excluded=frozenset()):
        with tempfile.TemporaryDirectory() as folder:
            said = Path(folder, "said")
            said.write_text("\n".join(lines) + "\n")
            command = Path(folder, "mvn")
            command.write_text(f"#!/bin/sh\ncat {said}\nexit {code}\n")
            command.chmod(0o755)
            self.lines = []
            progress = Progress(io.StringIO(), out=self.lines.append)
            maven = Maven(progress, Path(folder), str(command))
            phase = run.Phase("tests", ["verify"], list(expected), excluded=excluded)
            self.good = run.run_phase(phase, maven, progress, "")
            progress.close(maven.seconds_of, 0)
            return progress

    def test_classes_that_pass_make_a_phase_that_passes(self):
        progress = self.run_phase(
            [_GOAL, "[INFO] Running io.ATest", _ENDED + "io.ATest"],
            expected=[TestClass("telemetry", "io.ATest")])
        self.assertTrue(self.good)
        self.assertEqual((progress.passed, progress.failed), (2, 0))
        self.assertIn("[1/1] ATest 2 tests 1.0 s", self.lines)
        self.assertTrue(any(line.endswith("telemetry: unit tests") for line in self.lines))
        self.assertEqual(self.lines[-1], "2 passed, 0 failed, 0 skipped")

    def test_a_class_that_began_and_did_not_end_has_failed(self):
        progress = self.run_phase(["[INFO] Running io.ATest"],
                                  expected=[TestClass("telemetry", "io.ATest")])
        self.assertEqual(progress.failed, 1)
        self.assertIn("  io.ATest (did not end)", self.lines)

    def test_a_class_that_never_began_has_failed_unless_all_of_its_tests_may_be_left_out(self):
        attacks = frozenset({LONG_ATTACK})
        progress = self.run_phase(
            [],
            expected=[TestClass("telemetry", "io.ATest"),
                      TestClass("telemetry", "io.BIT", True, tags_by_method=(attacks,))],
            excluded=attacks)
        self.assertEqual(progress.failed, 1)
        self.assertIn("  io.ATest (did not run)", self.lines)

    def test_a_maven_that_fails_is_a_failure_with_its_reason(self):
        progress = self.run_phase(["[ERROR] it does not compile"], 1,
                                  [TestClass("telemetry", "io.ATest")])
        self.assertFalse(self.good)
        self.assertEqual(progress.failed, 1)
        self.assertIn("[ERROR] it does not compile", self.lines)
        self.assertIn("classes that did not run: 1", self.lines)


if __name__ == "__main__":
    unittest.main()
