"""One of several workers: says which it is, and sleeps as long as its rank says."""

import json
import os
import time

SECONDS = {0: 30, 1: 40}
OTHERS = 10


def rank() -> int:
    """Returns this worker's rank; a worker alone is not told and has rank 0."""
    config = os.environ.get("TF_CONFIG")
    return 0 if config is None else int(json.loads(config)["task"]["index"])


def main() -> None:
    own = rank()
    seconds = SECONDS.get(own, OTHERS)
    comma = "," if own in SECONDS else ""
    print(f"hey i am rank {own}{comma} sleeping for {seconds}s")
    time.sleep(seconds * float(os.environ.get("SECOND", "1")))


if __name__ == "__main__":
    main()
