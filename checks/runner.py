"""Runs chosen test classes in JVMs like those of surefire and failsafe, by the settings of the poms."""

import os
import queue
import re
import subprocess
import threading
import time
import xml.etree.ElementTree as tree
from pathlib import Path

import processes
from building import java_tool
from classes import ROOT

_SPACE = {"m": "http://maven.apache.org/POM/4.0.0"}
_END_SECONDS = 120
_AFTER_SECONDS = 3
_END = re.compile(r"##check end (\S+) (\d+) (\d+) (\d+) ([\d.]+) (-?[\d.]+)$")


class Settings:
    """What the poms say of the JVMs that run tests: one place for Maven and for this."""

    def __init__(self, root=ROOT, java_major=17):
        self._root = root
        self._pom = tree.parse(root / "pom.xml").getroot()
        self._properties = {"maven.multiModuleProjectDirectory": str(root)}
        self._read_properties(self._pom.find("m:properties", _SPACE))
        if java_major >= 21:
            for profile in self._pom.findall("m:profiles/m:profile", _SPACE):
                if profile.findtext("m:id", None, _SPACE) == "errorprone":
                    self._read_properties(profile.find("m:properties", _SPACE))

    def _read_properties(self, element):
        for each in element if element is not None else ():
            self._properties[each.tag.split("}")[1]] = (each.text or "").strip()

    def _expand(self, text):
        for _ in range(5):
            text = re.sub(
                r"\$\{([\w.-]+)\}", lambda name: self._properties.get(name[1], name[0]), text)
        return text

    def _configurations(self, pom, plugin):
        for each in pom.iterfind(".//m:plugin", _SPACE):
            if each.findtext("m:artifactId", None, _SPACE) == plugin:
                found = each.find("m:configuration", _SPACE)
                if found is not None:
                    yield found

    def _configuration(self, integration):
        plugin = "maven-failsafe-plugin" if integration else "maven-surefire-plugin"
        return next(self._configurations(self._pom, plugin))

    def forks(self, integration):
        return int(self._expand(self._configuration(integration).findtext("m:forkCount", "1", _SPACE)))

    def arguments(self, integration):
        """Flags and system properties."""
        configuration = self._configuration(integration)
        flags = self._expand(configuration.findtext("m:argLine", "", _SPACE)).split()
        variables = configuration.find("m:systemPropertyVariables", _SPACE)
        for each in variables if variables is not None else ():
            flags.append(f"-D{each.tag.split('}')[1]}={self._expand(each.text or '')}")
        return flags

    def environment(self, module, integration):
        left_out = self._expand(
            self._configuration(integration).findtext("m:excludedEnvironmentVariables", "", _SPACE))
        found = {k: v for k, v in os.environ.items() if k not in left_out.split(",")}
        if not integration:
            pom = tree.parse(self._root / module / "pom.xml").getroot()
            for each in self._configurations(pom, "maven-surefire-plugin"):
                variables = each.find("m:environmentVariables", _SPACE)
                for variable in variables if variables is not None else ():
                    found[variable.tag.split("}")[1]] = (variable.text or "").strip()
        return found


class Lines:
    """What a process prints, until it says no more or has ended.

    What it has left running may hold the other end for ever, so a thread reads it.
    """

    def __init__(self, process, meanwhile=lambda: None):
        self._process = process
        self._meanwhile = meanwhile  # called now and then while nothing comes
        self._read = queue.Queue()
        threading.Thread(target=self._fill, daemon=True).start()

    def _fill(self):
        for line in self._process.stdout:
            self._read.put(line.rstrip("\n"))
        self._read.put(None)

    def __iter__(self):
        ended = None
        while True:
            try:
                line = self._read.get(timeout=0.5)
            except queue.Empty:
                self._meanwhile()
                if self._process.poll() is None:
                    continue
                ended = ended or time.monotonic()
                if time.monotonic() - ended > _AFTER_SECONDS:
                    return
                continue
            if line is None:
                self._read.put(None)  # for the next reader
                return
            yield line


class Runner:
    """A few JVMs that take classes from one list, each JVM those of one module and kind."""

    def __init__(self, progress, build, settings, excluded, root=ROOT):
        self._progress, self._build, self._settings = progress, build, settings
        self._excluded, self._root = sorted(excluded), root
        self._programs = root / "target" / "check" / "runner"
        self._compile_lock = threading.Lock()
        self._compiled = False

    def run(self, classes):
        """Unit tests first; then the integration tests, from the end of the alphabet as failsafe."""
        units = [each for each in classes if not each.integration]
        its = sorted((each for each in classes if each.integration),
                     key=lambda each: each.name, reverse=True)
        for chosen, integration in ((units, False), (its, True)):
            if not chosen:
                continue
            self._progress.heading("integration tests" if integration else "unit tests")
            left = sorted(chosen, key=lambda each: each.module) if not integration else chosen
            forks = min(self._settings.forks(integration), len(left))
            lock = threading.Lock()
            threads = [
                threading.Thread(target=self._work, args=(left, lock, integration), daemon=True)
                for _ in range(forks)
            ]
            for each in threads:
                each.start()
            for each in threads:
                while each.is_alive():
                    each.join(1)
                    self._progress.remind()
            with lock:
                self._progress.lost([each.name for each in left], "no JVM has run it")
                left.clear()

    def _work(self, left, lock, integration):
        """Takes classes until there are none; a fault of the runner itself is one of the class."""
        machine, module = None, None
        while True:
            with lock:
                if not left:
                    break
                at = next((n for n, each in enumerate(left) if each.module == module), 0)
                test = left.pop(at)
            try:
                if machine is None or test.module != module:
                    self._end(machine)
                    machine = None
                    machine, module = self._start(test.module, integration), test.module
                alive = self._one(machine, test)
            except (OSError, subprocess.SubprocessError) as fault:
                self._progress.say(f"{test.name}: {fault}")
                self._progress.lost([test.name], "no JVM for it")
                alive = False
            if not alive:
                self._end(machine)
                machine = None
        self._end(machine)

    def _one(self, machine, test):
        """False if the JVM is gone."""
        self._progress.running(test.name)
        try:
            machine.stdin.write(test.name + "\n")
            machine.stdin.flush()
        except OSError:
            pass  # it is told below
        failure = None
        for line in machine.lines:
            end = _END.search(line)
            if end:
                self._progress.log(line)
                tests, failed, skipped = (int(end[n]) for n in (2, 3, 4))
                if failure:
                    self._progress.say("\n".join(failure))
                if tests:
                    self._progress.ended(test.name, tests, failed, skipped, float(end[5]))
                else:
                    self._progress.lost([test.name], "all of its tests have tags that are left out")
                return True
            if "##check failure " in line:
                failure = [f"{line.split('##check failure ', 1)[1]} FAILED"]
            elif line == "##check told":
                self._progress.say("\n".join(failure or ()))
                failure = None
            elif failure is not None:
                failure.append(line)
            else:
                self._progress.log(line)
        code = machine.wait()
        if failure:
            self._progress.say("\n".join(failure))
        self._progress.say(f"{test.name}: its JVM has ended with code {code}: see target/check.log")
        self._progress.lost([test.name], f"its JVM has ended with code {code}")
        return False

    def _end(self, machine):
        if machine is not None:
            try:
                machine.stdin.close()
            except OSError:
                pass  # gone before
            try:
                machine.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._progress.say(f"a JVM of tests does not end in {_END_SECONDS} s: killed")
                machine.kill()
                machine.wait()
            for line in machine.lines:
                self._progress.log(line)

    def _start(self, module, integration):
        part = next(p for p in self._build.parts if p.module == module and p.kind == "test")
        path = self._build.class_path(part)
        with self._compile_lock:
            if not self._compiled:
                self._compile(path)
                self._compiled = True
        command = [
            java_tool("java"), *self._settings.arguments(integration),
            f"-Dbasedir={part.folder}", "-cp", os.pathsep.join([*path, str(self._programs)]),
            "TestRunner", *self._excluded,
        ]
        machine = processes.start(
            command, cwd=part.folder, env=self._settings.environment(module, integration),
            stdin=subprocess.PIPE)
        machine.lines = Lines(machine)
        return machine

    def _compile(self, path):
        source = Path(__file__).with_name("TestRunner.java")
        made = self._programs / "TestRunner.class"
        if made.is_file() and made.stat().st_mtime > source.stat().st_mtime:
            return
        self._programs.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [java_tool("javac"), "-d", str(self._programs), "-cp", os.pathsep.join(path),
             "--release", "17", "-nowarn", "-proc:none", str(source)], check=True)
