"""What a program reports of itself: a line for each value, to the file of its task.

The agent of the node reads the file. A regular file is never full and has no other end that may be
away, so a program that reports never waits; lines are appended in one write, so those of threads,
forked processes and ranks stay whole.
"""

import os
import re
import time
import warnings
from typing import Optional, Set, SupportsFloat

FILE = "REMUDA_METRICS"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_./:@%+=#-]{0,63}")
_MOST_NAMES = 1000
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK

_descriptor: Optional[int] = None
_identity = (0, 0)
_names: Set[str] = set()
_warned: Set[str] = set()


def metric(name: str, value: SupportsFloat, step: Optional[SupportsFloat] = None) -> None:
    """Reports a value of this program, as ``remuda.metric("loss", 0.31, step=200)``.

    In a task of Remuda it is kept with the task and shown by ``remuda history JOB``. ``value`` is
    whatever ``float`` takes, a tensor of one number, too; ``step`` is the program's own count,
    such as a batch or an epoch. A name has letters, digits and ``_ . / : @ % + = # -``, 64 at
    most. Costs some microseconds; may be called from any thread, forked process and rank.

    Never raises and never waits: what cannot be reported, and all of it outside of a task, gives
    one warning. Values that are nan or infinite have no point, and ``remuda history`` says so.
    """
    try:
        number = float(value)
        count = step if step is None or type(step) is int else float(step)
        if name not in _names:
            _check(name)
        line = "%s %r %s %.3f\n" % (name, number, "-" if count is None else count, time.time())
        _write(line.encode("ascii"))
    except Exception as fault:  # a training is worth more than what it reports
        _warn(f"remuda.metric: {name!r} is not reported: {fault}")


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError("a name has letters, digits and _ . / : @ % + = # -, 64 at most")
    if len(_names) < _MOST_NAMES:
        _names.add(name)


def _write(line: bytes) -> None:
    descriptor = _descriptor
    if descriptor is None or not _is_ours(descriptor):
        descriptor = _open()
    if descriptor is not None:
        os.write(descriptor, line)


def _is_ours(descriptor: int) -> bool:
    """Whether it is still the file; a program may have closed it, and opened another."""
    try:
        state = os.fstat(descriptor)
    except OSError:
        return False
    return (state.st_dev, state.st_ino) == _identity


def _open() -> Optional[int]:
    global _descriptor, _identity
    path = os.environ.get(FILE)
    if not path:
        _warn("remuda.metric: this is not a task of Remuda, so nothing that it reports is kept")
        return None
    opened = os.open(path, _FLAGS, 0o644)  # the agent may be another user than a container
    state = os.fstat(opened)
    _identity = (state.st_dev, state.st_ino)
    _descriptor = opened
    return opened


def _warn(text: str) -> None:
    if text not in _warned and len(_warned) < _MOST_NAMES:
        _warned.add(text)
        warnings.warn(text, RuntimeWarning, stacklevel=4)


def _forget() -> None:
    global _descriptor
    _descriptor = None


os.register_at_fork(after_in_child=_forget)  # a child may close what it has not opened
