"""The one lease of this process, and the calls inside it.

A lease sets variables of the environment, which belongs to the whole process, as does CUDA's choice
of a GPU. Therefore a process has one lease at a time. The first call gets it. Until it is given
back, all other calls are inside it and ask for nothing: nested calls, calls of other threads, and
processes that are started meanwhile, which find it in their environment. It is given back when the
last of this process's calls has left, with the outcome of the call that got it.

A thread that calls while the lease is requested, or given back, waits for that.
"""

import atexit
import dataclasses
import os
import threading
import time
import warnings
from typing import Callable, Dict, List, Mapping, Optional

from remuda import _cuda
from remuda._errors import Refused, RemudaError
from remuda._leases import acquire, await_again, is_over, Lease, release, Wanted
from remuda._outcome import Outcome
from remuda._transport import Transport

UNLESS_SET = ("TF_", "XLA_")
AT_EXIT_SECONDS = 5.0


class Stay:
    """A call inside a lease, from its entry until it leaves."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease

    def leave(self, outcome: Outcome) -> None:
        """Must be called once, however the call ends."""

    def goes_on(self, outcome: Outcome) -> bool:
        """Gives the lease back after a failure; returns whether the server continues it. Then the
        caller awaits the next attempt with ``await_again``."""
        self.leave(outcome)
        return False

    def await_again(self) -> None:
        raise AssertionError("only the call that got the lease may try again")


class _Process:
    """The lease and the calls of this process; ``turn`` guards all fields."""

    def __init__(self) -> None:
        self.turn = threading.Condition()
        self.held: Optional[_Held] = None
        self.changing = False

    def begin_change(self) -> None:
        """Begins a change; ``turn`` is held and no other change is under way."""
        self.changing = True

    def end_change(self, held: "Optional[_Held]") -> None:
        with self.turn:
            self.held = held
            self.changing = False
            self.turn.notify_all()


_process = _Process()


def _forget() -> None:
    """Clears the state in a forked process: its parent's lease is in its environment."""
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_forget)


class _Held:
    """A lease that was granted to this process."""

    def __init__(self, transport: Transport, lease: Lease) -> None:
        self.process = _process
        self.transport = transport
        self.lease = lease
        self.calls = 1
        self.outcome = Outcome("the program ended")
        self.before: Dict[str, Optional[str]] = {}
        self.may_choose_gpu = not _cuda.is_initialised()
        self.set_environment()

    def set_environment(self) -> None:
        for name, value in self.lease.environment.items():
            if not (name.startswith(UNLESS_SET) and name in os.environ):
                self.before.setdefault(name, os.environ.get(name))
                os.environ[name] = value

    def note_use(self) -> None:
        """Remembers the GPU after a call, unless it may have been chosen before the lease."""
        if self.may_choose_gpu:
            _cuda.note_use(self.lease.devices)

    def restore_environment(self) -> None:
        for name, value in self.before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self.before.clear()


class _Inside(Stay):
    """A call that is inside the lease of another call of this process."""

    def __init__(self, held: _Held) -> None:
        super().__init__(_without_measuring(held.lease))
        self._held = held

    def leave(self, outcome: Outcome) -> None:
        _leave(self._held)


class _Owner(Stay):
    """The call that got the lease."""

    def __init__(self, held: _Held) -> None:
        super().__init__(held.lease)
        self._held = held

    def leave(self, outcome: Outcome) -> None:
        self._held.outcome = outcome
        _leave(self._held)

    def goes_on(self, outcome: Outcome) -> bool:
        held = self._held
        if held.process is not _process:
            return False
        with _process.turn:
            alone = held.calls == 1
            if alone:
                held.note_use()
                _process.held = None
                _process.begin_change()
        if not alone:  # the others still need it as it is
            self.leave(outcome)
            return False
        again = False
        try:
            held.restore_environment()
            again = _give_back(held, outcome, again=True)
        finally:
            if not again:
                _process.end_change(None)
        return again

    def await_again(self) -> None:
        held = self._held
        assert held.lease.id is not None
        try:
            _cuda.give_back_unused()  # here, where the exception no longer keeps anything alive
            held.lease = self.lease = await_again(held.transport, held.lease.id)
        except BaseException:
            _process.end_change(None)
            raise
        held.set_environment()
        _process.end_change(held)


def enter(transport: Callable[[], Transport], wanted: Wanted) -> Stay:
    """Returns inside a lease: the present one, or one that is requested now.

    Raises Refused if the present one has fewer GPUs than are wanted, ServerUnavailable if there is
    no server.
    """
    _forget_over(transport)
    with _process.turn:
        while _process.changing:
            _process.turn.wait()
        if _process.held is not None:
            _check(_process.held.lease, wanted)
            _process.held.calls += 1
            return _Inside(_process.held)
        around = _around(os.environ)
        if around is not None:
            _check(around, wanted)
            return Stay(around)
        _process.begin_change()
    held = None
    try:
        server = transport()
        held = _Held(server, acquire(server, _where_it_can_be(wanted)))
        return _Owner(held)
    finally:
        _process.end_change(held)


def _where_it_can_be(wanted: Wanted) -> Wanted:
    """Returns what is wanted, on the GPUs that this process has used already, if any; frees unused
    memory there, so that the server can promise it."""
    devices = _cuda.bound_to(wanted.gpus)
    if devices:
        _cuda.give_back_unused()
    return dataclasses.replace(wanted, devices=devices)


def _leave(held: _Held) -> None:
    if held.process is not _process:  # forked inside: the lease is the parent's
        return
    with _process.turn:
        held.calls -= 1
        held.note_use()
        if held.calls > 0:
            return
        _process.held = None
        _process.begin_change()
    try:
        held.restore_environment()
        _give_back(held, held.outcome)
    finally:
        _process.end_change(None)


def _give_back(
    held: _Held, outcome: Outcome, again: bool = False, deadline: Optional[float] = None
) -> bool:
    """Gives the lease back; returns whether it continues. A fault of the server's is only a
    warning, because the call has its result already."""
    try:
        return release(held.transport, held.lease, outcome, again, deadline)
    except RemudaError as fault:
        warnings.warn(
            f"lease {held.lease.id} could not be given back and ends with this process: {fault}",
            RuntimeWarning,
            stacklevel=2,
        )
        return False


def _forget_over(transport: Callable[[], Transport]) -> None:
    """Leaves an ended lease: a process started in it, such as a pool's worker, may outlive it."""
    number = os.environ.get("REMUDA_LEASE", "")
    if number.isdigit() and _process.held is None and is_over(transport(), int(number)):
        os.environ.pop("REMUDA_LEASE", None)
        os.environ.pop("REMUDA_DEVICES", None)


def _around(environment: Mapping[str, str]) -> Optional[Lease]:
    """Returns the lease, or the job with GPUs, in which this process was started."""
    devices: List[str] = [one for one in environment.get("REMUDA_DEVICES", "").split(",") if one]
    number = environment.get("REMUDA_LEASE", "")
    if not devices and not number:
        return None
    return Lease(int(number) if number.isdigit() else None, tuple(devices), None, False)


def _check(lease: Lease, wanted: Wanted) -> None:
    """Checks that a lease has enough GPUs; one without any is for the CPU and always does."""
    if lease.devices and len(lease.devices) < wanted.gpus:
        raise Refused(
            f"{wanted.gpus} GPUs are wanted inside a lease or job that holds {len(lease.devices)}:"
            " ask for more at its beginning"
        )


def _without_measuring(lease: Lease) -> Lease:
    return Lease(lease.id, lease.devices, lease.gpu_memory_bytes, False, lease.attempt)


@atexit.register
def _at_exit() -> None:
    """Gives the lease back for a call in a thread that the end of the program cuts off."""
    held = _process.held
    if held is not None and held.process is _process:
        _process.held = None
        _give_back(held, held.outcome, deadline=time.monotonic() + AT_EXIT_SECONDS)
