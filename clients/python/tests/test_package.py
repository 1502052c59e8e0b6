"""The package as it is given to others: names, version, wheel."""

import inspect
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import remuda

CLIENT = Path(__file__).resolve().parent.parent
COMMANDS = (
    "glb-run",
    "glb-start",
    "grn-run",
    "grn-start",
    "run-scheduler",
    "scheduler-cancel-job",
    "scheduler-get-logs",
    "scheduler-state",
)
MAKE_WHEEL = CLIENT / "make_wheel.py"


def make_wheel(folder: str) -> Path:
    command = [sys.executable, str(MAKE_WHEEL), folder]
    return Path(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    )


class PackageTest(unittest.TestCase):
    def test_its_version_is_that_of_the_whole_project(self) -> None:
        found = re.search(r"<version>(.*?)</version>", (CLIENT / "../../pom.xml").read_text())
        assert found is not None
        self.assertEqual(remuda.__version__, found.group(1))

    def test_its_names_are_sorted_and_there(self) -> None:
        self.assertEqual(remuda.__all__, sorted(remuda.__all__))
        self.assertTrue(all(getattr(remuda, name).__doc__ for name in remuda.__all__))

    def test_each_method_is_a_function_too(self) -> None:
        for name, method in inspect.getmembers(remuda.Client, inspect.isfunction):
            if not name.startswith("_") and name != "close":
                of_method = list(inspect.signature(method).parameters)[1:]
                self.assertEqual(
                    list(inspect.signature(getattr(remuda, name)).parameters), of_method
                )

    def test_the_wheel_installs_without_a_network_and_is_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheel, target = make_wheel(folder), str(Path(folder, "target"))
            self.assertEqual(wheel.name, f"remuda-{remuda.__version__}-py3-none-any.whl")
            offline = ["--no-index", "--no-deps", "--disable-pip-version-check", "--quiet"]
            pip = [sys.executable, "-m", "pip", "install", *offline, "--target", target, str(wheel)]
            subprocess.run(pip, check=True)
            found = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "import glb, grn, remuda; print(remuda.__file__, remuda.__version__)",
                ],
                env={"PYTHONPATH": target},
                cwd=folder,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
            self.assertEqual(found, f"{target}/remuda/__init__.py {remuda.__version__}\n")
            self.assertTrue(Path(target, "remuda", "py.typed").exists())
            for name in COMMANDS:
                usage = subprocess.run(
                    [sys.executable, str(Path(target, "bin", name)), "--help"],
                    env={"PYTHONPATH": target},
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                ).stdout
                self.assertTrue(usage.startswith(f"usage: {name}"), usage)

    def test_the_commands_run_where_they_lie(self) -> None:
        """In a source tree as here, and from any folder, whatever modules that has."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "argparse.py").write_text("raise ImportError('not this one')")
            for name in COMMANDS:
                command = [str(CLIENT / "../../bin" / name), "--help"]
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env={"PATH": os.environ["PATH"]},
                    stdout=subprocess.PIPE,
                    text=True,
                )
                self.assertTrue(done.stdout.startswith(f"usage: {name}"), done.stdout)

    def test_the_wheel_is_the_same_each_time(self) -> None:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            self.assertEqual(make_wheel(one).read_bytes(), make_wheel(other).read_bytes())


if __name__ == "__main__":
    unittest.main()
