"""From the command to its first telemetry line."""

import re
import shutil
import signal

from kit.processes import Child, Failed
from kit.report import Row, Section, median

ROUNDS = 7
TARGET = 4.0
LINE = re.compile(r"nodename: \S+ cpu load average 1 minute: [\d.]+")
INTERRUPTED = 130


def measure(setting):
    arguments = "--mnist-workers 2 --scipy-workers 2 --epochs 1".split()
    data = setting.mnist_folder()
    if data:
        _fill_cache(setting, data)
    else:
        arguments = setting.small_run()
    how = (
        f"`{' '.join(arguments[:6])}` from the start of the process to the first `nodename:` line,"
        " with class archives, unpacked libtorch and training data in the cache; then Ctrl-C, which"
        " must end it with 130. A small run to its end comes before and must exit with 0."
    )
    setting.archives()
    commands = {
        "`./remuda` (built)": [setting.root / "remuda"],
        "`dist/bin/remuda`": [setting.dist / "bin" / "remuda"],
        "`java -jar coordinator.jar`, default flags, no archive": [
            setting.java,
            "-jar",
            setting.dist / "coordinator.jar",
        ],
    }
    seconds = {what: [] for what in commands}
    for number in range(1, ROUNDS + 1):
        for what, command in commands.items():
            seconds[what].append(_once(setting, [*command, *arguments], number))
        times = ", ".join(f"{times[-1]:.2f} s" for times in seconds.values())
        setting.say(f"startup: round {number}/{ROUNDS}: {times}")
    rows = []
    for what, times in seconds.items():
        figure = median(times)
        ours = "remuda" in what
        rows.append(
            Row(
                what,
                f"{figure:.2f} s",
                f"{min(times):.2f} to {max(times):.2f} s",
                target=f"≤ {TARGET:.0f} s" if ours else "",
                met=figure <= TARGET if ours else None,
                values={"seconds": times},
            )
        )
    return Section("First telemetry line", how, rows)


def _fill_cache(setting, data):
    cached = setting.cache / "mnist"
    if not cached.exists():
        shutil.copytree(data, cached)


def _once(setting, command, number):
    environment = setting.environment(REMUDA_HOME=setting.scratch / "home")
    run = Child(command, environment, cwd=setting.scratch)
    try:
        arrived, text = run.wait_for("nodename:", 60)
        if not LINE.match(text):
            raise Failed(f"not a telemetry line: {text}")
        run.process.send_signal(signal.SIGINT)
        code = run.wait(20)
        if code != INTERRUPTED:
            raise Failed(f"Ctrl-C ended it with {code}:\n{run.tail()}")
        return (arrived - run.began) / 1e9
    finally:
        run.end()
