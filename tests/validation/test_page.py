"""The page, its notes and its pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from ackclock.validation.figures import overlay, summary, write_svg
from ackclock.validation.figures.small import short
from ackclock.validation.judging import Comparison, judge
from ackclock.validation.notes import Note, about, notes, unused
from ackclock.validation.page import page
from observed_runs import bbr_of, flow_of, run_of

if TYPE_CHECKING:
    from pathlib import Path

SLOW = judge("slow", "It is slow.", [run_of(), run_of()], [run_of(flow_of(acked=flow_of().acked * 0.9))])
GOOD = judge("good", "It is good.", [run_of()], [run_of()])


def test_the_summary_counts_and_names_the_worst_with_what_is_known() -> None:
    bars = len(GOOD.barred)
    text = page([GOOD, SLOW], [Note("slow", "goodput", "The sun was too hot.")], "How it was measured.", "pictures")
    assert f"**{2 * bars - 1} of {2 * bars} bars hold** in 2 scenarios; all of a scenario hold in 1." in text
    worst = next(line for line in text.splitlines() if line.startswith("| [slow](#slow)"))
    assert worst == "| [slow](#slow) | goodput | 9.6 Mbit/s | 8.64 Mbit/s | -10.0 % | -5.00 | The sun was too hot. |"
    assert "How it was measured." in text
    assert "![Kernel and simulator over time](pictures/good.svg)" in text
    assert text.count("**missed**") == 1


def test_a_disturbed_run_is_marked() -> None:
    late = run_of(conditions={"disturbed": ["one in a hundred packets was late."]})
    assert "disturbed in run 2 of the kernel" in page([judge("late", "", [run_of(), late], [run_of()])], [], "", "pictures")
    assert "disturbed in run" not in page([GOOD], [], "", "pictures")


def test_notes_are_found_by_pattern_and_those_of_nothing_are_named(tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text(
        '[[miss]]\nscenario = "s*"\nmeasure = "good*"\ntext = "first"\n[[miss]]\nscenario = "*"\nmeasure = "*"\ntext = "second"\n'
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


def test_pictures_are_small_and_the_same_every_time(tmp_path: Path) -> None:
    mixed = run_of(flow_of(name="a"), bbr_of(name="b"), flow_of(name="c"))
    one = judge("mixed", "", [mixed, mixed], [mixed])
    for name in ("first.svg", "second.svg"):
        write_svg(overlay(one), tmp_path / name)
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()
    assert (tmp_path / "first.svg").stat().st_size < 300_000
    ET.parse(tmp_path / "first.svg")
    write_svg(summary([GOOD, SLOW, one]), tmp_path / "summary.svg")
    assert (tmp_path / "summary.svg").stat().st_size < 100_000


def test_completion_times_of_files_are_drawn(tmp_path: Path) -> None:
    files = run_of(*(flow_of(name=f"file{place}", is_file=True, fct=0.1 * place + 0.1, start=float(place)) for place in range(3)))
    write_svg(overlay(judge("files", "", [files], [files])), tmp_path / "files.svg")
    # A point for each file and side: matplotlib names them by their markers.
    assert (tmp_path / "files.svg").read_text(encoding="utf-8").count("<use ") > 6


def test_a_scenario_without_kernel_runs_is_drawn() -> None:
    alone: Comparison = judge("alone", "", [], [run_of()])
    assert not alone.barred
    assert "<svg" in overlay(alone).svg()
