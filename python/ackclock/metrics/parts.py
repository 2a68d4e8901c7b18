"""Flows of several connections, which count once."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Row = TypeVar("Row", bound=Mapping[str, Any])


def whole(flows: Sequence[Row]) -> list[Row]:
    """The flows without the connections that carry one of them together.

    Examples
    --------
    >>> rows = [{"name": "f", "part_of": None}, {"name": "f[1]", "part_of": "f"}, {"name": "f[2]", "part_of": "f"}]
    >>> [row["name"] for row in whole(rows)]
    ['f']
    """
    return [flow for flow in flows if flow["part_of"] is None]
