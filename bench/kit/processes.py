"""Processes that are started, listened to, measured and ended."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """What was to be measured did not succeed."""


def run(command, env=None, cwd=None, limit=600):
    """Runs to the end and returns what was printed; anything but exit code 0 is a failure."""
    done = subprocess.run(
        [str(part) for part in command],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=limit,
    )
    if done.returncode != 0:
        raise Failed(f"{_short(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def _heed_interrupts():
    """A shell that starts us in the background has SIGINT ignored, and a JVM keeps that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Child:
    """A running process whose lines are kept with the monotonic time of their arrival in ns."""

    def __init__(self, command, env=None, cwd=None):
        self.command = [str(part) for part in command]
        self.lines = []
        self._arrived = threading.Condition()
        self.began = time.monotonic_ns()
        self.process = subprocess.Popen(
            self.command,
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=_heed_interrupts,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self):
        return self.process.pid

    def _read(self):
        for text in self.process.stdout:
            with self._arrived:
                self.lines.append((time.monotonic_ns(), text.rstrip("\n")))
                self._arrived.notify_all()
        with self._arrived:
            self._arrived.notify_all()

    def count(self, contains):
        with self._arrived:
            return sum(1 for _, text in self.lines if contains in text)

    def wait_for(self, contains, limit, since=0):
        """The first line after the first `since` ones with this in it: its time and text."""
        deadline = time.monotonic() + limit
        with self._arrived:
            at = since
            while True:
                for line in self.lines[at:]:
                    if contains in line[1]:
                        return line
                at = len(self.lines)
                left = deadline - time.monotonic()
                over = self.process.poll() is not None and not self._reader.is_alive()
                if left <= 0 or over:
                    raise Failed(
                        f"{_short(self.command)}: no '{contains}' in {limit} s"
                        f" (exit code {self.process.poll()}):\n{self.tail()}"
                    )
                self._arrived.wait(min(left, 0.2))

    def tail(self):
        return "\n".join(text for _, text in self.lines[-20:])

    def wait(self, limit):
        code = self.process.wait(limit)
        self._reader.join(5)
        return code

    def end(self, by=signal.SIGTERM, limit=10):
        """Ends it if it still runs, in the end by force."""
        if self.process.poll() is None:
            self.process.send_signal(by)
            try:
                self.process.wait(limit)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(limit)


def _short(command):
    return " ".join(str(part) for part in command)[-200:]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def memory(pid):
    """Resident and proportional size in MB of a million bytes."""
    rss = _kilobytes(Path(f"/proc/{pid}/status"), "VmRSS:")
    pss = _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:")
    return rss * 1024 / 1e6, pss * 1024 / 1e6


def _kilobytes(file, key):
    for line in file.read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    raise Failed(f"no {key} in {file}")


def cpu_seconds(pid):
    """User and system time of a process, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
