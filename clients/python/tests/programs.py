"""Programs that a test starts."""

import subprocess
import threading
from pathlib import Path
from typing import Optional

from tests.service import DIST
from tests.waiting import WAIT_SECONDS


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def line(process: "subprocess.Popen[str]") -> str:
    """The next that it prints; all it has to say if that is nothing."""
    assert process.stdout is not None
    late = threading.Timer(WAIT_SECONDS, process.kill)
    late.daemon = True
    late.start()
    printed = process.stdout.readline()
    waited = not late.is_alive()
    late.cancel()
    if not printed:
        why = f"printed no line in {WAIT_SECONDS:g} s" if waited else "ended without a further line"
        raise AssertionError(f"{process.args!r} {why}: {process.communicate()[1]}")
    return printed


def command(
    name: str, *words: str, folder: Optional[str] = None
) -> "subprocess.CompletedProcess[str]":
    """Runs one of the distribution's to its end."""
    return subprocess.run(
        [str(Path(str(DIST), "bin", name).resolve()), *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WAIT_SECONDS,
    )
