"""The files that are made from the core's definitions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from making_plan import linux_plan_source, plan_source
from making_rows import rows_source
from making_traits import traits_source

from ackclock import _core, core_types

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FILES"]

_BORDER = Path(core_types.__file__).parent
_PAGE = Path(__file__).parents[2] / "web/src"

FILES: Mapping[Path, Callable[[], str]] = {
    _BORDER / "rows.py": rows_source,
    _BORDER / "plan.py": plan_source,
    _PAGE / "traits.ts": traits_source,
    # The part of the core that runs on a kernel is there on Linux alone.
    **(
        {_BORDER / "linux_plan.py": linux_plan_source}
        if hasattr(_core, "linux_plan_schema")
        else {}
    ),
}
"""Source of each file."""
