"""Jobs of types that nobody has measured yet, packed on GPUs of the simulated driver."""

import math
import os
import random
import time

from kit.report import Row, Section
from subjects.service import Service

SEED = 20261122
GPUS = 4
GIB = 1024  # in MiB, as all memory here
MEMORY = 24 * GIB
KEPT = 512
PEAKS = (1 * GIB, 3 * GIB, 5 * GIB, 8 * GIB, 12 * GIB, 20 * GIB)
OF_EACH = 10
SHORT = 3  # jobs that need more than their type
GREED = 1.08
LONGEST_DELAY = 5.0
LIFE = (4.0, 8.0)
TARGET = 1.25

ALLOCATE = """
gpu=$((0x$(printf %s "$REMUDA_DEVICES" | cut -c 5-12) - 1))
exec 9>lock
change() {
  flock 9
  echo "$1 $gpu $2" >> ledger
  case $1 in
    +) echo "gpu $gpu process $$ ${2}MiB" > process.$REMUDA_TASK ;;
    -) rm process.$REMUDA_TASK ;;
  esac
  cat machine process.* > next && mv next control
  flock -u 9
}
sleep $1
if [ "${REMUDA_GPU_MEM_MIB:-0}" -gt 0 ] && [ "$REMUDA_GPU_MEM_MIB" -lt $2 ]; then
  echo "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate $2 MiB" >&2
  exit 1
fi
change + $2; sleep $3; change - $2
"""


class Work:
    """One job as it is meant: what its type takes, what it takes, when, and for how long."""

    def __init__(self, kind, peak, delay, life):
        self.kind = kind
        self.peak = peak
        self.delay = delay
        self.life = life

    @property
    def seconds(self):
        return self.delay + self.life

    @property
    def greedy(self):
        return self.peak > PEAKS[self.kind]


def plan(chance):
    works = [
        Work(kind, peak, chance.uniform(0, LONGEST_DELAY), chance.uniform(*LIFE))
        for kind, peak in enumerate(PEAKS)
        for _ in range(OF_EACH)
    ]
    chance.shuffle(works)
    seen = set()
    first = [work for work in works if not (work.kind in seen or seen.add(work.kind))]
    for kind in chance.sample(range(len(PEAKS) - 1), SHORT):
        others = [work for work in works if work.kind == kind and work not in first]
        chance.choice(others).peak = int(PEAKS[kind] * GREED)
    return works, first


def bound(works, first):
    """Seconds that no schedule can be shorter than, which has the first run of each type alone on
    its device: the largest of several. By area: memory times time of all runs over what there is.
    By fit: the same with each run weighed by what it leaves for others, by the dual feasible
    functions of Fekete and Schepers (2001), floor((k + 1) x) / k for the part x of a device. By
    order: the first run of a type and then its longest other."""
    room = MEMORY - KEPT
    runs = []  # (memory, seconds)
    for work in works:
        if work in first:
            runs.append((room, work.seconds))
            continue
        if work.greedy:
            runs.append((PEAKS[work.kind], work.delay))
        runs.append((work.peak, work.seconds))
    area = sum(memory * seconds for memory, seconds in runs) / (GPUS * room)
    fit = max(
        sum(_weight(k, memory / room) * seconds for memory, seconds in runs) / GPUS for k in range(1, 9)
    )
    order = max(
        alone.seconds
        + max(
            other.seconds + (other.delay if other.greedy else 0)
            for other in works
            if other.kind == alone.kind and other not in first
        )
        for alone in first
    )
    return {"area": area, "fit": fit, "order": order}


def _weight(k, part):
    parts = (k + 1) * part
    return part if abs(parts - round(parts)) < 1e-9 else math.floor(parts) / k


def measure(setting):
    chance = random.Random(SEED)
    works, first = plan(chance)
    bounds = bound(works, first)
    folder = setting.folder("packing")
    machine = [f"gpus {GPUS}"]
    machine += [f"gpu {gpu} memory {MEMORY}MiB reserved {KEPT}MiB" for gpu in range(GPUS)]
    environment = setting.driver("packing", *machine)
    control = folder / "control"
    os.replace(environment["REMUDA_SIMULATED_NVML"], control)
    environment["REMUDA_SIMULATED_NVML"] = control
    (folder / "machine").write_text("\n".join(machine) + "\n")
    (folder / "process.none").write_text("")
    (folder / "allocate.sh").write_text(ALLOCATE)
    service = Service(setting, "packing-home", more=environment)
    try:
        service.start()
        rows, began, ended = _run(service, works, folder)
    finally:
        service.end()
    makespan = ended - began
    tightest = max(bounds, key=bounds.get)
    most, shared = _most_used(folder)
    again = sum(1 for row in rows if row["attempts"][0]["attempt"] > 1)
    how = (
        f"{len(works)} jobs of {len(PEAKS)} types that the server has never seen, submitted at once"
        f" with `--gpu-mem auto --policy best-fit`, on {GPUS} devices of {MEMORY // GIB} GiB of the simulated driver."
        f" They start to allocate after 0 to {LONGEST_DELAY:.0f} s, take"
        f" {PEAKS[0] // GIB} to {PEAKS[-1] // GIB} GiB by type for {LIFE[0]:.0f} to {LIFE[1]:.0f} s"
        f" more, and {SHORT} of them take {GREED} times what their type does and run out of memory"
        " at first. The bound is the largest of three that count the first runs as alone on their"
        f" device: by area {bounds['area']:.1f} s, by fit {bounds['fit']:.1f} s, by order"
        f" {bounds['order']:.1f} s. Seed {SEED}."
    )
    return Section(
        "Packing of unknown types",
        how,
        [
            Row(
                "from the first submission to the last end",
                f"{makespan:.1f} s",
                f"bound by {tightest}: {bounds[tightest]:.1f} s",
                f"{makespan / bounds[tightest]:.2f}",
                f"≤ {TARGET} × the bound",
                makespan <= TARGET * bounds[tightest],
                {"seconds": makespan, "bounds": bounds},
            ),
            Row(
                "most memory of a device in use at any moment",
                f"{most / GIB:.1f} GiB",
                f"of {(MEMORY - KEPT) / GIB:.1f} GiB; up to {shared} jobs on one device",
                target="never more than there is",
                met=most <= MEMORY - KEPT,
            ),
            Row(
                "jobs that ran out of memory and succeeded with more",
                f"{again}",
                target=f"{SHORT}",
                met=again == SHORT,
            ),
        ],
    )


def _run(service, works, folder):
    environment = {"PATH": os.environ["PATH"]}
    ids = service.post(
        "jobs",
        {
            "jobs": [
                {
                    "name": f"type-{work.kind}",
                    "argv": ["sh", "allocate.sh", f"{work.delay:.2f}", str(work.peak), f"{work.life:.2f}"],
                    "env": environment,
                    "workdir": str(folder),
                    "cpus": 0,
                    "gpuMem": "auto",
                    "policy": "best-fit",
                    "type": f"type-{work.kind}",
                }
                for work in works
            ]
        },
    )["ids"]
    rows = [service.wait(job) for job in ids]
    stamp = lambda text: time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) + float(
        text[19:-1] or 0
    )
    began = min(stamp(row["submittedAt"]) for row in rows)
    return rows, began, max(stamp(row["endedAt"]) for row in rows)


def _most_used(folder):
    used, tasks = [0] * GPUS, [0] * GPUS
    most, shared = 0, 0
    for line in (folder / "ledger").read_text().splitlines():
        sign, gpu, memory = line.split()
        change = 1 if sign == "+" else -1
        used[int(gpu)] += change * int(memory)
        tasks[int(gpu)] += change
        most, shared = max(most, used[int(gpu)]), max(shared, tasks[int(gpu)])
    return most, shared
