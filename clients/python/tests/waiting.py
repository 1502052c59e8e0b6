"""Waiting for what a test names, as long as a slow machine may need."""

import time
from typing import Any, Callable

WAIT_SECONDS = 120.0
FIRST_PAUSE_SECONDS = 0.01
LONGEST_PAUSE_SECONDS = 0.25


def await_that(what: str, holds: Callable[[], Any], seen: Callable[[], Any] = lambda: "") -> Any:
    """Returns the first value of ``holds`` that is true, with longer and longer pauses between two
    looks. Fails with ``what`` was waited for and what was ``seen`` last."""
    until = time.monotonic() + WAIT_SECONDS
    pause = FIRST_PAUSE_SECONDS
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > until:
            raise AssertionError(f"not within {WAIT_SECONDS:g} s: {what}; last seen: {seen()}")
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE_SECONDS)
