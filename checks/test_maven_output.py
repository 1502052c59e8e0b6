import unittest

from maven_output import Ended, FailureText, Goal, MavenOutput, Problem, Running

_FAILURE = """\
[INFO] --- maven-surefire-plugin:3.5.4:test (default-test) @ telemetry ---
[INFO] Running io.remuda.telemetry.BytesTest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.052 s <<< FAILURE! -- in io.remuda.telemetry.BytesTest
[ERROR] io.remuda.telemetry.BytesTest.a_byte_has_a_unit -- Time elapsed: 0.013 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <1> but was: <2>

\tat io.remuda.telemetry.BytesTest.a_byte_has_a_unit(BytesTest.java:12)
[INFO] Running io.remuda.telemetry.OtherTest
[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 1.5 s -- in io.remuda.telemetry.OtherTest
[INFO] Results:
[ERROR] Failures:
[ERROR]   BytesTest.a_byte_has_a_unit:12 expected: <1> but was: <2>
[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1
[ERROR] There are test failures.
[INFO] --- jar:3.4.2:jar (default-jar) @ telemetry ---
"""

_COMPILATION = """\
[INFO] --- maven-compiler-plugin:3.14.1:compile (default-compile) @ coordinator ---
[ERROR] COMPILATION ERROR :
[ERROR] /x/A.java:[3,5] cannot find symbol
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal on project coordinator: it does not compile
[ERROR]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR] -> [Help 1]
"""


def events(text):
    output = MavenOutput()
    return [event for line in text.splitlines() if (event := output.event(line)) is not None]


class MavenOutputTest(unittest.TestCase):
    def test_a_class_ends_behind_what_a_native_library_has_printed(self):
        line = ("Could not initialize NNPACK![INFO] Tests run: 2, Failures: 0, Errors: 0,"
                " Skipped: 0, Time elapsed: 0.006 s -- in io.remuda.worker.TuningTest")
        self.assertEqual(events(line), [Ended("io.remuda.worker.TuningTest", 2, 0, 0, 0.006)])

    def test_a_failure_is_told_in_full_and_once(self):
        self.assertEqual(
            events(_FAILURE),
            [
                Goal("surefire", "test", "telemetry"),
                Running("io.remuda.telemetry.BytesTest"),
                Ended("io.remuda.telemetry.BytesTest", 3, 2, 0, 0.052),
                FailureText("[ERROR] io.remuda.telemetry.BytesTest.a_byte_has_a_unit"
                            " -- Time elapsed: 0.013 s <<< FAILURE!"),
                FailureText("org.opentest4j.AssertionFailedError: expected: <1> but was: <2>"),
                FailureText(""),
                FailureText("\tat io.remuda.telemetry.BytesTest.a_byte_has_a_unit"
                            "(BytesTest.java:12)"),
                Running("io.remuda.telemetry.OtherTest"),
                Ended("io.remuda.telemetry.OtherTest", 2, 0, 1, 1.5),
                Goal("jar", "jar", "telemetry"),
            ],
        )

    def test_what_stops_maven_is_told_without_its_advice(self):
        self.assertEqual(
            [event.text for event in events(_COMPILATION) if isinstance(event, Problem)],
            [
                "[ERROR] COMPILATION ERROR :",
                "[ERROR] /x/A.java:[3,5] cannot find symbol",
                "[ERROR] Failed to execute goal on project coordinator: it does not compile",
            ],
        )

    def test_a_jvm_that_crashed_is_told_out_of_a_summary(self):
        crash = "[ERROR] ExecutionException The forked VM terminated without saying goodbye"
        self.assertEqual(events("[INFO] Results:\n" + crash), [Problem(crash)])

    def test_output_of_tests_is_no_event(self):
        self.assertEqual(events("Running away\nTests run: many\n[INFO] a test's own line\n"), [])


if __name__ == "__main__":
    unittest.main()
