"""ackclock: a laboratory for TCP congestion control.

A scenario goes in, the deterministic packet simulator runs it, and columns come out. Metrics,
tables, plots and reports are made from the columns.

Examples
--------
>>> import ackclock as ac
>>> s = ac.dumbbell(
...     rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s"
... )
>>> s.name
'scenario'
"""

from __future__ import annotations


def __getattr__(name: str) -> object:
    """Attach the names of `__init__.pyi` on first use: at once would take longer than all else.

    Ctrl-C is not handled meanwhile (`ackclock.__main__`).
    """
    from ackclock.runtime.attaching import attach

    value_of, listing, names = attach(__name__, __file__)
    globals().update(__getattr__=value_of, __dir__=listing, __all__=names)
    return names if name == "__all__" else value_of(name)


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
