"""Connections on which no wait lasts longer than its caller allows.

A time ``until`` is one of the monotonic clock, None for no end. Looking a name up, connecting,
sending, and reading each part of an answer all end then, with ``socket.timeout``.
"""

import io
import socket
import threading
import time
from typing import Any, Iterator, List, Optional, Sequence, Tuple, TypeVar

T = TypeVar("T")


def left(until: Optional[float], most: float) -> float:
    """Returns how many seconds a wait may last, at most ``most``. Raises socket.timeout if none."""
    seconds = most if until is None else min(most, until - time.monotonic())
    if seconds <= 0:
        raise socket.timeout("timed out")
    return seconds


def within(until: Optional[float], seconds: float) -> float:
    """Returns the earlier of a time and the one after so many seconds."""
    end = time.monotonic() + seconds
    return end if until is None else min(until, end)


def shares(things: Sequence[T], until: Optional[float]) -> Iterator[Tuple[T, Optional[float]]]:
    """Yields each with the end of its share: of the time that is left an equal part each, so that
    one that stands still leaves some for those after it."""
    for number, thing in enumerate(things):
        if until is None:
            yield thing, None
        else:
            now = time.monotonic()
            yield thing, now + (until - now) / (len(things) - number)


def connect(host: str, port: int, until: float) -> socket.socket:
    """Connects to the first address of a host that accepts. Raises OSError; ValueError if the host
    can be none."""
    away: Optional[OSError] = None
    for (family, kind, protocol, _, address), share in shares(_addresses(host, port, until), until):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(left(share, until - time.monotonic()))
            connection.connect(address)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except OSError as fault:
            connection.close()
            away = away or fault
        except BaseException:  # mostly Ctrl-C
            connection.close()
            raise
    raise away or OSError(f"{host} has no address")


def _addresses(host: str, port: int, until: float) -> Sequence[Tuple[Any, ...]]:
    """Looks a name up in a thread of its own: the resolver knows no end."""
    try:
        numeric = socket.AI_NUMERICHOST
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=numeric)
    except socket.gaierror:
        pass  # it is a name
    found: List[Any] = []

    def look() -> None:
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as fault:
            found.append(fault)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(max(0.0, until - time.monotonic()))
    if not found:
        raise socket.timeout(f"the address of {host} was not found in time")
    if isinstance(found[0], Exception):
        raise found[0]
    addresses: Sequence[Tuple[Any, ...]] = found[0]
    return addresses


class BoundedSocket:
    """What an HTTPConnection needs of a socket. Each wait ends after ``most`` seconds without a
    byte, and all end at ``until``."""

    def __init__(self, connected: socket.socket, until: Optional[float], most: float) -> None:
        self.connected = connected
        self.limit(until, most)

    def limit(self, until: Optional[float], most: float) -> None:
        self._until = until
        self._most = most

    def begin_wait(self) -> None:
        self.connected.settimeout(left(self._until, self._most))

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self.begin_wait()
            rest = rest[self.connected.send(rest) :]

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(_Stream(self))

    def fileno(self) -> int:
        return self.connected.fileno()

    def close(self) -> None:
        """A stream of it may be read to its end."""
        self.connected.close()


class _Stream(io.RawIOBase):
    """What a bounded socket receives."""

    def __init__(self, bounded: BoundedSocket) -> None:
        self._bounded = bounded
        self._stream = bounded.connected.makefile("rb", buffering=0)  # keeps the socket open

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._bounded.begin_wait()
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()
