"""A scheduler on loopback, as trainings see it: it records what comes, and answers as told."""

import contextlib
import http.server
import io
import json
import os
import socket
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional
from unittest import mock

from remuda.training import _session
from tests import fake

PACKAGE = Path(__file__).resolve().parent.parent
JOB = "0b7a1d7e-5f5c-4d5e-8f0e-2f7d4c1f9a10"
VARIABLES = {
    "JOB_UUID": JOB,
    "HEARTBEAT_FREQ": "3",
    "NODE_RANK": "0",
    "NODELIST": "node-1",
    "NUM_GPUS": "2",
    "NUM_NODES": "1",
    "JOB_RESTARTED": "FALSE",
    "BATCH_SIZE": "16",
    "EPOCHS_TO_BE_DONE": "5",
    "EPOCHS_DONE": "0",
    "TRAINING_SET_SIZE": "1000",
}


class Request(NamedTuple):
    method: str
    path: str
    content_type: Optional[str]
    body: Any


class FakeManager:
    """``answer`` is what has_to_stop gets, 1 once ``stop_after`` epochs are done; ``status`` that
    of all answers. Starts in the constructor; ``close`` and ``open`` make it go and come at the
    same port."""

    def __init__(self) -> None:
        self.requests: List[Request] = []
        self.answer = b"0"
        self.stop_after: Optional[int] = None
        self.status = 200
        self._port = 0
        self.open()

    def open(self) -> None:
        manager = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.take(None)

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                self.take(json.loads(self.rfile.read(length)))

            def take(self, body: Any) -> None:
                given = Request(self.command, self.path, self.headers["Content-Type"], body)
                manager.requests.append(given)
                content = manager.reply() if self.command == "GET" else b""
                self.send_response(manager.status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        self._opened = contextlib.ExitStack()
        self._opened.enter_context(self._server)
        self._opened.enter_context(fake.serving(self._server))

    def close(self) -> None:
        self._opened.close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._port}"

    def reply(self) -> bytes:
        return b"1" if self.stop_after is not None and self.done >= self.stop_after else self.answer

    @property
    def done(self) -> int:
        """The last number of epochs that came."""
        counts = [given.body["done"] for given in self.requests if "/end_epoch/" in given.path]
        return counts[-1] if counts else 0

    def asked(self) -> List[str]:
        """Each request as ``METHOD /subject``, with the number of an end_epoch."""
        return [
            f"{request.method} /{request.path.split('/')[1]}"
            + (f" {request.body['done']}" if "end_epoch" in request.path else "")
            for request in self.requests
        ]

    def profiles(self) -> "List[Dict[str, Any]]":
        return [request.body for request in self.requests if "/profiling/" in request.path]


@contextlib.contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A host that sends these bytes to each who connects, and then only waits."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: List[socket.socket] = []

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    kept.append(connection)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


class TrainingCase(unittest.TestCase):
    """Each test has ``manager``, an environment that names it, and a folder for snapshots."""

    def setUp(self) -> None:
        self.manager = FakeManager()
        self.addCleanup(self.manager.close)
        temporary = tempfile.TemporaryDirectory(prefix="remuda-")
        self.addCleanup(temporary.cleanup)
        self.snapshots = Path(temporary.name)
        self.environ = mock.patch.dict(os.environ, VARIABLES)
        self.environ.start()
        self.addCleanup(self.environ.stop)
        os.environ.pop("LOCAL_RANK", None)
        os.environ["REMUDA_TRAINING_HOST"] = self.manager.host
        os.environ["REMUDA_SNAPSHOTS"] = str(self.snapshots)
        _session.forget()
        self.addCleanup(_session.forget)
        printed = contextlib.redirect_stdout(io.StringIO())
        self.printed = printed.__enter__()
        self.addCleanup(printed.__exit__, None, None, None)

    def restarted(self, epochs_done: int) -> None:
        """As the scheduler starts the job again."""
        os.environ.update(JOB_RESTARTED="TRUE", EPOCHS_DONE=str(epochs_done))
        _session.forget()

    def lines(self) -> List[str]:
        return self.printed.getvalue().splitlines()
