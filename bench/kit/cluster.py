"""A coordinator without work, and agents that dial in to it, each a process of its own."""

import socket

from kit import processes
from kit.processes import Child, Failed

PREFIX = "bench "


class Coordinator:
    """io.remuda.bench.CoordinatorWithoutJobs; it can be killed and started again."""

    def __init__(self, setting, folder, host="127.0.0.1", port=0, inside=()):
        self.setting = setting
        self.folder = folder
        self.command = [
            *inside,
            setting.java,
            *"-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData".split(),
            *setting.main("CoordinatorWithoutJobs", setting.dist / "coordinator.jar"),
            folder,
            host,
            port,
        ]
        self.child = None

    @property
    def access(self):
        return self.folder / "access.json"

    def start(self):
        """When it listened, in ns."""
        self.child = Child(self.command, self.setting.environment())
        return self.wait_for("listening", 60)

    def lines(self):
        return len(self.child.lines)

    def wait_for(self, event, limit, since=0):
        """When an event happened by the coordinator's own clock, in ns."""
        _, text = self.child.wait_for(f" {event}", limit, since)
        return int(text.removeprefix(PREFIX).split()[0])

    def samples(self, node):
        return self.child.count(f"nodename: {node} ")

    def kill(self):
        processes.kill(self.child.pid)
        self.child.wait(10)

    def end(self):
        if self.child:
            self.child.end()


class Agent:
    """A node agent that has joined; it samples 8 simulated GPUs and outlives its coordinator.

    flags: of its JVM; inside: what to put before the command
    """

    def __init__(self, setting, name, coordinator, flags, inside=()):
        self.name = name
        self.folder = setting.folder(f"{name}-node")
        own = setting.environment(MALLOC_ARENA_MAX=1, **setting.eight_gpus(name))
        jar = ["-jar", setting.dist / "node-agent.jar", "--join", coordinator.access]
        place = ["--name", name, "--folder", self.folder, "--cache", setting.cache]
        self.child = Child([*inside, setting.java, *flags, *jar, *place], own)
        try:
            coordinator.wait_for(f"joined {name} gpus=8", 60)
        except Failed:
            self.end()
            raise

    @property
    def pid(self):
        return self.child.pid

    @property
    def keeper(self):
        return int((self.folder / "keeper.pid").read_text().split()[0])

    def check(self):
        if self.child.process.poll() is not None:
            raise Failed(f"the agent has ended:\n{self.child.tail()}")

    def end(self):
        keeper = self.folder / "keeper.pid"
        pid = self.keeper if keeper.exists() else None
        self.child.end()
        if pid is not None and _is_keeper(pid):
            processes.kill(pid)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _is_keeper(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"KeeperMain" in file.read()
    except OSError:
        return False
