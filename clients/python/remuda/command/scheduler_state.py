"""``scheduler-state``: the newest jobs, as the Kubernetes scheduler lists them."""

import argparse
import getpass
import sys
from typing import Any, Dict, List, Optional

from remuda._client import Client
from remuda.command.kubernetes import table, view_of, with_client
from remuda.command.run_scheduler import natural

NEWEST = 20
SHORT = ["JOBID", "NAME", "STATE", "EPOCHS", "GPUS", "SUBMITTED"]
MORE = [
    "USER",
    "NODE",
    "STARTED",
    "ENDS",
    "BATCH",
    "SET",
    "MAX_GPUS",
    "EST_HOURS",
    "PREEMPTED",
    "SNAPSHOTS",
    "UUID",
]


def main(arguments: Optional[List[str]] = None) -> int:
    words = argparse.ArgumentParser(
        prog="scheduler-state",
        allow_abbrev=False,
        description="Lists the newest of your jobs, ended ones too, the newest last.",
    )
    words.add_argument("--all_users", action="store_true", help="jobs of all users")
    words.add_argument(
        "--nlast",
        type=natural,
        nargs="?",
        const=NEWEST,
        default=NEWEST,
        help=f"number of jobs ({NEWEST})",
    )
    words.add_argument("--extended", action="store_true", help="all that is known of each")
    options = words.parse_args(arguments)
    return with_client(lambda client: show(client, options))


def show(client: Client, options: argparse.Namespace) -> int:
    user = None if options.all_users else getpass.getuser()
    jobs = list(client.jobs(all=True, user=user, limit=options.nlast))[::-1]
    if not jobs:
        print("no jobs")
        return 0
    views = [view_of(client, job.id) for job in jobs]
    heading = SHORT + (MORE if options.extended else [])
    rows = [short(view) + (extended(view) if options.extended else []) for view in views]
    print(table(heading, rows), flush=True)
    return 0


def newest_attempt(view: Dict[str, Any]) -> Dict[str, Any]:
    attempts = view.get("attempts") or [{}]
    first: Dict[str, Any] = attempts[0]
    return first


def short(view: Dict[str, Any]) -> List[str]:
    epochs = f"{view['epochsDone']}/{view['epochs']}" if "epochs" in view else "-"
    attempt = newest_attempt(view)
    gpus = len(attempt.get("devices", [])) if attempt.get("startedAt") else 0
    return [
        str(view["id"]),
        view["name"],
        view["state"],
        epochs,
        str(gpus),
        when(view["submittedAt"]),
    ]


def extended(view: Dict[str, Any]) -> List[str]:
    attempt = newest_attempt(view)
    training = view.get("terms", {}).get("training", {})
    return [
        view["user"],
        or_dash(attempt.get("node")),
        when(view["startedAt"]),
        when(view["endedAt"] or view.get("expectedEndAt")),
        or_dash(training.get("batchSize")),
        or_dash(training.get("trainingSetSize")),
        or_dash(training.get("maxGpus") or None),
        or_dash(training.get("estimatedHours")),
        str(sum(one.get("preemptions", 0) for one in view.get("attempts", []))),
        or_dash(training.get("snapshots")),
        view["uuid"] or "-",
    ]


def when(time: Optional[str]) -> str:
    return "-" if time is None else time[:19].replace("T", " ")


def or_dash(value: Any) -> str:
    return "-" if value is None else str(value)


if __name__ == "__main__":
    sys.exit(main())
