"""The output of a task, read once or followed.

The API's stream of output has all tasks and both streams of a job, from the beginning. So to follow
one stream of one task, its bytes after an offset are requested: no byte is sent in vain or twice,
however often the connection is lost.
"""

import time
import warnings
from typing import Iterator, NamedTuple, Optional

from remuda._errors import NotFound, ServerUnavailable
from remuda._jobs import Task
from remuda._reads import read_job, read_numbered, read_tasks
from remuda._transport import Transport

FIRST_PAUSE_SECONDS = 0.02
LONGEST_PAUSE_SECONDS = 0.5
NODE_AWAY = 502


class OutputDropped(UserWarning):
    """A part of the output is no longer kept: bytes before the next piece are missing."""


class _Part(NamedTuple):
    data: bytes
    end: int


class Log:
    """One stream, ``out`` or ``err``, of one task. Its ``job`` may be the number of that task."""

    def __init__(self, transport: Transport, job: int, task: int, stream: str) -> None:
        self._transport = transport
        self._job = job
        self._index = task
        self._stream = stream

    def read(self, attempt: Optional[int]) -> Iterator[bytes]:
        """Yields the present output of an attempt, of the newest if None."""
        task = self._task()
        newest = 0 if task is None else task.attempt
        for part in self._parts(attempt or newest, 0):
            yield part.data

    def followed(self, wanted: Optional[int]) -> Iterator[bytes]:
        """Yields the output until an attempt ends; if None, until the task ends."""
        attempt, offset, pause = wanted or 1, 0, FIRST_PAUSE_SECONDS
        while True:
            task = self._task()
            passed = task is not None and task.attempt > attempt
            ended = wanted is not None if passed else self._is_over(task)
            before = offset
            try:
                for part in self._parts(attempt, offset):
                    offset = part.end
                    yield part.data
            except (NotFound, ServerUnavailable) as fault:
                if ended or not _may_come(fault):
                    raise
            if ended:
                return
            if passed:
                attempt, offset = attempt + 1, 0
            elif offset == before:
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                pause = FIRST_PAUSE_SECONDS

    def _is_over(self, task: Optional[Task]) -> bool:
        """Returns whether a task has ended; one that was never placed ends with its job."""
        return read_job(self._transport, self._job).over if task is None else task.over

    def _task(self) -> Optional[Task]:
        try:
            found = read_tasks(self._transport, self._job, self._index, 1)
        except NotFound as missing:
            if self._index != 0:
                raise
            its = read_numbered(self._transport, self._job, missing)
            self._job, self._index = its.job, its.index
            found = read_tasks(self._transport, self._job, self._index, 1)
        return found[0] if found and found[0].index == self._index else None

    def _parts(self, attempt: int, offset: int) -> Iterator[_Part]:
        size = offset + 1
        while offset < size:
            query = {
                "task": self._index,
                "attempt": attempt,
                "stream": self._stream,
                "offset": offset,
            }
            answer = self._transport.request("GET", f"/jobs/{self._job}/logs", query)
            self._warn(int(answer.headers["Remuda-Dropped"]))
            offset = int(answer.headers["Remuda-Offset"]) + len(answer.body)
            size = int(answer.headers["Remuda-Size"])
            if answer.body:
                yield _Part(answer.body, offset)

    def _warn(self, dropped: int) -> None:
        if dropped:
            where = f"{self._job}.{self._index}'s std{self._stream}"
            text = f"{dropped} bytes of {where} are not kept: more was printed than that"
            warnings.warn(text, OutputDropped, stacklevel=2)


def _may_come(fault: Exception) -> bool:
    """Whether an attempt is just starting, or its node is away for a while."""
    return isinstance(fault, NotFound) or getattr(fault, "status", None) == NODE_AWAY
