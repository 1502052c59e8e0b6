"""Trainings that can be stopped after each epoch, and go on later, elsewhere, as if nothing was.

    from remuda import training

    training.load(model, optimizer)              # the snapshot, if there is one
    for epoch in training.epochs(20):            # those that are still to be done
        for batch in data:
            ...
            training.step()                      # times the step
        training.save(model, optimizer)          # the snapshot of this epoch

The scheduler of ``remuda submit --epochs 20 --snapshots DIR`` learns how long steps and epochs take
and how many are done; when it needs the GPU for another job, ``epochs()`` ends the process with
status 0 before the next epoch, and the job starts again when there is room. Outside of it the same
program runs from its first epoch to its last, and talks to nothing.

All of it belongs to one training in a process, and to the thread that trains. Frameworks are
imported only by the functions that need them; a ModuleNotFoundError names what is missing.
"""

from typing import Any, Iterator, Optional

from remuda.training._session import current
from remuda.training._signals import stop_on
from remuda.training._snapshots import Snapshot, folder, load, save

__all__ = [
    "Snapshot",
    "epochs",
    "folder",
    "keras_callback",
    "lightning_callback",
    "load",
    "save",
    "should_stop",
    "step",
    "stop_on",
]


def epochs(total: Optional[int] = None) -> Iterator[int]:
    """Yields the numbers, from 0, of the epochs that are still to be done, up to ``total`` - 1.

    ``total`` is by default ``EPOCHS_TO_BE_DONE``, and 1 outside of the scheduler. The first is
    ``EPOCHS_DONE``, or the one after the snapshot that ``load`` found. Before each epoch the
    scheduler is asked whether the training has to stop: if so, and it is not the last epoch,
    SystemExit with status 0 is raised. After the body of the loop, which ends with saving, the
    epoch counts as done. An epoch that is left by ``break`` or an exception does not.

    The processes of a training that PyTorch connects stop before the same epoch. Raises ValueError
    if ``total`` is negative.
    """
    return current().epochs(total)


def step() -> None:
    """Says that a training step has ended: call it at the end of each, so that the scheduler knows
    how fast the training is. Every ``HEARTBEAT_FREQ`` steps it sends a profile."""
    current().step()


def should_stop() -> bool:
    """Returns whether a signal of ``stop_on`` or the scheduler asks the training to stop; the
    scheduler is asked at most once a second, and not in the last epoch. Once true it stays true.

    For trainings that save more often than once an epoch: save, then exit with status 0.
    """
    return current().should_stop()


def lightning_callback() -> Any:
    """Returns a callback for Lightning's Trainer that does what ``step``, ``epochs`` and ``save``
    do. Its ``ckpt_path`` is the checkpoint to give to ``fit``, or None at the first start.

        follow = training.lightning_callback()
        trainer = Trainer(max_epochs=20, callbacks=[follow])
        trainer.fit(module, data, ckpt_path=follow.ckpt_path)

    Raises ModuleNotFoundError without ``pytorch_lightning`` or ``lightning``.
    """
    from remuda.training._lightning import LightningCallback

    return LightningCallback()


def keras_callback() -> Any:
    """Returns a callback for Keras's ``fit`` that does what ``step``, ``epochs``, ``save`` and
    ``load`` do: weights and optimizer come from the snapshot when ``fit`` begins. Its
    ``initial_epoch`` has to be given to ``fit``. Keras's random generators are not saved.

        follow = training.keras_callback()
        model.fit(x, y, epochs=20, initial_epoch=follow.initial_epoch, callbacks=[follow])

    Raises ModuleNotFoundError without ``keras`` or ``tensorflow``.
    """
    from remuda.training._keras import KerasCallback

    return KerasCallback()
