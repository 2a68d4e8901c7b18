"""A sweep's tables for files: text as the terminal shows it, beside exact figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ackclock.pages.run.sweep import tables, words
from ackclock.plot_data.sweep.clouds import delay_response, throughput_response
from ackclock.plot_data.sweep.layout import ViewError, cells, choose, find_response, places_of
from ackclock.plot_data.sweep.paired import compared_axis
from ackclock.plot_data.sweep.paired import differences as rows_of
from ackclock.plot_data.sweep.scale import shown_unit
from ackclock.plot_data.sweep.scale import words as spoken_name
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from ackclock.plot_data.sweep.layout import Place
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["chosen_table", "differences_table", "means_table", "sweep_tables"]


def sweep_tables(result: SweepResult) -> dict[str, Table]:
    """The tables that the terminal shows of a whole sweep, and all runs, by name.

    Names are "means", "runs", and for each comparison "differences of RESPONSE", or "differences"
    with all responses in one table if they are many.
    """
    parts = [_means(result, result.shown)]
    axes = tables.compared(result)
    for axis in axes:
        of_axis = f" along {axis.name}" if len(axes) > 1 else ""
        if len(result.shown) > words.MOST_DETAILED:
            made = tables.changes(result, axis)
            rows = _difference_rows(result, result.shown, axis, {})
            parts.append(_joined(f"differences{of_axis}", made, rows, result))
        else:
            parts += [
                _differences(result, response, axis, {}, f"differences of {response.name}{of_axis}")
                for response in result.shown
            ]
    parts.append(_runs(result, result.shown, {}, tables.every_run(result)))
    return {table.name: table for table in parts}


def chosen_table(
    result: SweepResult,
    response: str | None = None,
    *,
    kind: str | None = None,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
) -> Table:
    """The numbers of one figure of the sweep; arguments as for `SweepResult.plot`.

    Means have a row per setting in CSV; their text has a column per value of `by`.

    Raises
    ------
    ViewError
        If a response, axis or value does not exist.
    """
    chosen = find_response(result, response)
    if kind == "difference":
        axis = compared_axis(result, by)
        held = choose(result, at=at, together=(axis.name,), most_panels=None).held
        others = {name: index for name, index in held.items() if name != axis.name}
        return _differences(result, chosen, axis, others, "differences")
    layout = choose(result, x=x, by=by, at=at, most_panels=None)
    held = dict(layout.held)
    if kind in {"box", "cdf"}:
        return _runs(result, [chosen], held, tables.distributions(result, chosen, held))
    if kind == "scatter":
        upward = chosen if response is not None else throughput_response(result)
        across = delay_response(result)
        if upward is None or across is None:
            raise ViewError(
                "a scatter needs a throughput (goodput, utilisation) and a delay (queue_delay, "
                "rtt) among the responses"
            )
        return _runs(result, [upward, across], held, tables.pair(result, upward, across, held))
    return _joined(
        "means",
        tables.response(result, chosen, layout),
        _mean_columns(result, [chosen], held),
        result,
    )


def means_table(result: SweepResult, frame: pl.DataFrame) -> Table:
    """The table for people of rows of `SweepResult.responses`: means with their intervals."""
    names = list(dict.fromkeys(frame["response"].to_list()))
    return _means(result, [result.find(name) for name in names], set(frame["setting"].to_list()))


def differences_table(result: SweepResult, frame: pl.DataFrame) -> Table:
    """The table for people of rows of `SweepResult.differences`, of their first comparison."""
    axis = next(
        (axis for axis in tables.compared(result) if axis.name in frame["axis"].to_list()), None
    )
    if axis is None:
        return Table((), (), name="differences", title="Differences")
    responses = [result.find(name) for name in dict.fromkeys(frame["response"].to_list())]
    rows = {
        (difference.place, difference.value): difference.row
        for response in responses
        for difference in rows_of(result, response, axis, {})
    }
    settings = set(frame["setting"].to_list())
    kept = [rows[at]["setting"] in settings for at in sorted(rows)]
    if len(responses) == 1:
        made = tables.differences(result, responses[0], axis, {})
    else:
        made = tables.changes(result, axis, responses)
    made = replace(
        made, rows=[row for row, is_kept in zip(made.rows, kept, strict=True) if is_kept]
    )
    columns = _difference_rows(result, responses, axis, {}, settings)
    return _joined("differences", made, columns, result)


def _means(
    result: SweepResult, responses: Sequence[Response], settings: set[int] | None = None
) -> Table:
    made = tables.overview(result, responses)
    columns = _mean_columns(result, responses, {}, settings)
    if settings is not None:
        rows = [row for index, row in enumerate(made.rows) if index in settings]
        made = replace(made, rows=rows)
    return _joined("means", made, columns, result)


def _differences(
    result: SweepResult, response: Response, axis: Axis, held: dict[str, int], name: str
) -> Table:
    made = tables.differences(result, response, axis, held)
    return _joined(name, made, _difference_rows(result, [response], axis, held), result)


def _runs(
    result: SweepResult, responses: Sequence[Response], held: dict[str, int], made: Table
) -> Table:
    """Every run with these responses; `made` is the text, which may tell of them in short."""
    places = _places(result, held)
    names = [response.name for response in responses]
    rows = [
        row for row in result.runs.select("setting", "seed", *names).iter_rows() if row[0] in places
    ]
    columns = [
        *_axis_columns(result, [places[setting] for setting, *_ in rows]),
        Column("seed", [seed for _, seed, *_ in rows]),
        *(
            Column(response.name, [row[index] for row in rows], shown_unit(response))
            for index, response in enumerate(responses, 2)
        ),
    ]
    return _joined("runs", made, columns, result)


def _joined(name: str, made: Table, columns: Sequence[Column], result: SweepResult) -> Table:
    notes = [made.note] if made.note else []
    if made.rows and name != "runs":
        notes.append(f"{100 * result.design.confidence:g} % intervals over seeds")
    return replace(made, name=name, columns=tuple(columns), note=" · ".join(notes))


def _places(result: SweepResult, held: Mapping[str, int]) -> dict[int, Place]:
    """Places of the settings by index, at the held values of axes."""
    axes = result.design.axes
    return {
        index: place
        for index, place in enumerate(places_of(axes))
        if all(held.get(axis.name, at) == at for axis, at in zip(axes, place, strict=True))
    }


def _axis_columns(result: SweepResult, places: Sequence[Place]) -> list[Column]:
    """Columns of the axes with several values: numbers in the base unit, or labels."""
    columns = []
    for index, axis in enumerate(result.design.axes):
        if len(axis.labels) < 2:
            continue
        values: Sequence[Any] = axis.labels if axis.numbers is None else axis.numbers
        unit = axis.unit if axis.numbers is not None else None
        columns.append(Column(axis.name, [values[place[index]] for place in places], unit or ""))
    return columns


def _mean_columns(
    result: SweepResult,
    responses: Sequence[Response],
    held: Mapping[str, int],
    settings: set[int] | None = None,
) -> list[Column]:
    places = [
        place
        for index, place in _places(result, held).items()
        if settings is None or index in settings
    ]
    columns = _axis_columns(result, places)
    for response in responses:
        rows = cells(result, response)
        name, unit = spoken_name(response.name), shown_unit(response)
        for part, title in (("mean", name), ("low", f"{name} low"), ("high", f"{name} high")):
            values = [rows[place][part] if place in rows else None for place in places]
            columns.append(Column(title, values, unit))
        seeds = [rows[place]["n"] if place in rows else 0 for place in places]
        columns.append(Column(f"{name} seeds", seeds))
    return columns


def _difference_rows(
    result: SweepResult,
    responses: Sequence[Response],
    axis: Axis,
    held: dict[str, int],
    settings: set[int] | None = None,
) -> list[Column]:
    """Exact differences, a row per response, setting and compared value."""
    every = [
        (response, difference)
        for response in responses
        for difference in rows_of(result, response, axis, held)
        if settings is None or difference.row["setting"] in settings
    ]
    others = [
        column
        for column in _axis_columns(result, [difference.place for _, difference in every])
        if column.name != axis.name
    ]
    unit = shown_unit(responses[0]) if len(responses) == 1 else ""
    is_ratio = any(difference.neutral == 1.0 for _, difference in every)
    what = "ratio" if is_ratio else "difference"
    lead = [
        *(
            [Column("response", [response.name for response, _ in every])]
            if len(responses) > 1
            else []
        ),
        *others,
        Column(axis.name, [str(axis.labels[difference.value]) for _, difference in every]),
        Column("base", [difference.row["base"] for _, difference in every]),
    ]
    in_unit = "" if is_ratio else unit
    units = [] if unit or is_ratio else [Column("unit", [response.unit for response, _ in every])]
    return [
        *lead,
        *(
            Column(name, [difference.row[key] for _, difference in every], in_unit)
            for name, key in (
                (what, "difference"),
                (f"{what} low", "low"),
                (f"{what} high", "high"),
            )
        ),
        *(units if len(responses) > 1 else []),
        *(
            Column(name, [difference.row[key] for _, difference in every])
            for name, key in (
                ("relative difference", "relative"),
                ("d_z", "effect_size"),
                ("p", "p"),
                ("pairs of seeds", "n"),
            )
        ),
    ]
