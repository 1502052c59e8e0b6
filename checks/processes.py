"""Starts what a check runs, so that none of it is left when the check is ended early."""

import os
import signal
import subprocess
import threading
import time
import uuid
from pathlib import Path

_lock = threading.Lock()
_started = []
GRACE_SECONDS = 20
LEFT_SECONDS = 5
EXEC_SECONDS = 0.5

# In the environment of all that is started, and of what that starts: services of tests that were
# ended in the middle of them have other parents, sessions and groups by then.
_MARK = ("CHECK_RUN", uuid.uuid4().hex)


def start(command, **options):
    """A process without stdin of its own, whose output is read as text, line by line."""
    options.setdefault("stdin", subprocess.DEVNULL)
    options["env"] = {**(options.get("env") or os.environ), _MARK[0]: _MARK[1]}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        **options)
    with _lock:
        _started[:] = [each for each in _started if each.poll() is None] + [process]
    return process


def end_all():
    with _lock:
        left = [each for each in _started if each.poll() is None]
    for each in left:
        each.terminate()
    for each in left:
        try:
            each.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            each.kill()
    return _end_left()


def _end_left():
    """Ends what is left of all that was started; returns how many processes that were."""
    left = _marked()
    for each in left:
        _signal(each, signal.SIGTERM)
    until = time.monotonic() + LEFT_SECONDS
    while time.monotonic() < until and _marked():
        time.sleep(0.1)
    for each in _marked():
        _signal(each, signal.SIGKILL)
    return len(left)


def _marked():
    found, unsure = _look(Path("/proc").glob("[0-9]*"))
    until = time.monotonic() + EXEC_SECONDS
    while unsure and time.monotonic() < until:
        time.sleep(0.005)
        more, unsure = _look(unsure)
        found += more
    return found


def _look(processes):
    """Ids of those with the mark, and the folders of those that cannot be told from others now.

    The environment of a process is empty for a moment while exec replaces its program. It is always
    empty for kernel threads and for what has ended, but those have no program to be replaced."""
    mark = "=".join(_MARK).encode()
    found, unsure = [], []
    for each in processes:
        try:
            environment = (each / "environ").read_bytes()
            if mark in environment.split(b"\0"):
                found.append(int(each.name))
            elif not environment and os.readlink(each / "exe"):
                unsure.append(each)
        except OSError:
            pass  # it has ended, or is another user's
    return found, unsure


def _signal(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass
