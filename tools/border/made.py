"""The files of this package that are made from the core's definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from making_plan import linux_plan_source, plan_source
from making_rows import rows_source

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FILES"]

FILES: Mapping[str, Callable[[], str]] = {
    "rows.py": rows_source,
    "plan.py": plan_source,
    # The part of the core that runs on a kernel is there on Linux alone.
    **({"linux_plan.py": linux_plan_source} if hasattr(_core, "linux_plan_schema") else {}),
}
"""Source of each file, by its name."""
