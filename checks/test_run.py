import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path

import classes
import python_tests
import run
from classes import LONG_ATTACK, ROOT, SLOW, TestClass

MOST_SLOW = 10


def refused(*arguments):
    """What is said of bad arguments; the exit code must be 2."""
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        try:
            run.parse(list(arguments))
        except SystemExit as end:
            if end.code == 2:
                return told.getvalue()
    raise AssertionError(f"{arguments} are not refused by 2")


class ArgumentsTest(unittest.TestCase):
    def test_nothing_chosen_is_everything(self):
        options = run.parse([])
        self.assertEqual((options.chosen, options.all), ([], False))
        self.assertTrue(run.parse(["--all"]).all)

    def test_what_cannot_be_is_refused_with_the_reason(self):
        self.assertIn("--foo", refused("--foo"))
        self.assertIn("unknown module 'agent'; modules are: telemetry", refused("agent"))
        self.assertIn("no test class matches zzqx", refused("-k", "zzqx"))
        self.assertIn("requires a word", refused("-k", ""))
        self.assertIn("expected one argument", refused("-k"))

    def test_a_module_chooses_its_classes(self):
        chosen = run.parse(["telemetry"]).chosen
        self.assertEqual({each.module for each in chosen}, {"telemetry"})
        self.assertEqual({each.module for each in run.parse(["python"]).chosen}, {"python"})

    def test_a_word_chooses_by_name_and_package_in_any_case(self):
        names = {each.name for each in run.parse(["-k", "SCHEDULERtest"]).chosen}
        self.assertEqual(names, {"io.remuda.coordinator.schedule.SchedulerTest"})
        packages = run.parse(["-k", "coordinator.schedule.order"]).chosen
        self.assertTrue(packages)
        both = run.parse(["node-agent", "-k", "keeper"]).chosen
        self.assertEqual({each.module for each in both}, {"node-agent"})

    def test_what_is_left_to_all_is_named_and_not_run(self):
        self.assertIn("only --all runs KillStormFaultIT", refused("-k", "KillStorm"))
        self.assertTrue(run.parse(["--all", "-k", "KillStorm"]).chosen)
        some = run.parse(["-k", "coordinator.service"])
        self.assertIn("KillStormFaultIT", {each.simple for each in some.left_out})


class ClassesTest(unittest.TestCase):
    def test_tags_of_a_class_and_of_its_methods_are_told_apart(self):
        source = (
            'import x;\n@Tag("attack")\n@Tag(TestStore.STATE_FILE)\nclass AIT {\n'
            '  @Test\n  @Tag("long-attack")\n  void a() {}\n}\n'
        )
        self.assertEqual(classes.tags_of(source)[:2], ({"attack", "state-file"}, {"long-attack"}))

    def test_a_class_may_not_run_only_if_each_of_its_tests_is_left_out(self):
        left_out = '  @Test\n  @Tag("long-attack")\n  void a() {}\n'
        other = (
            "  @ParameterizedTest\n  @ValueSource(\n      strings = {\n        \"a\",\n      })\n"
            '  @Tag("attack")\n  void b() {}\n'
        )
        for body, may in ((left_out, True), (left_out + other, False), ("  @BeforeEach\n", False)):
            found = TestClass("telemetry", "io.AIT", True,
                              *classes.tags_of("class AIT {\n" + body + "}\n"))
            self.assertEqual(found.all_left_out({LONG_ATTACK}), may, body)

    def test_kits_and_abstract_classes_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder) / "telemetry" / "src" / "test" / "java" / "io"
            at.mkdir(parents=True)
            for name, text in {"ATest": "class ATest {\n  @Test\n", "BIT": "public class BIT extends Z {",
                               "CTest": "abstract class CTest {\n  @Test\n", "Kit": "class Kit {",
                               "KeeperUnderTest": "class KeeperUnderTest {"}.items():
                (at / f"{name}.java").write_text(text)
            found = classes.java_classes(Path(folder), ["telemetry"])
            self.assertEqual([(each.name, each.integration) for each in found],
                             [("io.ATest", False), ("io.BIT", True)])

    def test_every_word_may_match(self):
        some = [TestClass("telemetry", "io.a.OneTest"), TestClass("telemetry", "io.b.TwoTest")]
        self.assertEqual(classes.matching(some, ["ONE", "b.two"]), some)
        self.assertEqual(classes.matching(some, ["three"]), [])


class PhasesTest(unittest.TestCase):
    CLASSES = [
        TestClass("coordinator", "io.ATest"),
        TestClass("coordinator", "io.BIT", True),
        TestClass("coordinator", "io.SlowIT", True, frozenset({SLOW})),
        TestClass("coordinator", "io.StormIT", True, frozenset({LONG_ATTACK})),
        TestClass("coordinator", "io.FileIT", True, frozenset({"state-file"})),
        TestClass("coordinator", "io.FaultIT", True),
    ]

    def expected(self, everything, java_25=None):
        return {
            phase.name: [each.simple for each in phase.expected]
            for phase in run.phases(everything, self.CLASSES, java_25)
        }

    def test_the_plain_tier_leaves_out_slow_ones_attacks_and_faults(self):
        self.assertEqual(self.expected(False), {"tests": ["ATest", "BIT", "FileIT"]})

    def test_all_runs_everything_in_phases(self):
        self.assertEqual(
            self.expected(True, "/jdk"),
            {
                "all tests, with the seeds of the fuzzer": ["ATest", "BIT", "SlowIT", "FileIT"],
                "faults": ["FaultIT"],
                "long attacks": ["StormIT"],
                "PostgreSQL": ["BIT", "SlowIT"],
                "JDK 25": ["ATest", "BIT", "SlowIT", "FileIT"],
            },
        )

    def test_without_another_jdk_its_phase_is_left_out(self):
        self.assertNotIn("JDK 25", self.expected(True))

    def test_a_jdk_is_found_by_its_variable_or_where_systems_put_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, version in (("some-17", 17), ("some-25", 25)):
                home = Path(folder, name)
                (home / "bin").mkdir(parents=True)
                (home / "bin" / "javac").touch()
                (home / "release").write_text(f'JAVA_VERSION="{version}.0.1"\n')
            there = str(Path(folder, "some-25").resolve())
            self.assertEqual(run.other_java(25, {}, Path(folder)), there)
            named = {"JAVA_HOME_25": there}
            self.assertEqual(run.other_java(25, named, Path(folder, "none")), there)
            wrong = {"JAVA_HOME_25": str(Path(folder, "some-17"))}
            self.assertIsNone(run.other_java(25, wrong, Path(folder, "none")))


class UnittestCountsTest(unittest.TestCase):
    def test_counts_are_read_of_the_last_lines(self):
        self.assertEqual(python_tests.unittest_counts("..\nRan 2 tests in 0.1s\n\nOK\n"), (2, 0, 0))
        self.assertEqual(
            python_tests.unittest_counts(
                "Ran 9 tests in 1s\n\nFAILED (failures=1, errors=2, skipped=3)\n"),
            (3, 3, 3),
        )
        self.assertIsNone(python_tests.unittest_counts("Segmentation fault"))


class SlowTableTest(unittest.TestCase):
    """CONTRIBUTING.md says of each slow class why it is left to --all."""

    def setUp(self):
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        section = text.split("## Slow classes", 1)[1].split("\n## ", 1)[0]
        rows = re.findall(r"^\| *`(\w+)` *\| *(.*?) *\|$", section, re.MULTILINE)
        self.reasons = dict(rows)

    def test_the_table_names_the_classes_with_the_tag(self):
        tagged = {each.simple for each in classes.java_classes() if SLOW in each.tags}
        self.assertEqual(set(self.reasons), tagged)

    def test_there_are_few_and_each_has_its_reason(self):
        self.assertLessEqual(len(self.reasons), MOST_SLOW)
        self.assertTrue(all(self.reasons.values()))

    def test_only_whole_integration_tests_are_slow(self):
        for each in classes.java_classes():
            self.assertNotIn(SLOW, each.method_tags, each.name)
            if SLOW in each.tags:
                self.assertTrue(each.integration, each.name)


if __name__ == "__main__":
    unittest.main()
