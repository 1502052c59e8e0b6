"""``glb-run``: commands whose decorated functions find a server."""

import argparse
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple

from remuda._access import default_home
from remuda._client import Client
from remuda._errors import RemudaError
from remuda.command import server
from remuda.command.glb_start import manage
from remuda.command.lines import BANNER, say
from remuda.command.signals import ENDING, Ended, Signals, is_from_terminal

NO_SERVER = 3
USAGE = 2
NOT_RUNNABLE, NOT_FOUND = 126, 127
SIGNAL_BASE = 128


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code: that of the first command that failed, else 0."""
    parser = argparse.ArgumentParser(
        description="Runs commands all at once. Their decorated functions ask for a GPU; without a"
        " server one is started for them. A command is split into words, no shell looks at it."
    )
    parser.add_argument("command", nargs="+", help='as "python train.py"')
    lines = parser.parse_args(arguments).command
    try:
        commands = [words_of(line) for line in lines]
    except ValueError as fault:
        say(str(fault))
        return USAGE
    return with_server(
        lambda _, signals: run_all(commands, server.environment_of_programs(), signals)
    )


def with_server(work: Callable[[Client, Signals], int]) -> int:
    """Does the work while there is a server; returns its exit code, or that of a lack of one."""
    with Signals() as signals:
        home = default_home()
        try:
            with server.shared(
                home, signals, lambda client: greet(client, home, signals)
            ) as client:
                return work(client, signals)
        except (server.NoServer, RemudaError) as fault:
            say(str(fault))
            return NO_SERVER
        except Ended as asked:
            return SIGNAL_BASE + asked.number


def words_of(line: str) -> List[str]:
    """Splits a line as a shell does. Raises ValueError naming the line."""
    try:
        words = shlex.split(line)
    except ValueError as fault:
        raise ValueError(f"{line!r}: {fault}") from None
    if not words:
        raise ValueError("a command is empty")
    return words


def greet(client: Client, home: Path, signals: Signals) -> None:
    print(BANNER, file=sys.stderr, flush=True)
    manage(client, home, signals, sys.stderr)


def run_all(commands: List[List[str]], environment: Dict[str, str], signals: Signals) -> int:
    """Runs all commands at once and waits for them; passes on a signal to end."""
    failures: List[int] = []
    running: List["subprocess.Popen[bytes]"] = []
    for words in commands:
        process, code = _start(words, environment, signals)
        if process is None:
            failures.append(code)
        else:
            running.append(process)
    while True:
        ended = [process for process in running if process.poll() is not None]
        failures.extend(code for code in map(_exit_code, ended) if code != 0)
        running = [process for process in running if process not in ended]
        if not running:
            return failures[0] if failures else 0
        came = signals.wait()
        if came.si_signo in ENDING and not is_from_terminal(came):
            for process in running:
                process.send_signal(came.si_signo)


def _start(
    words: List[str], environment: Dict[str, str], signals: Signals
) -> "Tuple[Optional[subprocess.Popen[bytes]], int]":
    """Returns the process, or None and the exit code that a shell would return."""
    if words[0] == "python" and shutil.which("python") is None:
        words = [sys.executable, *words[1:]]  # as Debian's shell prints it
    try:
        return subprocess.Popen(words, env=environment, preexec_fn=signals.of_child), 0
    except OSError as fault:
        say(f"{words[0]}: {fault.strerror}")
        return None, NOT_FOUND if isinstance(fault, FileNotFoundError) else NOT_RUNNABLE


def _exit_code(process: "subprocess.Popen[bytes]") -> int:
    code = process.returncode
    return SIGNAL_BASE - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
