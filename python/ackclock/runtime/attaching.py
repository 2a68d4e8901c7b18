"""Public names of a package, attached on first use: lazy-loader, with Python's own errors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["attach"]


def attach(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Attach the names in the stub beside a package's ``__init__.py``.

    Parameters
    ----------
    package, file
        ``__name__`` and ``__file__`` of the package.

    Returns
    -------
    tuple
        ``__getattr__``, ``__dir__`` and ``__all__`` of the package.
    """
    import lazy_loader

    value_of, listing, names = lazy_loader.attach_stub(package, file)
    known = frozenset(names)

    def attached(name: str) -> object:
        if name not in known:
            # As of any module. With both, Python adds the nearest name.
            raise AttributeError(
                f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
            )
        return value_of(name)

    return attached, listing, names
