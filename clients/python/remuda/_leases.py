"""Leases of the API: requested, awaited, and given back.

A lease is a job to the server (``state`` lists it, ``cancel`` ends its program), but its program is
the requesting process. Repeating a request is harmless, because it carries a key; the transport
repeats a request when the connection is lost.
"""

import os
import socket
import sys
import time
import uuid
import warnings
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from remuda._errors import Forbidden, NotFound, Refused, RemudaError
from remuda._jobs import FINAL, Node, parse_node
from remuda._outcome import Outcome
from remuda._process import this_process
from remuda._transport import Transport

WAIT_SECONDS = 20
BEFORE = frozenset({"submitted", "held", "waiting"})
RUNNING = "running"
NEVER_FITS = "never-fits"
GIVE_UP_SECONDS = 3.0
RELEASE_SECONDS = 20.0  # the server answers in 10, or is restarted meanwhile
PAUSE_SECONDS = 0.1
WHOLE = ("whole", "all")

# Leases of this process that no server took back, by number: given back before the next request.
_owed: Dict[int, Tuple[Transport, Mapping[str, object]]] = {}
os.register_at_fork(after_in_child=_owed.clear)


@dataclass(frozen=True)
class Lease:
    """A granted lease.

    ``devices`` are UUIDs, none if the CPU is balanced; ``gpu_memory_bytes`` is promised on each,
    None for all of it. While ``measuring``, the program has its GPU to itself, and its use shows
    what its type needs. ``id`` is the number of the lease's job, None if a surrounding job already
    holds what is wanted.
    """

    id: Optional[int]
    devices: Tuple[str, ...]
    gpu_memory_bytes: Optional[int]
    measuring: bool
    attempt: int = 1
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


NO_LEASE = Lease(None, (), None, False)


@dataclass(frozen=True)
class Wanted:
    """The wanted resources; ``gpu_mem`` as the API reads it, None for whole GPUs, ``devices`` the
    UUIDs of the only suitable ones, empty for any."""

    type: str
    gpus: int = 1
    cpus: float = 0
    gpu_mem: Optional[str] = "auto"
    policy: str = "pack"
    devices: Tuple[str, ...] = ()

    def on_cpu(self) -> "Wanted":
        """Returns what is wanted instead if there is no GPU: a core."""
        return replace(self, gpus=0, cpus=max(1, self.cpus), gpu_mem=None)

    def request(self) -> Dict[str, object]:
        fields = {
            "type": self.type,
            "gpus": self.gpus,
            "cpus": self.cpus,
            "gpuMem": self.gpu_mem,
            "policy": self.policy,
            "devices": self.devices or None,
            "process": this_process(),
            "clientKey": uuid.uuid4().hex,
            "waitSeconds": WAIT_SECONDS,
        }
        return {name: value for name, value in fields.items() if value is not None}


def memory_wanted(
    gpu_mem: Union[str, int, None], gpu_memory: Union[str, int, None], level: int
) -> Optional[str]:
    """What ``gpu_mem``, or by its earlier name ``gpu_memory``, means to the API: None is measured,
    ``whole`` and ``all`` are whole GPUs. ``level`` counts the callers up to the one that is warned
    of the name."""
    if gpu_memory is not None:
        if gpu_mem is not None:
            raise TypeError("give gpu_mem, not gpu_memory as well: it is the earlier name")
        warnings.warn("gpu_memory is now gpu_mem", DeprecationWarning, stacklevel=level)
    given = gpu_memory if gpu_mem is None else gpu_mem
    if given is None:
        return "auto"
    return None if given in WHOLE else str(given)


def acquire(transport: Transport, wanted: Wanted) -> Lease:
    """Returns when the lease is granted. Without a GPU it is a lease of a core.

    Raises Refused if no GPU of this machine can ever satisfy it.
    """
    _return_owed()
    try:
        return _granted(transport, _asked(transport, wanted))
    except Refused as no:
        if no.code != NEVER_FITS or wanted.gpus == 0:
            raise
        if not wanted.devices and _has_gpu(transport):
            raise
    if wanted.devices:  # these devices are gone, or too small
        return acquire(transport, replace(wanted, devices=()))
    balancing_on_cpu()
    if _is_in_job_with_core():  # another one may never be free while the job waits for it
        return NO_LEASE
    return _granted(transport, _asked(transport, wanted.on_cpu()))


def _asked(transport: Transport, wanted: Wanted) -> Mapping[str, Any]:
    request = wanted.request()
    try:
        return _mapping(transport.request("POST", "/leases", body=request).json())
    except Refused:
        raise
    except BaseException:  # mostly Ctrl-C: the server may have it, and may grant it yet
        _withdraw(transport, request)
        raise


def _withdraw(transport: Transport, request: Mapping[str, object]) -> None:
    """Finds the lease by its key and gives it up."""
    deadline = time.monotonic() + GIVE_UP_SECONDS
    body = dict(request, waitSeconds=0)
    try:
        view = _mapping(transport.request("POST", "/leases", body=body, deadline=deadline).json())
    except RemudaError:
        return
    _give_up(transport, int(view["id"]))


def await_again(transport: Transport, id: int) -> Lease:
    """Returns when the next attempt of a lease is granted."""
    return _granted(transport, _look(transport, id, 0))


def _granted(transport: Transport, view: Mapping[str, Any]) -> Lease:
    id = int(view["id"])
    try:
        while view["state"] != RUNNING:
            if view["state"] in FINAL:
                raise Refused(
                    f"lease {id} was {view['state']}: {view['cause'] or 'no cause given'}"
                )
            view = _look(transport, id, WAIT_SECONDS)
    except Refused:
        raise
    except BaseException:  # mostly Ctrl-C: the lease is no longer wanted
        _give_up(transport, id)
        raise
    return Lease(
        id=id,
        devices=tuple(view["devices"]),
        gpu_memory_bytes=view["gpuMemoryBytes"],
        measuring=bool(view["measuring"]),
        attempt=int(view["attempt"]),
        environment=dict(view["environment"]),
    )


def _look(transport: Transport, id: int, seconds: int) -> Mapping[str, Any]:
    return _mapping(transport.request("GET", f"/leases/{id}", {"waitSeconds": seconds}).json())


def is_over(transport: Transport, id: int) -> bool:
    """Whether a lease that was around this process's start is no more. Unsaid, it is not."""
    try:
        return _look(transport, id, 0)["state"] in FINAL
    except NotFound:
        return True
    except RemudaError:
        return False


def _mapping(view: Any) -> Mapping[str, Any]:
    if not isinstance(view, dict):
        raise RemudaError(f"the server answers with no lease: {view!r}")
    return view


def _give_up(transport: Transport, id: int) -> None:
    """Ends a waiting lease now; the server does it after half a minute."""
    body: Dict[str, object] = {"succeeded": False, "error": "no longer waited for"}
    try:
        _post_release(transport, id, body, time.monotonic() + GIVE_UP_SECONDS)
    except (Forbidden, NotFound, Refused):
        pass
    except RemudaError:  # a server that was away may grant it when it is back
        _owed[id] = transport, body


def _return_owed() -> None:
    """Gives back what no server took: this process might wait for its own GPU."""
    for id, (transport, body) in list(_owed.items()):
        try:
            _post_release(transport, id, body, time.monotonic() + GIVE_UP_SECONDS)
        except (Forbidden, NotFound, Refused):
            pass
        except RemudaError:
            continue
        _owed.pop(id, None)


def release(
    transport: Transport,
    lease: Lease,
    outcome: Outcome,
    again: bool = False,
    deadline: Optional[float] = None,
) -> bool:
    """Gives a lease back, and returns whether it continues with another attempt.

    It does if ``again`` is set, the call failed because GPU memory was exhausted, and there is
    more. A lease that has ended already is no error.
    """
    if lease.id is None:
        return False
    # With the attempt's number a repeated release, after a lost answer, is harmless.
    body: Dict[str, object] = {"attempt": lease.attempt, "succeeded": outcome.error is None}
    if outcome.error is not None:
        body.update(error=outcome.error, again=again)
    until = deadline or time.monotonic() + RELEASE_SECONDS
    while True:
        try:
            view = _post_release(transport, lease.id, body, until)
        except (NotFound, Refused):
            return False
        except Forbidden:
            raise
        except RemudaError:
            _owed[lease.id] = transport, {**body, "again": False}
            raise
        if view["state"] in FINAL:
            return False
        if view["attempt"] > lease.attempt or view["state"] in BEFORE:
            return True
        if time.monotonic() + PAUSE_SECONDS > until:  # the server tells the node when it is back
            raise RemudaError(f"its state is still {view['state']}")
        time.sleep(PAUSE_SECONDS)


def _post_release(
    transport: Transport, id: int, body: Mapping[str, object], deadline: Optional[float] = None
) -> Mapping[str, Any]:
    answer = transport.request("POST", f"/leases/{id}/release", body=body, deadline=deadline)
    return _mapping(answer.json())


def _is_in_job_with_core() -> bool:
    try:
        return "REMUDA_JOB" in os.environ and float(os.environ.get("REMUDA_CPUS", "0")) >= 1
    except ValueError:
        return False


def _has_gpu(transport: Transport) -> bool:
    """Returns whether this machine's node has a GPU; true while no node is known."""
    nodes = [parse_node(view) for view in transport.request("GET", "/nodes").json()["nodes"]]
    here = node_here(nodes)
    return here is None or bool(here.devices)


def node_here(nodes: Sequence[Node]) -> Optional[Node]:
    """Returns this machine's node, by its name; a single node may have any name."""
    named = [node for node in nodes if node.name == socket.gethostname()]
    if named:
        return named[0]
    return nodes[0] if len(nodes) == 1 else None


_told = False


def balancing_on_cpu() -> None:
    """Says once per process that the CPU is balanced."""
    global _told
    if not _told:
        _told = True
        print("remuda: no GPU here, balancing on the CPU", file=sys.stderr, flush=True)
