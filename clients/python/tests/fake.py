"""A server that does what a real one does only when it is lucky: it follows a script of answers."""

import contextlib
import json
import os
import tempfile
import threading
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            with in_clear_text():
                yield access(folder, f"http://127.0.0.1:{http.server_port}"), asked
        finally:
            http.shutdown()
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
