"""GRN's interface, served by Remuda: scripts written for GRN run as they are.

    import grn

    @grn.job()
    def work(): ...
"""

from typing import TYPE_CHECKING, Any, Callable, Optional, overload

import remuda
from remuda._policy import policy_named

if TYPE_CHECKING:
    from remuda._decorator import JobDecorator, JobFunction, P, R

__all__ = ["job"]


@overload
def job(jobstr: "Callable[P, R]") -> "JobFunction[P, R]":
    ...


@overload
def job(
    jobstr: Optional[str] = None,
    resource_policy: str = "spread",
    continue_on_server_unavailable: bool = False,
) -> "JobDecorator":
    ...


def job(
    jobstr: Any = None,
    resource_policy: str = "spread",
    continue_on_server_unavailable: bool = False,
) -> Any:
    """Runs each call of the function on a GPU that has room for it.

    Works with and without parentheses. ``jobstr`` names calls with similar needs, by default the
    function's file and name; ``resource_policy`` is ``spread`` or ``pack``.
    """
    if callable(jobstr):
        return remuda.job(jobstr)
    policy = policy_named(resource_policy, "resource_policy")
    return remuda.job(jobstr, policy, None, continue_on_server_unavailable)
