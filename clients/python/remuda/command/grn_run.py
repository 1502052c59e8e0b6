"""``grn-run``: commands as jobs; each is measured as a whole and lent its GPU."""

import argparse
import base64
import json
import os
import sys
import threading
import time
from typing import IO, Dict, List, Optional, Tuple

from remuda._client import Client
from remuda._errors import RemudaError
from remuda._jobs import Job
from remuda._leases import balancing_on_cpu, node_here
from remuda._project import in_project, root_of
from remuda.command import server
from remuda.command.glb_run import NO_SERVER, SIGNAL_BASE, USAGE, with_server, words_of
from remuda.command.lines import say
from remuda.command.signals import ENDING, Signals

PAUSE_SECONDS = 0.3
CANCELLED = 130
FAILED = 1


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code: that of the first command that failed, else 0."""
    parser = argparse.ArgumentParser(
        description="Runs commands all at once, each on a GPU that it shares as far as its whole"
        " line was measured to need; without a GPU, on a core. They need no decorated functions."
        " Without a server one is started for them. No shell looks at a command."
    )
    parser.add_argument("-d", "--debug", action="store_true", help="say which job each command is")
    parser.add_argument("command", nargs="+", help='as "python train.py"')
    options = parser.parse_args(arguments)
    try:
        commands = [(line, words_of(line)) for line in options.command]
    except ValueError as fault:
        say(str(fault))
        return USAGE
    return with_server(
        lambda client, signals: _Run(client, options.debug, signals).all(commands)
    )


class _Run:
    """The jobs of one grn-run. Threads print their output; only they change ``_failures``."""

    def __init__(self, client: Client, debug: bool, signals: Signals) -> None:
        self._client = client
        self._debug = debug
        self._signals = signals
        self._failures: List[int] = []

    def all(self, commands: List[Tuple[str, List[str]]]) -> int:
        jobs = self._submitted(commands)
        threads = [threading.Thread(target=self._show, args=(job,)) for job in jobs]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            came = self._signals.wait(PAUSE_SECONDS)
            if came is not None and came.si_signo in ENDING:
                self._cancel(jobs)
        return self._failures[0] if self._failures else 0

    def _submitted(self, commands: List[Tuple[str, List[str]]]) -> List[Job]:
        node = node_here(self._client.nodes())
        on_gpu = node is None or bool(node.devices)
        if not on_gpu:
            balancing_on_cpu()
        jobs = []
        for line, words in commands:
            try:
                job = self._client.submit(
                    words,
                    name=words[0],
                    type=in_project(line, root_of(os.curdir)),
                    env=server.added_for_programs(),
                    policy="spread",
                    cpus=0 if on_gpu else 1,
                    gpus=1 if on_gpu else 0,
                    gpu_mem="auto" if on_gpu else None,
                )
            except RemudaError as no:
                say(f"{line}: {no}")
                self._failures.append(USAGE)
            else:
                jobs.append(job)
                if self._debug:
                    say(f"{line} is job {job.id}")
        return jobs

    def _cancel(self, jobs: List[Job]) -> None:
        for job in jobs:
            try:
                self._client.cancel(job)
            except RemudaError:
                pass  # it has ended already

    def _show(self, job: Job) -> None:
        try:
            code = exit_code(self._client, show_output(self._client, job))
        except RemudaError as fault:
            say(f"job {job.id}: {fault}")
            code = NO_SERVER
        if code != 0:
            self._failures.append(code)


def show_output(client: Client, job: Job) -> Job:
    """Copies a job's output to stdout and stderr, and returns the ended job. If the connection is
    lost, it continues at its position."""
    shown: Dict[Tuple[str, int, str], int] = {}
    while True:
        after = f"0.{_newest(shown)}" if shown else ""
        for event in client._transport.events(f"/jobs/{job.id}/output", after):
            if event.type in ("out", "err"):
                _copy(event.type, json.loads(event.data), shown)
            elif event.type == "end":
                return client.show(job)
        if client.show(job).over:
            return client.show(job)
        time.sleep(PAUSE_SECONDS)


def _newest(shown: Dict[Tuple[str, int, str], int]) -> str:
    """Returns how much of the newest attempt was printed, as the API reads it."""
    task, attempt, _ = max(shown, key=lambda which: which[1])
    return f"{attempt}.{shown.get((task, attempt, 'out'), 0)}.{shown.get((task, attempt, 'err'), 0)}"


def _copy(stream: str, part: Dict[str, object], shown: Dict[Tuple[str, int, str], int]) -> None:
    data = base64.b64decode(str(part["data"]))
    which = (str(part["task"]), int(str(part["attempt"])), stream)
    offset, seen = int(str(part["offset"])), shown.get(which, 0)
    to: IO[bytes] = (sys.stdout if stream == "out" else sys.stderr).buffer
    to.write(data[max(0, seen - offset) :])
    to.flush()
    shown[which] = max(seen, offset + len(data))


def exit_code(client: Client, job: Job) -> int:
    """Returns the job's exit code, or 128 plus the signal that ended it."""
    if job.succeeded:
        return 0
    if job.state == "failed" and job.exit_code:
        return job.exit_code
    say(f"job {job.id} {job.state}" + (f": {job.reason}" if job.reason else ""))
    signals = [task.signal for task in client.tasks(job) if task.signal]
    if job.state == "failed" and signals:
        return SIGNAL_BASE + signals[0]
    return CANCELLED if job.state == "cancelled" else FAILED


if __name__ == "__main__":
    sys.exit(main())
