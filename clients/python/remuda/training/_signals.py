"""A signal that asks the training to stop."""

import signal
from types import FrameType
from typing import Callable, Optional

from remuda.training._session import current

POINTS = ("epoch", "step")


def stop_on(
    number: int = signal.SIGTERM,
    *,
    at: str = "epoch",
    save: Optional[Callable[[], object]] = None,
) -> None:
    """From now on, that signal asks this training to stop, instead of ending the process at once.

    With ``at="epoch"`` the training stops at the end of the epoch, if it is in ``epochs()``; with
    ``at="step"`` in the next ``step()``, after ``save()`` was called there. Either way the exit
    status is 0, and ``should_stop()`` is true meanwhile. What takes longer than the job's grace
    is lost: the scheduler then kills the process. Call it from the main thread.

    Raises ValueError in another thread, if ``at`` is neither, or if ``save`` could never be called.
    """
    if at not in POINTS:
        raise ValueError(f"at is 'epoch' or 'step', not {at!r}")
    if save is not None and at != "step":
        raise ValueError("save is called at a step: say at='step'")
    session = current()

    def ask(_number: int, _frame: Optional[FrameType]) -> None:
        if at == "step":
            session.ask_after_step(save)
        else:
            session.ask_after_epoch()

    signal.signal(number, ask)
