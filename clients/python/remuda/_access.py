"""The access file: where a server is, and the token that names its user."""

import json
import os
import stat
import warnings
from pathlib import Path
from typing import Iterator, NamedTuple, Optional, Tuple

from remuda._errors import Forbidden, RemudaError, ServerUnavailable

FILE = "access.json"


class Access(NamedTuple):
    """``rest`` is the server's address, as ``https://127.0.0.1:4711``; ``pin`` the one certificate
    (PEM) that is trusted there, None if the server was started with ``--insecure``: then the token
    goes in clear text to any program on that port. ``others`` are the addresses of the cluster's
    other coordinators, which have the same certificate. ``trusted`` are certificates that are
    trusted too while the cluster's key is renewed."""

    rest: str
    token: str
    pin: Optional[str]
    others: Tuple[str, ...] = ()
    trusted: Tuple[str, ...] = ()

    def everywhere(self) -> Iterator["Access"]:
        """Yields the access by way of each coordinator, this one first."""
        yield self._replace(others=())
        for other in self.others:
            yield self._replace(rest=other, others=())


def default_home() -> Path:
    """``$REMUDA_HOME``, or ``.remuda`` in the user's home."""
    given = os.environ.get("REMUDA_HOME", "")
    return Path(given).absolute() if given.strip() else Path.home() / ".remuda"


def read_access(home: Path) -> Access:
    """Reads a state folder's access file.

    Raises ServerUnavailable if there is none or a build that sent tokens in clear text wrote it,
    Forbidden if others may use it or it belongs to another user, RemudaError if it is damaged.
    """
    file = home / FILE
    try:
        text = _read_own(file)
    except FileNotFoundError:
        raise ServerUnavailable(
            f"no server has been started in {home}: start one with remuda serve or glb-start, or set REMUDA_HOME"
        ) from None
    except OSError as fault:
        raise RemudaError(f"cannot read {file}: {fault.strerror}") from fault
    try:
        fields = json.loads(text)
        rest, token, pin = str(fields["rest"]), str(fields["token"]), fields.get("pin")
        owners, insecure = "privateKey" in fields, fields.get("insecure") is True
        user = fields.get("user")
        others = tuple(str(other) for other in fields.get("others") or ())
        trusted = tuple(str(further) for further in fields.get("trusted") or ())
    except (ValueError, LookupError, TypeError, AttributeError) as fault:
        raise RemudaError(f"{file} is damaged or not an access file") from fault
    scheme = rest.partition("://")[0]
    if scheme == "https" and isinstance(pin, str):
        safe = tuple(at for at in others if at.startswith("https://"))
        return Access(rest, token, pin, safe, trusted)
    if scheme != "http":
        raise RemudaError(f"{file} is damaged or not an access file")
    if not insecure:
        raise ServerUnavailable(_older_build(file, rest, owners, user))
    warnings.warn(
        f"the server was started with --insecure: the token goes in clear text to whatever listens"
        f" at {rest}",
        stacklevel=2,
    )
    return Access(rest, token, None)


def _older_build(file: Path, rest: str, owners: bool, user: object) -> str:
    todo = (
        "end that server if it still runs (SIGTERM; its tasks run on), and start this build's with"
        " remuda serve, which makes a new token"
        if owners
        else f"ask the owner of the server for a new one (remuda user add {user})"
    )
    return (
        f"{file} is from an earlier build, which sent its token in clear text to whatever listened at"
        f" {rest}; nothing was sent now: {todo}"
    )


def _read_own(file: Path) -> bytes:
    """Checks the opened file, which cannot be replaced any more."""
    with open(file, "rb") as opened:
        status = os.fstat(opened.fileno())
        mode = stat.S_IMODE(status.st_mode)
        if status.st_uid != os.geteuid():
            raise Forbidden(f"{file} is another user's: have remuda user add make one for you")
        if mode & ~0o600:
            raise Forbidden(f"{file} may be used by others (mode {mode:04o}): chmod 600 it")
        return opened.read()
