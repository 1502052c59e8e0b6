"""This user's server: the one that answers, or one that is started."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import IO, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import remuda
from remuda._access import read_access
from remuda._client import Client
from remuda._jobs import Node, parse_node
from remuda._leases import node_here
from remuda._process import start_ticks
from remuda.command.signals import Signals

START_SECONDS = 90.0  # the first start of a build records class archives
READY_SECONDS = 30.0
LOOK_SECONDS = 0.05
ANSWER_SECONDS = 3.0
END_SECONDS = 20.0
IN_USE = 4
IDLE_EXIT = "1h"  # a server that a killed glb-run has left
NUMBERS_SECONDS = 3.0


class NoServer(Exception):
    """There is no server, and none can be started."""


def folder_above() -> Path:
    """Returns where ``remuda`` was imported from: a folder, or a wheel."""
    return Path(remuda.__file__).resolve().parent.parent


def program() -> str:
    """The ``remuda`` command: that of the release that ``REMUDA_DIST`` names, else of the
    distribution or source tree that this package lies in, else the one in PATH, else of a release
    unpacked in ``~/.local/share/remuda``."""
    named = os.environ.get("REMUDA_DIST")
    if named:
        if not (Path(named) / "bin" / "remuda").is_file():
            raise NoServer(f"REMUDA_DIST is {named}, which has no bin/remuda: unpack a release there")
        return str(Path(named).resolve() / "bin" / "remuda")
    package = folder_above()
    above = package.parent.parent
    for beside in (above / "remuda", above / "bin" / "remuda"):  # the tree's builds first
        if beside.is_file():
            return str(beside)
    found = shutil.which("remuda")
    usual = Path.home() / ".local" / "share" / "remuda" / "bin" / "remuda"
    if found is None and usual.is_file():
        return str(usual)
    if found is None:
        raise NoServer(
            "no remuda command: unpack a release in ~/.local/share/remuda, name its folder in"
            " REMUDA_DIST, or put its bin folder in PATH"
        )
    return found


def environment_of_programs() -> Dict[str, str]:
    """This environment, in which ``import glb`` finds this package. One that is installed is found
    anyway, and its folder may be for another version of Python."""
    package = folder_above()
    environment = dict(os.environ)
    if package.name not in ("site-packages", "dist-packages"):
        others = environment.get("PYTHONPATH", "").split(os.pathsep)
        first = [str(package), *(one for one in others if one and one != str(package))]
        environment["PYTHONPATH"] = os.pathsep.join(first)
    return environment


def added_for_programs() -> Dict[str, str]:
    """The variables of :func:`environment_of_programs` that this environment does not have so. A job
    gets the others anyway, but for those that belong to this process alone."""
    wanted = environment_of_programs()
    return {name: value for name, value in wanted.items() if os.environ.get(name) != value}


def answering(home: Path) -> Optional[Client]:
    """Returns a client of the server of the access file there, None if it does not answer.

    Raises Forbidden if the file belongs to another user, or others may use it: such a server is
    never joined.
    """
    try:
        read_access(home)
    except remuda.Forbidden:
        raise
    except remuda.RemudaError:
        return None
    deadline = time.monotonic() + ANSWER_SECONDS
    try:
        with Client(home, patience=0) as client:
            answer = client._transport.request("GET", "/version", deadline=deadline)
        return Client(home) if isinstance(answer.json(), dict) else None
    except (remuda.RemudaError, ValueError):
        return None  # no program, or another one that has the port now


def start(
    home: Path,
    options: Sequence[str],
    signals: Signals,
    before: Callable[[], None],
    output: Optional[int] = None,
) -> "Tuple[subprocess.Popen[bytes], Client]":
    """Returns when it answers and its node has joined. It has its own session, so that no Ctrl-C
    reaches it. ``before`` is called in the new process.

    Raises NoServer if it ends before that, Ended upon a signal to end.
    """
    process = subprocess.Popen(
        [program(), "serve", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if output is None else output,
        stderr=output,
        start_new_session=True,
        preexec_fn=before,
    )
    try:
        client = _answered(home, process, signals)
        _await_node(client, process, signals)
    except BaseException:
        end(process.pid)
        raise
    return process, client


def _answered(home: Path, process: "subprocess.Popen[bytes]", signals: Signals) -> Client:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        _check(process)
        client = answering(home)
        if client is not None:
            return client
        signals.pause(LOOK_SECONDS)
    raise NoServer("the server does not answer")


def _await_node(client: Client, process: "subprocess.Popen[bytes]", signals: Signals) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        _check(process)
        with contextlib.suppress(remuda.ServerUnavailable):  # it may have much to do at its start
            if any(node.state == "ready" for node in _nodes(client, deadline)):
                return
        signals.pause(LOOK_SECONDS)
    raise NoServer("this machine does not become a node of the server: see its agent.log")


def _nodes(client: Client, deadline: float) -> List[Node]:
    """Returns the nodes; it is asked for seconds at a time, as a signal to end waits meanwhile."""
    until = min(deadline, time.monotonic() + ANSWER_SECONDS)
    answer = client._transport.request("GET", "/nodes", deadline=until)
    return [parse_node(view) for view in answer.json()["nodes"]]


def _check(process: "subprocess.Popen[bytes]") -> None:
    status = process.poll()
    if status == IN_USE:
        raise NoServer("another server is starting or ending in the same folder: try again")
    if status is not None:
        raise NoServer(f"the server ended at its start, with exit code {status}")


def gpu_numbers(client: Client, home: Path, signals: Signals) -> List[str]:
    """Returns the driver's numbers of the GPUs that the server manages on this machine, in their
    order; positions if the server does not list them."""
    node = node_here(_nodes(client, time.monotonic() + ANSWER_SECONDS))
    if node is None or not node.devices:
        return []
    deadline = time.monotonic() + NUMBERS_SECONDS
    while time.monotonic() < deadline:
        found = _told_numbers(home, node)
        if found:
            return found
        signals.pause(LOOK_SECONDS)
    return [str(position) for position in range(len(node.devices))]


def _told_numbers(home: Path, node: Node) -> List[str]:
    """Returns the numbers in the file that the server keeps for ``remuda gpus``."""
    try:
        status = json.loads((home / "status.json").read_text(encoding="utf-8"))
        gpus = [gpu for one in status["nodes"] for gpu in one["gpus"]]
        numbers = {gpu["uuid"]: str(gpu["number"]) for gpu in gpus}
    except (OSError, ValueError, LookupError, TypeError):
        return []
    if not all(device.uuid in numbers for device in node.devices):
        return []
    return sorted({numbers[device.uuid] for device in node.devices}, key=_by_value)


def _by_value(number: str) -> Tuple[int, int, str]:
    return (0, int(number), "") if number.isdigit() else (1, 0, number)


@contextlib.contextmanager
def shared(home: Path, signals: Signals, greet: Callable[[Client], None]) -> Iterator[Client]:
    """Yields the server that answers, or one that is started and ended again when the last of the
    commands that use it has ended; which of them started it does not matter."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(home / "glb.door", "a") as door, open(home / "glb.users", "a+") as users:
        _lock(door, signals)
        client = answering(home) or _started(home, signals, users, greet)
        fcntl.flock(users, fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        try:
            yield client
        finally:
            fcntl.flock(door, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_UN)
            _end_unused(users)


def _lock(door: IO[str], signals: Signals) -> None:
    while True:
        try:
            return fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            signals.pause(LOOK_SECONDS)


def _started(
    home: Path, signals: Signals, users: IO[str], greet: Callable[[Client], None]
) -> Client:
    """Starts a server. Another glb-run may have to end it, so the file of its users has its pid."""
    with open(home / "serve.log", "ab") as output:
        options = ["--idle-exit", IDLE_EXIT]
        process, client = start(home, options, signals, signals.of_child, output.fileno())
    users.truncate(0)
    users.write(f"{process.pid} {start_ticks(process.pid)}")
    users.flush()
    greet(client)
    return client


def _end_unused(users: IO[str]) -> None:
    """Ends the server if this was its last user; the caller holds the door's lock."""
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # another user will end it
    users.seek(0)
    words = users.read().split()
    users.truncate(0)
    if len(words) == 2 and _ticks(int(words[0])) == int(words[1]):
        end(int(words[0]))


def end(pid: int) -> None:
    """Ends a server and waits for that; programs that hold a GPU run on."""
    ticks = _ticks(pid)
    deadline = time.monotonic() + END_SECONDS
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        while ticks is not None and not _is_gone(pid, ticks):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(LOOK_SECONDS)


def _is_gone(pid: int, ticks: int) -> bool:
    with contextlib.suppress(ChildProcessError):  # another command has it
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return _ticks(pid) != ticks


def _ticks(pid: int) -> Optional[int]:
    """Returns when a process started; None if it is gone, or a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return None if state in "ZX" else start_ticks(pid)
    except OSError:
        return None
