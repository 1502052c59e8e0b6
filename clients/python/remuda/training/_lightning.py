"""The callback for Lightning. Importing this module imports Lightning."""

import warnings
from pathlib import Path
from typing import Any, Optional

from remuda.training._files import replacing
from remuda.training._frameworks import framework
from remuda.training._ranks import agreed
from remuda.training._session import current

NAME = "lightning.ckpt"

_lightning: Any = framework(
    "remuda.training.lightning_callback()",
    "pytorch-lightning or lightning",
    "pytorch_lightning",
    "lightning.pytorch",
)


class LightningCallback(_lightning.Callback):  # type: ignore[misc]
    """Follows a fit; see ``lightning_callback``."""

    def __init__(self) -> None:
        super().__init__()
        self._path = Path(current().folder, NAME)

    @property
    def ckpt_path(self) -> Optional[str]:
        """The snapshot's file; None if there is none."""
        if self._path.exists():
            return str(self._path)
        if current().profiler.epoch > 0:
            text = f"epochs were done, but there is no {self._path}: begins again"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        return None

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        session = current()
        session.profiler.epoch = trainer.current_epoch
        if trainer.max_epochs is not None and trainer.max_epochs >= 0:
            session.profiler.total_epochs = trainer.max_epochs
        session.profiler.start_epoch()
        if agreed(session.is_asked):
            session.leave()

    def on_train_batch_end(self, trainer: Any, pl_module: Any, *_: Any) -> None:
        current().step()

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        if trainer.is_global_zero:
            with replacing(self._path) as fresh:
                trainer.save_checkpoint(str(fresh))
        else:  # all processes take part in it
            trainer.save_checkpoint(str(self._path))
        current().end_epoch()
