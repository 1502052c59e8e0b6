"""Two network namespaces joined by a bridge in a third, which can be cut; needs root."""

import os
import shutil
import subprocess

from kit import processes

NET = "10.177.55"


def unavailable():
    """Why there are no namespaces here, or None."""
    if os.geteuid() != 0:
        return "needs root for network namespaces"
    return None if shutil.which("ip") else "iproute2 missing"


class Network:
    """`east` and `west` reach each other at the addresses .1 and .2 until the link is cut."""

    def __init__(self, name):
        self.names = {side: f"rb{os.getpid()}{name}-{side}" for side in ("east", "west", "middle")}
        try:
            self._build()
        except processes.Failed:
            self.close()
            raise

    def address(self, side):
        return f"{NET}.{1 if side == 'east' else 2}"

    def inside(self, side):
        """What to put before a command so that it runs on that side."""
        return ["ip", "netns", "exec", self.names[side]]

    def _build(self):
        for name in self.names.values():
            processes.run(["ip", "netns", "add", name])
        self._middle("link", "add", "hub", "type", "bridge")
        self._middle("link", "set", "hub", "up")
        for side in ("east", "west"):
            own = ["ip", "-n", self.names[side]]
            self._middle(
                *f"link add {side} type veth peer name eth netns {self.names[side]}".split()
            )
            self._middle("link", "set", side, "master", "hub", "up")
            processes.run([*own, "addr", "add", f"{self.address(side)}/24", "dev", "eth"])
            processes.run([*own, "link", "set", "eth", "up"])
            processes.run([*own, "link", "set", "lo", "up"])

    def _middle(self, *command):
        processes.run(["ip", "-n", self.names["middle"], *command])

    def cut(self, how):
        """`silent`: packets vanish and nobody is told; `unplugged`: the agent's side loses its
        carrier."""
        self._middle(*f"link set west {'nomaster' if how == 'silent' else 'down'}".split())

    def mend(self, how):
        self._middle(*f"link set west {'master hub' if how == 'silent' else 'up'}".split())

    def close(self):
        for name in self.names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
