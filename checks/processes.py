"""Starts what a check runs, so that none of it is left when the check is ended early."""

import subprocess
import threading

_lock = threading.Lock()
_started = []
GRACE_SECONDS = 20


def start(command, **options):
    """A process without stdin of its own, whose output is read as text, line by line."""
    options.setdefault("stdin", subprocess.DEVNULL)
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
