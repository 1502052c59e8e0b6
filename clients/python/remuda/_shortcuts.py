"""The client's methods as functions, for the server that ``$REMUDA_HOME`` names at the call."""

import atexit
import functools
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from remuda._access import default_home
from remuda._client import Client

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

R = TypeVar("R")


@functools.lru_cache(maxsize=None)
def client_of(home: Path) -> Client:
    """Returns the client of a state folder that the functions share."""
    client = Client(home)
    atexit.register(client.close)
    return client


def _of_default(method: "Callable[Concatenate[Client, P], R]") -> "Callable[P, R]":
    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> R:
        return method(client_of(default_home()), *args, **kwargs)

    signature = inspect.signature(method)
    without_self = list(signature.parameters.values())[1:]
    call.__signature__ = signature.replace(parameters=without_self)  # type: ignore[attr-defined]
    return call


submit = _of_default(Client.submit)
show = _of_default(Client.show)
jobs = _of_default(Client.jobs)
tasks = _of_default(Client.tasks)
wait = _of_default(Client.wait)
logs = _of_default(Client.logs)
cancel = _of_default(Client.cancel)
hold = _of_default(Client.hold)
lease = _of_default(Client.lease)
release = _of_default(Client.release)
requeue = _of_default(Client.requeue)
signal = _of_default(Client.signal)
set = _of_default(Client.set)
resubmit = _of_default(Client.resubmit)
explain = _of_default(Client.explain)
nodes = _of_default(Client.nodes)
