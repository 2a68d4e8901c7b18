"""The rows themselves: names, cells, scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from ackclock.errors import UnknownNameError
from ackclock.evaluation import grid, measures
from ackclock.evaluation import row as row_module
from ackclock.evaluation.cell import Context
from ackclock.evaluation.grid import GRID, QUICK_GRID, bdp_packets
from ackclock.evaluation.output.markdown import SECTIONS
from ackclock.evaluation.row import section_order
from ackclock.evaluation.rows import ROWS
from ackclock.evaluation.running import SUBJECT, Seeds, batches, seat_scenario
from ackclock.evaluation.selecting import chosen_rows

ROOT = Path(__file__).parents[2]

ALL = [
    Context("reno", quick, ecn, claims=frozenset({"data-centre"}))
    for quick in (True, False)
    for ecn in ("classic", "l4s")
]


def test_there_are_43_rows_in_order() -> None:
    assert [row.id for row in ROWS] == [f"E{at:02}" for at in range(1, 44)]
    for row in ROWS:
        assert row.section in SECTIONS, row.id
        assert row.title, row.demand


def test_grid_g_has_each_place_once() -> None:
    assert (
        len(GRID)
        == len({(rate, rtt, max(4, round(b * bdp_packets(rate, rtt)))) for rate, rtt, b in GRID})
        == 26
    )
    assert len(QUICK_GRID) == len(set(QUICK_GRID)) == 9
    assert (100, 160) not in {(rate, rtt) for rate, rtt, _ in QUICK_GRID}


@pytest.mark.long
@pytest.mark.parametrize("context", ALL, ids=lambda context: f"{context.quick}-{context.ecn}")
def test_every_cell_has_a_name_of_its_own_and_a_scenario_that_runs(context: Context) -> None:
    there = [row for row in ROWS if row.applies(context) is None]
    cells = {row.id: list(row.cells(context)) for row in there}
    for row in there:
        names = [cell.id for cell in cells[row.id]]
        assert len(names) == len(set(names)), row.id
        for cell in cells[row.id]:
            table = seat_scenario(cell, "cubic")
            seated = [flow for flow in table["flows"] if flow.get("name") in cell.slots]
            assert seated, (row.id, cell.id)
            assert {flow["cc"] for flow in seated} == {"cubic"}
        if context.quick:
            assert set(row.kernel) <= set(names), row.id
    # Making the designs resolves and checks the plan of every cell and seat.
    planned = batches(there, context, Seeds(2, 2), folder=Path(), cells=cells)
    places = [place for batch in planned for place in batch.places]
    assert len(places) == len(set(places))
    for row in there:
        for cell in cells[row.id]:
            seats = set(cell.seats or row.references)
            assert {seat for r, c, seat in places if (r, c) == (row.id, cell.id)} == {
                SUBJECT,
                *seats,
            }


def test_every_judged_figure_is_one_of_its_cell() -> None:
    for context in ALL:
        for row in ROWS:
            if row.applies(context) is not None:
                continue
            for cell in row.cells(context):
                names = {
                    response if isinstance(response, str) else str(response["name"])
                    for response in cell.responses
                }
                for measure in row.measures:
                    if isinstance(measure.figure, str) and measure.is_judged(cell) and measure.line:
                        assert not measure.is_of(cell) or measure.figure in names, (row.id, cell.id)


def test_labels_that_a_measure_asks_for_are_labels_of_cells() -> None:
    for row in ROWS:
        cells = [
            cell for context in ALL if row.applies(context) is None for cell in row.cells(context)
        ]
        for measure in row.measures:
            assert any(measure.is_of(cell) for cell in cells), (row.id, measure.name)
            assert any(measure.is_judged(cell) for cell in cells), (row.id, measure.name)
            for name, labels in {**(measure.of or {}), **(measure.judged or {})}.items():
                there = {cell.labels.get(name) for cell in cells}
                assert {*labels} <= there if isinstance(labels, tuple) else labels in there


def test_the_row_in_contributing_has_the_cells_that_its_text_names() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = text.partition("## A row of the evaluation")[2].split("```")[1]
    names = {**vars(row_module), **vars(grid), **vars(measures)}
    exec(example.removeprefix("python"), names)
    added = names["_E44"]
    full, quick = (added.cells(Context("reno", is_quick)) for is_quick in (False, True))
    assert [cell.id for cell in full] == [
        f"{loss} % loss, {buffer} BDP" for loss in (1, 2) for buffer in (0.25, 1)
    ]
    assert [cell.id for cell in quick] == ["1 % loss, 1 BDP", "2 % loss, 1 BDP"]
    assert [cell.duration for cell in (full[0], quick[0])] == [70.0, 40.0]
    (batch,) = batches(
        [added], Context("reno", quick=True), Seeds(2, 2), folder=Path(), cells={"E44": quick}
    )
    assert len(batch.places) == 6


def test_rows_are_chosen_by_id_and_section() -> None:
    assert [row.id for row in chosen_rows(["e12"])] == ["E12"]
    below = {row.id for row in chosen_rows(["5.2"])}
    assert {"E12", "E13", "E17", "E18", "E02"} <= below
    assert "E20" not in below
    # 7.1 is not the beginning of 7.10.
    assert "E39" not in {row.id for row in chosen_rows(["7.1"])}
    with pytest.raises(UnknownNameError, match="did you mean 'E12'"):
        chosen_rows(["F12"])


def test_sections_are_sorted_as_numbers() -> None:
    assert sorted(["7.10", "7.2", "6", "5.2.1"], key=section_order) == ["5.2.1", "6", "7.2", "7.10"]


@pytest.mark.long
def test_an_algorithm_that_stands_for_ecn_sits_in_every_cell() -> None:
    context = Context("prague", ecn="l4s", implies_ecn=True, quick=True)
    there = [row for row in ROWS if row.applies(context) is None]
    cells = {row.id: list(row.cells(context)) for row in there}
    assert {"E22", "E28", "E33"} <= set(cells)
    # Every scenario is resolved and checked.
    assert batches(there, context, Seeds(2, 2), folder=Path(), cells=cells)
