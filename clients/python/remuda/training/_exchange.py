"""One HTTP request in a bounded time."""

import http.client
import time
from typing import Optional

from remuda._bounded import BoundedSocket, connect

SECONDS = 2.0
MOST_BYTES = 4096
FAULTS = (OSError, http.client.HTTPException, ValueError)  # the last: a host that is not a host


def exchange(host: str, method: str, path: str, body: Optional[bytes] = None) -> bytes:
    """Returns the first ``MOST_BYTES`` of an answer with a status of success.

    Connecting has ``SECONDS``, and the whole answer as long again, however slowly it arrives. No
    proxy is asked, and no redirection followed. Any thread.

    Raises one of ``FAULTS``; a status that is no success is an OSError.
    """
    connection = http.client.HTTPConnection(host)
    connected = connect(connection.host, connection.port, time.monotonic() + SECONDS)
    bounded = BoundedSocket(connected, time.monotonic() + SECONDS, SECONDS)
    connection.sock = bounded  # type: ignore[assignment]
    try:
        headers = {"Connection": "close"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read(MOST_BYTES)
    finally:
        connection.close()
        bounded.close()
    if not 200 <= response.status < 300:
        raise OSError(f"{host} answers {method} with status {response.status}")
    return content
