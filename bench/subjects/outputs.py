"""How fast a large output is read back."""

import http.client
import subprocess
import time
import urllib.parse

from kit import processes
from kit.processes import Failed
from kit.report import Row, Section, median, ratio_of
from subjects.service import Service

MIB = 60
ROUNDS = 3
TARGET = 60


def measure(setting):
    how = (
        f"{MIB} MiB of lines that one task has printed, read by commands of the node's machine, start"
        " of the JVM included. Compared, in turn: the same bytes from the server, in parts of 256 KiB"
        " over one kept connection, by Python."
    )
    service = Service(setting, "outputs", "--cpus", "2")
    try:
        service.start()
        job = _remuda(setting, service, "submit", "--quiet", "--", "sh", "-c", f"seq 1 99999999 | head -c {MIB}M")
        service.wait(job)
        ways = {"remuda logs": ("logs", job), "remuda logs -f": ("logs", "-f", job)}
        taken = {name: [] for name in (*ways, "server")}
        for _ in range(ROUNDS):
            for name, words in ways.items():
                taken[name].append(_timed(setting, service, words))
            taken["server"].append(_from_server(service, job))
    finally:
        service.end()
    rows = [_row(name, taken[name], taken["server"]) for name in ways]
    return Section("Large outputs", how, rows)


def _row(name, times, peers):
    rate, peer = MIB / median(times), MIB / median(peers)
    return Row(
        name,
        f"{rate:.0f} MiB/s",
        f"{peer:.0f} MiB/s from the server",
        f"{ratio_of(times, peers):.2f} of the time",
        f"≥ {TARGET} MiB/s",
        rate >= TARGET,
        {"mib_per_second": rate, "server_mib_per_second": peer},
    )


def _remuda(setting, service, *words):
    return processes.run([setting.dist / "bin" / "remuda", *words], env=service.environment).strip()


def _timed(setting, service, words):
    began = time.monotonic()
    with subprocess.Popen(
        [setting.dist / "bin" / "remuda", *words], env=service.environment, stdout=subprocess.PIPE
    ) as command:
        size = 0
        while part := command.stdout.read(1 << 20):
            size += len(part)
    taken = time.monotonic() - began
    _check(size)
    return taken


def _from_server(service, job):
    address = urllib.parse.urlsplit(service.rest).netloc
    server = http.client.HTTPSConnection(address, context=service.tls, timeout=60)
    began = time.monotonic()
    size = 0
    while True:
        path = f"/api/v1/jobs/{job}/logs?task=0&offset={size}"
        server.request("GET", path, headers={"Authorization": f"Bearer {service.token}"})
        answer = server.getresponse()
        if answer.status != 200:
            raise Failed(f"the server answers {answer.status}: {answer.read()[:200]}")
        size += len(answer.read())
        if size >= int(answer.headers["Remuda-Size"]):
            break
    taken = time.monotonic() - began
    server.close()
    _check(size)
    return taken


def _check(size):
    if size != MIB << 20:
        raise Failed(f"{size} bytes were read of {MIB << 20}")
