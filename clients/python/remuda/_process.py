"""Identifies this process for a keeper."""

import os
import sys
from typing import Dict

START_TICKS = 22  # of the fields in /proc/PID/stat, which count from 1
COMMAND_END = b") "
FIELDS_BEFORE_STATE = 3
MOST_PROGRAM_CHARACTERS = 200


def this_process() -> Dict[str, object]:
    """Returns the field ``process`` of POST /leases for this process."""
    pid = os.getpid()
    return {
        "machine": machine(),
        "pid": pid,
        "startTicks": start_ticks(pid),
        "program": program(),
    }


def machine() -> str:
    """Returns the boot of this kernel and the pid namespace: within these a pid is one process."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"


def start_ticks(pid: int) -> int:
    """Returns when a process started, in clock ticks after the boot; it distinguishes the process
    from a later one with its pid."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        after_command = file.read().rpartition(COMMAND_END)[2].split()
    return int(after_command[START_TICKS - FIELDS_BEFORE_STATE])


def program() -> str:
    """Returns the command line, for people."""
    words = [os.path.basename(sys.executable or "python"), *sys.argv]
    return printable(" ".join(words))[:MOST_PROGRAM_CHARACTERS]


def printable(text: str) -> str:
    """Returns the text with ``?`` for each character that cannot be printed or is not UTF-8."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
