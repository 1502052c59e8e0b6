import subprocess
import unittest

import processes


class EndTest(unittest.TestCase):
    """Nothing of a check is left when it has ended."""

    def test_what_has_another_session_and_another_parent_is_ended(self):
        process = processes.start(
            ["sh", "-c", "setsid sleep 600 >/dev/null & echo $!"], env=None)
        left = int(process.stdout.readline())
        process.wait()
        process.stdout.close()
        self.assertEqual(processes.end_all(), 1)
        self.assertFalse(left in processes._marked())

    def test_what_replaces_its_program_all_the_time_is_found(self):
        process = processes.start(["sh", "-c", 'exec sh -c "$0" "$0"', 'exec sh -c "$0" "$0"'])
        try:
            for _ in range(10):
                self.assertEqual(processes._marked(), [process.pid])
        finally:
            self.assertEqual(processes.end_all(), 0)
            process.stdout.close()

    def test_what_others_have_started_is_left_alone(self):
        other = subprocess.Popen(["sleep", "600"])
        try:
            processes.end_all()
            self.assertIsNone(other.poll())
        finally:
            other.kill()
            other.wait()


if __name__ == "__main__":
    unittest.main()
