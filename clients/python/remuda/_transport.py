"""HTTP to one server, for all threads.

Connections are kept and lent to one thread at a time. Every request may safely be sent twice:
reads, changes to a state, and submissions, which carry a key. So a request is repeated if it is
lost, or if the server postpones it with Retry-After; but the client does not wait for a server that
it has never reached. The token is for the server alone: nothing is sent before the server has
proved to be the one of the access file, redirects are not followed, and proxies of the environment
are not used.
"""

import hmac
import json
import os
import select
import socket
import ssl
import time
from collections import deque
from contextlib import closing
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Callable, Deque, Generator, Mapping, NamedTuple, Optional, Sequence
from urllib.parse import urlencode, urlsplit

from remuda._access import Access
from remuda._errors import RemudaError, ServerUnavailable, refusal
from remuda._events import Event, EventParser

PREFIX = "/api/v1"
CONNECT_SECONDS = 3.0
HANDSHAKE_SECONDS = 15.0  # one that is busy with many others answers late, and is there
READ_SECONDS = 35.0  # the server gives up after 30
SILENCE_SECONDS = 25.0  # it sends a heartbeat every 10
IDLE_SECONDS = 30.0  # it closes a connection after 60
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
MOST_IDLE = 8
PUT_OFF = (429, 503)
CHUNK_BYTES = 1 << 16


class Answer(NamedTuple):
    """A complete answer of any status."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """One connection; only its borrower may use it, and only in the process that opened it."""

    def __init__(self, access: Access) -> None:
        self._http = _proved(access)
        self._token = access.token
        self._process = os.getpid()
        self._used = time.monotonic()

    def ask(self, method: str, target: str, body: Optional[bytes], seconds: float) -> HTTPResponse:
        """Sends a request and reads the head of its answer; waits ``seconds`` for each part."""
        self.wait_at_most(seconds)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._http.request(method, target, body, headers)
        return self._http.getresponse()

    def wait_at_most(self, seconds: float) -> None:
        self._socket().settimeout(max(seconds, 0.001))

    def is_usable(self) -> bool:
        """Returns whether it may be lent again; with unexpected bytes the server has closed it."""
        return (
            self._process == os.getpid()
            and time.monotonic() - self._used < IDLE_SECONDS
            and not self._has_bytes()
        )

    def _has_bytes(self) -> bool:
        poll = select.poll()
        poll.register(self._socket(), select.POLLIN)
        return bool(poll.poll(0))

    def is_kept_open(self) -> bool:
        """Returns whether the server keeps it open after an answer."""
        self._used = time.monotonic()
        return self._http.sock is not None

    def close(self) -> None:
        self._http.close()

    def _socket(self) -> socket.socket:
        if self._http.sock is None:
            raise ConnectionResetError("the server has closed the connection")
        return self._http.sock


class NotThisServer(OSError):
    """Another program listens there, not the server of the access file; nothing was sent to it."""


def _proved(access: Access) -> HTTPConnection:
    """Returns a connection to the server of the access file; nothing was sent over it yet.

    The server has shown exactly a pinned certificate and, as TLS 1.3 requires, has proved that it
    holds its key. Names, dates and signatures are not checked, because they prove nothing more.
    """
    address = urlsplit(access.rest)
    host = address.hostname or ""
    if access.pin is None:  # as the server's owner has chosen
        http = HTTPConnection(host, address.port, timeout=CONNECT_SECONDS)
        http.connect()
    else:
        http = _handshake(host, address.port, (access.pin, *access.trusted))
    http.auto_open = 0  # it would connect again, without a proof
    return http


def _handshake(host: str, port: Optional[int], pins: Sequence[str]) -> HTTPConnection:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the certificate is compared below
    http = HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=context)
    try:
        HTTPConnection.connect(http)
        http.sock.settimeout(HANDSHAKE_SECONDS)
        http.sock = context.wrap_socket(http.sock, server_hostname=host)
        shown = http.sock.getpeercert(binary_form=True)
    except ssl.SSLError as fault:
        http.close()
        raise NotThisServer(f"it did not prove to be this server: {fault.reason}") from fault
    if not any(hmac.compare_digest(shown or b"", ssl.PEM_cert_to_DER_cert(pin)) for pin in pins):
        http.close()
        raise NotThisServer("it did not prove to be this server: it shows another certificate")
    return http


class Transport:
    """Talks to the server that ``access`` names; it is read anew for each connection.

    For ``patience`` seconds requests to a server that is away, or postpones them, are repeated.
    """

    def __init__(self, access: Callable[[], Access], patience: float) -> None:
        self._access = access
        self._patience = patience
        self._idle: Deque[Line] = deque()
        self._reached = False
        access()  # reports a wrong file at once

    def request(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[object] = None,
        deadline: Optional[float] = None,
    ) -> Answer:
        """Returns the answer of a success; values of the query that are None are left out.

        ``deadline`` is a time of the monotonic clock after which nothing is repeated. Raises the
        exception of ``refusal`` for other answers, ServerUnavailable if there is none.
        """
        target = _target(path, query)
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8")
        give_up: Optional[float] = None
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                answer = self._once(method, target, data, _remaining(deadline, READ_SECONDS))
                if answer.status < 400:
                    return answer
                fault: Exception = refusal(answer.status, answer.body)
                wait = _put_off(answer)
                if wait is None:
                    raise fault
            except RemudaError:  # of the access file; one of them is an OSError, too
                raise
            except (OSError, HTTPException) as lost:
                fault = self._unavailable(lost)
                wait = pause
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                if not self._reached:
                    raise fault from lost
            give_up = give_up or min(deadline or float("inf"), time.monotonic() + self._patience)
            if time.monotonic() + wait > give_up:
                raise fault
            time.sleep(wait)

    def events(
        self, path: str, after: str, deadline: Optional[float] = None
    ) -> Generator[Event, None, None]:
        """Yields events from a separate connection, heartbeats included.

        Ends without an exception when the connection is lost, or at the deadline: the caller has to
        read the current state.
        """
        try:
            with closing(self._lent()) as line:
                seconds = _remaining(deadline, READ_SECONDS)
                response = line.ask("GET", _target(path, {"after": after or None}), None, seconds)
                parser = EventParser()
                chunk = response.read1(CHUNK_BYTES) if response.status == 200 else b""
                while chunk:
                    yield from parser.feed(chunk)
                    line.wait_at_most(_remaining(deadline, SILENCE_SECONDS))
                    chunk = response.read1(CHUNK_BYTES)
        except RemudaError:
            raise
        except (OSError, HTTPException):
            return

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def _once(self, method: str, target: str, body: Optional[bytes], seconds: float) -> Answer:
        line = self._lent()
        try:
            response = line.ask(method, target, body, seconds)
            answer = Answer(response.status, response.headers, response.read())
        except BaseException:  # also Ctrl-C leaves half an answer on it
            line.close()
            raise
        if line.is_kept_open() and len(self._idle) < MOST_IDLE:
            self._idle.append(line)
        else:
            line.close()
        return answer

    def _lent(self) -> Line:
        while True:
            try:
                line = self._idle.pop()
            except IndexError:
                break
            if line.is_usable():
                return line
            line.close()
        line = self._connected()
        self._reached = True
        return line

    def _connected(self) -> Line:
        """Connects to the first coordinator that answers; a cluster has several."""
        first: Optional[Exception] = None
        for access in self._access().everywhere():
            try:
                return Line(access)
            except (OSError, HTTPException) as away:
                first = first or away
        assert first is not None
        raise first

    def _unavailable(self, fault: Exception) -> ServerUnavailable:
        if isinstance(fault, NotThisServer):
            access = self._access()
            renewed = (
                ", or, if the key of the cluster was renewed, get a new access file (remuda user renew)"
                if access.others
                else ""
            )
            return ServerUnavailable(
                f"what listens at {access.rest} is not this server, and was told nothing"
                f" ({fault}): start the server with remuda serve or glb-start{renewed}"
            )
        why = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        return ServerUnavailable(
            f"no server answers at {self._access().rest} ({why}): start one with remuda serve or glb-start"
        )


def _target(path: str, query: Optional[Mapping[str, object]]) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    return PREFIX + path + ("?" + urlencode(given) if given else "")


def _remaining(deadline: Optional[float], most: float) -> float:
    return most if deadline is None else min(most, deadline - time.monotonic())


def _put_off(answer: Answer) -> Optional[float]:
    """Returns the seconds of the server's Retry-After; None if it does not postpone."""
    header = answer.headers.get("Retry-After", "")
    return float(header) if answer.status in PUT_OFF and header.isdigit() else None
