"""What can go wrong, as exceptions; drawn as a tree in the package's docstring."""

import json
from typing import TYPE_CHECKING, Any, Optional, Tuple

if TYPE_CHECKING:
    from remuda._jobs import Job


class RemudaError(Exception):
    """Whatever a server or the way to it has against a call."""


class ServerUnavailable(RemudaError, ConnectionError):
    """Nothing answered, or what did can not do it at present.

    ``status`` is of HTTP: 502 if a node is silent, 503 if the server is busy or its disk full, 429
    if this user asks too often; None if no answer came.
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class Refused(RemudaError):
    """The request makes no sense, fits no node, or comes too late. Asking again will not help.

    ``code`` is the API's word for it, as ``never-fits``; None where a lease was ended or the client
    itself refuses.
    """

    def __init__(self, message: str, code: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code


class NotFound(RemudaError):
    """There is no such job, task or output, or it is kept no longer."""


class Forbidden(RemudaError):
    """It is somebody else's: the job, or the access file; or the token is not known."""


class JobFailed(RemudaError):
    """A job that was waited for is over and has not succeeded.

    ``job`` is how it ended; ``exit_code`` is None if it has none, as after a cancellation.
    """

    def __init__(self, job: "Job") -> None:
        reason = "" if job.reason is None else f": {job.reason}"
        super().__init__(f"job {job.id} ({job.name}) {job.state}{reason}")
        self.job = job
        self.exit_code = job.exit_code


class Timeout(RemudaError, TimeoutError):
    """A job was not over in time, and goes on. ``job`` is how it was last seen."""

    def __init__(self, job: "Job", seconds: float) -> None:
        super().__init__(f"job {job.id} ({job.name}) is {job.state} after {seconds:g} s")
        self.job = job


def refusal(status: int, body: bytes) -> RemudaError:
    """What an answer with a status of 400 or more means, in the server's words."""
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
