import io
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from building import Build, BuildFailed
from classes import JAVA
from progress import Progress

_POM = """<project><maven.compiler.release>17</maven.compiler.release>
<compilerArgs><arg>-Xlint:all</arg><arg>-XDstringConcat=inline</arg></compilerArgs></project>"""


RULE = """package a; public class Rule { static final int MOST = %s;
public %s most() { return %s; } }"""


class BuildTest(unittest.TestCase):
    """A tree of two modules, in which javac itself decides what is right."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.built = Path(folder.name).resolve() / "tree"
        for module in JAVA:
            (cls.built / module).mkdir(parents=True)
            (cls.built / module / "pom.xml").write_text(_POM)
        (cls.built / "pom.xml").write_text(_POM)
        first = cls("ensure")
        first.at(cls.built)
        first.write("telemetry", "main", "a/Rule", RULE % ("3", "int", "MOST"))
        first.write("telemetry", "main", "a/Other", "package a; class Other { int one = 1; }")
        first.write("telemetry", "main", "a/Below", "package a; public class Below extends Rule {}")
        first.write("telemetry", "test", "a/RuleTest",
                    "package a; class RuleTest { int seen = Rule.MOST; }")
        first.write("job-worker", "main", "b/User",
                    "package b; class User { int most() { return new a.Below().most(); } }")
        (cls.built / "target" / "check").mkdir(parents=True)
        first.assertEqual(first.ensure("job-worker"), "maven")

    def at(self, root):
        self.root = root
        self.lines = []
        self.maven_runs = 0
        self.build = Build(Progress(io.StringIO(), out=self.lines.append), self.maven, root)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name).resolve() / "tree"
        shutil.copytree(self.built, root)  # with the times of all files
        self.at(root)

    def maven(self, _):
        """Compiles all, as Maven does; later only that it was called matters."""
        self.maven_runs += 1
        if self.maven_runs > 1 or self.root != self.built:
            return
        for part in self.build.parts:
            (part.folder / "target").mkdir(exist_ok=True)
            (part.folder / "target" / "check-classpath").write_text("")
            part.classes.mkdir(exist_ok=True)
            self.build._javac(part, list(part.source_files().values()), part.classes)

    def write(self, module, kind, name, text):
        file = self.root / module / "src" / kind / "java" / f"{name}.java"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def compiled(self):
        """Part and number of files of each run of javac."""
        found = [line.split(" javac, ") for line in self.lines if "javac" in line]
        return [(part.split()[1].rstrip(":"), count) for part, count in found]

    def ensure(self, *modules):
        self.lines.clear()
        return self.build.ensure(modules)

    def test_without_an_edit_nothing_is_compiled(self):
        self.assertEqual(self.ensure("job-worker"), "unchanged")
        self.assertEqual(self.compiled(), [])

    def rule(self, most="3", kind="int", answer="MOST"):
        self.write("telemetry", "main", "a/Rule", RULE % (most, kind, answer))

    def test_an_edit_inside_of_a_method_compiles_one_file(self):
        self.rule(answer="MOST + 1")
        self.assertEqual(self.ensure("job-worker"), "javac")
        self.assertEqual(self.compiled(), [("telemetry/main", "1 of 3 files")])
        self.assertEqual(self.ensure("job-worker"), "unchanged")
        self.assertEqual(self.maven_runs, 0)

    def test_a_constant_is_compiled_into_whoever_names_it(self):
        test = self.root / "telemetry/target/test-classes/a/RuleTest.class"
        before = test.read_bytes()
        self.rule(most="4")
        self.ensure("telemetry")
        self.assertNotEqual(test.read_bytes(), before)

    def test_users_of_what_is_inherited_are_found_in_the_module_that_is_wanted_later(self):
        self.rule(kind="long")
        self.assertEqual(self.ensure("telemetry"), "javac")
        for _ in range(2):
            with self.assertRaises(BuildFailed) as failed:
                self.ensure("job-worker")
            self.assertIn("User.java:1", str(failed.exception))
        self.rule()
        self.assertEqual(self.ensure("job-worker"), "javac")

    def test_a_class_that_is_gone_breaks_its_users(self):
        (self.root / "telemetry/src/main/java/a/Rule.java").unlink()
        with self.assertRaises(BuildFailed):
            self.ensure("telemetry")

    def test_a_class_that_is_gone_breaks_its_users_in_the_same_part_each_time(self):
        (self.root / "telemetry/src/test/java/a/RuleTest.java").unlink()
        (self.root / "telemetry/src/main/java/a/Rule.java").unlink()
        for _ in range(2):
            with self.assertRaises(BuildFailed) as failed:
                self.ensure("telemetry")
            self.assertIn("Below.java", str(failed.exception))
        self.rule()
        self.assertEqual(self.ensure("telemetry"), "javac")

    def test_a_class_that_is_gone_without_users_is_removed(self):
        (self.root / "telemetry/src/main/java/a/Other.java").unlink()
        self.assertEqual(self.ensure("telemetry"), "javac")
        self.assertFalse((self.root / "telemetry/target/classes/a/Other.class").exists())

    def test_classes_that_somebody_else_made_are_not_trusted(self):
        os.utime(self.root / "telemetry/target/classes/a/Other.class", (1, 1))
        self.assertEqual(self.ensure("telemetry"), "maven")
        self.assertEqual(self.maven_runs, 1)

    def test_an_edit_of_a_pom_is_for_maven(self):
        (self.root / "pom.xml").write_text(_POM + "<!-- -->")
        self.assertEqual(self.ensure("telemetry"), "maven")


if __name__ == "__main__":
    unittest.main()
