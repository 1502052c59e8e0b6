"""What a short task, a single job, rest and a start take in two builds, in turns in one run."""

import os
import statistics
import subprocess
import time
from pathlib import Path

from kit import processes
from kit.processes import Failed
from kit.report import Row, Section, median, ratio_of
from subjects.service import SINGLES, TRUE, Service, elapsed, ended, paced, run_array, vfork_floor

WARM = 3000
SETTLE = 120
WINDOW = 30
STATES = 11
ROLES = ("server", "agent", "keeper")


def measure(setting):
    how = (
        f"This build beside another one (`-Dbench.other=DIST`), in turns, {setting.rounds} rounds: an"
        f" array of {setting.tasks} × `/bin/true` and {SINGLES} single jobs over one connection on two"
        " slots, durable, warm. Processor time is the user and system time of server, agent and keeper, without that"
        " of the tasks. Changes of threads are those of which the thread itself has waited. At rest:"
        f" an agent with 8 simulated GPUs at 1 Hz, {WINDOW} s after {SETTLE} s. The ratio is the median"
        " of the rounds'."
    )
    builds = [Build(setting, "new", setting.dist)]
    builds += [Build(setting, f"other{n}", dist) for n, dist in enumerate(setting.others, 1)]
    rows = []
    if "tasks" in setting.parts:
        rows += _tasks(setting, builds)
    if "rest" in setting.parts:
        rows += _rest(setting, builds)
    if "starts" in setting.parts:
        rows += _starts(setting, builds)
    return Section("Two builds", how, rows)


class Build:
    """One of the two: where it is, and what was measured of it, by the name of the figure."""

    def __init__(self, setting, name, dist):
        self.name = name
        self.setting = setting.of(dist)
        self.found = {}

    def add(self, what, value):
        self.found.setdefault(what, []).append(value)

    def last(self, what):
        return self.found[what][-1]


def roles_of(home):
    """The processes of a service: {'server': pid, …}."""
    mark = f"REMUDA_HOME={home}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark not in (entry / "environ").read_bytes().split(b"\0") and (
                str(home).encode() not in (entry / "cmdline").read_bytes()
            ):
                continue
            arguments = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        for role, part in (
            ("keeper", b"KeeperMain"),
            ("agent", b"node-agent.jar"),
            ("server", b"coordinator.jar"),
        ):
            if part in arguments and arguments.split(b"\0")[0].endswith(b"java"):
                found[role] = int(entry.name)
                break
    missing = [role for role in ROLES if role not in found]
    if missing:
        raise Failed(f"no process of {', '.join(missing)} in {home}")
    return found


def switches(pid):
    """How often threads of a process have waited of their own accord."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt"):
                    total += int(line.split()[1])
        except OSError:
            continue
    return total


def _singles(service, count):
    answer = dict(line for line in service.load("submit", TRUE, count, 1))
    last = int(answer["last"])
    first = service.get(f"jobs/{last - count + 1}")
    return max(elapsed(first, ended(service, job)) for job in (last - 1, last))


def _counted(build, service, what, count, work):
    roles = roles_of(service.home)
    before = {role: (processes.cpu_seconds(pid), switches(pid)) for role, pid in roles.items()}
    seconds = work()
    sums = [0, 0]
    for role, pid in roles.items():
        cpu = (processes.cpu_seconds(pid) - before[role][0]) * 1000 / count
        waits = (switches(pid) - before[role][1]) / count
        build.add(f"{what} {role} cpu", cpu)
        build.add(f"{what} {role} waits", waits)
        sums = [sums[0] + cpu, sums[1] + waits]
    build.add(f"{what} cpu", sums[0])
    build.add(f"{what} waits", sums[1])
    build.add(f"{what} seconds", seconds)


def _tasks(setting, builds):
    bare = {"REMUDA_NO_ARCHIVE": "1"}  # which takes a minute to make, and nothing is started here
    services = {
        build.name: Service(build.setting, build.name, "--cpus", "2", more=bare) for build in builds
    }
    floors, small = [], []
    try:
        for build in builds:
            services[build.name].start()
            run_array(services[build.name], WARM)
            _singles(services[build.name], SINGLES)
        for number in range(1, setting.rounds + 1):
            floors.append(vfork_floor(setting, setting.tasks))
            for build in _turn(builds, number):
                service = services[build.name]
                _counted(build, service, "array", setting.tasks, lambda: run_array(service, setting.tasks))
            small.append(vfork_floor(setting, SINGLES))
            for build in _turn(builds, number):
                service = services[build.name]
                _counted(build, service, "single", SINGLES, lambda: _singles(service, SINGLES))
            words = [
                f"{build.name} {build.last('array cpu'):.2f} ms, {build.last('array seconds'):.1f} s;"
                f" single {build.last('single cpu'):.2f} ms, {build.last('single seconds'):.1f} s"
                for build in builds
            ]
            setting.say(f"builds: round {number}/{setting.rounds}: " + " | ".join(words))
        for build in builds:
            _paced(services[build.name], build)
    finally:
        for service in services.values():
            service.end()
    rows = []
    for what, text in (("array", f"array of {setting.tasks}"), ("single", f"{SINGLES} single jobs")):
        rows += _beside(builds, f"{what} cpu", f"{text}: processor time for a task", "ms")
        for role in ROLES:
            rows += _beside(builds, f"{what} {role} cpu", f"of it {role}", "ms")
        rows += _beside(builds, f"{what} waits", f"{text}: changes of threads for a task", "")
        for role in ROLES:
            rows += _beside(builds, f"{what} {role} waits", f"of it {role}", "")
        rows += _beside(builds, f"{what} seconds", f"{text}: time", "s")
        floor = floors if what == "array" else small
        for build in builds:
            rows.append(
                Row(
                    f"{text}: {build.name} build",
                    f"{median(build.found[f'{what} seconds']):.2f} s",
                    f"vfork loop: {median(floor):.2f} s",
                    f"{ratio_of(build.found[f'{what} seconds'], floor):.2f}",
                )
            )
    for what in ("p50", "p99"):
        rows += _beside(builds, what, f"submit to the first instruction, {what}", "ms")
    return rows


def _turn(builds, number):
    """Each is the first of a round as often as the others."""
    first = number % len(builds)
    return builds[first:] + builds[:first]


def _paced(service, build):
    """Two turns would not be better: the client of each waits between its jobs."""
    waits = paced(service)
    build.add("p50", statistics.median(waits))
    build.add("p99", waits[int(len(waits) * 0.99)])


def _rest(setting, builds):
    driver = setting.eight_gpus("rest")
    services = [Service(build.setting, f"rest-{build.name}", more=driver) for build in builds]
    try:
        for service in services:
            service.start()
        time.sleep(SETTLE)
        roles = [roles_of(service.home) for service in services]
        for _ in range(3):
            before = [{role: processes.cpu_seconds(pid) for role, pid in one.items()} for one in roles]
            time.sleep(WINDOW)
            for build, one, earlier in zip(builds, roles, before):
                for role, pid in one.items():
                    cpu = 100 * (processes.cpu_seconds(pid) - earlier[role]) / WINDOW
                    build.add(f"rest {role} cpu", cpu)
                    build.add(f"rest {role} memory", processes.memory(pid)[0])
    finally:
        for service in services:
            service.end()
    rows = []
    for role in ROLES:
        rows += _beside(builds, f"rest {role} memory", f"{role} at rest, resident", "MB")
        rows += _beside(builds, f"rest {role} cpu", f"{role} at rest, of one core", "%")
    return rows


def _starts(setting, builds):
    for _ in range(setting.rounds):
        for build in builds:
            home = setting.folder(f"start-{build.name}-{time.monotonic_ns()}")
            service = Service(build.setting, home.name + "s", "--cpus", "2")
            try:
                build.add("ready", service.start())
                for _ in range(STATES):
                    _state(build, service)
            finally:
                service.end()
    return [
        *_beside(builds, "ready", "`remuda serve` to ready with its agent", "s"),
        *_beside(builds, "state", "`remuda state`, elapsed", "s"),
        *_beside(builds, "state cpu", "`remuda state`, processor time", "s"),
    ]


def _state(build, service):
    began = time.monotonic()
    child = subprocess.Popen(
        [build.setting.dist / "bin" / "remuda", "state"],
        env=service.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, code, used = os.wait4(child.pid, 0)
    child.returncode = code
    if code != 0:
        raise Failed(f"remuda state ended with {code}")
    build.add("state", time.monotonic() - began)
    build.add("state cpu", used.ru_utime + used.ru_stime)


def _beside(builds, what, text, unit):
    ours = builds[0].found[what]
    unit = f" {unit}" if unit else ""
    rows = []
    for other in builds[1:]:
        theirs = other.found[what]
        pairs = [a / b for a, b in zip(ours, theirs) if b]
        rows.append(
            Row(
                text,
                f"{median(ours):.3g}{unit}",
                f"{other.setting.dist.parent.name}: {median(theirs):.3g}{unit}",
                f"{median(pairs):.2f}" if pairs else "",
                values={"new": ours, "other": theirs},
            )
        )
    return rows
