"""A formula at many arguments: one row per value that comes out."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.theory.catalogue import units_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.theory.catalogue import Formula

__all__ = ["Call", "Evaluation", "FormulaError", "evaluated"]


class FormulaError(Error, ValueError):
    """Arguments for which a formula has no value."""


@dataclass(frozen=True)
class Call:
    """One evaluation."""

    arguments: Mapping[str, Any]
    result: Any


@dataclass(frozen=True)
class Evaluation:
    """A table of a formula.

    Attributes
    ----------
    formula
        The formula that was evaluated.
    calls
        Arguments and results as they are.
    varied
        Arguments that have more than one value.
    rows
        The varied arguments, and the result in columns: "value" if it is a number, otherwise its
        parts' names; "step" where it is a course, "row" where it is an array.
    """

    formula: Formula
    calls: Sequence[Call]
    varied: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]

    def name(self, column: str) -> str:
        """A column's name in words."""
        return (self.formula.name if column == "value" else column).replace("_", " ")

    def unit(self, column: str) -> str | None:
        """A column's unit, if it is known."""
        if column == "value":
            return self.formula.unit
        if column in self.varied:
            return next(
                parameter.unit for parameter in self.formula.parameters if parameter.name == column
            )
        result = self.calls[0].result
        first = result[0] if isinstance(result, list) and result else result
        return units_of(type(first)).get(column.split(".")[0]) if is_dataclass(first) else None

    def heading(self, column: str) -> str:
        """A column's name with its unit."""
        unit = self.unit(column)
        return f"{self.name(column)} ({unit})" if unit else self.name(column)


def evaluated(formula: Formula, combinations: Sequence[Mapping[str, Any]]) -> Evaluation:
    """Evaluate a formula for each set of arguments.

    Parameters
    ----------
    formula
        A formula of `formulas`.
    combinations
        Arguments by name.

    Raises
    ------
    FormulaError
        If the formula refuses its arguments, with the formula's message.

    Examples
    --------
    >>> from ackclock.theory.catalogue import formulas
    >>> points = [{"rate": 1000, "rtt": rtt} for rtt in (0.1, 0.2)]
    >>> table = evaluated(formulas()["rule_of_thumb"], points)
    >>> table.rows
    ({'rtt': 0.1, 'value': 100.0}, {'rtt': 0.2, 'value': 200.0})
    """
    calls = [Call(arguments, _result(formula, arguments)) for arguments in combinations]
    names = dict.fromkeys(name for arguments in combinations for name in arguments)
    varied = tuple(
        name for name in names if len({repr(arguments.get(name)) for arguments in combinations}) > 1
    )
    rows = []
    for call in calls:
        own = {name: _argument(call.arguments[name]) for name in varied}
        rows += [own | columns for columns in _columns(call.result)]
    return Evaluation(formula, calls, varied, tuple(rows))


def _result(formula: Formula, arguments: Mapping[str, Any]) -> Any:
    import numpy as np

    kinds = {parameter.name: parameter.kind for parameter in formula.parameters}
    annotated = formula.function.__annotations__
    own = {
        name: np.asarray(value, float)
        if kinds[name] == "numbers" and "NDArray" in str(annotated.get(name))
        else value
        for name, value in arguments.items()
    }
    try:
        return formula.function(**own)
    except (ValueError, OverflowError, ZeroDivisionError, IndexError) as error:
        at = ", ".join(f"{name}={_argument(value)}" for name, value in arguments.items())
        raise FormulaError(f"{formula.name}({at}): {error}") from error


def _argument(value: Any) -> Any:
    return str(value) if isinstance(value, list) else value


def _columns(result: Any) -> list[dict[str, Any]]:
    """One row, or several of a course: a list of results, a row each."""
    import numpy as np

    if isinstance(result, np.ndarray):
        return [{"row": row} | _parts(entry) for row, entry in enumerate(result.tolist(), 1)]
    if (
        isinstance(result, tuple)
        and result
        and all(isinstance(column, np.ndarray) for column in result)
    ):
        return [
            {"row": row} | _parts(cells)
            for row, cells in enumerate(
                zip(*(column.tolist() for column in result), strict=True), 1
            )
        ]
    if isinstance(result, list):
        return [{"step": step} | _parts(entry) for step, entry in enumerate(result, 1)]
    return [_parts(result)]


def _parts(result: Any, prefix: str = "") -> dict[str, Any]:
    import numpy as np

    if isinstance(result, np.ndarray | np.generic):
        result = result.tolist()
    if is_dataclass(result) and not isinstance(result, type):
        own = {field.name: getattr(result, field.name) for field in fields(result)}
        own |= {
            name: getattr(result, name)
            for name, value in vars(type(result)).items()
            if isinstance(value, property)
        }
        return {
            key: part
            for name, value in own.items()
            for key, part in _parts(value, f"{prefix}{name}").items()
        }
    if isinstance(result, list | tuple):
        dotted = f"{prefix}." if prefix else ""
        return {
            key: part
            for place, value in enumerate(result, 1)
            for key, part in _parts(value, f"{dotted}{place}").items()
        }
    return {prefix or "value": result}
