"""Leases as the API has them: asked for, waited for, and given back.

A lease is a job to the server (``state`` lists it, ``cancel`` ends its program), but its program is
the process that asked. Asking again is harmless: a request carries a key, and what a lost
connection has swallowed is asked again by the transport.
"""

import os
import socket
import sys
import time
import uuid
import warnings
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from remuda._errors import NotFound, Refused, RemudaError
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
WHOLE = ("whole", "all")


@dataclass(frozen=True)
class Lease:
    """What a program was granted.

    ``devices`` are UUIDs, none where the CPU is balanced; ``gpu_memory_bytes`` is promised on each,
    None for all of it. While ``measuring``, the program has its GPU to itself, and what it uses
    shows what its type needs. ``id`` is the number of the job that the lease is, None where a job
    that was there before already holds what is wanted.
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
    """What a lease is asked for; ``gpu_mem`` as the API reads it, None for whole GPUs,
    ``devices`` the UUIDs of those that alone will do, empty for any."""

    type: str
    gpus: int = 1
    cpus: float = 0
    gpu_mem: Optional[str] = "auto"
    policy: str = "pack"
    devices: Tuple[str, ...] = ()

    def on_cpu(self) -> "Wanted":
        """The same where there is no GPU: a core."""
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
    """Returns once the lease is granted. Where there is no GPU it is one for a core.

    Raises Refused for what no GPU of this machine can ever do.
    """
    try:
        return _granted(transport, _asked(transport, wanted))
    except Refused as no:
        if no.code != NEVER_FITS or wanted.gpus == 0:
            raise
        if not wanted.devices and _has_gpu(transport):
            raise
    if wanted.devices:  # they are gone, or too small
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
    except BaseException:  # Ctrl-C, mostly: the server may have taken it, and may grant it yet
        _withdraw(transport, request)
        raise


def _withdraw(transport: Transport, request: Mapping[str, object]) -> None:
    """Asked again under its key it is found, and given up."""
    deadline = time.monotonic() + GIVE_UP_SECONDS
    body = dict(request, waitSeconds=0)
    try:
        view = _mapping(transport.request("POST", "/leases", body=body, deadline=deadline).json())
    except RemudaError:
        return
    _give_up(transport, int(view["id"]))


def await_again(transport: Transport, id: int) -> Lease:
    """Returns once a lease that goes on with another attempt is granted that."""
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
    except BaseException:  # Ctrl-C, mostly: nobody waits for it any more
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
    """Without this the server does it after half a minute."""
    try:
        body = {"succeeded": False, "error": "no longer waited for"}
        _post_release(transport, id, body, time.monotonic() + GIVE_UP_SECONDS)
    except RemudaError:
        pass


def release(
    transport: Transport,
    lease: Lease,
    outcome: Outcome,
    again: bool = False,
    deadline: Optional[float] = None,
) -> bool:
    """Gives a lease back, and returns whether it goes on with another attempt.

    That happens if ``again``, when the GPU's memory was what the call failed for want of, and more
    can be had. One that is over already is nothing to complain of.
    """
    if lease.id is None:
        return False
    # Named, so that a word that is said again, for its answer was lost, does no harm.
    body: Dict[str, object] = {"attempt": lease.attempt, "succeeded": outcome.error is None}
    if outcome.error is not None:
        body.update(error=outcome.error, again=again)
    until = deadline or time.monotonic() + RELEASE_SECONDS
    while True:
        try:
            view = _post_release(transport, lease.id, body, until)
        except (NotFound, Refused):
            return False
        if view["state"] in FINAL:
            return False
        if view["attempt"] > lease.attempt or view["state"] in BEFORE:
            return True
        if time.monotonic() > until:  # the server knows, and tells the node when it is back
            raise RemudaError(f"its state is still {view['state']}")


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
    """Whether this machine's node has one. While nothing is known of nodes, it may."""
    nodes = [parse_node(view) for view in transport.request("GET", "/nodes").json()["nodes"]]
    here = node_here(nodes)
    return here is None or bool(here.devices)


def node_here(nodes: Sequence[Node]) -> Optional[Node]:
    """This machine's, by its name; the only one there is may have another."""
    named = [node for node in nodes if node.name == socket.gethostname()]
    if named:
        return named[0]
    return nodes[0] if len(nodes) == 1 else None


_told = False


def balancing_on_cpu() -> None:
    """Says so, once per process."""
    global _told
    if not _told:
        _told = True
        print("remuda: no GPU here, balancing on the CPU", file=sys.stderr, flush=True)
