"""What the scheduler tells a training job: the variables of its environment."""

import os
from dataclasses import dataclass
from typing import Callable, List, Mapping, Optional, Tuple, TypeVar

HOST = "REMUDA_TRAINING_HOST"
STANDALONE_ID = "standalone"
NOT_RESTARTED = "FALSE"

V = TypeVar("V", str, int)


@dataclass(frozen=True)
class Variables:
    """The variables, read once. Each that is not there, no number or out of range has its default,
    so a script runs outside of the scheduler, too; ``assumed`` lists those as ``NAME=VALUE``.

    ``heartbeat`` counts steps, ``local_rank`` is -1 if a process is its node's only one, and
    ``training_set_size`` counts samples.
    """

    job_id: str
    heartbeat: int
    rank: int
    nodes: str
    gpus: int
    node_count: int
    restarted: bool
    batch_size: int
    epochs: int
    epochs_done: int
    training_set_size: int
    local_rank: int
    assumed: Tuple[str, ...]

    @property
    def is_first_process(self) -> bool:
        """Whether this process is the one of a distributed job that saves snapshots."""
        return self.rank == 0 and self.local_rank <= 0


def read(environment: Mapping[str, str] = os.environ) -> Variables:
    """Returns the variables; never fails."""
    assumed: List[str] = []

    def text(name: str, default: str) -> str:
        return environment.get(name) or _assume(assumed, name, default)

    def number(name: str, default: int, least: int) -> int:
        return _number(environment.get(name), least, lambda: _assume(assumed, name, default))

    return Variables(
        job_id=text("JOB_UUID", STANDALONE_ID),
        heartbeat=number("HEARTBEAT_FREQ", 10, 1),
        rank=number("NODE_RANK", 0, 0),
        nodes=text("NODELIST", "localhost"),
        gpus=number("NUM_GPUS", 1, 1),
        node_count=number("NUM_NODES", 1, 1),
        restarted=_restarted(environment, assumed),
        batch_size=number("BATCH_SIZE", 32, 1),
        epochs=number("EPOCHS_TO_BE_DONE", 1, 1),
        epochs_done=number("EPOCHS_DONE", 0, 0),
        training_set_size=number("TRAINING_SET_SIZE", 1024, 0),
        local_rank=_number(environment.get("LOCAL_RANK"), 0, lambda: -1),
        assumed=tuple(assumed),
    )


def _restarted(environment: Mapping[str, str], assumed: List[str]) -> bool:
    """Only the exact text FALSE is false. Outside of the scheduler, where there is no job either,
    nothing can have been started before."""
    given = environment.get("JOB_RESTARTED")
    if given is not None:
        return given != NOT_RESTARTED
    restarted = bool(environment.get("JOB_UUID"))
    assumed.append(f"JOB_RESTARTED={str(restarted).upper()}")
    return restarted


def _number(given: Optional[str], least: int, otherwise: Callable[[], int]) -> int:
    try:
        number = int(given or "")
    except ValueError:
        return otherwise()
    return number if number >= least else otherwise()


def _assume(assumed: List[str], name: str, default: V) -> V:
    assumed.append(f"{name}={default}")
    return default
