"""How soon a running program has the GPU that it asks for."""

import os
import statistics
import subprocess
import sys
import threading
import time

from kit.processes import Failed
from kit.report import Row, Section
from subjects.service import Service

WARM = 1000
GRANTS = 500
FREED = 20
SHOWN_SECONDS = 0.3  # for so long the driver shows memory of a program that has given it back
GIB = 1 << 30

ASKER = """
import sys, time
import remuda
for number in range(int(sys.argv[1])):
    began = time.perf_counter()
    with remuda.lease("bench", gpu_mem="1GiB"):
        took = time.perf_counter() - began
    print(took)
"""


def measure(setting):
    how = (
        "A server and its agent, durable, warm, on one device of 24 GiB of the simulated driver."
        " Grant: `with remuda.lease(...)` in Python, one after the other over a kept connection, to"
        " its first line within. Freed: a program gives back 20 GiB, the driver goes on to show them"
        f" for {SHOWN_SECONDS} s, and another waits for 10 GiB; from the moment at which the driver"
        " shows them free to the answer that the waiter gets."
    )
    machine = ("gpus 1", "gpu 0 memory 24GiB reserved 512MiB")
    environment = setting.driver("leases", *machine)
    control = environment["REMUDA_SIMULATED_NVML"]
    service = Service(setting, "leases", more=environment)
    try:
        service.start()
        while not service.get("nodes")["nodes"]:
            time.sleep(0.05)
        grants = _grants(setting, service)
        freed = sorted(_freed(service, control, machine) for _ in range(FREED))
    finally:
        service.end()
    p50, p99 = statistics.median(grants), grants[int(len(grants) * 0.99)]
    middle, worst = statistics.median(freed), freed[-1]
    return Section(
        "Leases for running programs",
        how,
        [
            Row(
                "grant from Python when a GPU is free",
                f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
                target="p50 ≤ 8 ms",
                met=p50 <= 8,
                values={"millis": grants},
            ),
            Row(
                "from free as the driver shows it to granted",
                f"median {middle:.0f} ms, at most {worst:.0f} ms of {FREED}",
                "GLB: up to 5 s",
                target="≤ 50 ms",
                met=worst <= 50,
                values={"millis": freed},
            ),
        ],
    )


def _grants(setting, service):
    environment = dict(service.environment, PYTHONPATH=str(setting.root / "clients" / "python"))
    run = subprocess.run(
        [sys.executable, "-c", ASKER, str(WARM + GRANTS)],
        env={name: str(value) for name, value in environment.items()},
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        check=True,
    )
    return sorted(float(line) * 1000 for line in run.stdout.split()[WARM:])


def _process(pid):
    stat = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    boot = open("/proc/sys/kernel/random/boot_id").read().strip()
    space = os.stat("/proc/self/ns/pid").st_ino
    return {"machine": f"{boot}/{space}", "pid": pid, "startTicks": int(stat[19])}


def _says(control, lines):
    draft = f"{control}.next"
    with open(draft, "w") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(draft, control)


def _ask(service, pid, memory):
    return service.post("leases", {"type": "bench", "gpuMem": memory, "process": _process(pid)})


def _freed(service, control, machine):
    """Milliseconds from the driver's word to the waiter's."""
    with subprocess.Popen(["sleep", "600"]) as holder, subprocess.Popen(["sleep", "600"]) as waiter:
        try:
            held = _ask(service, holder.pid, "20GiB")
            _says(control, [*machine, f"gpu 0 process {holder.pid} 20GiB"])
            time.sleep(1.2)  # the driver names processes with the next sample
            answer = {}
            thread = threading.Thread(target=_wait, args=(service, waiter.pid, answer))
            thread.start()
            time.sleep(0.2)
            service.post(f"leases/{held['id']}/release", {"succeeded": True})
            time.sleep(SHOWN_SECONDS)
            if answer:
                raise Failed("memory was lent that the driver still shows in use")
            _says(control, machine)
            free = time.perf_counter()
            thread.join(30)
            if answer["lease"]["state"] != "running":
                raise Failed(f"not granted: {answer}")
            service.post(f"leases/{answer['lease']['id']}/release", {"succeeded": True})
            return (answer["at"] - free) * 1000
        finally:
            holder.kill()
            waiter.kill()


def _wait(service, pid, answer):
    lease = _ask(service, pid, "10GiB")
    answer.update(at=time.perf_counter(), lease=lease)
