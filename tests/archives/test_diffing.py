"""Two states of a study: their differences, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from ackclock.tools.archives.archive import ArchiveError
from ackclock.tools.archives.diffing import Other, compare, read_claims

FIRST = {
    "where": "n = 1",
    "value": -0.2,
    "low": -0.3,
    "high": -0.1,
    "unit": "change",
    "n": 8,
    "leaning": "for",
    "why": "",
}


def claim(
    name: str = "S-1",
    verdict: str = "holds",
    sentence: str = "Less.",
    figures: Any = None,
    **given: Any,
) -> dict[str, Any]:
    return {
        "id": name,
        "study": "small",
        "verdict": verdict,
        "headline": verdict,
        "sentence": sentence,
        "figures": figures or {},
        "quick": False,
        "results_version": 5,
        **given,
    }


def weighed(value: float, low: float, high: float) -> dict[str, Any]:
    return {
        "weighed": [FIRST, {**FIRST, "where": "n = 2", "value": value, "low": low, "high": high}]
    }


def test_nothing_changed() -> None:
    assert compare([claim()], [claim()]).is_empty


def test_claims_come_and_go() -> None:
    comparison = compare([claim("S-1"), claim("S-2")], [claim("S-2"), claim("S-3")])
    assert (comparison.added, comparison.removed) == (("S-3",), ("S-1",))


def test_a_verdict_and_a_sentence() -> None:
    comparison = compare(
        [claim("S-1"), claim("S-2")],
        [claim("S-1", "in part", "Some."), claim("S-2", sentence="Much less.")],
    )
    assert comparison.verdicts == (Other("S-1", "", "holds", "in part"),)
    assert comparison.headlines == (Other("S-2", "", "Less.", "Much less."),)


def test_a_criterion_that_is_another_is_named() -> None:
    comparison = compare(
        [claim(criterion="below 1")], [claim(verdict="in part", criterion="below 2")]
    )
    assert comparison.criteria == (Other("S-1", "", "below 1", "below 2"),)


@pytest.mark.parametrize(
    ("now", "moved"),
    [
        ((-0.2, -0.3, -0.1), False),
        # Each outside of the other's interval.
        ((0.1, 0.0, 0.2), True),
        # Inside of the old interval, or the old one inside of the new: more or fewer seeds may do
        # that.
        ((-0.12, -0.13, -0.11), False),
        ((0.3, -0.5, 0.9), False),
        # Intervals that overlap, though neither has the other's value.
        ((-0.05, -0.15, 0.05), True),
    ],
)
def test_numbers_move_beyond_their_intervals(now: tuple[float, float, float], moved: bool) -> None:
    comparison = compare([claim(figures=weighed(-0.2, -0.3, -0.1))], [claim(figures=weighed(*now))])
    assert [
        (number.id, number.where, number.old[0], number.new[0]) for number in comparison.moved
    ] == ([("S-1", "n = 2", -0.2, now[0])] if moved else [])
    assert comparison.plain == ()


def test_numbers_of_several_criteria_and_without_intervals() -> None:
    old = {
        "a": {"verdict": "holds", **weighed(-0.2, -0.3, -0.1)},
        "b": {"pairs": [{"name": "peak", "measured": 1.0, "computed": 2.0}]},
    }
    new = {
        "a": {"verdict": "holds", **weighed(0.2, 0.1, 0.3)},
        "b": {"pairs": [{"name": "peak", "measured": 1.5, "computed": 2.0}]},
    }
    comparison = compare([claim(figures=old)], [claim(figures=new)])
    assert [number.where for number in comparison.moved] == ["a, n = 2"]
    assert comparison.plain == ("S-1, b, peak, measured",)


def cases(*several: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"reading": name, "simulator": None, "verdict": verdict, "sentence": verdict, "figures": {}}
        for name, verdict in several
    ]


def test_readings_are_held_against_each_other() -> None:
    old = claim(cases=cases(("bits", "holds"), ("bytes", "holds")))
    new = claim(cases=cases(("bits", "holds"), ("bytes", "in part")))
    assert compare([old], [new]).verdicts == (Other("S-1", "bytes", "holds", "in part"),)


def test_a_reading_that_is_new_changes_the_headline() -> None:
    old = claim(cases=cases(("", "holds")))
    new = claim(
        cases=cases(("bits", "holds"), ("bytes", "in part")),
        headline="holds under bits, in part under bytes",
    )
    assert compare([old], [new]).verdicts == (
        Other("S-1", "", "holds", "holds under bits, in part under bytes"),
    )


def test_what_makes_two_states_unlike_is_noted() -> None:
    comparison = compare([claim(quick=True)], [claim(results_version=6)])
    assert comparison.notes == (
        "the old claims rest on quick runs, the new ones on full runs",
        "version 5 of the results made the old runs, version 6 the new ones",
    )
    assert comparison.is_empty


def test_claims_of_a_file_and_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "claims.json").write_text(json.dumps([claim()]), encoding="utf-8")
    assert read_claims(tmp_path) == read_claims(tmp_path / "claims.json") == [claim()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{}]", "not a claims.json of ackclock"),
        ("{", "neither a claims.json nor an archive"),
        ("3", "not a claims.json"),
    ],
)
def test_what_is_no_claims_json_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "claims.json").write_text(text, encoding="utf-8")
    with pytest.raises(ArchiveError, match=said):
        read_claims(tmp_path)
    with pytest.raises(ArchiveError, match="there is no such file"):
        read_claims(tmp_path / "nowhere")
