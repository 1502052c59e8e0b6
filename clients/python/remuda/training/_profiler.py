"""Counts and times steps and epochs, and tells the scheduler."""

import datetime
import time
from typing import Callable, Dict, Optional

from remuda.training._gpu_memory import GpuMemory
from remuda.training._manager import Manager
from remuda.training._variables import Variables


class Profiler:
    """One job's steps and epochs.

    ``epoch`` is how many epochs are done, also those before a restart; ``iterations`` how many
    steps were timed, ``mean_iteration_duration`` their mean in seconds, both since this start.
    ``has_to_stop`` says whether the scheduler asked the job to stop; it never does in the last of
    ``total_epochs``. One thread at a time.
    """

    def __init__(
        self, variables: Variables, manager: Manager, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.variables = variables
        self.manager = manager
        self.total_epochs = variables.epochs
        self.epoch = variables.epochs_done
        self.iterations = 0
        self.mean_iteration_duration = 0.0
        self.has_to_stop = False
        self._clock = clock
        self._memory = GpuMemory()
        self._step_began: Optional[float] = None
        self._epoch_began = clock()

    @property
    def is_last_epoch(self) -> bool:
        return self.epoch >= self.total_epochs - 1

    def start_epoch(self) -> None:
        """Asks whether the job has to stop. Takes at most 4 s, if nothing answers."""
        self.has_to_stop = self.manager.asks_to_stop() and not self.is_last_epoch
        self._epoch_began = self._clock()
        if self._step_began is not None:  # what was between two epochs belongs to no step
            self._step_began = self._epoch_began

    def measure(self) -> None:
        """Says that a step has ended. The first call starts the clock; afterwards each
        ``HEARTBEAT_FREQ``-th sends a profile."""
        now = self._clock()
        if self._step_began is not None:
            self.iterations += 1
            step = now - self._step_began
            self.mean_iteration_duration += (step - self.mean_iteration_duration) / self.iterations
            if self.iterations % self.variables.heartbeat == 0:
                self.manager.take_profile(self._profile())
        self._step_began = self._clock()

    def end_epoch(self) -> None:
        """Says that an epoch has ended, and its snapshot is saved."""
        self.pass_epoch()
        self.manager.take_epochs_done(self.epoch)

    def pass_epoch(self) -> None:
        """Sends the epoch's profile and counts it, but does not say that it is done."""
        seconds = self._clock() - self._epoch_began
        self.manager.take_profile({**self._profile(), "epochDur": seconds})
        self.epoch += 1
        self._epoch_began = self._clock()

    def _profile(self) -> Dict[str, object]:
        return {
            "jobid": self.variables.job_id,
            "timestamp": datetime.datetime.now().isoformat(timespec="microseconds"),
            "iternum": self.iterations,
            "nodelist": self.variables.nodes,
            "numgpu": self.variables.gpus,
            "rank": self.variables.rank,
            "meandur": self.mean_iteration_duration,
            "gpumem": self._memory.mebibytes(),
        }
