"""What an agent and its keeper take while nothing runs."""

import time

from kit import cluster, processes
from kit.processes import Failed
from kit.report import Row, Section, median

SETTLE = 15
WINDOW = 30
WINDOWS = 3
MOST_AGENT = 105
MOST_KEEPER = 45
MOST_CPU = 0.7


def measure(setting):
    how = (
        f"An agent that has joined a coordinator without jobs and samples 8 simulated GPUs through"
        f" JNA at 1 Hz, started with the flags and the class archive of a run's agents; {WINDOWS}"
        f" windows of {WINDOW} s after {SETTLE} s. CPU is user and system time of the process."
    )
    rows = _rows(*_watch(setting, "idle", setting.flags(1)["agent"], SETTLE, WINDOW, WINDOWS))
    agent, _ = _watch(setting, "idle-plain", [], 10, 10, 1)
    rows.append(
        Row(
            "agent by plain `java -jar node-agent.jar`",
            f"{median(agent['rss']):.0f} MB",
            f"PSS {median(agent['pss']):.0f} MB, CPU {median(agent['cpu']):.2f} %",
            values=agent,
        )
    )
    return Section("Idle agent", how, rows)


def _rows(agent, keeper):
    rss, cpu, keeper_rss = (median(values) for values in (agent["rss"], agent["cpu"], keeper["rss"]))
    return [
        Row(
            "agent, resident memory",
            f"{rss:.0f} MB",
            f"PSS {median(agent['pss']):.0f} MB",
            target=f"≤ {MOST_AGENT} MB",
            met=rss <= MOST_AGENT,
            values=agent,
        ),
        Row(
            "agent, share of one core",
            f"{cpu:.2f} %",
            target=f"≤ {MOST_CPU} %",
            met=cpu <= MOST_CPU,
            values={"percent": agent["cpu"]},
        ),
        Row(
            "keeper, resident memory",
            f"{keeper_rss:.0f} MB",
            f"PSS {median(keeper['pss']):.0f} MB, CPU {median(keeper['cpu']):.2f} %",
            target=f"≤ {MOST_KEEPER} MB",
            met=keeper_rss <= MOST_KEEPER,
            values=keeper,
        ),
    ]


def _watch(setting, name, flags, settle, window, windows):
    """Memory and CPU of an agent and its keeper, one value for each window."""
    coordinator = cluster.Coordinator(setting, setting.folder(name), port=cluster.free_port())
    agent = None
    try:
        coordinator.start()
        agent = cluster.Agent(
            setting,
            setting.folder(f"{name}-node"),
            coordinator,
            flags,
            setting.eight_gpus(name),
        )
        coordinator.wait_for("joined bench gpus=8", 60)
        time.sleep(settle)
        found = ({"rss": [], "pss": [], "cpu": []}, {"rss": [], "pss": [], "cpu": []})
        for number in range(1, windows + 1):
            _window(coordinator, agent, window, found)
            setting.say(
                f"{name}: window {number}/{windows}: agent {found[0]['rss'][-1]:.0f} MB,"
                f" {found[0]['cpu'][-1]:.2f} %, keeper {found[1]['rss'][-1]:.0f} MB"
            )
        return found
    finally:
        if agent:
            agent.end()
        coordinator.end()


def _window(coordinator, agent, window, found):
    pids = (agent.pid, agent.keeper)
    before = [processes.cpu_seconds(pid) for pid in pids]
    samples = coordinator.samples()
    began = time.monotonic()
    time.sleep(window)
    agent.check()
    took = time.monotonic() - began
    for pid, cpu, into in zip(pids, before, found):
        rss, pss = processes.memory(pid)
        into["rss"].append(rss)
        into["pss"].append(pss)
        into["cpu"].append(100 * (processes.cpu_seconds(pid) - cpu) / took)
    taken = coordinator.samples() - samples
    if not 0.85 * window <= taken <= 1.1 * window:
        raise Failed(f"{taken} samples came in {window} s")
