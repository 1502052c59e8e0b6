"""Brings dist/ up to date for chosen tests that start the program as its users do."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from pathlib import Path

from building import BuildFailed, digest, java_tool
from classes import JAVA, PYTHON, ROOT
from classfile import ClassFile

_INSTALLATION = "io/remuda/coordinator/testkit/Installation"
# recording the class archives of a build takes longer than a few starts without them
_ARCHIVES_PAY = 6
_JARS = ("job-worker", "node-agent", "coordinator")


def _make(what, command):
    """Runs a program that makes a part of dist/; BuildFailed has what it printed."""
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    if made.returncode != 0:
        raise BuildFailed(f"{what} could not be made, exit code {made.returncode}:\n{made.stdout}")


def wanted_by(build, classes):
    """Whether one of the classes, by itself or by a kit, reaches the class that finds dist/."""
    if any(each.module == PYTHON for each in classes):
        return True
    folders = [part.classes for part in build.parts if part.kind == "test"]
    todo = {each.name.replace(".", "/") for each in classes}
    seen = set()
    while todo:
        name = todo.pop()
        seen.add(name)
        if name == _INSTALLATION:
            return True
        for folder in folders:
            stem = folder / name
            for file in [stem.with_suffix(".class"), *stem.parent.glob(stem.name + "$*.class")]:
                if file.is_file():
                    spoken = ClassFile(file.read_bytes()).classes()
                    todo |= {each.split("$")[0] for each in spoken} - seen
    return False


class Dist:
    """The folder dist/ and what is known of the last time that Maven made it."""

    def __init__(self, progress, build, maven, root=ROOT):
        self._progress, self._build, self._maven, self._root = progress, build, maven, root
        self._folder = root / "dist"
        self._file = root / "target" / "check" / "dist.json"

    def snapshot(self):
        """A digest of what goes into dist/ by Maven's hands alone."""
        told = hashlib.sha256()
        files = [self._root / "pom.xml", *(self._root / module / "pom.xml" for module in JAVA)]
        files += sorted(self._root.glob("*/src/main/resources/**/*"))
        for file in files:
            if file.is_file():
                told.update(str(file.relative_to(self._root)).encode() + digest(file).encode())
        return told.hexdigest()

    def keep(self, snapshot, archives_fit=True):
        """
        The jars are those of the snapshot. Archives of the classes of other jars are no harm, for
        the JVM notices and goes without them.
        """
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps({"snapshot": snapshot, "archives-fit": archives_fit}))

    def forget(self):
        self._file.unlink(missing_ok=True)

    def ensure(self, starts):
        """Makes it that of the compiled classes, for so many classes that start the program."""
        snapshot = self.snapshot()
        try:
            known = dict(json.loads(self._file.read_text()))
        except (OSError, ValueError, TypeError):
            known = {}
        self.forget()  # until it is whole again
        if known.get("snapshot") != snapshot or not (self._folder / "build-id").is_file():
            # of the classes as they are
            self._maven(["package", "-Dmaven.main.skip=true", "-Dmaven.test.skip=true",
                         "-Dspotless.check.skip=true"])
            self.keep(snapshot)
            return
        self._progress.heading("dist: what has changed")
        changed = [name for name in _JARS if self._refresh(name)]
        self._copy()
        if "coordinator" in changed:
            self._manual()
        fit = known.get("archives-fit", False) and not changed
        if not fit and starts >= _ARCHIVES_PAY:
            # a new name of the build, for which the first start records archives
            (self._folder / "build-id").write_text(f"check-{time.time_ns()}\n")
            shutil.rmtree(self._root / "target" / "it-cache" / "cds", ignore_errors=True)
            fit = True
        self.keep(snapshot, fit)

    def _refresh(self, module):
        """Puts the classes that differ into the jar; others stay as they were compressed."""
        jar = self._folder / f"{module}.jar"
        made = {}
        for part in self._build.parts:
            if part.kind == "main" and JAVA.index(part.module) <= JAVA.index(module):
                for file in part.classes.rglob("*.class"):
                    made[str(file.relative_to(part.classes))] = file
        with zipfile.ZipFile(jar) as old:
            packed = {
                info.filename: info.CRC
                for info in old.infolist()
                if info.filename.startswith("io/remuda/") and info.filename.endswith(".class")
            }
        different = {
            name for name, file in made.items() if packed.get(name) != zlib.crc32(file.read_bytes())
        }
        gone = packed.keys() - made.keys()
        if not different and not gone:
            return False
        draft = jar.with_suffix(".draft")
        shutil.copyfile(jar, draft)
        with zipfile.ZipFile(draft, "a", zipfile.ZIP_DEFLATED) as new:
            # what is left out of the list is left out of the directory that is written at the end
            new.filelist[:] = [
                info for info in new.filelist if info.filename not in different | gone
            ]
            for name in different | gone:
                new.NameToInfo.pop(name, None)
            new._didModify = True
            for name in sorted(different):
                new.write(made[name], name)
        os.replace(draft, jar)
        return True

    def _copy(self):
        for name in ("bin", "docs"):
            shutil.rmtree(self._folder / name, ignore_errors=True)
            shutil.copytree(self._root / name, self._folder / name)
        for name in ("README.md", "LICENSE"):
            shutil.copyfile(self._root / name, self._folder / name)
        for file in (self._folder / "bin").iterdir():
            file.chmod(0o755)
        wheel = self._root / "clients" / "python" / "make_wheel.py"
        _make("the Python wheel", [sys.executable, str(wheel), str(self._folder / "python")])

    def _manual(self):
        share = self._folder / "share"
        shutil.rmtree(share, ignore_errors=True)
        _make("the manual pages", [
            java_tool("java"), "-XX:TieredStopAtLevel=1", "-cp",
            str(self._folder / "coordinator.jar"), "io.remuda.coordinator.main.ManualMain",
            str(share)])
        schema = share / "remuda" / "job-file.schema.json"
        schema.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self._root / "docs" / "job-file.schema.json", schema)
