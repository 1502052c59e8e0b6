"""``scheduler-cancel-job``: ends a job by force."""

import argparse
import sys
from typing import List, Optional

from remuda._client import Client
from remuda.command.kubernetes import job_number, with_client


def main(arguments: Optional[List[str]] = None) -> int:
    words = argparse.ArgumentParser(
        prog="scheduler-cancel-job", description="Ends a job at once, without time to save."
    )
    words.add_argument("job", metavar="JOBID", help="its number or its UUID")
    options = words.parse_args(arguments)

    def work(client: Client) -> int:
        job = job_number(client, options.job)
        client.cancel(job, now=True)
        print(f"job {job} is cancelled", flush=True)
        return 0

    return with_client(work)


if __name__ == "__main__":
    sys.exit(main())
