"""Runs chosen test classes in JVMs like those of surefire and failsafe, by the settings of the poms."""

import os
import re
import subprocess
import threading
import xml.etree.ElementTree as tree
from pathlib import Path

import processes
from building import java_tool
from classes import ROOT

_SPACE = {"m": "http://maven.apache.org/POM/4.0.0"}
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
            queue = sorted(chosen, key=lambda each: each.module) if not integration else chosen
            forks = min(self._settings.forks(integration), len(queue))
            lock = threading.Lock()
            threads = [
                threading.Thread(target=self._work, args=(queue, lock, integration), daemon=True)
                for _ in range(forks)
            ]
            for each in threads:
                each.start()
            for each in threads:
                while each.is_alive():
                    each.join(1)
                    self._progress.remind()

    def _work(self, queue, lock, integration):
        machine, module = None, None
        while True:
            with lock:
                if not queue:
                    break
                at = next((n for n, each in enumerate(queue) if each.module == module), 0)
                test = queue.pop(at)
            if machine is None or test.module != module:
                self._end(machine)
                machine, module = self._start(test.module, integration), test.module
            if not self._one(machine, test):
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
        for line in machine.stdout:
            line = line.rstrip("\n")
            end = _END.search(line)
            if end:
                self._progress.log(line)
                tests, failed, skipped = (int(end[n]) for n in (2, 3, 4))
                self._progress.ended(test.name, tests, failed, skipped, float(end[5]))
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
            # in a thread: what a test has left running may hold the other end for ever
            rest = threading.Thread(target=self._log_rest, args=(machine.stdout,), daemon=True)
            rest.start()
            machine.wait()
            rest.join(1)

    def _log_rest(self, lines):
        for line in lines:
            self._progress.log(line.rstrip("\n"))

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
        return processes.start(
            command, cwd=part.folder, env=self._settings.environment(module, integration),
            stdin=subprocess.PIPE)

    def _compile(self, path):
        source = Path(__file__).with_name("TestRunner.java")
        made = self._programs / "TestRunner.class"
        if made.is_file() and made.stat().st_mtime > source.stat().st_mtime:
            return
        self._programs.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [java_tool("javac"), "-d", str(self._programs), "-cp", os.pathsep.join(path),
             "--release", "17", "-nowarn", "-proc:none", str(source)], check=True)
