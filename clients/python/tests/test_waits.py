"""Every wait ends when its caller wants it to, whatever the other side does."""

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Callable, Iterator, List, Optional
from unittest import mock

import remuda
from remuda import _bounded, _leases
from remuda._jobs import parse
from remuda._leases import Lease
from remuda._outcome import Outcome
from remuda.command import server
from remuda.command.signals import Signals
from remuda.training import _exchange
from tests import fake

ALLOWED = 0.2
LONG = 12.0  # far more than is allowed, and far less than what nothing would end

Talk = Callable[[socket.socket], None]


def say_nothing(connection: socket.socket) -> None:
    """As a server that stands still: the kernel accepts for it."""


def half_a_head(connection: socket.socket) -> None:
    connection.recv(1 << 16)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-")


def drop_by_drop(first: bytes) -> Talk:
    """Answers so slowly that no single wait is long."""

    def talk(connection: socket.socket) -> None:
        connection.recv(1 << 16)
        trickle(connection, first)

    return talk


def trickle(connection: socket.socket, first: bytes) -> None:
    with contextlib.suppress(OSError):  # the client has had enough
        connection.sendall(first)
        while True:
            connection.sendall(b"x")
            time.sleep(0.02)


@contextlib.contextmanager
def listening(talk: Talk) -> Iterator[int]:
    """Yields the port of a program that talks so on each connection, and keeps it open."""
    kept: List[socket.socket] = []
    threads: List[threading.Thread] = []

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                kept.append(listener.accept()[0])
                threads.append(threading.Thread(target=talk, args=(kept[-1],)))
                threads[-1].start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threads.append(threading.Thread(target=accept))
        threads[0].start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            threads[0].join()
            for connection in kept:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()
            for connection in kept:
                connection.close()


@contextlib.contextmanager
def full() -> Iterator[int]:
    """Yields a port to which a connection is not completed: its queue is full."""
    with contextlib.ExitStack() as opened:
        listener = opened.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(16):
            waiting = opened.enter_context(socket.socket())
            waiting.settimeout(0.5)
            try:
                waiting.connect(listener.getsockname())
            except socket.timeout:
                yield listener.getsockname()[1]
                return
        raise unittest.SkipTest("this kernel completes connections to a full queue")


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        quiet = fake.in_clear_text()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    def secure(self, port: int, *others: int) -> Path:
        """A state folder whose server has to prove itself there, or at other coordinators."""
        rest, *more = (f"https://127.0.0.1:{each}" for each in (port, *others))
        home = fake.access(self.folder, rest)
        fields = {"rest": rest, "token": "secret", "pin": fake.CERTIFICATE, "others": more}
        (home / "access.json").write_text(json.dumps(fields))
        return home

    def insecure(self, port: int) -> Path:
        return fake.access(self.folder, f"http://127.0.0.1:{port}")

    def gives_up(self, home: Path) -> None:
        begin = time.monotonic()
        with remuda.Client(home) as client, self.assertRaises(remuda.ServerUnavailable):
            client.wait(1, timeout=ALLOWED)
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_handshake_that_is_not_answered_costs_no_more_than_the_timeout(self) -> None:
        with listening(say_nothing) as port:
            self.gives_up(self.secure(port))

    def test_several_coordinators_that_stand_still_share_one_timeout(self) -> None:
        with listening(say_nothing) as port:
            self.gives_up(self.secure(port, port, port, port))

    def test_connections_that_are_not_completed_share_one_timeout(self) -> None:
        with full() as port:
            self.gives_up(self.secure(port, *[port] * 6))

    def test_a_name_that_is_looked_up_for_long_costs_no_more_than_the_timeout(self) -> None:
        found = threading.Event()
        self.addCleanup(found.set)
        real = socket.getaddrinfo

        def look(host: str, *more: int, **words: int) -> object:
            if "flags" not in words:
                found.wait()
            return real(host, *more, **words)

        home = fake.access(self.folder, "http://far.invalid:1")
        with mock.patch("socket.getaddrinfo", look):
            self.gives_up(home)

    def test_half_a_head_costs_no_more_than_the_timeout(self) -> None:
        with listening(half_a_head) as port:
            self.gives_up(self.insecure(port))

    def test_an_answer_that_comes_drop_by_drop_costs_no_more_than_the_timeout(self) -> None:
        body = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        for first in (b"HTTP/1.1 200 OK\r\nSlow: ", body):
            with self.subTest(first), listening(drop_by_drop(first)) as port:
                self.gives_up(self.insecure(port))

    def test_events_that_come_drop_by_drop_cost_no_more_than_the_timeout(self) -> None:
        def talk(connection: socket.socket) -> None:
            if b"/events" in connection.recv(1 << 16):
                trickle(connection, b"HTTP/1.1 200 OK\r\n\r\ndata:")
            else:
                fake.raw_job(connection)

        begin = time.monotonic()
        with listening(talk) as port, remuda.Client(self.insecure(port)) as client:
            with self.assertRaises((remuda.Timeout, remuda.ServerUnavailable)):
                client.wait(1, timeout=ALLOWED)
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_request_that_is_not_read_costs_no_more_than_the_timeout(self) -> None:
        with listening(say_nothing) as port:
            transport = remuda.Client(self.insecure(port))._transport
            begin = time.monotonic()
            with self.assertRaises(remuda.ServerUnavailable):
                until = begin + ALLOWED
                transport.request("POST", "/jobs", body={"x": "x" * (32 << 20)}, deadline=until)
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_server_that_goes_and_stands_still_is_tried_for_no_longer_than_the_patience(
        self,
    ) -> None:
        """Each handshake could take much longer."""
        with listening(say_nothing) as port:
            client = remuda.Client(self.secure(port), patience=ALLOWED)
            client._transport._reached = True
            with mock.patch.object(client._transport, "_once", _lost_once(client)):
                begin = time.monotonic()
                with self.assertRaises(remuda.ServerUnavailable):
                    client.nodes()
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_server_that_stands_still_is_none_that_answers(self) -> None:
        with listening(say_nothing) as port, mock.patch.object(server, "ANSWER_SECONDS", ALLOWED):
            begin = time.monotonic()
            self.assertIsNone(server.answering(self.secure(port, port)))
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_start_gives_up_a_server_that_stands_still_once_it_has_answered(self) -> None:
        program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        self.addCleanup(program.communicate, b"\n")
        with listening(say_nothing) as port, Signals() as signals:
            client = remuda.Client(self.insecure(port))
            client._transport._reached = True
            begin = time.monotonic()
            with mock.patch.object(server, "READY_SECONDS", ALLOWED):
                with self.assertRaisesRegex(server.NoServer, "does not become a node"):
                    server._await_node(client, program, signals)
        self.assertLess(time.monotonic() - begin, LONG)

    def test_a_lease_that_is_given_back_is_not_asked_for_without_a_pause(self) -> None:
        running = fake.whole(200, {"id": 1, "state": "running", "attempt": 1})
        with fake.server(*[running] * 10_000) as (home, asked), remuda.Client(home) as client:
            with mock.patch.object(_leases, "RELEASE_SECONDS", 2.0):
                with self.assertRaises(remuda.RemudaError):
                    lease = Lease(1, (), None, False)
                    _leases.release(client._transport, lease, Outcome())
        self.assertTrue(1 <= len(asked) <= 21, len(asked))

    def test_a_server_that_stops_answering_leaves_the_last_known_state(self) -> None:
        runs = parse(remuda.Job, fake.JOB)
        looks = mock.Mock(side_effect=[runs, remuda.ServerUnavailable("it stands still")])
        client = remuda.Client(self.insecure(1))
        with mock.patch("remuda._client.read_job", looks), mock.patch.object(
            client, "_listen", lambda *_: time.sleep(ALLOWED)
        ):
            with self.assertRaisesRegex(remuda.Timeout, "is running after 0.2 s") as raised:
                client.wait(1, timeout=ALLOWED)
        self.assertEqual(raised.exception.job, runs)


def _lost_once(client: remuda.Client) -> Callable[..., object]:
    """The first try of a request loses its connection; the others are as ever."""
    real = client._transport._once
    tries: List[int] = []

    def once(*arguments: object) -> object:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionResetError("lost")
        return real(*arguments)  # type: ignore[arg-type]

    return once


class SharesTest(unittest.TestCase):
    """Time that several have together."""

    now = 100.0

    def shares(self, count: int, until: Optional[float], each_takes: float) -> List[Optional[float]]:
        found: List[Optional[float]] = []
        with mock.patch("remuda._bounded.time.monotonic", lambda: self.now):
            for _, share in _bounded.shares(range(count), until):
                found.append(share)
                self.now += each_takes
        return found

    def test_one_that_stands_still_leaves_the_others_equal_parts(self) -> None:
        self.assertEqual(self.shares(3, 106.0, 2.0), [102.0, 104.0, 106.0])

    def test_what_one_does_not_need_the_others_have(self) -> None:
        self.assertEqual(self.shares(2, 106.0, 0.0), [103.0, 106.0])

    def test_without_an_end_nobody_has_one(self) -> None:
        self.assertEqual(self.shares(2, None, 1.0), [None, None])


class TrainingTest(unittest.TestCase):
    def test_a_scheduler_whose_name_is_looked_up_for_long_delays_a_training_a_little(self) -> None:
        found = threading.Event()
        self.addCleanup(found.set)

        def look(host: str, *more: int, **words: int) -> object:
            if "flags" in words:
                raise socket.gaierror("a name")
            found.wait()
            return []

        begin = time.monotonic()
        with mock.patch("socket.getaddrinfo", look), mock.patch.object(_exchange, "SECONDS", 0.1):
            with self.assertRaises(OSError):
                _exchange.exchange("far.invalid", "GET", "/has_to_stop/x")
        self.assertLess(time.monotonic() - begin, LONG)


if __name__ == "__main__":
    unittest.main()
