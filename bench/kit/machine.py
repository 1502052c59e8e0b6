"""This machine in words, without names of hosts or folders."""

import os
import platform
import re
from pathlib import Path


def words(java_home):
    return ", ".join(
        [_processor(), _memory(), f"Linux {platform.release()}", files("/tmp"), _jdk(java_home)]
    )


def load():
    return f"{os.getloadavg()[0]:.2f}"


def cores():
    return len(os.sched_getaffinity(0))


def files(folder):
    """The kind of the file system of a folder. An ext4 without a journal is told: for minutes after
    many files were removed there, it takes several times as long to make one."""
    folder = os.path.realpath(folder)
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    above = [one for one in mounts if os.path.commonpath([one[1], folder]) == one[1]]
    device, _, kind = max(above, key=lambda one: len(one[1]))[:3]
    journal = Path("/sys/fs", kind, os.path.basename(os.path.realpath(device)), "journal_task")
    try:
        return f"{kind} without a journal" if "none" in journal.read_text() else kind
    except OSError:
        return kind


def _processor():
    text = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    name = model.group(1).strip() if model else platform.machine()
    return f"{cores()} cores of {name}"


def _memory():
    text = Path("/proc/meminfo").read_text()
    kilobytes = int(re.search(r"^MemTotal:\s+(\d+)", text, re.MULTILINE).group(1))
    return f"{kilobytes / 2**20:.0f} GiB"


def _jdk(java_home):
    text = (Path(java_home) / "release").read_text()
    found = dict(re.findall(r'^(\w+)="?(.*?)"?$', text, re.MULTILINE))
    return f"JDK {found.get('JAVA_VERSION', '?')} ({found.get('IMPLEMENTOR', 'unknown')})"
