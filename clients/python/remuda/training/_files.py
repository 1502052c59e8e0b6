"""Files that are whole or not there."""

import contextlib
import os
from pathlib import Path
from typing import Iterator


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives the name of a new file beside ``path``, which takes its place at the end of the block,
    and is on the disk then. If the block raises, or the process is killed, the earlier file is as
    it was. The name ends like that of ``path``. Raises OSError."""
    for left_over in path.parent.glob(f".new-*-{path.name}"):
        if not _is_written(left_over):
            _remove(left_over)
    fresh = path.with_name(f".new-{os.getpid()}-{path.name}")
    try:
        yield fresh
        _sync(fresh)
        os.replace(fresh, path)
        _sync(path.parent)
    except BaseException:
        _remove(fresh)
        raise


def _is_written(draft: Path) -> bool:
    """Whether another living process of this machine may be writing the draft."""
    number = draft.name.split("-")[1]
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # a folder, or gone
        path.unlink()
