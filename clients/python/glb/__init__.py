"""GLB's interface, served by Remuda: scripts written for GLB run as they are.

    import glb

    @glb.gpu_load_balance()
    def job(): ...
"""

from typing import TYPE_CHECKING, Any, Callable, overload

from grn import job
from remuda import job as _job

if TYPE_CHECKING:
    from remuda._decorator import JobDecorator, JobFunction, P, R

__all__ = ["gpu_load_balance", "job"]


@overload
def gpu_load_balance(
    continue_on_server_unavailable: "Callable[P, R]",
) -> "JobFunction[P, R]":
    ...


@overload
def gpu_load_balance(continue_on_server_unavailable: bool = False) -> "JobDecorator":
    ...


def gpu_load_balance(continue_on_server_unavailable: Any = False) -> Any:
    """Runs each call of the function on a GPU that has room for it, the one least used.

    Works with and without parentheses: GLB's guide shows it in both ways.
    """
    if callable(continue_on_server_unavailable):
        return _job(continue_on_server_unavailable)
    return _job(continue_on_server_unavailable=continue_on_server_unavailable)
