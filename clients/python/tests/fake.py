"""A server that does what a real one does only when it is lucky: it follows a script of answers."""

import contextlib
import json
import os
import socket
import tempfile
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

Answer = Callable[[BaseHTTPRequestHandler], None]

JOB: Dict[str, Any] = {
    "id": 1,
    "uuid": "u",
    "name": "n",
    "user": "me",
    "state": "running",
    "reason": None,
    "exitCode": None,
    "submittedAt": "2026-01-02T03:04:05.678Z",
    "startedAt": "2026-01-02T03:04:06Z",
    "endedAt": None,
    "tasks": 1,
}

CERTIFICATE = """-----BEGIN CERTIFICATE-----
MIIBJjCBzqADAgECAhAAm/AgkgoWFdGgRUQ+Rxj4MAoGCCqGSM49BAMCMBYxFDAS
BgNVBAMMC3JlbXVkYSByb290MB4XDTI2MTEyMTA0Mzg0OVoXDTM2MTExOTA0Mzg0
OVowFjEUMBIGA1UEAwwLcmVtdWRhIHJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAATKAo9rUa05PMeQyp8aNcKUKPE46pNs02AWGW719oDqq+GwtC5w0iykRAaC
5CgOYzAdyiXuD8ASUN0uUQwE8ONJMAoGCCqGSM49BAMCA0cAMEQCIEYf3au18f8R
J1t8Cjm6XlzbKHSdONv8A/UEG7DToCMUAiB/dru8PTpffQ/aX76SBM9mmGyN1TxY
eq9eIlgcyNFe1g==
-----END CERTIFICATE-----
"""

IN_CLEAR_TEXT = "the server was started with --insecure"
os.environ["PYTHONWARNINGS"] = "ignore:" + IN_CLEAR_TEXT  # for programs that tests start


def job(**fields: Any) -> Answer:
    return whole(200, {**JOB, **fields})


def whole(status: int, body: Any, **headers: str) -> Answer:
    def write(handler: BaseHTTPRequestHandler) -> None:
        data = json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return write


def raw_job(connection: socket.socket) -> None:
    """Answers one request with a job that runs, and no more."""
    data = json.dumps(JOB).encode()
    head = f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(data)}\r\n\r\n"
    connection.sendall(head.encode() + data)


def nothing(handler: BaseHTTPRequestHandler) -> None:
    """Closes without an answer, as a server that was killed."""
    handler.close_connection = True


def truncated(handler: BaseHTTPRequestHandler) -> None:
    """Closes in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": 1,')
    handler.close_connection = True


def events(text: str) -> Answer:
    """Tells events and closes."""

    def write(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(text.encode())
        handler.close_connection = True

    return write


@contextlib.contextmanager
def server(*script: Answer) -> Iterator[Tuple[Path, List[Tuple[str, Any]]]]:
    """Gives each request the next answer, then nothing.

    Yields a folder with an access file, and the requests that came: targets and bodies.
    """
    asked: List[Tuple[str, Any]] = []
    answers = iter(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.append((self.path, json.loads(body or b"null")))
            next(answers, nothing)(self)

        do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: tests look at what was asked."""

    with ThreadingHTTPServer(
        ("127.0.0.1", 0), Handler
    ) as http, tempfile.TemporaryDirectory() as folder:
        with serving(http), in_clear_text():
            yield access(folder, f"http://127.0.0.1:{http.server_port}"), asked


@contextlib.contextmanager
def serving(http: HTTPServer) -> Iterator[None]:
    """Serves while the block runs, in a thread that sleeps until somebody connects:
    ``serve_forever`` would look up a hundred times a second."""

    def serve() -> None:
        with contextlib.suppress(OSError):  # it is shut down
            while True:
                request, address = http.get_request()
                http.process_request(request, address)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        http.socket.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextlib.contextmanager
def in_clear_text() -> Iterator[None]:
    """Without the warning of it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", IN_CLEAR_TEXT)
        yield


def access(folder: str, rest: str) -> Path:
    """Writes an access file and gives its folder."""
    file = Path(folder, "access.json")
    file.touch(0o600)
    file.write_text(json.dumps({"rest": rest, "token": "secret", "insecure": True}))
    return Path(folder)
