"""The callback for Keras. Importing this module imports Keras."""

import json
import warnings
from pathlib import Path
from typing import Any

from remuda.training._files import replacing
from remuda.training._frameworks import framework
from remuda.training._session import current

NAME = "keras.json"

_keras: Any = framework(
    "remuda.training.keras_callback()", "keras or tensorflow", "tensorflow.keras", "keras"
)


class KerasCallback(_keras.callbacks.Callback):  # type: ignore[misc]
    """Follows a fit; see ``keras_callback``. The snapshot is a file of weights for an epoch, and a
    small file that names it, which is replaced last."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(current().folder)
        self.initial_epoch = self._epochs_saved()

    def on_train_begin(self, logs: Any = None) -> None:
        if self.initial_epoch > 0:
            optimizer = self.model.optimizer
            if hasattr(optimizer, "build"):  # else its state would not be loaded
                optimizer.build(self.model.trainable_variables)
            self.model.load_weights(str(self._weights(self.initial_epoch)))

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        session = current()
        session.profiler.epoch = epoch
        session.profiler.total_epochs = self.params["epochs"]
        session.profiler.start_epoch()
        if session.is_asked:
            session.leave()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        current().step()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        done = epoch + 1
        with replacing(self._weights(done)) as fresh:
            self.model.save_weights(str(fresh))
        with replacing(self._folder / NAME) as fresh:
            fresh.write_text(json.dumps({"epochs_done": done}), encoding="ascii")
        for earlier in self._folder.glob("epoch-*.weights.h5"):
            if earlier != self._weights(done):
                earlier.unlink()
        current().end_epoch()

    def _weights(self, done: int) -> Path:
        return self._folder / f"epoch-{done}.weights.h5"

    def _epochs_saved(self) -> int:
        path = self._folder / NAME
        if path.exists():
            return int(json.loads(path.read_text(encoding="ascii"))["epochs_done"])
        if current().profiler.epoch > 0:
            text = f"epochs were done, but there is no {path}: begins again"
            warnings.warn(text, RuntimeWarning, stacklevel=4)
        return 0
