#!/usr/bin/env python3
"""Measures Remuda and writes docs/benchmarks.md and .json; see bench/README.md."""

import argparse
import datetime
import importlib
import os
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from kit import machine  # noqa: E402
from kit.processes import Failed  # noqa: E402
from kit.report import Report  # noqa: E402
from kit.setting import Setting  # noqa: E402

SUBJECTS = (
    "mnist",
    "convolution",
    "startup",
    "idle",
    "reconnect",
    "sampling",
    "spawning",
    "service",
    "peers",
    "builds",
    "outputs",
    "store",
    "scheduling",
    "packing",
    "leases",
    "many_nodes",
    "trainings",
)


def main():
    arguments = parse()
    every = tuple(name for name in SUBJECTS if name != "builds" or arguments.other)
    chosen = every if arguments.only == "all" else tuple(arguments.only.split(","))
    unknown = [name for name in chosen if name not in SUBJECTS]
    if unknown:
        sys.exit(f"bench: no subject {', '.join(unknown)}: there are {', '.join(SUBJECTS)}")
    others = [Path(other).resolve() for other in arguments.other.split(",") if other]
    for other in others:
        if not (other / "bin" / "remuda").is_file():
            sys.exit(f"bench: {other} has no bin/remuda: --other names the dist folder of a build")
    if "builds" in chosen and not others:
        sys.exit("bench: builds compares this build with another: name its dist by -Dbench.other")
    report = Report(arguments.out)
    failed = []
    setting = Setting(
        ROOT,
        arguments.dist.resolve(),
        arguments.java_home,
        arguments.class_path,
        arguments.full == "true",
        others,
        arguments.parts.split(","),
        arguments.tasks,
        arguments.rounds,
    )
    try:
        setting.say(f"machine: {machine.words(setting.java_home)}, load {machine.load()}")
        for name in chosen:
            if not measured(name, setting, report):
                failed.append(name)
    finally:
        setting.close()
    report.write(SUBJECTS)
    if failed:
        sys.exit(f"bench: failed: {', '.join(failed)}")
    setting.say(f"written: {report.markdown_file.name} and {report.json_file.name}")


def measured(name, setting, report):
    """Measures one subject; false, with the reason printed, if it did not succeed."""
    load = machine.load()
    setting.say(f"{name}: begins, load {load}")
    try:
        section = importlib.import_module(f"subjects.{name}").measure(setting)
    except Failed as failure:
        setting.say(f"{name}: FAILED: {failure}")
        return False
    except Exception:
        setting.say(f"{name}: FAILED\n{traceback.format_exc()}")
        return False
    for row in section.rows:
        setting.say(f"{name}: " + " | ".join(cell for cell in row.cells() if cell))
    today = datetime.date.today().isoformat()
    report.add(name, section, machine.words(setting.java_home), today, load)
    return True


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument("--java-home", type=Path, default=os.environ.get("JAVA_HOME"))
    parser.add_argument("--class-path", help="of the bench module with JMH")
    parser.add_argument("--only", default="all", help=", ".join(SUBJECTS))
    parser.add_argument("--full", default="false", help="true: whole epochs of MNIST")
    parser.add_argument("--other", default="", help="dists of other builds, for builds")
    parser.add_argument("--parts", default="tasks,rest,starts", help="of builds: tasks, rest, starts")
    parser.add_argument("--tasks", type=int, default=10_000, help="of an array of builds")
    parser.add_argument("--rounds", type=int, default=5, help="of builds")
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
