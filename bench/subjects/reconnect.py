"""How soon an agent is connected again after a cut network and after a coordinator's restart."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

from kit import cluster, network
from kit.processes import Failed
from kit.report import Row, Section, median, not_measured

TARGET = 2.0
LONG = 30
SHORT = 5
CUTS = (SHORT, LONG, SHORT, LONG, LONG)
RESTARTS = 5
SETTLE = 2.5
KINDS = {
    "silent": "in which packets vanish",
    "unplugged": "in which the agent's link is down",
}


def measure(setting):
    how = (
        "From the moment the way is free again to the coordinator's word that the agent has joined."
        " Two network namespaces, cut in a third; the coordinator must have seen the node as silent"
        " each time. Restarts are by kill -9 and a new process with the same port and key, and count"
        " from its listening."
    )
    flags = setting.flags(1)["agent"]
    why = network.unavailable()
    rows = []
    if why:
        rows += [not_measured(_what(LONG, kind), why, f"≤ {TARGET:.0f} s") for kind in KINDS]
    else:
        with ThreadPoolExecutor() as pool:  # both kinds at once: they mostly wait
            jobs = [pool.submit(_cuts, setting, kind, flags) for kind in KINDS]
            for job in jobs:
                rows += job.result()
    rows.append(_row("after a restart of the coordinator", _restarts(setting, flags)))
    return Section("Reconnection", how, rows)


def _what(length, kind):
    return f"after a cut of {length} s {KINDS[kind]}"


def _row(what, seconds):
    figure = median(seconds)
    return Row(
        what,
        f"{figure:.2f} s",
        f"{len(seconds)} times, {min(seconds):.2f} to {max(seconds):.2f} s",
        target=f"≤ {TARGET:.0f} s",
        met=figure <= TARGET,
        values={"seconds": seconds},
    )


def _cuts(setting, kind, flags):
    chance = random.Random(kind)
    net = network.Network(kind)
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
        agent = cluster.Agent(setting, kind, coordinator, flags, net.inside("west"))
        seconds = {LONG: [], SHORT: []}
        for length in CUTS:
            took = _cut(coordinator, agent, net, length + chance.random())
            seconds[length].append(took)
            setting.say(f"reconnect: {kind} for {length} s: back after {took:.2f} s")
        return [_row(_what(length, kind), times) for length, times in seconds.items()]
    finally:
        _end(agent, coordinator)
        net.close()


def _cut(coordinator, agent, net, length):
    """The cut's end is anywhere between two tries of the agent: its length varies by a second."""
    kind = agent.name
    time.sleep(SETTLE)
    since = coordinator.lines()
    net.cut(kind)
    try:
        began = time.monotonic()
        coordinator.wait_for(f"silent {kind}", length, since)
        time.sleep(max(0, began + length - time.monotonic()))
        since = coordinator.lines()
        mended = time.monotonic_ns()
    finally:
        net.mend(kind)
    joined = _joined(coordinator, agent, since)
    if joined < mended:
        raise Failed("the agent joined before the cut was over")
    return (joined - mended) / 1e9


def _restarts(setting, flags):
    chance = random.Random(1)
    coordinator = cluster.Coordinator(setting, setting.folder("restart"), port=cluster.free_port())
    agent = None
    try:
        coordinator.start()
        agent = cluster.Agent(setting, "restart", coordinator, flags)
        seconds = []
        for number in range(1, RESTARTS + 1):
            time.sleep(SETTLE + chance.random())
            coordinator.kill()
            listening = coordinator.start()
            seconds.append((_joined(coordinator, agent) - listening) / 1e9)
            setting.say(f"reconnect: restart {number}/{RESTARTS}: back after {seconds[-1]:.2f} s")
        return seconds
    finally:
        _end(agent, coordinator)


def _joined(coordinator, agent, since=0):
    try:
        return coordinator.wait_for(f"joined {agent.name}", 20, since)
    except Failed as failure:
        raise Failed(f"{failure}\nThe agent said:\n{agent.child.tail()}") from failure


def _end(agent, coordinator):
    if agent:
        agent.end()
    if coordinator:
        coordinator.end()
