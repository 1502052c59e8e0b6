"""Snapshots of a training in plain PyTorch."""

import pickle
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

from remuda._errors import RemudaError
from remuda.training._files import replacing
from remuda.training._frameworks import framework
from remuda.training._random import restore, states
from remuda.training._ranks import is_first
from remuda.training._session import current

NAME = "snapshot.pt"
FORMAT = 1
UNREADABLE = (RuntimeError, EOFError, ValueError, LookupError, TypeError, pickle.UnpicklingError)


@dataclass(frozen=True)
class Snapshot:
    """What ``load`` found besides the states: epochs that are done, ``extra`` as it was saved,
    and the file."""

    epochs_done: int
    extra: Any
    path: Path


def folder() -> Path:
    """Returns the folder of this job's snapshots, the same for all its starts, and makes it.

    It is below ``REMUDA_SNAPSHOTS``, else ``/snapshots``, else, as outside of the scheduler,
    ``snapshots`` in the working folder. Raises OSError.
    """
    return Path(current().folder)


def save(
    *parts: Any,
    extra: Any = None,
    epochs_done: Optional[int] = None,
    file: Union[str, Path, None] = None,
) -> Path:
    """Saves what a training is made of: model, optimizer, learning-rate schedule, scaler, …

    Each part has ``state_dict()``; a model in DataParallel or DistributedDataParallel is saved
    without it, so the number of GPUs may change. The states of the random generators of Python,
    NumPy and PyTorch are saved, too. ``extra`` is made of plain values and tensors.
    ``epochs_done`` is the number of whole epochs in it: by default the epoch of ``epochs()`` that
    ends; in the middle of an epoch say how many were done before. ``file`` is by default
    ``snapshot.pt`` in ``folder()``.

    The file is replaced when the new one is whole and on the disk. In a distributed training only
    the first process writes. Returns the path. Raises OSError, and ModuleNotFoundError without
    PyTorch.
    """
    torch = framework("remuda.training.save()", "torch", "torch")
    session = current()
    path = _path(file)
    if not is_first(session.variables):
        return path
    content = {
        "format": FORMAT,
        "epochs_done": session.profiler.epoch + 1 if epochs_done is None else epochs_done,
        "parts": [_bare(part).state_dict() for part in parts],
        "random": states(torch),
        "extra": extra,
    }
    with replacing(path) as fresh:
        torch.save(content, fresh)
    return path


def load(*parts: Any, file: Union[str, Path, None] = None) -> Optional[Snapshot]:
    """Sets the parts, and the random generators, to the snapshot that ``save`` wrote of the same
    parts in the same order; ``epochs()`` then begins after its epochs. Returns None, and changes
    nothing, if there is no snapshot; if the scheduler says that epochs were done, they are then
    done again, with a warning.

    Raises ModuleNotFoundError without PyTorch, RemudaError if the file is no whole snapshot, and
    ValueError if it has another number of parts.
    """
    torch = framework("remuda.training.load()", "torch", "torch")
    path = _path(file)
    if not path.exists():
        _begin_again(path)
        return None
    content = _read(torch, path)
    saved: List[Any] = content["parts"]
    if len(saved) != len(parts):
        raise ValueError(f"{path} has {len(saved)} parts, and load() is given {len(parts)}")
    for part, state in zip(parts, saved):
        _bare(part).load_state_dict(state)
    restore(torch, content["random"])
    done = content["epochs_done"]
    current().begin_after(done)
    print(f"remuda: goes on after {done} epochs, with {path}", file=sys.stderr, flush=True)
    return Snapshot(done, content["extra"], path)


def _path(file: Union[str, Path, None]) -> Path:
    return folder() / NAME if file is None else Path(file)


def _bare(part: Any) -> Any:
    """What is inside of a wrapper for several GPUs."""
    wrappers = ("DataParallel", "DistributedDataParallel")
    return part.module if type(part).__name__ in wrappers else part


def _begin_again(path: Path) -> None:
    session = current()
    if session.profiler.epoch > 0:
        text = f"{session.profiler.epoch} epochs were done, but there is no {path}: begins again"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        session.begin_after(0)


def _only_weights(torch: Any) -> Dict[str, bool]:
    """Forbids code in the file. PyTorch 1 cannot, or takes a learning rate for code."""
    return {} if torch.__version__.startswith("1.") else {"weights_only": True}


def _read(torch: Any, path: Path) -> Any:
    try:
        content = torch.load(path, map_location="cpu", **_only_weights(torch))
        if content["format"] == FORMAT:
            return content
        fault = f"it has format {content['format']}, and this is {FORMAT}"
    except UNREADABLE as unreadable:
        fault = str(unreadable)
    raise RemudaError(f"{path} is not a snapshot that can be loaded: {fault}")
