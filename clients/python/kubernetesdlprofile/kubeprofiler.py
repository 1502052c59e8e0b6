"""Tells the scheduler of a training's steps and epochs, and stops the training when it asks."""

import sys
import warnings

from remuda.training._folders import newest_lightning_checkpoint, snapshot_folder
from remuda.training._manager import DEFAULT_DB, DEFAULT_JOB_MANAGER, Manager
from remuda.training._profiler import Profiler
from remuda.training._variables import read

__all__ = ["KubeProfiler"]

PREFIX = "[KUBE_API_LIBRARY]"
MISSING = (
    "Some env variables were not found, please set them manually or run the job by submitting it to"
    " the kubernetes scheduler"
)


class KubeProfiler(Profiler):
    """A training job's view of its scheduler.

    The arguments are ``host`` or ``host:port``. With their defaults it talks to the host of
    ``REMUDA_TRAINING_HOST``; if that is not set, as outside of the scheduler, to none. Nothing
    that a scheduler answers, or fails to answer, raises or waits for long: 2 s for connecting and
    2 s for an answer. Call it from one thread; it can be copied and pickled with a model.

    Attributes: ``JOBID``, ``PROFILE_EACH`` (steps), ``RANK``, ``NODE_LIST``, ``NUM_GPUS``,
    ``NUM_NODES``, ``RESTARTED``, ``BATCH_SIZE``, ``EPOCHS``, ``EPOCHS_DONE``,
    ``TRAINING_SET_SIZE`` (samples), ``LOCAL_RANK`` (-1 if there is none); ``iterationPerEpoch``,
    ``maxIterations``, ``epoch`` (epochs done so far); ``root_dir``, the folder for snapshots; and,
    only if ``RESTARTED``, ``ckpt_path``: the newest checkpoint of Lightning, or the name of one of
    TensorFlow. A variable that is not set has a default, and a RuntimeWarning says which.
    """

    ckpt_path: str

    def __init__(
        self, job_manager_hostname: str = DEFAULT_JOB_MANAGER, db_hostname: str = DEFAULT_DB
    ) -> None:
        given = read()
        super().__init__(given, Manager.at(given.job_id, job_manager_hostname, db_hostname))
        if given.assumed:
            text = f"{MISSING}. Assumed: {', '.join(given.assumed)}"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        self.JOBID = given.job_id
        self.PROFILE_EACH = given.heartbeat
        self.RANK = given.rank
        self.LOCAL_RANK = given.local_rank
        self.NODE_LIST = given.nodes
        self.NUM_GPUS = given.gpus
        self.NUM_NODES = given.node_count
        self.RESTARTED = given.restarted
        self.BATCH_SIZE = given.batch_size
        self.EPOCHS = given.epochs
        self.EPOCHS_DONE = given.epochs_done
        self.TRAINING_SET_SIZE = given.training_set_size
        samples_of_a_step = given.batch_size * given.gpus * given.node_count
        self.iterationPerEpoch = given.training_set_size // samples_of_a_step
        self.maxIterations = self.iterationPerEpoch * given.epochs
        self.root_dir = snapshot_folder(given.job_id)
        if self.RESTARTED:
            self._find_checkpoint()

    def measure(self) -> None:
        """Says that a training step has ended: call it at the end of each. Raises SystemExit with
        status 0 if the scheduler asked the job to stop at the start of the epoch: the snapshot of
        the epoch before must have been saved by then."""
        super().measure()
        if self.has_to_stop:
            sys.exit(0)

    def end(self) -> None:
        """Does nothing: the scheduler sees that the process ends."""

    def _find_checkpoint(self) -> None:
        found = newest_lightning_checkpoint(self.root_dir)
        if found is None:
            self.ckpt_path = self.root_dir + "/tf_ckpt"
        else:
            version, self.ckpt_path = found
            print(PREFIX, "last version found is ", version, flush=True)
        print(f"{PREFIX}: Job Restarted, ckpt_path: ", self.ckpt_path, flush=True)
