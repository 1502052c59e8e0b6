"""This process, as a keeper recognises it."""

import os
import sys
from typing import Dict

START_TICKS = 22  # of the fields in /proc/PID/stat, which count from 1
COMMAND_END = b") "
FIELDS_BEFORE_STATE = 3
MOST_PROGRAM_CHARACTERS = 200


def this_process() -> Dict[str, object]:
    """What POST /leases wants to know of the process that asks."""
    pid = os.getpid()
    return {
        "machine": machine(),
        "pid": pid,
        "startTicks": start_ticks(pid),
        "program": program(),
    }


def machine() -> str:
    """The boot of this kernel and the pid namespace: within these a pid means one process."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"


def start_ticks(pid: int) -> int:
    """When a process started, in clock ticks after the boot: with it a pid that is given to another
    process later is not taken for this one."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        after_command = file.read().rpartition(COMMAND_END)[2].split()
    return int(after_command[START_TICKS - FIELDS_BEFORE_STATE])


def program() -> str:
    """The command line, for people."""
    words = [os.path.basename(sys.executable or "python"), *sys.argv]
    return printable(" ".join(words))[:MOST_PROGRAM_CHARACTERS]


def printable(text: str) -> str:
    """The same with ``?`` for all that cannot be printed, or is not UTF-8."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
