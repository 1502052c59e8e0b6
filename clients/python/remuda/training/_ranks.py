"""The processes of a distributed training decide as one."""

import sys
from typing import Any

from remuda.training._variables import Variables


def agreed(wish: bool) -> bool:
    """Returns whether any process of the training wishes it: if PyTorch has connected them, each
    calls this at the same point, and all get the same answer. Else it is the own wish."""
    distributed = _distributed()
    if distributed is None:
        return wish
    torch = sys.modules["torch"]
    device = "cuda" if distributed.get_backend() == "nccl" else "cpu"
    wishes = torch.tensor([int(wish)], device=device)
    distributed.all_reduce(wishes, op=distributed.ReduceOp.MAX)
    return bool(wishes.item())


def is_first(variables: Variables) -> bool:
    """Returns whether this process saves snapshots and tells of epochs. A launcher that numbers its
    processes says so; processes that the program started itself, as by ``mp.spawn``, are told apart
    by PyTorch once it has connected them."""
    if not variables.is_first_process:
        return False
    distributed = _distributed() if variables.local_rank < 0 else None
    return distributed is None or bool(distributed.get_rank() == 0)


def _distributed() -> Any:
    distributed: Any = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed
