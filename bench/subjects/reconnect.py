"""How soon an agent is connected again after a cut network and after a coordinator's restart."""

import random
import time

from kit import cluster, network
from kit.processes import Failed
from kit.report import Row, Section, median, not_measured

TARGET = 2.0
SHORT = 5
LONG = 30
SHORT_CUTS = 4
RESTARTS = 5
SETTLE = 2.5
SILENT = "after a cut in which packets vanish"
UNPLUGGED = "after a cut in which the agent's link goes down"
LONG_CUT = f"the same, {LONG} s"


def measure(setting):
    how = (
        f"From the moment the way is free again to the coordinator's word that the agent has"
        f" joined. Cuts of {SHORT} s in the middle of three network namespaces (one of {LONG} s of"
        " each kind), seen by the coordinator as a silent node each time; restarts by kill -9 and a"
        " new process with the same port and key, from its listening."
    )
    chance = random.Random(1)
    rows = []
    why = network.unavailable()
    if why:
        rows += [not_measured(what, why, f"≤ {TARGET:.0f} s") for what in (SILENT, UNPLUGGED)]
    else:
        for kind, what in (("silent", SILENT), ("unplugged", UNPLUGGED)):
            rows += _cuts(setting, kind, what, chance)
    rows.append(_row("after a restart of the coordinator", _restarts(setting, chance)))
    return Section("Reconnection", how, rows)


def _row(what, seconds):
    figure = median(seconds)
    return Row(
        what,
        f"{figure:.2f} s",
        f"{len(seconds)} times, {min(seconds):.2f} to {max(seconds):.2f} s" if seconds[1:] else "",
        target=f"≤ {TARGET:.0f} s",
        met=figure <= TARGET,
        values={"seconds": seconds},
    )


def _cuts(setting, kind, what, chance):
    net = network.Network()
    coordinator = agent = None
    try:
        coordinator = cluster.Coordinator(
            setting,
            setting.folder(f"cut-{kind}"),
            net.address("east"),
            cluster.free_port(),
            net.inside("east"),
        )
        coordinator.start()
        agent = _agent(setting, kind, coordinator, net.inside("west"))
        seconds = []
        for length in [SHORT] * SHORT_CUTS + [LONG]:
            seconds.append(_cut(coordinator, net, kind, length + chance.random()))
            setting.say(f"reconnect: {kind} for {length} s: back after {seconds[-1]:.2f} s")
            agent.check()
        return [_row(what, seconds), _row(LONG_CUT, seconds[-1:])]
    finally:
        _end(agent, coordinator)
        net.close()


def _cut(coordinator, net, kind, length):
    """The cut's end is anywhere between two tries of the agent: its length varies by a second."""
    time.sleep(SETTLE)
    since = coordinator.lines()
    net.cut(kind)
    try:
        began = time.monotonic()
        coordinator.wait_for("silent bench", length, since)
        time.sleep(max(0, began + length - time.monotonic()))
        since = coordinator.lines()
        mended = time.monotonic_ns()
    finally:
        net.mend(kind)
    joined = coordinator.wait_for("joined bench", 20, since)
    if joined < mended:
        raise Failed("the agent joined before the cut was over")
    return (joined - mended) / 1e9


def _restarts(setting, chance):
    coordinator = cluster.Coordinator(setting, setting.folder("restart"), port=cluster.free_port())
    agent = None
    try:
        coordinator.start()
        agent = _agent(setting, "restart", coordinator)
        seconds = []
        for number in range(1, RESTARTS + 1):
            time.sleep(SETTLE + chance.random())
            coordinator.kill()
            listening = coordinator.start()
            joined = coordinator.wait_for("joined bench", 20)
            seconds.append((joined - listening) / 1e9)
            setting.say(f"reconnect: restart {number}/{RESTARTS}: back after {seconds[-1]:.2f} s")
            agent.check()
        return seconds
    finally:
        _end(agent, coordinator)


def _agent(setting, name, coordinator, inside=()):
    flags = setting.flags(1)["agent"]
    driver = setting.eight_gpus(name)
    folder = setting.folder(f"{name}-node")
    agent = cluster.Agent(setting, folder, coordinator, flags, driver, inside)
    coordinator.wait_for("joined bench gpus=8", 60)
    return agent


def _end(agent, coordinator):
    if agent:
        agent.end()
    if coordinator:
        coordinator.end()
