"""What an agent and its keeper take while nothing runs."""

import time

from kit import cluster, processes
from kit.processes import Failed
from kit.report import Row, Section, median

SETTLE = 120  # the compiler is done by then
WINDOW = 30
WINDOWS = 3
MOST_AGENT = 105
MOST_KEEPER = 45
MOST_CPU = 0.7


def measure(setting):
    how = (
        f"An agent that has joined a coordinator without jobs and samples 8 simulated GPUs through"
        f" JNA at 1 Hz, with the flags and class archives of a run's own agents; {WINDOWS} windows"
        f" of {WINDOW} s after {SETTLE} s of settling. Memory is VmRSS at the end of a window, 1 MB = 10^6"
        " bytes; CPU is the user and system time of the process."
    )
    coordinator = cluster.Coordinator(setting, setting.folder("idle"), port=cluster.free_port())
    agents = []
    try:
        coordinator.start()
        flags = setting.flags(1)["agent"]
        agents.append(cluster.Agent(setting, "bench", coordinator, flags))
        agents.append(cluster.Agent(setting, "plain", coordinator, []))
        time.sleep(SETTLE)
        agent, keeper, plain = ({"rss": [], "pss": [], "cpu": []} for _ in range(3))
        into = {agents[0].pid: agent, agents[0].keeper: keeper, agents[1].pid: plain}
        for number in range(1, WINDOWS + 1):
            _window(coordinator, agents, into)
            setting.say(
                f"idle: window {number}/{WINDOWS}: agent {agent['rss'][-1]:.1f} MB,"
                f" {agent['cpu'][-1]:.2f} %, keeper {keeper['rss'][-1]:.1f} MB"
            )
    finally:
        for one in agents:
            one.end()
        coordinator.end()
    return Section("Idle agent", how, _rows(agent, keeper, plain))


def _rows(agent, keeper, plain):
    rss, cpu, keeper_rss = (median(values) for values in (agent["rss"], agent["cpu"], keeper["rss"]))
    return [
        Row(
            "agent, resident memory",
            f"{rss:.1f} MB",
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
            values={"cpu": agent["cpu"]},
        ),
        Row(
            "keeper, resident memory",
            f"{keeper_rss:.1f} MB",
            f"PSS {median(keeper['pss']):.0f} MB, CPU {median(keeper['cpu']):.2f} %",
            target=f"≤ {MOST_KEEPER} MB",
            met=keeper_rss <= MOST_KEEPER,
            values=keeper,
        ),
        Row(
            "agent by `java -jar node-agent.jar` with default flags, resident memory",
            f"{median(plain['rss']):.0f} MB",
            f"PSS {median(plain['pss']):.0f} MB, CPU {median(plain['cpu']):.2f} %",
            values=plain,
        ),
    ]


def _window(coordinator, agents, into):
    """One window: memory and CPU of each process go into its lists."""
    cpu = {pid: processes.cpu_seconds(pid) for pid in into}
    samples = {agent.name: coordinator.samples(agent.name) for agent in agents}
    began = time.monotonic()
    time.sleep(WINDOW)
    took = time.monotonic() - began
    for agent in agents:
        agent.check()
        taken = coordinator.samples(agent.name) - samples[agent.name]
        if not 0.85 * WINDOW <= taken <= 1.1 * WINDOW:
            raise Failed(f"{taken} samples of {agent.name} came in {WINDOW} s")
    for pid, found in into.items():
        rss, pss = processes.memory(pid)
        found["rss"].append(rss)
        found["pss"].append(pss)
        found["cpu"].append(100 * (processes.cpu_seconds(pid) - cpu[pid]) / took)
