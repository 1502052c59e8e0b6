"""The training of this process: its epochs, and whether it is asked to stop."""

import sys
import time
import warnings
from typing import Callable, Iterator, Optional

from remuda.training._folders import snapshot_folder
from remuda.training._manager import Manager
from remuda.training._profiler import Profiler
from remuda.training._ranks import agreed, is_first
from remuda.training._variables import Variables, read

SECONDS_BETWEEN_QUESTIONS = 1.0


class Session:
    """Made at the first use; there is one in a process. Only ``ask_after_epoch`` and
    ``ask_after_step`` may be called from a signal handler; the rest belongs to one thread."""

    def __init__(self, variables: Optional[Variables] = None) -> None:
        self.variables = read() if variables is None else variables
        self.profiler = Profiler(self.variables, Manager.at(self.variables.job_id))
        self._asked = False
        self._at_step = False
        self._save: Optional[Callable[[], object]] = None
        self._ask_from = 0.0

    @property
    def folder(self) -> str:
        return snapshot_folder(self.variables.job_id)

    @property
    def is_asked(self) -> bool:
        """Whether a signal, or the scheduler when it was asked last, wants this to stop."""
        return self._asked or self.profiler.has_to_stop

    def begin_after(self, epochs_done: int) -> None:
        """Epochs are counted from what a snapshot has: what is true of the weights is that. If it
        has more than the scheduler knows, as after a death between the two, the scheduler is told.
        """
        self.profiler.epoch = epochs_done
        if epochs_done > self.variables.epochs_done and self.variables.is_first_process:
            self.profiler.manager.take_epochs_done(epochs_done)

    def epochs(self, total: Optional[int]) -> Iterator[int]:
        profiler = self.profiler
        profiler.total_epochs = self._total(total)
        while profiler.epoch < profiler.total_epochs:
            profiler.start_epoch()
            if agreed(self.is_asked):
                self.leave()
            yield profiler.epoch
            self.end_epoch()

    def end_epoch(self) -> None:
        """Only the process that has saved the snapshot can say that the epoch is done."""
        if is_first(self.variables):
            self.profiler.end_epoch()
        else:
            self.profiler.pass_epoch()

    def _total(self, total: Optional[int]) -> int:
        expected = self.variables.epochs
        if total is None:
            return expected
        if total < 0:
            raise ValueError(f"total is a number of epochs, not {total}")
        if total != expected and not any("EPOCHS_TO_BE" in name for name in self.variables.assumed):
            text = f"epochs({total}), but the job was submitted with {expected} epochs"
            warnings.warn(text, RuntimeWarning, stacklevel=4)
        return total

    def should_stop(self) -> bool:
        if not self._asked and not self.profiler.is_last_epoch:
            now = time.monotonic()
            if now >= self._ask_from:
                self._asked = self.profiler.manager.asks_to_stop()
                self._ask_from = time.monotonic() + SECONDS_BETWEEN_QUESTIONS
        return self._asked

    def step(self) -> None:
        self.profiler.measure()
        if self._asked and self._at_step:
            if self._save is not None:
                self._save()
            self.leave()

    def ask_after_epoch(self) -> None:
        self._asked = True

    def ask_after_step(self, save: Optional[Callable[[], object]]) -> None:
        self._asked, self._at_step, self._save = True, True, save

    def leave(self) -> None:
        """Raises SystemExit with status 0: the scheduler, which asked, starts the job again."""
        done, total = self.profiler.epoch, self.profiler.total_epochs
        print(f"remuda: stops as asked, {done} of {total} epochs are done", file=sys.stderr)
        sys.stdout.flush()
        sys.exit(0)


_session: Optional[Session] = None


def current() -> Session:
    """Returns this process's session."""
    global _session
    if _session is None:
        _session = Session()
    return _session


def forget() -> None:
    """The next call begins a new session, with the environment of then. For tests."""
    global _session
    _session = None
