"""Runs the stand-in that measures a function's needs.

CUDA stays on the GPU that a process used first, and the function may be lent another one than its
stand-in. So the stand-in runs in a forked process, which belongs to the lease like every process
below the one that asked. Forking is safe only while there is no other thread, of Python or of a
library; otherwise the stand-in runs in this process.
"""

import ctypes
import os
import pickle
import signal
import sys
from typing import Any, Callable, NoReturn, Optional

from remuda import _cuda

PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
FAULT_STATUS = 1
ONLY_THREAD = 1


def run_apart(call: Callable[[], Any]) -> bool:
    """Runs it, in a forked process if that is safe, and raises what it raises. Returns whether it
    was forked, so that nothing of it is left here."""
    if not _may_fork():
        call()
        return False
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_child(call, writing, parent)
    os.close(writing)
    fault = _awaited(child, reading)
    if fault is not None:
        raise fault
    return True


def _may_fork() -> bool:
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError:
        return False
    return threads == ONLY_THREAD and not _cuda.is_initialised()


def _be_child(call: Callable[[], Any], writing: int, parent: int) -> NoReturn:
    status = FAULT_STATUS
    try:
        _die_with(parent)
        fault = _fault_of(call)
        with open(writing, "wb") as pipe:
            pipe.write(_pickled(fault))
        sys.stdout.flush()
        sys.stderr.flush()
        status = 0
    finally:
        os._exit(status)  # the parent's exit handlers are not for this process


def _die_with(parent: int) -> None:
    try:
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(FAULT_STATUS)


def _fault_of(call: Callable[[], Any]) -> Optional[BaseException]:
    try:
        call()
    except BaseException as fault:
        return fault
    return None


def _pickled(fault: Optional[BaseException]) -> bytes:
    """Returns the exception, pickled; one with its text if it cannot be pickled and loaded."""
    try:
        data = pickle.dumps(fault)
        pickle.loads(data)
        return data
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(fault).__name__}: {fault}"))


def _awaited(child: int, reading: int) -> Optional[BaseException]:
    try:
        with open(reading, "rb") as pipe:
            data = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGTERM)
        raise
    finally:
        status = os.waitpid(child, 0)[1]
    if data:
        return pickle.loads(data)  # type: ignore[no-any-return]
    end = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "an exit"
    return RuntimeError(f"the profiling run was ended by {end}")
