import io
import tempfile
import unittest
import zipfile
from pathlib import Path

import dist
from building import Build, BuildFailed
from dist import Dist
from progress import Progress


class DistTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.jar = self.root / "dist" / "node-agent.jar"
        self.jar.parent.mkdir()
        with zipfile.ZipFile(self.jar, "w", zipfile.ZIP_DEFLATED) as jar:
            jar.writestr("reference.conf", "merged by Maven")
            jar.writestr("io/remuda/a/Same.class", b"same")
            jar.writestr("io/remuda/a/Changed.class", b"old")
            jar.writestr("io/remuda/a/Gone.class", b"gone")
            jar.writestr("io/remuda/a/build.properties", "filtered by Maven")
        self.made("telemetry", "Same", b"same")
        self.made("node-agent", "Changed", b"new")
        self.made("node-agent", "Added", b"added")
        self.made("coordinator", "Above", b"of a module above it")
        progress = Progress(io.StringIO(), out=lambda text: None)
        self.dist = Dist(progress, Build(progress, None, self.root), None, self.root)

    def made(self, module, name, data):
        file = self.root / module / "target" / "classes" / "io" / "remuda" / "a" / f"{name}.class"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def test_classes_that_differ_are_put_into_the_jar_and_all_else_stays(self):
        self.assertTrue(self.dist._refresh("node-agent"))
        with zipfile.ZipFile(self.jar) as jar:
            self.assertIsNone(jar.testzip())
            found = {info.filename: jar.read(info) for info in jar.infolist()}
        self.assertEqual(
            found,
            {
                "reference.conf": b"merged by Maven",
                "io/remuda/a/Same.class": b"same",
                "io/remuda/a/Changed.class": b"new",
                "io/remuda/a/Added.class": b"added",
                "io/remuda/a/build.properties": b"filtered by Maven",
            },
        )

    def test_a_jar_that_has_them_all_is_not_written(self):
        self.dist._refresh("node-agent")
        before = self.jar.stat().st_mtime_ns
        self.assertFalse(self.dist._refresh("node-agent"))
        self.assertEqual(self.jar.stat().st_mtime_ns, before)

    def test_what_could_not_be_made_is_named_with_its_last_words(self):
        with self.assertRaisesRegex(BuildFailed, "a page could not be made, exit code 3:\nno ink"):
            dist._make("a page", ["sh", "-c", "echo no ink >&2; exit 3"])


if __name__ == "__main__":
    unittest.main()
