"""What a server takes with 1,000 agents, history, open pages and slow readers; a day of history."""

import subprocess
import time

from kit import processes
from kit.processes import Child
from kit.report import Row, Section, median
from subjects.service import Service

AGENTS = 1000
TASKS = 5000
PAGES = 10
SLOW = 2
SLOW_RATE = "20k"
SETTLE = 20
WINDOW = 40
MOST_CORES = 1.0
MOST_MEMORY = 1024  # MiB
LATE = 5000  # ms; a node is silent after twice that


def measure(setting):
    how = (
        f"{AGENTS} simulated agents in one process, each with a TLS connection and 8 GPUs whose"
        f" readings all change at 1 Hz, joined to a server at its default heap; {TASKS} running"
        f" tasks; {PAGES} readers of the page's event stream and {SLOW} that take {SLOW_RATE}B/s."
        f" Windows of {WINDOW} s; memory is the process's greatest resident size. Then a day of 64"
        " GPUs, all five readings at 1 Hz, written and read by the history's store alone."
    )
    rows = []
    service = Service(setting, "many", "--no-agent")
    agents, pages = None, []
    try:
        service.start()
        command = [
            setting.java,
            "-Xmx3g",
            *setting.main("ManyAgents", setting.dist / "coordinator.jar"),
            service.home / "access.json",
            AGENTS,
            3 * (SETTLE + WINDOW) + 10,
        ]
        agents = Child(command, setting.environment())
        agents.wait_for("joined", 180)
        quiet = _window(service)
        service.post("jobs", {"argv": ["sleep", "1000000"], "env": {}, "workdir": "/", "cpus": 1, "count": TASKS})
        tasks = _window(service)
        pages += _readers(setting, service, PAGES) + _readers(setting, service, SLOW, "--limit-rate", SLOW_RATE)
        watched = _window(service)
        found = {line[0]: line[1:] for line in _lines(agents, WINDOW + SETTLE + 60)}
        rows += _server(quiet, tasks, watched, _peak(service), found)
    finally:
        for page in pages:
            page.kill()
            page.wait()
        if agents:
            agents.end()
        service.end()
    return Section("Many nodes", how, rows + _day(setting))


def _window(service):
    """The server's share of a core after settling."""
    time.sleep(SETTLE)
    began, cpu = time.monotonic(), processes.cpu_seconds(service.server.pid)
    time.sleep(WINDOW)
    return (processes.cpu_seconds(service.server.pid) - cpu) / (time.monotonic() - began)


def _readers(setting, service, count, *options):
    token = setting.scratch / "token"
    token.touch(0o600)
    token.write_text(f"Authorization: Bearer {service.token}")
    command = ["curl", "-skN", "-H", f"@{token}", *options, "-o", "/dev/null", f"{service.rest}/api/v1/live"]
    return [subprocess.Popen(command) for _ in range(count)]


def _peak(service):
    with open(f"/proc/{service.server.pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def _lines(child, limit):
    child.wait_for("tasks\t", limit)
    return [text.split("\t") for _, text in child.lines if "\t" in text]


def _server(quiet, tasks, watched, peak, found):
    p50, p99, most = (int(value) for value in found["gaps"])
    lost = int(found["lost"][0])
    return [
        Row(
            f"server with {AGENTS} agents, cores",
            f"{watched:.2f}",
            f"{tasks:.2f} without readers, {quiet:.2f} without tasks",
            target=f"≤ {MOST_CORES:.0f}",
            met=watched <= MOST_CORES,
        ),
        Row(
            "the same, resident memory",
            f"{peak:.0f} MiB",
            target=f"≤ {MOST_MEMORY} MiB",
            met=peak <= MOST_MEMORY,
        ),
        Row(
            "between two messages of the server, each second",
            f"p50 {p50} ms, p99 {p99} ms, max {most} ms",
            f"{lost} connections lost, {found['tasks'][0]} tasks run",
            target=f"none after {LATE} ms",
            met=most <= LATE and lost == 0,
        ),
    ]


def _day(setting):
    folder = setting.folder("day")
    command = [setting.java, *setting.main("DayOfHistory", setting.dist / "coordinator.jar"), folder]
    lines = [line.split("\t") for line in processes.run(command).splitlines()]
    size = next(float(line[1]) for line in lines if line[0] == "bytes")
    reads = [float(line[1]) for line in lines if line[0] == "read"]
    return [
        Row("a point on disk", f"{size:.2f} bytes", target="≤ 2 bytes", met=size <= 2),
        Row(
            "reading a day of one metric of 64 GPUs",
            f"{median(reads):.0f} ms",
            f"the first {reads[0]:.0f} ms",
            target="≤ 50 ms",
            met=median(reads) <= 50,
        ),
    ]
