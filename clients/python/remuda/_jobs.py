"""Jobs and nodes as values. Field names are the API's in snake_case."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple, Type, TypeVar

# fields that only trainings, or only some jobs that wait, have
NOT_ALWAYS = frozenset({
    "epochs", "epochs_done", "expected_start_at", "expected_start_from", "expected_start_until"})
FINAL = frozenset({"succeeded", "failed", "cancelled", "lost"})

T = TypeVar("T")


@dataclass(frozen=True)
class Job:
    """A job at the time of the request; times are UTC, None until they are known.

    ``exit_code`` is that of the deciding task, None if there is none; ``tasks`` counts the tasks,
    ``epochs`` and ``epochs_done`` those of a training. ``uuid`` is None for jobs of others.
    """

    id: int
    uuid: Optional[str]
    name: str
    user: str
    state: str
    reason: Optional[str]
    exit_code: Optional[int]
    submitted_at: datetime
    started_at: Optional[datetime]
    ended_at: Optional[datetime]
    tasks: int
    epochs: Optional[int] = None
    epochs_done: Optional[int] = None

    @property
    def over(self) -> bool:
        """Whether it has ended and will not change."""
        return self.state in FINAL

    @property
    def succeeded(self) -> bool:
        return self.state == "succeeded"


@dataclass(frozen=True)
class Task:
    """A task's newest attempt; measurements are None until it has ended.

    ``id`` is ``JOB.INDEX``, ``devices`` are UUIDs, ``cause`` is why it did not succeed, ``signal``
    is the one that ended it.
    """

    id: str
    index: int
    state: str
    attempt: int
    node: Optional[str]
    devices: Tuple[str, ...]
    started_at: Optional[datetime]
    ended_at: Optional[datetime]
    cause: Optional[str]
    exit_code: Optional[int]
    signal: Optional[int]
    peak_rss_bytes: Optional[int]
    cpu_millis: Optional[int]
    wall_millis: Optional[int]

    @property
    def over(self) -> bool:
        """Whether it has ended and will not be retried."""
        return self.state in FINAL


@dataclass(frozen=True)
class Explanation:
    """Why a job waits: ``text`` is for people, ``reasons`` are the API's records, ``counts`` the
    number of its tasks by state; empty when it has ended.

    ``expected_start_at`` is when it may start, None if that is not known; in nine of ten cases it
    starts between ``expected_start_from`` and ``expected_start_until``, None if too few starts are
    known to say how sure that is.
    """

    id: int
    state: str
    counts: Mapping[str, int]
    reasons: Tuple[Mapping[str, Any], ...]
    text: Tuple[str, ...]
    expected_start_at: Optional[datetime] = None
    expected_start_from: Optional[datetime] = None
    expected_start_until: Optional[datetime] = None


@dataclass(frozen=True)
class Device:
    """A GPU of a node; ``attempts`` hold it, as ``JOB.TASK.ATTEMPT``."""

    uuid: str
    model: str
    memory_bytes: int
    free_memory_bytes: int
    state: str
    attempts: Tuple[str, ...]


@dataclass(frozen=True)
class Node:
    """A machine and its free resources; ``tasks`` counts the tasks that run there."""

    name: str
    state: str
    labels: Mapping[str, str]
    cpus: float
    free_cpus: float
    memory_bytes: int
    free_memory_bytes: int
    tasks: int
    devices: Tuple[Device, ...]


def parse(kind: Type[T], view: Mapping[str, Any]) -> T:
    """Returns a value from the API's object, without fields that this version does not know."""
    return kind(**{field.name: _value(field.name, view) for field in fields(kind)})  # type: ignore


def parse_node(view: Mapping[str, Any]) -> Node:
    devices = [parse(Device, device) for device in view["devices"]]
    return parse(Node, {**view, "devices": devices})


def _value(name: str, view: Mapping[str, Any]) -> Any:
    first, *others = name.split("_")
    field = first + "".join(word.capitalize() for word in others)
    value = view.get(field) if name in NOT_ALWAYS else view[field]
    if isinstance(value, list):
        return tuple(value)
    if name.endswith(("_at", "_from", "_until")) and value is not None:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value
