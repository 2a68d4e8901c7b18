"""The page, its notes and its pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from ackclock.validation.judging import Comparison, judge
from ackclock.validation.notes import Note, about, notes, unused
from ackclock.validation.page import page
from ackclock.validation.pictures import overlay, summary, write_svg
from ackclock.validation.pictures.small import short
from observed_runs import bbr_of, flow_of, run_of

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.metrics.recorded_run import RecordedRun

SLOW = judge(
    "slow", "It is slow.", [run_of(), run_of()], [run_of(flow_of(acked=flow_of().acked * 0.9))]
)
GOOD = judge("good", "It is good.", [run_of()], [run_of()])


def test_the_summary_counts_and_names_the_worst_with_what_is_known() -> None:
    bars = len(GOOD.barred)
    text = page(
        [GOOD, SLOW],
        [Note("slow", "goodput", "The sun was too hot.")],
        "How it was measured.",
        "pictures",
    )
    percent = f"{100 * (2 * bars - 1) / (2 * bars):.1f} %"
    assert (
        f"**{2 * bars - 1} of {2 * bars} bars hold** in 2 scenarios, {percent}; all of a scenario "
        "hold in 1." in text
    )
    assert "Of losses and retransmissions 4 of 4 (100.0 %) hold." in text
    worst = next(line for line in text.splitlines() if line.startswith("| [slow](#slow)"))
    assert worst == (
        "| [slow](#slow) | goodput | 9.6 Mbit/s | 8.64 Mbit/s | -10.0 % | -5.00 | The sun was "
        "too hot. |"
    )
    assert "How it was measured." in text
    assert "![Kernel and simulator over time](pictures/good.svg)" in text
    assert text.count("**missed**") == 1


def test_a_disturbed_run_is_left_out_unless_there_is_no_other() -> None:
    late = run_of(
        flow_of(acked=flow_of().acked * 0.5),
        conditions={"disturbed": ["one in a hundred packets was late."]},
    )
    with_others = judge("late", "", [run_of(), late], [run_of()])
    assert not with_others.misses
    assert len(with_others.kernel) == 1
    assert "disturbed in 1 run of the kernel, which is left out." in page(
        [with_others], [], "", "pictures"
    )
    alone = judge("late", "", [late, late], [run_of()])
    assert alone.misses[0].key.measure == "goodput"
    assert "disturbed in 2 runs of the kernel, and there are no others." in page(
        [alone], [], "", "pictures"
    )
    assert "disturbed in" not in page([GOOD], [], "", "pictures")


def test_one_run_of_all_seeds_is_said_and_who_was_first() -> None:
    def run(first: str, **changes: float) -> RecordedRun:
        a, b = (
            flow_of(name=name, first=0.0 if name == first else 1e-12, **changes)
            for name in ("a", "b")
        )
        return run_of(a, b)

    comparison = judge("one", "", [run("a"), run("b"), run("a")], [run("b"), run("b")])
    assert comparison.is_one_run
    text = page([comparison], [], "", "pictures")
    assert "all 2 seeds of the simulator are one run" in text
    assert (
        "First of the flows that start together: in the kernel a in 2, b in 1; in the simulator b "
        "in 2." in text
    )
    assert "are one run" not in page(
        [judge("two", "", [run("a")], [run("a"), run_of()])], [], "", "pictures"
    )


def test_a_table_shows_both_sides_runs_and_the_interval() -> None:
    def run(goodput: float) -> RecordedRun:
        return run_of(flow_of(acked=flow_of().acked * goodput))

    comparison = judge("spread", "", [run(1.0), run(1.1)], [run(0.9), run(1.0)])
    line = next(
        line
        for line in page([comparison], [], "", "pictures").splitlines()
        if line.startswith("| goodput") and "…" in line
    )
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1:5] == [
        "10.08 Mbit/s",
        "9.6 Mbit/s … 10.56 Mbit/s",
        "9.12 Mbit/s",
        "8.64 Mbit/s … 9.6 Mbit/s",
    ]
    assert cells[5] == "-9.5 %"
    # Welch's t with 2 degrees of freedom: 4.303 * sqrt(2) * 0.48 Mbit/s either way.
    assert cells[6] == "-38.5 % … +19.5 %"


def test_notes_are_found_by_pattern_and_those_of_nothing_are_named(tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text(
        '[[miss]]\nscenario = "s*"\nmeasure = "good*"\ntext = "first"\n[[miss]]\nscenario = '
        '"*"\nmeasure = "*"\ntext = "second"\n'
        '[[miss]]\nscenario = "gone"\nmeasure = "*"\ntext = "third"\n',
        encoding="utf-8",
    )
    known = notes(tmp_path)
    missed = SLOW.misses[0]
    assert about(known, "slow", missed.key) == "first"
    assert about(known, "other", missed.key) == "second"
    assert [note.text for note in unused(known, [("slow", missed.key)])] == ["third"]
    assert notes(tmp_path / "none") == []


def test_coordinates_are_short() -> None:
    assert short('<path d="M 12.345678 1.0 L 13 -0.012 "/>') == '<path d="M 12.3 1 L 13 0 "/>'


@pytest.mark.long
def test_pictures_are_small_and_the_same_every_time(tmp_path: Path) -> None:
    mixed = run_of(flow_of(name="a"), bbr_of(name="b"), flow_of(name="c"))
    comparison = judge("mixed", "", [mixed, mixed], [mixed])
    for name in ("first.svg", "second.svg"):
        write_svg(overlay(comparison), tmp_path / name)
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()
    assert (tmp_path / "first.svg").stat().st_size < 300_000
    ET.parse(tmp_path / "first.svg")
    write_svg(summary([GOOD, SLOW, comparison]), tmp_path / "summary.svg")
    assert (tmp_path / "summary.svg").stat().st_size < 100_000


def test_completion_times_of_files_are_drawn(tmp_path: Path) -> None:
    files = run_of(
        *(
            flow_of(name=f"file{place}", is_file=True, fct=0.1 * place + 0.1, start=float(place))
            for place in range(3)
        )
    )
    write_svg(overlay(judge("files", "", [files], [files])), tmp_path / "files.svg")
    # A point for each file and side: matplotlib names them by their markers.
    assert (tmp_path / "files.svg").read_text(encoding="utf-8").count("<use ") > 6


def test_a_scenario_without_kernel_runs_is_drawn() -> None:
    alone: Comparison = judge("alone", "", [], [run_of()])
    assert not alone.barred
    assert "<svg" in overlay(alone).svg()
