"""How much GPU memory this process and its descendants use."""

import os
import shutil
import subprocess
import time
from typing import List, Set

QUERY = ("--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits")
SECONDS = 2.0
SHARE_OF_ASKING = 20  # asking may take a twentieth of the time
LEAST_SECONDS_BETWEEN = 10.0


class GpuMemory:
    """Asks ``nvidia-smi``, which is slow: at most every 10 s, and less often if it takes long.
    The node's agent measures the same for itself, more exactly. One thread at a time."""

    def __init__(self) -> None:
        self._mebibytes = 0
        self._ask_from = 0.0

    def mebibytes(self) -> int:
        """Returns the sum over all GPUs in MiB; 0 if there is none or it is not known."""
        began = time.monotonic()
        if began >= self._ask_from:
            self._mebibytes = _used_by(_tree(os.getpid())) if shutil.which("nvidia-smi") else 0
            took = time.monotonic() - began
            self._ask_from = began + max(LEAST_SECONDS_BETWEEN, SHARE_OF_ASKING * took)
        return self._mebibytes


def _used_by(pids: Set[int]) -> int:
    try:
        lines = subprocess.run(
            ["nvidia-smi", *QUERY],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
        ).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return 0
    return sum(_mebibytes(line, pids) for line in lines)


def _mebibytes(line: bytes, pids: Set[int]) -> int:
    try:
        pid, used = line.split(b",")
        return int(used) if int(pid) in pids else 0
    except ValueError:  # a driver that does not know it writes [N/A]
        return 0


def _tree(root: int) -> Set[int]:
    found, left = {root}, [root]
    while left:
        for child in _children(left.pop()):
            if child not in found:
                found.add(child)
                left.append(child)
    return found


def _children(pid: int) -> List[int]:
    children: List[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    except OSError:  # it has ended, or this kernel does not tell
        pass
    return children
