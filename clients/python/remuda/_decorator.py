"""``remuda.job``: a function that runs under a lease."""

import functools
import inspect
import warnings
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, Union, overload

from remuda import _cuda
from remuda._access import default_home
from remuda._errors import ServerUnavailable
from remuda._holding import Stay, enter
from remuda._leases import NO_LEASE, Lease, Wanted, memory_wanted
from remuda._naming import type_of
from remuda._outcome import Outcome
from remuda._policy import policy_named
from remuda._profiling import run_apart
from remuda._shortcuts import client_of

DIRECT_CALLER = 3  # callers: job, the user's

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Protocol

    P = ParamSpec("P")
    R = TypeVar("R", covariant=True)

    class JobFunction(Protocol[P, R]):
        """A function that ``remuda.job`` has decorated."""

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            ...

        def __get__(self, instance: object, owner: Any = None) -> Callable[..., R]:
            ...

        def profile(self, stand_in: F) -> F:
            """Measures the function's type by running this with the function's arguments."""

    class JobDecorator(Protocol):
        """Decorates any function."""

        def __call__(self, function: Callable[P, R]) -> JobFunction[P, R]:
            ...


@overload
def job(type: "Callable[P, R]") -> "JobFunction[P, R]":
    ...


@overload
def job(
    type: Optional[str] = None,
    policy: str = "spread",
    gpu_mem: Union[str, int, None] = None,
    continue_on_server_unavailable: bool = False,
    *,
    retry_out_of_memory: bool = True,
    gpu_memory: Union[str, int, None] = None,
) -> "JobDecorator":
    ...


def job(
    type: Any = None,
    policy: str = "spread",
    gpu_mem: Union[str, int, None] = None,
    continue_on_server_unavailable: bool = False,
    *,
    retry_out_of_memory: bool = True,
    gpu_memory: Union[str, int, None] = None,
) -> Any:
    """Runs each call of a function on a GPU that the server lends for it.

    Works as ``@remuda.job`` and as ``@remuda.job(...)``. A call waits for its GPU and returns the
    function's value, or raises its exception. ``type`` names calls with equal needs, by default the
    function's file and name. ``policy`` is ``spread``, ``pack``, ``best-fit``,
    ``round-robin``, ``foresight``, ``fgd``, ``dot-product``, ``random`` or ``share``. ``gpu_mem`` is text such as ``"6GiB"``, a number of MiB, or ``"whole"`` for a whole GPU; None is
    the measured need of the type; ``gpu_memory`` is its earlier name. Without a server a call
    raises ServerUnavailable; with ``continue_on_server_unavailable`` it runs unbalanced, with a
    warning. With ``retry_out_of_memory`` a function that fails because GPU memory is exhausted is
    called again with more of it, if there is more: it may be called more than once.

    ``@function.profile`` registers a stand-in that runs once, with the function's arguments, to
    measure an unknown type.
    """
    if callable(type):
        return job()(type)
    run = _Runs(
        policy=policy_named(policy),
        gpu_mem=memory_wanted(gpu_mem, gpu_memory, DIRECT_CALLER),
        unbalanced=continue_on_server_unavailable,
        again=retry_out_of_memory,
    )
    return functools.partial(run.decorated, type=type)


class _Runs:
    """How calls of a decorated function are run."""

    def __init__(
        self, policy: str, gpu_mem: Optional[str], unbalanced: bool, again: bool
    ) -> None:
        self._policy = policy
        self._gpu_mem = gpu_mem
        self._unbalanced = unbalanced
        self._again = again

    def decorated(self, function: Callable[..., Any], type: Optional[str]) -> Callable[..., Any]:
        _check(function)
        wanted = Wanted(
            type=type_of(function) if type is None else type,
            gpu_mem=self._gpu_mem,
            policy=self._policy,
        )
        profilers = _Profilers(function)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            own: Callable[[], Any] = functools.partial(function, *args, **kwargs)
            if profilers.only is None:
                return self._within(wanted, lambda lease: own())
            first = _FirstRun(own, functools.partial(profilers.only, *args, **kwargs))
            value = self._within(wanted, first.run)
            return self._within(wanted, lambda lease: own()) if first.is_profiled else value

        call.profile = profilers.register  # type: ignore[attr-defined]
        return call

    def _within(self, wanted: Wanted, body: Callable[[Lease], Any]) -> Any:
        try:
            stay = enter(lambda: client_of(default_home())._transport, wanted)
        except ServerUnavailable as fault:
            if not self._unbalanced:
                raise
            warnings.warn(
                f"{wanted.type} runs without load balancing: {fault}", RuntimeWarning, stacklevel=3
            )
            return body(NO_LEASE)
        while True:
            try:
                _cuda.warn_if_elsewhere(stay.lease.devices)  # it may be raised
                value = body(stay.lease)
            except Exception as fault:
                if not self._goes_on(stay, fault):
                    raise
            except BaseException as fault:
                stay.leave(Outcome.of(fault))
                raise
            else:
                stay.leave(Outcome())
                return value
            stay.await_again()  # here, where the exception no longer keeps anything alive

    def _goes_on(self, stay: Stay, fault: Exception) -> bool:
        if self._again:
            return stay.goes_on(Outcome.of(fault))
        stay.leave(Outcome.of(fault))
        return False


class _FirstRun:
    """A call that may be the one that measures its type."""

    def __init__(self, own: Callable[[], Any], stand_in: Callable[[], Any]) -> None:
        self._own = own
        self._stand_in = stand_in
        self.is_profiled = False

    def run(self, lease: Lease) -> Any:
        """Runs the stand-in if the lease measures the type, otherwise the function."""
        if not lease.measuring:
            return self._own()
        if not run_apart(self._stand_in) and _cuda.is_initialised():
            warnings.warn(
                "threads of this process keep the profiling function from running in one of its"
                " own; the GPU it used cannot be left, so the function is measured, too: import"
                " what starts threads inside of functions",
                RuntimeWarning,
                stacklevel=4,
            )
            return self._own()
        self.is_profiled = True
        return None


class _Profilers:
    """The stand-in of a function: one, or none."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.only: Optional[Callable[..., Any]] = None

    def register(self, stand_in: F) -> F:
        """Measures the function's type by running this with the function's arguments."""
        if self.only is not None:
            raise AttributeError(
                f"{_name(self._function)} has the profiling function {_name(self.only)}:"
                f" cannot give it {_name(stand_in)}, too"
            )
        _check(stand_in)
        self.only = stand_in
        return stand_in


def _check(function: Any) -> None:
    if not callable(function):
        raise TypeError(f"a function is decorated, not {function!r}")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise TypeError(
            f"{_name(function)} returns before its work is done: decorate the function that waits"
            " for it"
        )


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__qualname__", function))
