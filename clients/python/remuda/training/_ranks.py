"""The processes of a distributed training decide as one."""

import sys
from typing import Any


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


def _distributed() -> Any:
    distributed: Any = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed
