import io
import unittest

from progress import Progress


class ProgressTest(unittest.TestCase):
    def setUp(self):
        self.time = 0.0
        self.lines = []
        self.log = io.StringIO()
        self.progress = Progress(self.log, out=self.lines.append, now=lambda: self.time)

    def test_each_class_has_a_line_with_how_many_are_left(self):
        self.progress.expect(12)
        self.progress.ended("io.remuda.GangIT", 7, 0, 0, 12.34)
        self.progress.ended("io.remuda.DrainIT", 3, 1, 1, 0.5)
        self.progress.ended("io.remuda.OneIT", 1, 0, 0, 0.04)
        self.assertEqual(
            self.lines,
            [
                "[ 1/12] GangIT 7 tests 12.3 s",
                "[ 2/12] DrainIT 3 tests, 1 FAILED, 1 skipped 0.5 s",
                "[ 3/12] OneIT 1 test 0.0 s",
            ],
        )

    def test_a_class_with_tests_of_two_engines_is_counted_once(self):
        self.progress.expect(2)
        self.progress.ended("io.remuda.GangTest", 7, 0, 0, 1)
        self.progress.ended("io.remuda.GangTest", 2, 0, 0, 1)
        self.assertEqual(self.lines[1], "[1/2] GangTest 2 tests 1.0 s")
        self.assertEqual(self.progress.passed, 9)

    def test_the_end_names_the_slowest_and_the_failed_and_closes_with_the_counts(self):
        for number in range(12):
            self.progress.ended(f"io.remuda.N{number}Test", 2, number == 3, 0, float(number))
        self.lines.clear()
        self.progress.close({"compile": 3.0}, 41.7)
        at = self.lines.index("slowest classes:")
        self.assertEqual(self.lines[at + 1], "    11.0 s io.remuda.N11Test")
        self.assertEqual(self.lines[at + 10], "     2.0 s io.remuda.N2Test")
        self.assertEqual(self.lines[at + 11], "times:")
        self.assertEqual(
            self.lines[-3:], ["failed:", "  io.remuda.N3Test", "23 passed, 1 failed, 0 skipped"])

    def test_a_class_that_is_lost_is_a_failure(self):
        self.progress.running("io.remuda.GoneIT")
        self.progress.lost(self.progress.began(), "did not end")
        self.progress.close({}, 0)
        self.assertEqual(self.progress.failed, 1)
        self.assertIn("  io.remuda.GoneIT (did not end)", self.lines)
        self.assertEqual(self.progress.began(), [])

    def test_what_runs_is_said_after_half_a_minute_of_silence(self):
        self.progress.running("io.remuda.SlowIT")
        self.time = 29
        self.progress.remind()
        self.assertEqual(self.lines, [])
        self.time = 30
        self.progress.remind()
        self.progress.remind()
        self.assertEqual(self.lines, ["       still running: SlowIT 30 s"])


if __name__ == "__main__":
    unittest.main()
