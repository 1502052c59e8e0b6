"""How a call under a lease ended, as it is sent to the server."""

import traceback
from typing import List, NamedTuple, Optional

MOST_ERROR_BYTES = 4096


class Outcome(NamedTuple):
    """How a call ended; ``error`` is None if it succeeded."""

    error: Optional[str] = None

    @classmethod
    def of(cls, fault: BaseException) -> "Outcome":
        """Returns the outcome of an exception; ``sys.exit()`` with 0 or None is a success, too."""
        if isinstance(fault, SystemExit) and fault.code in (None, 0):
            return cls()
        return cls(_text(fault))


def _text(fault: BaseException) -> str:
    """Returns the exception and its causes as text: the last 4 KB, which a server needs."""
    texts: List[str] = []
    seen = set()
    one: Optional[BaseException] = fault
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        texts.insert(0, "".join(traceback.format_exception_only(type(one), one)))
        one = one.__cause__ or one.__context__
    data = "".join(texts).encode("utf-8", "replace")[-MOST_ERROR_BYTES:]
    return data.decode("utf-8", "ignore")
