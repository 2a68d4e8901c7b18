"""Flows of several connections, which count once."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Row = TypeVar("Row", bound=Mapping[str, Any])


def sharing(flows: Sequence[Row]) -> list[Row]:
    """The flows whose shares `jain_index` of a summary compares: measured ones, UDP streams apart.

    The index of one flow is 1 by its formula and says nothing: where there are fewer than two,
    it is not shown.

    Parameters
    ----------
    flows : sequence of mapping
        Rows as in flows.parquet.

    Returns
    -------
    list of mapping
        Those rows, in their order.

    Notes
    -----
    Source: R. Jain, D. Chiu and W. Hawe, DEC-TR-301, 1984, section 2.

    Examples
    --------
    >>> import ackclock as ac
    >>> flows = [ac.flow("reno"), ac.flow("cubic")]
    >>> both = ac.dumbbell(rate="10Mbit/s", rtt="40ms", flows=flows, duration="5s")
    >>> [row["name"] for row in ac.metrics.sharing(ac.run(both).flows.to_dicts())]
    ['flow1', 'flow2']
    """
    return [flow for flow in whole(flows) if flow["goodput"] is not None and flow["cc"] != "udp"]


def whole(flows: Sequence[Row]) -> list[Row]:
    """The flows without the connections that carry one of them together.

    Examples
    --------
    >>> parts = [{"name": name, "part_of": "f"} for name in ("f[1]", "f[2]")]
    >>> rows = [{"name": "f", "part_of": None}, *parts]
    >>> [row["name"] for row in whole(rows)]
    ['f']
    """
    return [flow for flow in flows if flow["part_of"] is None]
