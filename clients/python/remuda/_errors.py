"""The exceptions; the package's docstring draws them as a tree."""

import json
from typing import TYPE_CHECKING, Any, Optional, Tuple

if TYPE_CHECKING:
    from remuda._jobs import Job


class RemudaError(Exception):
    """A server, or the connection to it, does not carry out a call."""


class ServerUnavailable(RemudaError, ConnectionError):
    """No server answered, or it cannot carry out the request at the moment.

    ``status`` is that of HTTP: 502 if a node is silent, 503 if the server is busy or its disk full,
    429 if this user sends too many requests; None if no answer came.
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class Refused(RemudaError):
    """The request makes no sense, fits no node, or comes too late. Repeating it does not help.

    ``code`` is the API's word for it, such as ``never-fits``; None if a lease was ended or the
    client refuses.
    """

    def __init__(self, message: str, code: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code


class NotFound(RemudaError):
    """There is no such job, task or output, or it is no longer kept."""


class Forbidden(RemudaError):
    """The job or the access file belongs to another user, or the token is not known."""


class JobFailed(RemudaError):
    """A job that was waited for has ended and has not succeeded.

    ``job`` is the ended job; ``exit_code`` is None if it has none, as after a cancellation.
    """

    def __init__(self, job: "Job") -> None:
        reason = "" if job.reason is None else f": {job.reason}"
        super().__init__(f"job {job.id} ({job.name}) {job.state}{reason}")
        self.job = job
        self.exit_code = job.exit_code


class Timeout(RemudaError, TimeoutError):
    """A job did not end in time, and continues. ``job`` is its last known state."""

    def __init__(self, job: "Job", seconds: float) -> None:
        super().__init__(f"job {job.id} ({job.name}) is {job.state} after {seconds:g} s")
        self.job = job


def refusal(status: int, body: bytes) -> RemudaError:
    """Returns the exception for an answer with a status of 400 or more, in the server's words."""
    message, code = _message(status, body)
    if status in (401, 403):
        return Forbidden(message)
    if status == 404:
        return NotFound(message)
    if status in (429, 502, 503):
        return ServerUnavailable(message, status)
    return Refused(message, code) if status < 500 else RemudaError(message)


def _message(status: int, body: bytes) -> Tuple[str, Optional[str]]:
    try:
        error: Any = json.loads(body)["error"]
        message, todo = str(error["message"]), error.get("todo")
    except (ValueError, LookupError, TypeError):
        text = body[:200].decode("utf-8", "replace")
        return f"the server answers with status {status}: {text}", None
    return f"{message} ({todo})" if todo else message, error.get("code")
