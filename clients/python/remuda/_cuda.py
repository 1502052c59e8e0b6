"""What this process already uses of a GPU. Reading it imports nothing and opens no driver."""

import gc
import os
import sys
import warnings
from typing import List, Sequence, Tuple

OPENED_BY_USE = ("/dev/nvidia-uvm", "/dev/kfd")  # CUDA's and ROCm's; asking NVML opens neither


def is_initialised() -> bool:
    """Returns whether the environment can no longer move this process to another GPU."""
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_initialized():
            return True
    except Exception:  # another module of that name, or a half imported one
        pass
    return any(_is_open(name) for name in _descriptors())


def _descriptors() -> List[str]:
    try:
        return os.listdir("/proc/self/fd")
    except OSError:
        return []


def _is_open(descriptor: str) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}") in OPENED_BY_USE
    except OSError:  # the descriptor of the listing
        return False


def give_back_unused() -> None:
    """Frees the memory that a failed call has left, as far as Python and PyTorch can."""
    gc.collect()
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.empty_cache()
    except Exception:  # the next try shows whether it was enough
        pass


_bound: Tuple[str, ...] = ()


def note_use(devices: Sequence[str]) -> None:
    """Remembers this process's GPU at the end of a lease in which it may have begun to use it."""
    global _bound
    if not _bound and devices and is_initialised():
        _bound = tuple(devices)


def bound_to(gpus: int) -> Tuple[str, ...]:
    """Returns the only GPUs that this process can use of a lease of ``gpus``: those that its
    frameworks count first. Empty if any are suitable, or if that is not known."""
    known = _bound if is_initialised() else ()
    return known[:gpus] if len(known) >= gpus else ()


def warn_if_elsewhere(devices: Sequence[str]) -> None:
    """Warns if the lease is for other GPUs: a process that has used a GPU stays there."""
    if devices and is_initialised() and set(devices) != set(_bound[: len(devices)]):
        before = f"{', '.join(_bound)}" if _bound else "a GPU that it took before its first lease"
        warnings.warn(
            f"CUDA of this process stays on {before}, and is lent {', '.join(devices)}: import"
            " frameworks inside of decorated functions, and call one of these per process",
            RuntimeWarning,
            stacklevel=4,
        )
