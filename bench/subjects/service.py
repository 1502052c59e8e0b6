"""What the job service takes for short jobs, and how it does with many."""

import json
import re
import ssl
import statistics
import subprocess
import time
import urllib.request

from kit import processes
from kit.processes import Child, Failed
from kit.report import Row, Section, median, ratio_of

ARRAY = 10_000
SINGLES = 1000
ROUNDS = 3
PACED = 200
QUEUED = 100_000
QUEUED_SINGLES = 12_000
CONNECTIONS = 8


def pinned(certificate):
    """TLS with a server whose certificate is known."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cadata=certificate)
    return context


class Service:
    """A server with an agent of two slots, in a state folder of its own."""

    def __init__(self, setting, name, *options, more=None):
        self.setting = setting
        self.home = setting.folder(name)
        self.environment = setting.environment(REMUDA_HOME=self.home, **(more or {}))
        self.options = options
        self.server = None

    def start(self):
        """Seconds until the server answers and, with an agent, has its node."""
        began = time.monotonic()
        self.server = Child([self.setting.dist / "bin" / "remuda", "serve", *self.options], self.environment)
        while not self._ready():
            if self.server.process.poll() is not None:
                raise Failed(f"the server ended:\n{self.server.tail()}")
            if time.monotonic() - began > 120:
                raise Failed(f"the server is not ready:\n{self.server.tail()}")
            time.sleep(0.02)
        return time.monotonic() - began

    def _ready(self):
        try:
            access = json.loads((self.home / "access.json").read_text())
            self.rest, self.token = access["rest"], access["token"]
            self.tls = pinned(access["pin"])
            nodes = self.get("nodes")
        except (OSError, ValueError, KeyError):
            return False
        return "--no-agent" in self.options or len(nodes) > 0

    def get(self, path):
        request = urllib.request.Request(
            f"{self.rest}/api/v1/{path}", headers={"Authorization": f"Bearer {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=60, context=self.tls) as answer:
            return json.loads(answer.read())

    def post(self, path, body):
        request = urllib.request.Request(
            f"{self.rest}/api/v1/{path}",
            data=json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=120, context=self.tls) as answer:
            return json.loads(answer.read())

    def wait(self, job, limit=600, pause=0.05):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            row = self.get(f"jobs/{job}")
            if row["endedAt"]:
                if row["state"] != "succeeded":
                    raise Failed(f"job {job} {row['state']}: {row.get('reason')}")
                return row
            time.sleep(pause)
        raise Failed(f"job {job} has not ended in {limit} s")

    def load(self, kind, body, *numbers):
        file = self.setting.scratch / f"{kind}.json"
        file.write_text(json.dumps(body))
        out = processes.run(
            [
                self.setting.java,
                *"-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1".split(),
                *self.setting.main("ServiceLoad", self.setting.dist / "coordinator.jar"),
                kind,
                self.home / "access.json",
                file,
                *numbers,
            ],
            env=self.setting.environment(),
        )
        return [line.split("\t") for line in out.splitlines()]

    def kill(self):
        self.server.process.kill()
        self.server.wait(10)

    def end(self):
        if self.server and self.server.process.poll() is None:
            subprocess.run(
                [self.setting.dist / "bin" / "remuda", "stop"],
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
            self.server.end(limit=20)


def measure(setting):
    how = (
        "A server and its agent with two slots, durable (SQLite, synchronous=FULL), warm. The floor"
        " is a Java loop of ProcessBuilder starts with vfork, two at a time, output in files, run in"
        " turn with it. Times of arrays and of single jobs are the server's own, from the first"
        " submission to the last end. Submit to start: `date` as the job, its own clock against the"
        " client's when the request was sent. Memory is what the server's heap holds after a full"
        " collection."
    )
    rows = []
    service = Service(setting, "service", "--cpus", "2")
    try:
        service.start()
        rows += _short_jobs(setting, service)
    finally:
        service.end()
    queue = Service(setting, "queue", "--no-agent")
    try:
        queue.start()
        rows += _many_jobs(setting, queue)
    finally:
        queue.end()
    return Section("Job service", how, rows)


def vfork_floor(setting, count):
    out = processes.run(
        [
            setting.java,
            "-Djdk.lang.Process.launchMechanism=VFORK",
            "-XX:+UseSerialGC",
            *setting.main("ServiceLoad", setting.dist / "coordinator.jar"),
            "floor",
            setting.scratch,
            count,
            2,
        ],
        env=setting.environment(),
    )
    return float(re.search(r"seconds\t(.*)", out).group(1))


TRUE = {"argv": ["/bin/true"], "env": {"PATH": "/usr/bin:/bin"}, "workdir": "/tmp"}


def elapsed(first, last):
    return (_millis(last["endedAt"]) - _millis(first["submittedAt"])) / 1000


def _millis(text):
    if isinstance(text, (int, float)):
        return text
    from datetime import datetime

    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000


def run_array(service, count):
    """Seconds from the submission of an array to its end."""
    job = service.post("jobs", {**TRUE, "count": count})["ids"][0]
    row = ended(service, job)
    return elapsed(row, row)


def ended(service, job):
    """The ended job. The server is asked seldom: each question is a handshake and a query."""
    return service.wait(job, limit=900, pause=1)


def _singles(service, count):
    answer = dict(line for line in service.load("submit", TRUE, count, 1))
    last = int(answer["last"])
    first = service.get(f"jobs/{last - count + 1}")
    ends = [service.wait(job) for job in range(last - 5, last + 1)]
    return max(elapsed(first, end) for end in ends)


def paced(service):
    """Milliseconds from a submission to the job's first instruction, ascending, of jobs with pauses."""
    date = {**TRUE, "argv": ["/bin/date", "+%s%N"]}
    waits = []
    for _, job, sent in service.load("paced", date, PACED, 50)[PACED // 10 :]:
        service.wait(int(job), 30)
        request = urllib.request.Request(
            f"{service.rest}/api/v1/jobs/{job}/logs",
            headers={"Authorization": f"Bearer {service.token}"},
        )
        with urllib.request.urlopen(request, timeout=20, context=service.tls) as answer:
            waits.append((int(answer.read().decode().strip()) - int(sent)) / 1e6)
    return sorted(waits)


def _short_jobs(setting, service):
    run_array(service, 2000)  # warm
    arrays, singles, floors, small = [], [], [], []
    for _ in range(ROUNDS):
        floors.append(vfork_floor(setting, ARRAY))
        arrays.append(run_array(service, ARRAY))
        small.append(vfork_floor(setting, SINGLES))
        singles.append(_singles(service, SINGLES))
    array, single = ratio_of(arrays, floors), ratio_of(singles, small)
    waits = paced(service)
    p50, p99 = statistics.median(waits), waits[int(len(waits) * 0.99)]
    return [
        Row(
            f"array of {ARRAY} × `/bin/true`, two slots",
            f"{ARRAY / median(arrays):.0f}/s",
            f"vfork loop: {ARRAY / median(floors):.0f}/s",
            f"{array:.2f}",
            "≤ 1.6 × the time",
            array <= 1.6,
            {"seconds": arrays, "floor_seconds": floors},
        ),
        Row(
            f"{SINGLES} single jobs over one kept connection",
            f"{SINGLES / median(singles):.0f}/s",
            f"vfork loop: {SINGLES / median(small):.0f}/s",
            f"{single:.2f}",
            "≤ 3 × the time",
            single <= 3,
            {"seconds": singles, "floor_seconds": small},
        ),
        Row(
            "submit to the first instruction, idle node",
            f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
            target="p50 ≤ 5 ms, p99 ≤ 25 ms",
            met=p50 <= 5 and p99 <= 25,
            values={"millis": waits},
        ),
    ]


def _timed(work):
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _heap_megabytes(setting, pid):
    out = processes.run([setting.java_home / "bin" / "jcmd", pid, "GC.class_histogram"])
    total = [line for line in out.splitlines() if line.startswith("Total")]
    return int(total[-1].split()[2]) / 1e6


def _server_pid(service):
    return service.server.pid  # bin/remuda execs java


def _rate(service, body, count):
    return count / float(dict(service.load("submit", body, count, CONNECTIONS))["seconds"])


def _many_jobs(setting, service):
    sleep = {**TRUE, "argv": ["/bin/sleep", "1"]}
    array = _timed(lambda: service.post("jobs", {**sleep, "count": QUEUED}))
    first = _rate(service, sleep, QUEUED_SINGLES)
    service.load("submit", sleep, QUEUED - 2 * QUEUED_SINGLES, CONNECTIONS)
    rate = _rate(service, sleep, QUEUED_SINGLES)
    heap = _heap_megabytes(setting, _server_pid(service))
    state = median([_timed(lambda: service.get("jobs?limit=100")) for _ in range(20)]) * 1000
    explain = median([_timed(lambda: service.get("jobs/1/explain")) for _ in range(20)]) * 1000
    service.kill()
    ready = service.start()
    return [
        Row(
            f"array of {QUEUED} accepted, durable",
            f"{array:.2f} s",
            target="≤ 2 s",
            met=array <= 2,
        ),
        Row(
            f"single jobs from {CONNECTIONS} connections, durable, the last of {QUEUED}, beside {QUEUED} queued tasks",
            f"{rate:.0f}/s",
            f"the first {QUEUED_SINGLES} of a new server: {first:.0f}/s",
            target="≥ 3,000/s",
            met=rate >= 3000,
        ),
        Row(
            f"heap with {QUEUED} jobs and as many tasks of an array queued",
            f"{heap:.0f} MB",
            target="≤ 512 MB",
            met=heap <= 512,
        ),
        Row(
            "`state` (100 jobs) and `explain` at the server",
            f"{state:.0f} ms, {explain:.0f} ms",
            target="≤ 100 ms",
            met=max(state, explain) <= 100,
        ),
        Row(
            "restart after kill -9 with all of them, to ready",
            f"{ready:.1f} s",
            target="≤ 5 s",
            met=ready <= 5,
        ),
    ]
