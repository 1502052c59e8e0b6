"""Parses server-sent events from their bytes."""

from typing import Iterator, List, NamedTuple


class Event(NamedTuple):
    """``type`` is empty in a heartbeat, ``id`` in an event without one."""

    type: str
    id: str
    data: str


class EventParser:
    """Holds the beginning of the next event. One thread."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yields the events that are complete with these bytes."""
        *blocks, self._rest = (self._rest + chunk).split(b"\n\n")
        for block in blocks:
            yield _event(block.decode("utf-8").split("\n"))


def _event(lines: List[str]) -> Event:
    fields = dict(line.partition(":")[::2] for line in lines)
    return Event(*(fields.get(name, "").strip() for name in ("event", "id", "data")))
