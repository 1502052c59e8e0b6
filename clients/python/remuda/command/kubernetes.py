"""What the commands of the Kubernetes deep-learning scheduler have in common."""

import sys
from typing import Any, Callable, Dict, List

from remuda._client import Client
from remuda._errors import Refused, RemudaError, ServerUnavailable
from remuda.command.lines import say

USAGE, REFUSED, NO_SERVER = 2, 1, 3


class BadUsage(Exception):
    """Options that contradict each other or make no sense."""


def with_client(work: Callable[[Client], int]) -> int:
    """Does the work with the user's server; returns its exit code, or that of what is wrong."""
    try:
        with Client() as client:
            return work(client)
    except BadUsage as fault:
        say(str(fault))
        return USAGE
    except ServerUnavailable as fault:
        say(str(fault))
        return NO_SERVER
    except RemudaError as fault:
        say(str(fault))
        return REFUSED
    except BrokenPipeError:
        sys.stderr.close()  # the reader of stdout has gone
        return REFUSED


def job_number(client: Client, given: str) -> int:
    """Returns the number of a job that is given by number or by UUID. Raises BadUsage."""
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    for job in client.jobs(all=True):
        if job.uuid == given.lower():
            return job.id
    raise BadUsage(f"no job {given!r}: give its number or its UUID, as scheduler-state lists them")


def view_of(client: Client, job: int) -> Dict[str, Any]:
    """Returns the whole description of a job."""
    view: Dict[str, Any] = client._get(f"/jobs/{job}")
    return view


def table(heading: List[str], rows: List[List[str]]) -> str:
    """Returns the lines of a table; the last column is not padded."""
    widths = [max(len(row[at]) for row in [heading, *rows]) for at in range(len(heading))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
        for row in [heading, *rows]
    )


__all__ = ["BadUsage", "Refused", "job_number", "table", "view_of", "with_client"]
