"""Trainings whose number of GPUs follows their measured speed, beside fixed numbers."""

import os
import random
import shutil
import statistics
import time

from kit.report import Row, Section
from subjects.service import Service

SEED = 20261123
GPUS = 8
JOBS = 20
EPOCHS = (10, 30)
STEP = 0.3  # seconds on one GPU; an epoch has five
ARRIVAL = 7.0  # mean seconds between two submissions
TARGET = 1.3
CURVES = {
    "good": "1:1,2:1.9,4:3.6,8:6.8",
    "fair": "1:1,2:1.7,4:2.5,8:3.0",
    "peak at two": "1:1,2:1.8,4:1.1,8:0.9",
}
FIXED = {"one GPU each": {"gpus": 1}, "four GPUs each": {"gpus": 4}}
ELASTIC = {"maxGpus": GPUS}


def measure(setting):
    chance = random.Random(SEED)
    at = 0.0
    works = []
    for _ in range(JOBS):
        works.append((at, chance.choice(list(CURVES)), chance.randint(*EPOCHS)))
        at += chance.expovariate(1 / ARRIVAL)
    results = {}
    for name, fields in {**FIXED, "by measured speed": ELASTIC}.items():
        results[name] = _run(setting, works, name, fields)
        setting.say(f"trainings: {name}: mean {statistics.mean(results[name]):.1f} s")
    mean = {name: statistics.mean(seconds) for name, seconds in results.items()}
    own = mean["by measured speed"]
    how = (
        f"{JOBS} trainings of {EPOCHS[0]} to {EPOCHS[1]} epochs, an epoch of {5 * STEP:.1f} s on one"
        f" GPU, submitted one every {ARRIVAL:.0f} s in the mean to a server with {GPUS} simulated"
        f" GPUs. Their speed follows one of {len(CURVES)} tables: "
        + "; ".join(f"{name} {curve}" for name, curve in CURVES.items())
        + ". The server knows no table; it learns each from the first trainings of its type. The"
        f" same trainings come at the same times to all three servers. Seed {SEED}. Mean time from"
        " submission to end."
    )
    rows = [
        Row(
            f"`--max-gpus {GPUS}`",
            f"{own:.1f} s",
            f"{name}: {mean[name]:.1f} s",
            f"{mean[name] / own:.2f} x faster",
            f"≥ {TARGET} x",
            mean[name] >= TARGET * own,
            {"seconds": results},
        )
        for name in FIXED
    ]
    return Section("Number of GPUs of trainings", how, rows)


def _run(setting, works, name, fields):
    folder = setting.folder("trainings-" + name.replace(" ", "-"))
    script = setting.root / "coordinator/src/test/resources/training_client.py"
    shutil.copy(script, folder / "train.py")
    service = Service(
        setting, folder.name + "-home", "--simulate-gpus", f"h200:{GPUS}", "--cpus", "2"
    )
    service.start()
    try:
        began = time.monotonic()
        jobs = []
        for number, (at, curve, epochs) in enumerate(works):
            time.sleep(max(0.0, began + at - time.monotonic()))
            own = folder / str(number)
            own.mkdir()
            body = {
                "argv": ["python3", str(folder / "train.py")],
                "env": {
                    "PATH": os.environ["PATH"],
                    "STEP_SECONDS": str(STEP),
                    "CURVE": CURVES[curve],
                },
                "workdir": str(own),
                "cpus": 0,
                "epochs": epochs,
                "snapshots": str(own / "snap"),
                "type": curve.replace(" ", "-"),
                **fields,
            }
            jobs.append(service.post("jobs", body)["ids"][0])
        rows = [service.wait(job) for job in jobs]
        for number, (_, _, epochs) in enumerate(works):
            done = (folder / str(number) / "log").read_text().splitlines()
            counts = [line.split()[1] for line in done if line.startswith("epoch ")]
            if counts != [str(epoch) for epoch in range(epochs)]:
                raise AssertionError(f"training {number} did the epochs {counts}")
        return [_stamp(row["endedAt"]) - _stamp(row["submittedAt"]) for row in rows]
    finally:
        service.end()


def _stamp(text):
    whole = time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))
    return whole + float(text[19:-1] or 0)
