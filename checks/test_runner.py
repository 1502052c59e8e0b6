import io
import os
import signal
import subprocess
import unittest

import runner
from classes import TestClass
from progress import Progress


class FaultsTest(unittest.TestCase):
    """What goes wrong with the JVMs of tests is a failure of their classes, never a green run."""

    def setUp(self):
        self.lines = []
        self.progress = Progress(io.StringIO(), out=self.lines.append)

    def runner(self):
        made = runner.Runner(self.progress, None, None, set())
        made._settings = self
        return made

    def forks(self, _):
        return 2

    def test_classes_without_a_jvm_have_failed(self):
        made = self.runner()

        def no_jvm(module, integration):
            raise OSError("no java")

        made._start = no_jvm
        made.run([TestClass("telemetry", f"a.Some{n}Test") for n in range(3)])
        self.assertEqual((self.progress.passed, self.progress.failed), (0, 3))
        self.assertIn("a.Some1Test: no java", self.lines)

    def test_a_thread_that_dies_leaves_no_class_unmentioned(self):
        made = self.runner()
        made._work = lambda left, lock, integration: None
        made.run([TestClass("telemetry", "a.SomeTest")])
        self.assertEqual(self.progress.failed, 1)

    def test_what_a_jvm_leaves_running_is_not_waited_for(self):
        process = subprocess.Popen(
            ["sh", "-c", "sleep 600 & echo $!"], stdout=subprocess.PIPE, text=True)
        lines = list(runner.Lines(process))
        self.addCleanup(process.stdout.close)
        os.kill(int(lines[0]), signal.SIGKILL)
        self.assertEqual(len(lines), 1)
        process.wait()


if __name__ == "__main__":
    unittest.main()
