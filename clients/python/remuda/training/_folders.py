"""Where a job keeps its snapshots."""

import os
import re
from pathlib import Path
from typing import List, Optional, Tuple

FOLDER = "REMUDA_SNAPSHOTS"
MOUNTED = "/snapshots"
HERE = "snapshots"
PRIVATE = 0o700
VERSION = re.compile(r"version_(\d+)")


def snapshot_folder(job_id: str) -> str:
    """Returns the folder of a job's snapshots, the same for all its starts; makes it if it can.

    It is below ``REMUDA_SNAPSHOTS`` if that is set, else below ``/snapshots``; where there is
    neither, as outside of the scheduler, below ``snapshots`` in the working folder. Only its owner
    may enter it: snapshots are the user's own. One that is there already stays as it is. Raises
    OSError if it cannot be made there.
    """
    base = os.environ.get(FOLDER) or (MOUNTED if os.access(MOUNTED, os.W_OK) else HERE)
    folder = os.path.join(base, job_id)
    os.makedirs(base, exist_ok=True)
    try:
        os.mkdir(folder, PRIVATE)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
    return folder


def newest_lightning_checkpoint(folder: str) -> Optional[Tuple[int, str]]:
    """Returns the highest version below ``lightning_logs`` that has a checkpoint, and its newest
    one. A version that was stopped before its first checkpoint has none."""
    for number, version in sorted(_versions(Path(folder, "lightning_logs")), reverse=True):
        checkpoints = [path for path in (version / "checkpoints").glob("*") if path.is_file()]
        if checkpoints:
            newest = max(checkpoints, key=lambda path: (path.stat().st_mtime_ns, path.name))
            return number, str(newest)
    return None


def _versions(logs: Path) -> List[Tuple[int, Path]]:
    found = ((VERSION.fullmatch(path.name), path) for path in logs.glob("version_*"))
    return [(int(match.group(1)), path) for match, path in found if match]
