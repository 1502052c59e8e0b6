"""The state of the random generators of a process, as text and tensors."""

import importlib
import json
import random
import sys
from typing import Any, Dict


def states(torch: Any) -> Dict[str, Any]:
    """Returns the states of Python's generator, of NumPy's if it is imported, and of PyTorch's,
    also on each GPU if they are used."""
    found = {"python": json.dumps(random.getstate()), "torch": torch.get_rng_state()}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        name, keys, *rest = numpy.random.get_state()
        found["numpy"] = json.dumps([name, keys.tolist(), *rest])
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        found["cuda"] = torch.cuda.get_rng_state_all()
    return found


def restore(torch: Any, saved: Dict[str, Any]) -> None:
    """Sets the generators to ``states``. With another number of GPUs theirs are left alone: they
    would not go on as they did."""
    version, internal, gauss = json.loads(saved["python"])
    random.setstate((version, tuple(internal), gauss))
    torch.set_rng_state(saved["torch"])
    if "numpy" in saved:
        numpy = importlib.import_module("numpy")
        numpy.random.set_state(tuple(json.loads(saved["numpy"])))
    cuda = saved.get("cuda", [])
    if cuda and len(cuda) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(cuda)
