"""How a call under a lease ended, in the words that are sent to the server."""

import traceback
from typing import List, NamedTuple, Optional

MOST_ERROR_BYTES = 4096


class Outcome(NamedTuple):
    """How a call ended; ``error`` is None if it was good."""

    error: Optional[str] = None

    @classmethod
    def of(cls, fault: BaseException) -> "Outcome":
        """``sys.exit()`` with nothing to complain of is good, too."""
        if isinstance(fault, SystemExit) and fault.code in (None, 0):
            return cls()
        return cls(_text(fault))


def _text(fault: BaseException) -> str:
    """The exception and what it came of, as far as a server needs it: the last 4 KB."""
    texts: List[str] = []
    seen = set()
    one: Optional[BaseException] = fault
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        texts.insert(0, "".join(traceback.format_exception_only(type(one), one)))
        one = one.__cause__ or one.__context__
    data = "".join(texts).encode("utf-8", "replace")[-MOST_ERROR_BYTES:]
    return data.decode("utf-8", "ignore")
