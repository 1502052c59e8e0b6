"""Seconds of training and testing against PyTorch on the CPU."""

from kit import debian, machine, processes
from kit.processes import Failed
from kit.report import Row, Section, median, not_measured, ratio_of

STEPS = 200
BATCH = 64
WHOLE = 60_000
WARM_UP_STEPS = 20
ROUNDS = 3
TARGET = 1.10
MOST_POINTS_APART = 1.5


def measure(setting):
    images = WHOLE if setting.full else STEPS * BATCH
    rounds = 1 if setting.full else ROUNDS
    what = "a whole epoch" if setting.full else f"{STEPS} steps of batch {BATCH}"
    data = setting.mnist_folder()
    how = (
        f"{what.capitalize()} and the 10,000 test images, after {WARM_UP_STEPS} steps that warm up;"
        f" {'genuine MNIST' if data else 'drawn or downloaded digits'}, CPU, learning rate 0.5;"
        " the worker's flags and environment, Debian's PyTorch, in turn. Accuracies must agree."
    )
    rows = []
    for threads in (1, 2):
        name = f"{what} and test, {threads} thread{'s' if threads > 1 else ''}"
        why = debian.missing("torch") if threads <= machine.cores() else f"no {threads} cores here"
        if why:
            rows.append(not_measured(name, why, f"≤ {TARGET:.2f} x"))
        else:
            rows += _compare(setting, name, data, threads, images, rounds)
    return Section("MNIST", how, rows)


def _compare(setting, name, data, threads, images, rounds):
    ours, whole = [], []
    for number in range(1, rounds + 1):
        mine = _ours(setting, data, threads, images)
        data = mine["folder"]
        peer = _torch(setting, data, "whole", threads, images)
        _agree(mine, peer)
        ours.append(mine["seconds"])
        whole.append(peer["seconds"])
        text = f"ours {ours[-1]:.1f} s, PyTorch {whole[-1]:.1f} s"
        setting.say(f"mnist: {threads} threads, round {number}/{rounds}: {text}")
    loader = _torch(setting, data, "loader", threads, images)
    _agree(mine, loader)
    ratio = ratio_of(ours, whole)
    torch = f"PyTorch {peer['version']}"
    return [
        Row(
            name,
            f"{median(ours):.1f} s",
            f"{torch}, images normalised beforehand: {median(whole):.1f} s",
            f"{ratio:.2f}",
            f"≤ {TARGET:.2f}",
            ratio <= TARGET,
            {"seconds": ours, "torch_seconds": whole, "accuracy": mine["accuracy"]},
        ),
        Row(
            name,
            f"{ours[-1]:.1f} s",
            f"{torch} with its DataLoader, as the example, once: {loader['seconds']:.1f} s",
            f"{ours[-1] / loader['seconds']:.2f}",
            values={"seconds": ours[-1:], "torch_seconds": [loader["seconds"]]},
        ),
    ]


def _ours(setting, data, threads, images):
    flags = setting.flags(threads, archives=False)  # one fits only its own class path
    jars = [setting.dist / "job-worker.jar", f"{setting.dist}/lib/torch/*"]
    command = [setting.java, *flags["native-worker"], *setting.main("MnistPass", *jars)]
    arguments = [data or "", setting.cache, threads, images, WARM_UP_STEPS * BATCH]
    variables = dict(pair.split("=", 1) for pair in flags["environment"])
    out = processes.run([*command, *arguments], env=setting.environment(**variables))
    lines = {line.split("\t")[0]: line.split("\t")[1:] for line in out.splitlines()}
    seconds, loss, accuracy = (float(value) for value in lines["pass"])
    return {
        "seconds": seconds,
        "loss": loss,
        "accuracy": accuracy,
        "folder": lines["origin"][1],
    }


def _torch(setting, data, how, threads, images):
    reference = setting.root / "job-worker" / "src" / "test" / "python"
    return debian.run_peer(
        setting,
        "mnist_peer.py",
        [reference, data, how, threads, images, WARM_UP_STEPS * BATCH],
        setting.environment(OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=1),
    )


def _agree(mine, peer):
    apart = abs(mine["accuracy"] - peer["accuracy"])
    if mine["accuracy"] < 90 or apart > MOST_POINTS_APART:
        raise Failed(f"accuracies do not agree: {mine['accuracy']} %, PyTorch {peer['accuracy']} %")
