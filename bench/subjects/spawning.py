"""How many processes the keeper starts in a second."""

from kit import processes
from kit.report import Row, Section, median, ratio_of

COUNT = 1000
ROUNDS = 5


def measure(setting):
    how = (
        f"{COUNT} times `/bin/true`, two at a time, each in a folder of its own with its output in"
        " files. The keeper is a process of its own and writes an exit record for each; the floor is"
        " a ProcessBuilder with vfork in the asking process."
    )
    out = processes.run(
        [
            setting.java,
            "-Djdk.lang.Process.launchMechanism=VFORK",
            "-XX:+UseSerialGC",
            f"-Dremuda.archives={setting.archives()}",
            *setting.main("SpawnRate", setting.dist / "node-agent.jar"),
            setting.dist / "node-agent.jar",
            setting.folder("spawn"),
            COUNT,
            ROUNDS,
        ],
        env=setting.environment(),
    )
    seconds = {"keeper": [], "process-builder": []}
    for line in out.splitlines():
        kind, _, value = line.partition("\t")
        if kind in seconds:
            seconds[kind].append(float(value))
    ours, floor = seconds["keeper"], seconds["process-builder"]
    row = Row(
        "through the keeper, from request to exit record",
        f"{COUNT / median(ours):.0f}/s",
        f"ProcessBuilder, vfork: {COUNT / median(floor):.0f}/s",
        f"{ratio_of(floor, ours):.2f}",
        values={"seconds": ours, "floor_seconds": floor},
    )
    return Section("Starting processes", how, [row])
