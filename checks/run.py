"""What ./check does; see CONTRIBUTING.md."""

import argparse
import fcntl
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import classes
import processes
import python_tests
from building import Build, BuildFailed, java_tool
from classes import JAVA, LONG_ATTACK, MODULES, PYTHON, ROOT, SLOW, STATE_FILE
from dist import Dist, wanted_by
from maven import Maven
from progress import Progress
from runner import Runner, Settings

_HELP = """\
Without arguments: the format, all unit tests, and the integration tests but for the slow ones.
With a module or -k: these tests alone, after compiling what has changed for them.

modules: %s
examples: ./check -k SchedulerTest; ./check node-agent -k keeper; ./check --all
all output: target/check.log
exit codes: 0 all passed, 1 not (or what the tests want is missing), 2 bad arguments, 130 interrupted
""" % " ".join(MODULES)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="check", description="Runs the checks of this tree.", epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="tests of this module")
    parser.add_argument("-k", dest="words", action="append", default=[], metavar="WORD",
                        help="test classes with WORD in name or package; may be repeated")
    parser.add_argument("--all", action="store_true",
                        help="slow tests, faults, attacks, PostgreSQL, other JDKs, too")
    options = parser.parse_args(arguments)
    for module in options.modules:
        if module not in MODULES:
            parser.error(f"unknown module {module!r}; modules are: {' '.join(MODULES)}")
    if any(not word.strip() for word in options.words):
        parser.error("-k requires a word")
    options.chosen, options.left_out = [], []
    if options.modules or options.words:
        found = [each for each in classes.all_classes()
                 if not options.modules or each.module in options.modules]
        found = classes.matching(found, options.words)
        for each in found:
            left = each.left_to_all() and not options.all
            (options.left_out if left else options.chosen).append(each)
        if options.left_out and not options.chosen:
            names = " ".join(each.simple for each in options.left_out)
            parser.error(f"only --all runs {names}: ./check --all {' '.join(arguments)}")
        if not options.chosen:
            parser.error(f"no test class matches {' '.join(options.words)}")
    return options


# --- chosen tests


def run_chosen(options, progress):
    maven = Maven(progress)
    build = Build(progress, maven.build)
    java = [each for each in options.chosen if each.module != PYTHON]
    if options.left_out:
        progress.say("left to --all: " + " ".join(each.simple for each in options.left_out))
    try:
        modules = {each.module for each in java}
        dist_for_python = len(java) < len(options.chosen)
        build.ensure(modules | ({"coordinator"} if dist_for_python else set()))
        if wanted_by(build, options.chosen):
            build.ensure(modules | {"coordinator"})
            starts = sum(each.integration for each in options.chosen)
            Dist(progress, build, maven.build).ensure(starts)
            build.keep_anew()
    except BuildFailed as why:
        progress.say(str(why))
        progress.lost([each.name for each in options.chosen], "not built")
        return maven.seconds_of
    progress.expect(len(java))
    if java:
        excluded = set() if options.all else {LONG_ATTACK, SLOW}
        settings = Settings(java_major=java_major())
        Runner(progress, build, settings, excluded).run(java)
    if dist_for_python:
        chosen = [each for each in options.chosen if each.module == PYTHON]
        python_tests.run(progress, chosen)
    return maven.seconds_of


def java_major(home=None):
    home = Path(home) if home else Path(java_tool("javac")).resolve().parent.parent
    try:
        text = (home / "release").read_text()
    except OSError:
        return 17
    found = re.search(r'JAVA_VERSION="(\d+)', text)
    return int(found[1]) if found else 17


def other_java(wanted=25, environment=os.environ, folder=Path("/usr/lib/jvm")):
    """The home of a JDK of this version, or None."""
    named = [environment.get(name) for name in
             (f"JAVA_HOME_{wanted}", f"JAVA_HOME_{wanted}_X64", f"JDK_{wanted}")]
    installed = sorted(folder.glob("*")) if folder.is_dir() else []
    for home in [Path(name) for name in named if name] + installed:
        if (home / "bin" / "javac").exists() and java_major(home) == wanted:
            return str(home.resolve())
    return None


# --- the tiers


class Phase:
    """One run of Maven and the classes that it is to run."""

    def __init__(self, name, arguments, expected, environment=None, excluded=frozenset()):
        self.name, self.arguments, self.expected = name, arguments, expected
        self.environment, self.excluded = environment, excluded


def phases(everything, found, java_25=None):
    """What is run of Java, in turn."""
    common = ["-Dmaven.test.failure.ignore=true", "-Dspotless.check.skip=true"]
    no_units = ["-Dtest=NoUnitTests", "-Dsurefire.failIfNoSpecifiedTests=false"]
    excluded = {LONG_ATTACK} if everything else {LONG_ATTACK, SLOW}

    def tests(excluded, kinds=(False, True), chosen=lambda each: not each.fault):
        return [each for each in found
                if each.integration in kinds and chosen(each) and not each.tags & excluded]

    def leave_out(tags):
        return "-Dtests.tags.excluded=" + ",".join(sorted(tags))

    # the benchmarks are compiled, for no test would say that they do not fit the product any more
    bench = ["-Pbench", "-DskipTests=false", "-Dexec.skip=true"]
    plain = Phase("tests", ["verify", *common, *bench, leave_out(excluded)], tests(excluded),
                  excluded=excluded)
    if not everything:
        return [plain]
    plain.name = "all tests, with the seeds of the fuzzer"
    found_phases = [
        plain,
        Phase("faults",
              ["verify", *common, *no_units, "-Dit.test=*FaultIT",
               "-Dfailsafe.failIfNoSpecifiedTests=false", "-Dits.excluded=none",
               leave_out(excluded)],
              tests(excluded, (True,), lambda each: each.name.endswith("FaultIT")),
              excluded=excluded),
        Phase("long attacks", ["verify", *common, "-Pattack", f"-Dtests.tags={LONG_ATTACK}"],
              tests(set(), chosen=lambda each: LONG_ATTACK in each.tags | each.method_tags)),
        Phase("PostgreSQL",
              ["verify", *common, *no_units, "-Dtests.store=postgres", leave_out(excluded)],
              tests(excluded | {STATE_FILE}, (True,)), excluded=excluded | {STATE_FILE}),
    ]
    if java_25:
        found_phases.append(
            Phase("JDK 25", ["verify", *common, leave_out(excluded)], tests(excluded),
                  {"JAVA_HOME": java_25}, excluded))
    return found_phases


def run_phase(phase, maven, progress, label):
    progress.expect(len(phase.expected))
    code, ended = maven.run(phase.arguments, phase.environment, label)
    hanging = progress.began()
    progress.lost(hanging, "did not end")
    missing = [each for each in phase.expected if each.name not in {*ended, *hanging}]
    progress.expect(-len(missing))
    if code != 0:
        progress.lost([f"Maven: {phase.name}"], "see above and target/check.log")
        progress.say(f"classes that did not run: {len(missing)}")
    else:
        progress.lost([each.name for each in missing if not each.all_left_out(phase.excluded)],
                      "did not run")
    return code == 0


def run_tiers(options, progress):
    maven = Maven(progress)
    build = Build(progress, maven.build)
    dist = Dist(progress, build, maven.build)
    java_25 = other_java() if options.all else None
    todo = phases(options.all, classes.java_classes(), java_25)
    if options.all:
        progress.say(f"{len(todo) + 2} phases: checks and format, "
                     + ", ".join(phase.name for phase in todo) + ", Python")
        if not java_25:
            progress.say("no JDK 25 here: set JAVA_HOME_25 to run that phase, too")
    python_tests.run_own(progress)
    if java_major() < 21:  # the formatter that runs on 17 does not run there
        progress.heading("format")
        code, _ = maven.run(["spotless:check"])
        if code != 0:
            progress.say("mvn spotless:apply formats")
            progress.lost(["format"], "see above")
            if not options.all:
                return maven.seconds_of
    # all of it, so that what does not compile is told before the tests of the modules it is built on
    code, _ = maven.run(
        ["test-compile", "-Pbench", "-Dexec.skip=true", "-Dspotless.check.skip=true"],
        phase="before the tests")
    if code != 0:
        progress.lost(["compile"], "see above")
        return maven.seconds_of
    for number, phase in enumerate(todo, 2):
        label = f"{phase.name}" if options.all else ""
        if options.all:
            progress.heading(f"phase {number} of {len(todo) + 2}: {phase.name}")
        before = (progress.passed, progress.failed, progress.skipped)
        taken = (build.snapshot(), dist.snapshot())
        build.forget()
        dist.forget()
        if number == 2 or phase.environment:
            build.remove_classes()  # nothing of an earlier build, or of another compiler, is tested
        good = run_phase(phase, maven, progress, label)
        if good and not phase.environment:
            build.keep(taken[0])
            dist.keep(taken[1])
        if options.all:
            counts = [now - then for now, then in zip(
                (progress.passed, progress.failed, progress.skipped), before)]
            progress.heading("phase {}: {} passed, {} failed, {} skipped".format(
                phase.name, *counts))
        if number == 2:
            if good:
                python_tests.run(progress)
            else:
                progress.say("python: not run, for there is no dist/ of this tree")
                progress.lost(["python"], "not run")
    return maven.seconds_of


def _interrupted(number, frame):
    raise KeyboardInterrupt


def main(arguments):
    options = parse(arguments)
    signal.signal(signal.SIGTERM, _interrupted)
    signal.signal(signal.SIGINT, _interrupted)  # also where a shell has it ignored
    for number in (signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:  # by nohup, or in the background
            signal.signal(number, lambda *_: None)  # what is started has it as usual: tests trap it
    more = ["all"] if options.all else []
    code = subprocess.call(["sh", str(Path(__file__).with_name("wanted")), *more])
    if code != 0:
        return code
    # whoever runs this may have a server of his own, whose settings are not those of the tests
    for name in [name for name in os.environ if name.startswith("REMUDA_")]:
        del os.environ[name]
    folder = ROOT / "target"
    folder.mkdir(exist_ok=True)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    with open(folder / "check.lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("check: another check runs in this tree", file=sys.stderr)
            return 1
        return check(options, folder)


def check(options, folder):
    with open(folder / "check.log", "w", encoding="utf-8", buffering=1) as log:
        progress = Progress(log, out=lambda text: print(text, flush=True))
        try:
            run = run_chosen if options.chosen else run_tiers
            seconds_of = run(options, progress)
        except KeyboardInterrupt:
            progress.say("interrupted")
            return 130
        finally:
            left = processes.end_all()
            if left:
                progress.say(f"ended {left} processes that tests had left")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        progress.close(seconds_of, used.ru_utime + used.ru_stime)
        none = not (progress.passed or progress.skipped)
        return 1 if progress.failed or none else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
