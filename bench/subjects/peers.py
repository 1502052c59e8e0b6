"""Short tasks beside what users would otherwise type: Dask, task-spooler and GNU parallel."""

import re
import shutil
import subprocess
import time

from kit import debian, processes
from kit.report import Row, Section, median, not_measured
from subjects.service import TRUE, Service, run_array, vfork_floor

ROUNDS = 3
WARM = 2000
ARRAY = 10_000
DASK = 4000
SPOOLER = 1000  # each waiting job is a process there
PARALLEL = 2000


def measure(setting):
    how = (
        "`/bin/true` many times, two at once, the output of each in files, in turns in one run:"
        f" {ARRAY} tasks of an array here, {DASK} of `client.map` on two processes of Dask that start"
        f" it, {SPOOLER} calls of `tsp` with two slots, {PARALLEL} lines of GNU parallel with"
        " `--joblog` and `--results`; from the first submission to the last end. Remuda's array is"
        " durable: each end is stored before it is told, and the tasks go on when its server is"
        " killed. Dask keeps its tasks in memory, task-spooler and parallel in one process. The"
        " ratio is the median of the rounds': the peer's time for a task to Remuda's."
    )
    peers = (Dask(), Spooler(), Parallel())
    rows = [not_measured(f"{peer.name} beside it", peer.lacks) for peer in peers if peer.lacks]
    peers = [peer for peer in peers if not peer.lacks]
    ours, floors, theirs = [], [], {peer.name: [] for peer in peers}
    service = Service(setting, "peers", "--cpus", "2")
    try:
        service.start()
        run_array(service, WARM)
        for number in range(1, ROUNDS + 1):
            floors.append(vfork_floor(setting, ARRAY) / ARRAY)
            ours.append(run_array(service, ARRAY) / ARRAY)
            for peer in peers:
                theirs[peer.name].append(peer.seconds_of_a_task(setting, number))
            words = [f"{name} {1 / found[-1]:.0f}/s" for name, found in theirs.items()]
            setting.say(
                f"peers: round {number}/{ROUNDS}: Remuda {1 / ours[-1]:.0f}/s, vfork loop"
                f" {1 / floors[-1]:.0f}/s, " + ", ".join(words)
            )
    finally:
        service.end()
    done = [
        Row(
            f"array of {ARRAY} × `/bin/true`",
            f"{1 / median(ours):.0f}/s",
            f"vfork loop: {1 / median(floors):.0f}/s",
            f"{median([a / b for a, b in zip(ours, floors)]):.2f}",
            values={"seconds": ours, "floor_seconds": floors},
        )
    ]
    for peer in peers:
        found = theirs[peer.name]
        times = median([b / a for a, b in zip(ours, found)])
        done.append(
            Row(
                f"the same beside {peer.name}",
                f"{1 / median(ours):.0f}/s",
                f"{peer.version}: {1 / median(found):.0f}/s",
                f"{times:.2f} x faster",
                "ahead",
                times > 1,
                {"seconds": ours, "peer_seconds": found},
            )
        )
    return Section("Short tasks beside peers", how, done + rows)


class Dask:
    name = "Dask"
    version = ""

    def __init__(self):
        self.lacks = debian.missing("distributed")

    def seconds_of_a_task(self, setting, number):
        found = debian.run_peer(
            setting,
            "dask_peer.py",
            [setting.folder(f"dask-{number}"), DASK],
            setting.environment(),
        )
        self.version = f"Dask {found['version']}"
        return found["seconds"] / DASK


class Spooler:
    name = "task-spooler"
    version = ""

    def __init__(self):
        self.lacks = None if shutil.which("tsp") else "task-spooler missing"

    def seconds_of_a_task(self, setting, number):
        folder = setting.folder(f"tsp-{number}")
        own = setting.environment(
            TMPDIR=folder,
            TS_SOCKET=folder / "socket",
            TS_SLOTS=2,
            TS_MAXCONN=SPOOLER + 10,
            TS_MAXFINISHED=SPOOLER + 10,
        )
        self.version = re.match(r".*v[\d.]+", processes.run(["tsp", "-V"], own))[0]
        calls = f"i=0; while [ $i -lt {SPOOLER} ]; do tsp /bin/true >/dev/null; i=$((i+1)); done"
        last = f"tsp -w {SPOOLER - 2}; tsp -w {SPOOLER - 1}"
        try:
            began = time.monotonic()
            processes.run(["sh", "-c", f"{calls}; {last}"], own)
            return (time.monotonic() - began) / SPOOLER
        finally:
            subprocess.run(["tsp", "-K"], env=own, check=False)


class Parallel:
    name = "GNU parallel"
    version = ""

    def __init__(self):
        self.lacks = None if shutil.which("parallel") else "parallel missing"

    def seconds_of_a_task(self, setting, number):
        folder = setting.folder(f"parallel-{number}")
        own = setting.environment(TMPDIR=folder, HOME=folder)
        self.version = processes.run(["parallel", "--version"], own).splitlines()[0]
        lines = folder / "lines"
        lines.write_text("".join(f"{one}\n" for one in range(PARALLEL)))
        command = f"parallel -j2 --joblog {folder}/log --results {folder}/out /bin/true :::: {lines}"
        began = time.monotonic()
        processes.run(["sh", "-c", command], own)
        return (time.monotonic() - began) / PARALLEL
