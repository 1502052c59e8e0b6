"""One HTTP request in a bounded time."""

import functools
import http.client
import io
import socket
import time
from typing import Any, Optional

SECONDS = 2.0
MOST_BYTES = 4096
FAULTS = (OSError, http.client.HTTPException, ValueError)  # the last: a host that is no host


def exchange(host: str, method: str, path: str, body: Optional[bytes] = None) -> bytes:
    """Returns the first ``MOST_BYTES`` of an answer with a status of success.

    Connecting has ``SECONDS``, and the whole answer as long again, however slowly it arrives. No
    proxy is asked, and no redirection followed. Any thread.

    Raises one of ``FAULTS``; a status that is no success is an OSError.
    """
    connection = http.client.HTTPConnection(host, timeout=SECONDS)
    try:
        connection.connect()
        until = time.monotonic() + SECONDS
        connection.response_class = functools.partial(_response, until)  # type: ignore[assignment]
        headers = {"Connection": "close"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read(MOST_BYTES)
    finally:
        connection.close()
    if not 200 <= response.status < 300:
        raise OSError(f"{host} answers {method} with status {response.status}")
    return content


def _response(until: float, sock: socket.socket, **options: Any) -> http.client.HTTPResponse:
    response = http.client.HTTPResponse(sock, **options)
    response.fp.close()
    response.fp = io.BufferedReader(_BoundedStream(sock, until))
    return response


class _BoundedStream(io.RawIOBase):
    """What a socket receives until a point of the monotonic clock; a TimeoutError afterwards."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._socket = sock
        self._until = until
        self._stream = sock.makefile("rb", buffering=0)  # keeps the socket open until it is read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left)
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()
