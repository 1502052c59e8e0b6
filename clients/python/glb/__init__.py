"""GLB's interface, served by Remuda: scripts written for GLB run as they are.

    import glb

    @glb.gpu_load_balance()
    def job(): ...
"""

from typing import TYPE_CHECKING

from grn import job
from remuda import job as _job

if TYPE_CHECKING:
    from remuda._decorator import JobDecorator

__all__ = ["gpu_load_balance", "job"]


def gpu_load_balance(continue_on_server_unavailable: bool = False) -> "JobDecorator":
    """Runs each call of the function on a GPU that has room for it, the one least used."""
    return _job(continue_on_server_unavailable=continue_on_server_unavailable)
