"""Tables of ``ackclock theory`` for files: the formulas, and the values of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.theory.catalogue import Formula
    from ackclock.theory.evaluating import Evaluation

__all__ = ["list_table", "values_table"]


def list_table(formulas: Sequence[Formula]) -> Table:
    """All formulas with subject, unit and meaning."""
    columns = [
        Column("formula", [one.name for one in formulas]),
        Column("subject", [one.subject for one in formulas]),
        Column("unit", [one.unit for one in formulas]),
        Column("meaning", [one.meaning for one in formulas]),
    ]
    return Table.of("formulas", "Formulas", columns, names=4)


def values_table(found: Evaluation) -> Table:
    """The varied arguments and the results, in the formula's units."""
    columns = [
        Column(found.name(name), [row.get(name) for row in found.rows], found.unit(name) or "")
        for name in found.rows[0]
    ]
    return Table.of(found.formula.name, found.formula.meaning, columns, names=0)
