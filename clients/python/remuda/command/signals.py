"""Signals that are awaited, not handled: they interrupt nothing, and none is missed."""

import ctypes
import os
import signal
from types import TracebackType
from typing import Any, Optional, Type

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WATCHED = {*ENDING, signal.SIGCHLD}
FROM_A_PROCESS = (0, -1, -6)  # SI_USER, SI_QUEUE, SI_TKILL; what a terminal sends has another
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


class Ended(Exception):
    """A signal came that asks to end; ``number`` is its number."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Signals:
    """While it is entered, the watched signals come only from ``wait``. Main thread."""

    def __enter__(self) -> "Signals":
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a parent may have ignored it
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        fault: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        while signal.sigtimedwait(WATCHED, 0) is not None:
            pass  # they were meant for work that has ended
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

    def wait(self, seconds: Optional[float] = None) -> Any:
        """Returns the next one, as ``signal.sigwaitinfo`` does; None if none came in time."""
        if seconds is None:
            return signal.sigwaitinfo(WATCHED)
        return signal.sigtimedwait(WATCHED, seconds)

    def pause(self, seconds: Optional[float] = None) -> None:
        """Sleeps for the time, or until a child ends. Raises Ended upon a signal to end."""
        came = self.wait(seconds)
        if came is not None and came.si_signo in ENDING:
            raise Ended(came.si_signo)

    def of_child(self) -> None:
        """Restores the signals in a child before it execs."""
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

    def of_bound_child(self) -> None:
        """Like ``of_child``, for a child that must not outlive this process."""
        self.of_child()
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() == 1:
            os._exit(1)


def is_from_terminal(came: Any) -> bool:
    """Returns whether a terminal sent it, and so to the whole foreground group."""
    return came.si_code not in FROM_A_PROCESS
