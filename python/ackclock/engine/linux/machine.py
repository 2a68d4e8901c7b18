"""The kernel of this machine, and whether it allows runs."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ackclock import _core
from ackclock.errors import Error

__all__ = ["Kernel", "LinuxError", "kernel", "obstacle", "require_namespaces"]

_SYSCTLS = Path("/proc/sys/net/ipv4")


class LinuxError(Error, OSError):
    """The machine could not do a run; the text names the remedy if there is one.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.LinuxError, OSError), ac.LinuxError.kind
    (True, 'unavailable')
    """

    kind = "unavailable"


@dataclass(frozen=True)
class Kernel:
    """Properties of a kernel.

    Examples
    --------
    >>> from ackclock.engine.linux import Kernel
    >>> Kernel("6.18.0-rc1", ("reno", "cubic")).version
    (6, 18)
    """

    release: str
    """Release, as ``uname -r`` prints it."""
    congestion_controls: tuple[str, ...]
    """Congestion controls that a socket can have."""
    loadable: tuple[str, ...] = ()
    """Congestion controls whose modules exist but are not loaded."""
    sysctls: frozenset[str] | None = None
    """Names below ``net.ipv4``; `None`: those of this machine."""
    name: str = ""
    """Name of a kernel in virtual time; "": it is this machine's."""

    def __str__(self) -> str:
        """The kernel in a sentence."""
        name = f"kernel '{self.name}'" if self.name else "the kernel of this machine"
        return f"{name} ({self.release})"

    @property
    def version(self) -> tuple[int, int]:
        """The first two numbers of the release."""
        match = re.match(r"(\d+)\.(\d+)", self.release)
        return (int(match[1]), int(match[2])) if match else (0, 0)

    def has_sysctl(self, name: str) -> bool:
        """Whether a setting exists below ``net.ipv4``."""
        if self.sysctls is not None:
            return name in self.sysctls
        return (_SYSCTLS / name).exists()


@cache
def kernel() -> Kernel:
    """The kernel of this machine.

    Raises
    ------
    LinuxError
        If this machine does not run Linux.

    Examples
    --------
    >>> import platform
    >>> from ackclock.engine.linux import kernel
    >>> platform.system() != "Linux" or kernel().version >= (2, 6)
    True
    """
    if platform.system() != "Linux":
        raise LinuxError(
            f"this machine runs {platform.system()}: a scenario on the real kernel needs Linux"
        )
    facts = _core.kernel()
    return Kernel(facts["release"], tuple(facts["congestion_controls"]), tuple(facts["loadable"]))


def obstacle() -> str | None:
    """Why this machine cannot run a scenario on its kernel, and what to do; `None`: it can.

    Examples
    --------
    >>> from ackclock.engine.linux import obstacle
    >>> found = obstacle()
    >>> found is None or isinstance(found, str)
    True
    """
    try:
        kernel()
    except LinuxError as error:
        return str(error)
    return _core.kernel()["obstacle"]


def require_namespaces() -> None:
    """Raise unless a run can have its namespaces.

    Raises
    ------
    LinuxError
        If the machine does not allow them; the text says why.

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.linux.require_namespaces()
    ... except ac.LinuxError as error:
    ...     assert str(error) == ac.linux.obstacle()
    """
    reason = obstacle()
    if reason is not None:
        raise LinuxError(reason)
