"""Brings the classes up to date for a few tests, without Maven where only Java changed.

An edit inside of methods costs a run of javac over that file. Where what others are compiled against
has changed, every source that mentions the class, by its name or in its class file, is compiled
again, and so on until nothing shown changes. Anything else (a pom, C, a filtered resource, classes
that somebody else compiled) is left to Maven, from nothing. ``./check`` itself always uses Maven.
"""

import contextlib
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from classes import JAVA, ROOT
from classfile import ClassFile, outside_of

STATE_VERSION = 1
# from this share of a part on it is compiled as a whole
WHOLE_SHARE = 0.5
_ROUNDS = 4
_LAUNCHER = "io/remuda/start/JarLauncher.java"


class BuildFailed(Exception):
    """Does not compile; the text is the compiler's."""


class Part:
    """The main or the test sources of a module."""

    def __init__(self, root, module, kind):
        self.module, self.kind = module, kind
        self.key = f"{module}/{kind}"
        self.folder = root / module
        self.sources = self.folder / "src" / kind / "java"
        self.resources = self.folder / "src" / kind / "resources"
        self.classes = self.folder / "target" / ("classes" if kind == "main" else "test-classes")

    def source_files(self):
        return {
            str(file.relative_to(self.sources)): file
            for file in self.sources.rglob("*.java")
            if file.name != "package-info.java"
        }


def parts_of(root):
    return [Part(root, module, kind) for module in JAVA for kind in ("main", "test")]


def class_table(folder):
    """The class files in a folder by their source; no source has classes of another name."""
    table = {}
    for file in folder.rglob("*.class"):
        source = str(file.relative_to(folder))[: -len(".class")].split("$")[0] + ".java"
        table.setdefault(source, []).append(file)
    return table


def stamp(file):
    status = file.stat()
    return [status.st_mtime_ns, status.st_size]


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Build:
    """The classes of the tree and what is known of the last time they were all up to date."""

    def __init__(self, progress, maven, root=ROOT):
        self._progress = progress
        self._maven = maven  # runs goals, raises BuildFailed
        self._root = root
        self._folder = root / "target" / "check"
        self._file = self._folder / "state.json"
        self.parts = parts_of(root)

    # --- what is known

    def _others(self):
        """A digest of what Maven alone knows to read."""
        told = hashlib.sha256(f"{STATE_VERSION} {java_version()}".encode())
        files = [self._root / "pom.xml", *(self._root / module / "pom.xml" for module in JAVA)]
        files += sorted((self._root / "telemetry/src/test/c").rglob("*"))
        files += sorted(self._root.glob("*/src/main/resources/**/build.properties"))
        files += [self._root / "docs/job-file.schema.json"]
        files += [self._root / "telemetry/src/main/java" / _LAUNCHER]
        for file in files:
            if file.is_file():
                told.update(str(file.relative_to(self._root)).encode() + digest(file).encode())
        return told.hexdigest()

    def snapshot(self):
        """What lies in the tree now; taken before a build, kept after it."""
        sources, resources = {}, {}
        for part in self.parts:
            for name, file in part.source_files().items():
                sources[f"{part.key}/{name}"] = [*stamp(file), digest(file)]
            if part.resources.is_dir():
                for file in part.resources.rglob("*"):
                    if file.is_file():
                        name = file.relative_to(part.resources)
                        resources[f"{part.key}/{name}"] = digest(file)
        return {"others": self._others(), "sources": sources, "resources": resources}

    def _class_stamps(self):
        return {
            str(file.relative_to(self._root)): stamp(file)
            for part in self.parts
            if part.classes.is_dir()
            for file in part.classes.rglob("*.class")
        }

    def keep(self, snapshot):
        """All classes are those of the snapshot."""
        self._folder.mkdir(parents=True, exist_ok=True)
        state = dict(snapshot, stale=snapshot.get("stale", {}), classes=self._class_stamps())
        draft = self._file.with_suffix(".tmp")
        draft.write_text(json.dumps(state))
        os.replace(draft, self._file)

    def keep_anew(self):
        """Maven has packed the classes, and may have compiled them again; the rest is as it was."""
        state = json.loads(self._file.read_text())
        self.keep(state)

    def forget(self):
        self._file.unlink(missing_ok=True)

    def remove_classes(self):
        self.forget()
        for part in self.parts:
            shutil.rmtree(part.classes, ignore_errors=True)

    def _known(self):
        """The state, if the classes are still those that it speaks of."""
        try:
            state = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return None
        if state.get("others") != self._others():
            return None
        if state["classes"] != self._class_stamps():
            return None
        if not all((self._class_path_file(module)).is_file() for module in JAVA):
            return None
        return state

    # --- class paths

    def _class_path_file(self, module):
        return self._root / module / "target" / "check-classpath"

    def class_path(self, part):
        """The part itself, what it is built on, and the jars that Maven named."""
        jars = [
            entry
            for entry in self._class_path_file(part.module).read_text().strip().split(os.pathsep)
            if entry and not Path(entry).is_relative_to(self._root)
        ]
        folders = [str(each.classes) for each in self.below(part)]
        if part.kind == "test":
            folders.reverse()  # its own resources first
        return [*folders, *jars]

    def below(self, part):
        """The part and all that it sees."""
        at = JAVA.index(part.module)
        mains = [each for each in self.parts if each.kind == "main"][: at + 1]
        if part.kind == "main":
            return mains
        kits = {"telemetry", "coordinator"} if part.module == "examples" else {"telemetry"}
        tests = [
            each
            for each in self.parts
            if each.kind == "test" and (each.module in kits or each.module == part.module)
            and JAVA.index(each.module) <= at
        ]
        return mains + tests

    # --- building

    def ensure(self, modules):
        """Compiles what the tests of these modules want. Says how by a word."""
        state = self._known()
        if state is None:
            self._whole()
            return "maven"
        now = self.snapshot()
        self._copy_resources(state, now)
        changed = {
            key
            for key in now["sources"].keys() | state["sources"].keys()
            if now["sources"].get(key, [0, 0, 0])[2] != state["sources"].get(key, [0, 0, 0])[2]
        }
        stale = {key: set(names) for key, names in state["stale"].items()}
        for part in self.parts:
            of_part = {key[len(part.key) + 1 :] for key in changed if key.startswith(part.key + "/")}
            stale.setdefault(part.key, set()).update(of_part)
        if not any(stale.values()):
            self.keep(now)
            return "unchanged"
        wanted = {part.key for each in self.parts if each.module in modules
                  for part in self.below(each)}
        self.forget()  # until all is done: an end in the middle is found out
        try:
            for part in self.parts:
                if stale[part.key] and part.key in wanted:
                    self._compile(part, stale)
                    stale[part.key] = set()
        except BuildFailed:
            # nothing was put in place but whole parts, whose users are noted as stale
            self._keep_part(state, now, stale)
            raise
        self._keep_part(state, now, stale)
        return "javac"

    def _keep_part(self, state, now, stale):
        kept = dict(now)
        kept["stale"] = {key: sorted(names) for key, names in stale.items() if names}
        self.keep(kept)

    def _whole(self):
        snapshot = self.snapshot()
        self.remove_classes()
        self._maven([
            "process-test-classes",
            "-Dspotless.check.skip=true",
        ])
        self.keep(snapshot)

    def _copy_resources(self, state, now):
        for part in self.parts:
            prefix = part.key + "/"
            for key in now["resources"].keys() | state["resources"].keys():
                if not key.startswith(prefix):
                    continue
                if now["resources"].get(key) == state["resources"].get(key):
                    continue
                name = key[len(prefix) :]
                target = part.classes / name
                if key in now["resources"]:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(part.resources / name, target)
                else:
                    target.unlink(missing_ok=True)

    def _compile(self, part, stale):
        """Compiles a part's stale sources and those that depend on what has changed of them."""
        sources = {name: file for name, file in part.source_files().items() if name != _LAUNCHER}
        todo = set(stale[part.key])
        gone = {name for name in todo if name not in sources}
        with self._set_aside(part, gone) as of_gone:
            self._compile_in_turns(part, stale, sources, todo, of_gone)

    @contextlib.contextmanager
    def _set_aside(self, part, gone):
        """Takes away the classes of sources that are no more, so that javac does not find them.

        Gives what others saw of each; all are put back if their users cannot be compiled.
        """
        files = {name: found for name, found in class_table(part.classes).items() if name in gone}
        seen = {name: outside_of(found) for name, found in files.items()}
        aside = []
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            for number, file in enumerate(each for found in files.values() for each in found):
                aside.append((Path(folder) / str(number), file))
                os.replace(file, aside[-1][0])
            try:
                yield seen
            except BaseException:
                for kept, file in aside:
                    os.replace(kept, file)
                raise

    def _compile_in_turns(self, part, stale, sources, todo, of_gone):
        spread = set()
        for turn in itertools.count():
            if turn == _ROUNDS or len(todo) > WHOLE_SHARE * len(sources):
                todo |= set(sources)
            present = [name for name in sorted(todo) if name in sources]
            with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                out = Path(folder)
                self._progress.heading(f"{part.key}: javac, {len(present)} of {len(sources)} files")
                self._javac(part, [sources[name] for name in present], out)
                before, after = class_table(part.classes), class_table(out)
                changed = {
                    name
                    for name in todo - spread
                    if of_gone.get(name, outside_of(before.get(name, [])))
                    != outside_of(after.get(name, []))
                }
                users = self._users(part, changed, stale)
                spread |= changed
                if users <= todo:
                    self._install(part, todo, out)
                    return
                todo |= users

    def _users(self, part, changed, stale):
        """The part's sources that depend on the changed ones; those of other parts become stale."""
        users, looked_up = set(), set()
        names = {name[: -len(".java")] for name in changed}
        if not names:
            return users
        later = [(each, each.source_files(), class_table(each.classes))
                 for each in self.parts[self.parts.index(part) :]]
        while names - looked_up:
            fresh = names - looked_up
            looked_up |= fresh
            words = re.compile(
                r"\b(?:%s)\b" % "|".join(re.escape(name.rsplit("/", 1)[-1]) for name in fresh))
            inside = re.compile(b"|".join(re.escape(name.encode()) for name in sorted(fresh)))
            for each, sources, table in later:
                for source, file in sources.items():
                    made = table.get(source, [])
                    if not any(inside.search(one.read_bytes()) for one in made) and (
                        not words.search(file.read_text(encoding="utf-8"))
                    ):
                        continue
                    if each is part:
                        users.add(source)
                    else:
                        stale.setdefault(each.key, set()).add(source)
                    if any(_is_below(one, fresh) for one in made):
                        names.add(source[: -len(".java")])  # what it inherits has changed
        return users

    def _javac(self, part, files, out):
        if not files:
            return
        path = self.class_path(part)
        arguments = ["-d", str(out), "-cp", os.pathsep.join(path), "-encoding", "UTF-8", "-g",
                     "-nowarn", "-proc:none", "-implicit:none", *self.compiler_arguments()]
        with tempfile.NamedTemporaryFile("w", suffix=".args", dir=self._folder) as listed:
            for word in [*arguments, *map(str, files)]:
                listed.write('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n')
            listed.flush()
            run = subprocess.run(
                [java_tool("javac"), "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                 "-J-Xshare:auto", f"@{listed.name}"],
                capture_output=True, text=True, cwd=self._root, check=False)
        if run.returncode != 0:
            raise BuildFailed((run.stdout + run.stderr).strip())

    def compiler_arguments(self):
        """Those of the pom but for the warnings."""
        pom = (self._root / "pom.xml").read_text(encoding="utf-8")
        release = re.search(r"<maven.compiler.release>(\d+)<", pom)[1]
        block = re.search(r"<compilerArgs>(.*?)</compilerArgs>", pom, re.DOTALL)[1]
        words = [word for word in re.findall(r"<arg>(.*?)</arg>", block)
                 if not word.startswith("-Xlint")]
        return ["--release", release, *words]

    def _install(self, part, names, out):
        before = class_table(part.classes)
        for name in names:
            for old in before.get(name, []):
                old.unlink()
        for made in out.rglob("*.class"):
            target = part.classes / made.relative_to(out)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(made, target)


def _is_below(file, names):
    """Whether the class inherits of one of these or of what is inside of them."""
    return any(above.split("$")[0] in names for above in ClassFile(file.read_bytes()).above)


def java_tool(name):
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / name).exists():
        return str(Path(home) / "bin" / name)
    return shutil.which(name) or name


def java_version():
    """Which Java this is, without a start of it: an update in place changes its file of versions."""
    compiler = Path(java_tool("javac")).resolve()
    release = compiler.parent.parent / "release"
    return f"{compiler} {digest(release) if release.is_file() else ''}"
