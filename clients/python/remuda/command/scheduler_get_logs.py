"""``scheduler-get-logs``: the output of a job's script."""

import argparse
import sys
from typing import List, Optional

from remuda._client import Client
from remuda._errors import NotFound
from remuda.command.kubernetes import job_number, with_client
from remuda.command.lines import say


def main(arguments: Optional[List[str]] = None) -> int:
    words = argparse.ArgumentParser(
        prog="scheduler-get-logs",
        description="Prints what the newest attempt of a job has printed: its standard output, and"
        " its standard error on standard error.",
    )
    words.add_argument("job", metavar="JOBID", help="its number or its UUID")
    options = words.parse_args(arguments)
    return with_client(lambda client: show(client, job_number(client, options.job)))


def show(client: Client, job: int) -> int:
    try:
        for stream, err in ((sys.stdout, False), (sys.stderr, True)):
            for piece in client.logs(job, err=err):
                stream.buffer.write(piece)
            stream.flush()
    except NotFound as fault:
        state = client.show(job).state
        if state in ("waiting", "held", "submitted"):
            say(f"job {job} is {state}: it has printed nothing yet (remuda explain {job})")
            return 0
        raise fault
    return 0


if __name__ == "__main__":
    sys.exit(main())
