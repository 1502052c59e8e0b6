"""HTTP to one server, for all threads.

Connections are kept and lent to one thread at a time. Most requests may safely be sent twice:
reads, changes to a state, and submissions, which carry a key. Such a request is repeated if it is
lost, or if the server postpones it with Retry-After; another one, as a requeue, is sent once, on a
connection of its own. The client does not wait for a server that it has never reached, unless something there accepts connections and resets them, as a server that
is busy with others does. The token is for the server alone: nothing is sent before the server has
proved to be the one of the access file, redirects are not followed, and proxies of the environment
are not used.
"""

import hmac
import json
import os
import re
import select
import socket
import ssl
import time
from collections import deque
from contextlib import closing
from email.message import Message
from http.client import HTTP_PORT, HTTPS_PORT, HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Callable, Deque, Generator, Mapping, NamedTuple, Optional, Sequence
from urllib.parse import urlencode, urlsplit

from remuda._access import Access
from remuda._bounded import BoundedSocket, connect, left, shares, within
from remuda._errors import RemudaError, ServerUnavailable, refusal
from remuda._events import Event, EventParser

PREFIX = "/api/v1"
CONNECT_SECONDS = 3.0
HANDSHAKE_SECONDS = 30.0  # one that is busy with many others answers late, and is there
READ_SECONDS = 35.0  # the server gives up after 30
SILENCE_SECONDS = 25.0  # it sends a heartbeat every 10
IDLE_SECONDS = 30.0  # it closes a connection after 60
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
MOST_IDLE = 8
MOST_RESETS = 3  # of a server that was never reached
PUT_OFF = (429, 503)
CHUNK_BYTES = 1 << 16

# As the server's own rule has it: what is not named here is not repeated.
REPEATABLE = re.compile(
    r"/jobs/\d+/(cancel|tasks/cancel|tasks/\d+/cancel|hold|release|set|channel)"
    r"|/leases/\d+/release"
    r"|/nodes/[^/]+/(drain|resume|gpus/drain|gpus/resume|gone|remove)"
    r"|/profiles/forget"
    r"|/metrics-token/remove"
    r"|/users/[^/]+/(limits|remove)"
)
WITH_KEY = re.compile(r"/(jobs|leases|jobs/\d+/resubmit)")
OF_MANY = "/jobs/change"
REPEATABLE_OF_MANY = ("cancel", "cancel-now", "hold", "release")


class Answer(NamedTuple):
    """A complete answer of any status."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """One connection; only its borrower may use it, and only in the process that opened it.

    Connecting and the proof end at ``until``, a time of the monotonic clock.
    """

    def __init__(self, access: Access, until: Optional[float] = None) -> None:
        address = urlsplit(access.rest)
        self._socket = BoundedSocket(_proved(access, until), until, READ_SECONDS)
        self._http = HTTPConnection(address.hostname or "", address.port)
        self._http.sock = self._socket  # type: ignore[assignment]
        self._http.auto_open = 0  # it would connect again, without a proof
        self._token = access.token
        self._process = os.getpid()
        self._used = time.monotonic()

    def ask(
        self, method: str, target: str, body: Optional[bytes], until: Optional[float]
    ) -> HTTPResponse:
        """Sends a request and reads the head of its answer, all of which ends at ``until``, as
        does the body, and after ``READ_SECONDS`` without a byte."""
        self.limit(until, READ_SECONDS)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._http.request(method, target, body, headers)
        return self._http.getresponse()

    def limit(self, until: Optional[float], most: float) -> None:
        self._socket.limit(until, most)

    def is_usable(self) -> bool:
        """Returns whether it may be lent again; with unexpected bytes the server has closed it."""
        return (
            self._process == os.getpid()
            and time.monotonic() - self._used < IDLE_SECONDS
            and not self._has_bytes()
        )

    def _has_bytes(self) -> bool:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))

    def is_kept_open(self) -> bool:
        """Returns whether the server keeps it open after an answer."""
        self._used = time.monotonic()
        return self._http.sock is not None

    def close(self) -> None:
        self._http.close()
        self._socket.close()


class NotThisServer(OSError):
    """Another program listens there, not the server of the access file; nothing was sent to it."""


def _proved(access: Access, until: Optional[float]) -> socket.socket:
    """Returns a connection to the server of the access file; nothing was sent over it yet.

    The server has shown exactly a pinned certificate and, as TLS 1.3 requires, has proved that it
    holds its key. Names, dates and signatures are not checked, because they prove nothing more.
    """
    address = urlsplit(access.rest)
    host = address.hostname or ""
    port = address.port or (HTTP_PORT if access.pin is None else HTTPS_PORT)
    connected = connect(host, port, within(until, CONNECT_SECONDS))
    if access.pin is None:  # as the server's owner has chosen
        return connected
    try:
        return _handshake(connected, host, (access.pin, *access.trusted), until)
    except BaseException:  # also Ctrl-C
        connected.close()
        raise


def _handshake(
    connected: socket.socket, host: str, pins: Sequence[str], until: Optional[float]
) -> ssl.SSLSocket:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the certificate is compared below
    connected.settimeout(left(until, HANDSHAKE_SECONDS))
    try:
        proved = context.wrap_socket(connected, server_hostname=host)
        shown = proved.getpeercert(binary_form=True)
    except ssl.SSLError as fault:
        raise NotThisServer(f"it did not prove to be this server: {fault.reason}") from fault
    if not any(hmac.compare_digest(shown or b"", ssl.PEM_cert_to_DER_cert(pin)) for pin in pins):
        proved.close()
        raise NotThisServer("it did not prove to be this server: it shows another certificate")
    return proved


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

        ``deadline`` is a time of the monotonic clock at which it ends: connecting, the proof, the
        answer and all repetitions, at all coordinators, share what is left until then. Without one
        a server that is away has to be reached again within the patience. Raises the exception of
        ``refusal`` for other answers, ServerUnavailable if there is none.
        """
        target = _target(path, query)
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8")
        again = _may_be_repeated(method, path, body)
        give_up: Optional[float] = None
        resets = 0
        pause = FIRST_PAUSE_SECONDS
        while True:
            reached_by = deadline if give_up is None else give_up
            try:
                answer = self._once(method, target, data, reached_by, deadline, again)
                if answer.status < 400:
                    return answer
                fault: Exception = refusal(answer.status, answer.body)
                wait = _put_off(answer)
                if wait is None:
                    raise fault
            except NotRepeated:
                raise
            except RemudaError:  # of the access file; one of them is an OSError, too
                raise
            except (OSError, HTTPException) as lost:
                fault = self._unavailable(lost)
                wait = pause
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                resets += isinstance(lost, ConnectionResetError)
                is_busy = isinstance(lost, ConnectionResetError) and resets < MOST_RESETS
                if not self._reached and not is_busy:
                    raise fault from lost
            if give_up is None:
                give_up = within(deadline, self._patience)
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
            with closing(self._lent(deadline)) as line:
                response = line.ask("GET", _target(path, {"after": after or None}), None, deadline)
                line.limit(deadline, SILENCE_SECONDS)
                parser = EventParser()
                chunk = response.read1(CHUNK_BYTES) if response.status == 200 else b""
                while chunk:
                    yield from parser.feed(chunk)
                    chunk = response.read1(CHUNK_BYTES)
        except RemudaError:
            raise
        except (OSError, HTTPException):
            return

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def _once(
        self,
        method: str,
        target: str,
        body: Optional[bytes],
        reached_by: Optional[float],
        until: Optional[float],
        again: bool,
    ) -> Answer:
        line = self._lent(reached_by) if again else self._connected(reached_by)
        self._reached = True
        try:
            response = line.ask(method, target, body, until)
            answer = Answer(response.status, response.headers, response.read())
        except BaseException as lost:  # also Ctrl-C leaves half an answer on it
            line.close()
            if not again and isinstance(lost, (OSError, HTTPException)):
                raise NotRepeated(
                    f"the server at {self._access().rest} got the request and did not answer"
                    f" ({lost}): look whether it was done before you send it again"
                ) from lost
            raise
        if line.is_kept_open() and len(self._idle) < MOST_IDLE:
            self._idle.append(line)
        else:
            line.close()
        return answer

    def _lent(self, until: Optional[float]) -> Line:
        while True:
            try:
                line = self._idle.pop()
            except IndexError:
                break
            if line.is_usable():
                return line
            line.close()
        line = self._connected(until)
        self._reached = True
        return line

    def _connected(self, until: Optional[float]) -> Line:
        """Connects to the first coordinator that answers; a cluster has several, which share the
        time."""
        first: Optional[Exception] = None
        end = within(until, HANDSHAKE_SECONDS)
        for access, share in shares(list(self._access().everywhere()), end):
            try:
                return Line(access, share)
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


class NotRepeated(ServerUnavailable):
    """A request that may have been done, and twice might do harm."""


def _may_be_repeated(method: str, path: str, body: Optional[object]) -> bool:
    path = path.split("?", 1)[0]
    if method == "GET" or REPEATABLE.fullmatch(path):
        return True
    if not isinstance(body, Mapping):
        return False
    if path == OF_MANY:
        return body.get("action") in REPEATABLE_OF_MANY
    if not WITH_KEY.fullmatch(path):
        return False
    jobs = body.get("jobs", [body])
    return all(isinstance(job, Mapping) and bool(job.get("clientKey")) for job in jobs)


def _target(path: str, query: Optional[Mapping[str, object]]) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    return PREFIX + path + ("?" + urlencode(given) if given else "")


def _put_off(answer: Answer) -> Optional[float]:
    """Returns the seconds of the server's Retry-After; None if it does not postpone."""
    header = answer.headers.get("Retry-After", "")
    return float(header) if answer.status in PUT_OFF and header.isdigit() else None
