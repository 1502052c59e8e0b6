"""A training without a library of ours: it speaks the protocol of the Kubernetes deep-learning
scheduler as that one's library does, and sleeps in place of computing."""

import datetime
import fcntl
import json
import os
import sys
import time
import urllib.error
import urllib.request

HOST = os.environ["REMUDA_TRAINING_HOST"]
ID = os.environ["JOB_UUID"]
EPOCHS = int(os.environ["EPOCHS_TO_BE_DONE"])
EPOCH = int(os.environ["EPOCHS_DONE"])
RESTARTED = {"TRUE": True, "FALSE": False}[os.environ["JOB_RESTARTED"]]
ROOT = os.path.join(os.environ["REMUDA_SNAPSHOTS"], ID)
STEPS = 5
GPUS = int(os.environ["NUM_GPUS"])
TOLD = float(os.environ.get("EPOCH_SCALE", "1"))  # how much longer it says that its epochs take
STEP_SECONDS = float(os.environ.get("STEP_SECONDS", "0.06"))
if "CURVE" in os.environ:  # speeds by number of GPUs, as 1:1,2:1.8
    STEP_SECONDS /= {int(n): float(s) for n, s in (p.split(":") for p in os.environ["CURVE"].split(","))}[GPUS]


def told(seconds):
    """Returns how long it says that an epoch took: what a test has written, or how long it was."""
    if os.path.exists("told"):
        with open("told") as file:
            return float(file.read())
    return TOLD * seconds


def log(text):
    with open("log", "a") as file:
        file.write(text + "\n")


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        "http://%s/%s/%s" % (HOST, path, ID), data, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, OSError) as fault:
        log("fault %s %s" % (path, fault))
        return ""


def profile(step, epoch_seconds=None):
    body = {
        "jobid": ID,
        "timestamp": datetime.datetime.now().isoformat(),
        "iternum": step,
        "nodelist": os.environ["NODELIST"],
        "numgpu": int(os.environ["NUM_GPUS"]),
        "rank": int(os.environ["NODE_RANK"]),
        "meandur": STEP_SECONDS,
        "gpumem": 0,
    }
    if epoch_seconds is not None:
        body["epochDur"] = epoch_seconds
    call("profiling", body)


alone = open("lock", "w")
try:
    fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    log("twice: another attempt runs")
if RESTARTED:
    with open(os.path.join(ROOT, "saved")) as file:
        saved = int(file.read())
else:
    os.makedirs(ROOT, exist_ok=True)  # an attempt that was killed may have made it
    saved = 0
log("begin %s at %d, saved %d" % (os.environ["REMUDA_ATTEMPT"], EPOCH, saved))
for epoch in range(EPOCH, EPOCHS):
    stop = call("has_to_stop") == "1" and epoch < EPOCHS - 1
    began = time.time()
    for step in range(STEPS):
        time.sleep(STEP_SECONDS)
        if stop:
            log("stop in %d" % epoch)
            sys.exit()
    draft = os.path.join(ROOT, "draft")
    with open(draft, "w") as file:
        file.write(str(epoch + 1))
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, os.path.join(ROOT, "saved"))
    log("epoch %d" % epoch + (" with %d GPUs" % GPUS if "CURVE" in os.environ else ""))
    profile(STEPS, told(time.time() - began))
    call("end_epoch", {"done": epoch + 1})
    while os.path.exists("wait"):
        time.sleep(0.02)
log("done")
