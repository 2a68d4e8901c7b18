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
        Column("formula", [formula.name for formula in formulas]),
        Column("subject", [formula.subject for formula in formulas]),
        Column("unit", [formula.unit for formula in formulas]),
        Column("meaning", [formula.meaning for formula in formulas]),
    ]
    return Table.of("formulas", "Formulas", columns, names=4)


def values_table(evaluation: Evaluation) -> Table:
    """The varied arguments and the results, in the formula's units."""
    columns = [
        Column(
            evaluation.name(name),
            [row.get(name) for row in evaluation.rows],
            evaluation.unit(name) or "",
        )
        for name in evaluation.rows[0]
    ]
    return Table.of(evaluation.formula.name, evaluation.formula.meaning, columns, names=0)
