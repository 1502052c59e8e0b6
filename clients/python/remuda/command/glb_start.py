"""``glb-start`` and ``grn-start``: a server in the foreground."""

import argparse
import sys
import threading
from pathlib import Path
from typing import IO, List, Optional

from remuda._access import default_home, read_access
from remuda._client import Client
from remuda._errors import RemudaError
from remuda._leases import balancing_on_cpu
from remuda.command import server
from remuda.command.lines import BANNER, log, say
from remuda.command.signals import Ended, Signals

FAILED = 1
CLEANING = "[GPUMaster] Cleaning up..."


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Manages the GPUs of this machine, or those that CUDA_VISIBLE_DEVICES names by"
        " index or UUID, for functions and commands that ask for one. Ends with Ctrl-C.",
        epilog="Other options are those of remuda serve.",
    )
    parser.add_argument("--debug", action="store_true", help="also print what happens to each job")
    options, others = parser.parse_known_args(arguments)
    with Signals() as signals:
        try:
            return serve(others, options.debug, signals)
        except (server.NoServer, RemudaError) as fault:
            say(str(fault))
            return FAILED
        except Ended:
            return 0


def serve(options: List[str], debug: bool, signals: Signals) -> int:
    home = default_home()
    if server.answering(home) is not None:
        say(
            f"a server of yours is running already, at {read_access(home).rest}: programs find it"
            " by themselves, and remuda stop ends it"
        )
        return FAILED
    print(BANNER, flush=True)
    process, client = server.start(home, options, signals, signals.of_bound_child)
    try:
        manage(client, home, signals, sys.stdout)
        if debug:
            threading.Thread(target=tell, args=(client,), daemon=True).start()
        while process.poll() is None:
            signals.pause()
    finally:
        if process.returncode is None:
            log(CLEANING, sys.stdout)
            server.end(process.pid)
    log("the server has ended", sys.stdout)
    return 0 if process.returncode == 0 else FAILED


def manage(client: Client, home: Path, signals: Signals, to: IO[str]) -> None:
    """Prints which GPUs the server lends here, or that there are none."""
    numbers = server.gpu_numbers(client, home, signals)
    log(f"Managing GPUs {{{', '.join(numbers)}}}", to)
    if not numbers:
        balancing_on_cpu()


def tell(client: Client) -> None:
    """Prints the server's events of jobs, until it ends."""
    for event in client._transport.events("/events", ""):
        if event.type:
            log(f"{event.type} {event.data}", sys.stdout, "DEBUG")


if __name__ == "__main__":
    sys.exit(main())
