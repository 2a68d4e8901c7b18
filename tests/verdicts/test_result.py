"""Does one result carry counts, status, text, JSON and JUnit of any judged work?"""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from ackclock.verdicts import Judgement, Range, Tally, Verdicts, Words, within_runs
from ackclock.verdicts.margin import Margin

WORDS = Words({"within": "holds", "beyond": "missed", "undecided": "open", "tie": "tie"})


def judgement(kind: str, case: str = "a", **changes: object) -> Judgement:
    plain = {"figure": "goodput", "unit": "bit/s", "values": (9e6,), "references": {"k": (1e7,)}}
    return Judgement(case=case, kind=kind, against="k", **{**plain, **changes})  # type: ignore[arg-type]


RESULT = Verdicts(
    "demo",
    "demo.toml",
    (judgement("within"), judgement("beyond", "b", margin=2e5), judgement("undecided", "b")),
    WORDS,
    {"a": {"cc": "reno", "note": ""}, "b": {}},
)


def test_a_figure_beyond_its_margin_fails_and_an_open_one_does_not() -> None:
    assert (RESULT.ok, RESULT.exit_status) == (False, 1)
    assert RESULT.headline == "2 cases, 3 checks: 1 holds, 1 missed, 1 open"
    assert RESULT.lines == ["b: goodput: 9 Mbit/s, before 10 Mbit/s, change −1 Mbit/s (−10 %)"]
    assert RESULT.tally == Tally(within=1, beyond=1, undecided=1)


def test_json_has_each_judgement_and_no_number_that_json_lacks() -> None:
    data = json.loads(json.dumps(RESULT.to_dict(), allow_nan=False))
    assert [judgement["outcome"] for judgement in data["judgements"]] == ["holds", "missed", "open"]
    assert data["judgements"][1]["reference"] == 1e7


def test_junit_has_a_suite_for_each_case_and_skips_what_is_open() -> None:
    root = ElementTree.fromstring(RESULT.junit())
    suites = {suite.get("name"): suite for suite in root}
    assert suites["demo.a"].find("properties/property").get("value") == "reno"  # type: ignore[union-attr]
    assert [case[0].tag for case in suites["demo.b"].iter("testcase")] == ["failure", "skipped"]
    assert (root.get("tests"), root.get("failures")) == ("3", "1")


def test_a_table_and_a_part_of_a_page_say_the_same() -> None:
    table = RESULT.table()
    assert table.rows[1] == ("b", "goodput", "10 Mbit/s", "9 Mbit/s", "−1 Mbit/s", "missed")
    assert table.to_markdown().count("\n") == 5
    page = RESULT.section()
    assert page.startswith("<p><strong>2 cases, 3 checks: 1 holds, 1 missed, 1 open.</strong></p>")
    assert page.count("<tr>") == 4


def test_a_tie_is_no_part_of_a_share() -> None:
    tally = Tally.of(["within", "beyond", "tie", "tie", "shown"])
    assert (tally.judged, tally.share, tally.text) == (2, 0.5, "1 of 2")
    assert Tally.of(["tie"]).share is None
    assert Tally.of(["within", "tie"]).is_all


@pytest.mark.parametrize(
    ("claimed", "largest", "smallest", "kind"),
    [
        (Range(highest=0.0), 0.0, 0.0, (True, False)),
        (Range(highest=0.0), 3.0, 1.0, (False, True)),
        # "As much as" can be said of two sides at the floor, too.
        (Range(-0.1, 0.1), 0.0, 0.0, (False, False)),
    ],
)
def test_sides_at_the_floor_or_the_ceiling_have_no_room_for_a_difference(
    claimed: Range, largest: float, smallest: float, kind: tuple[bool, bool]
) -> None:
    assert (claimed.at_floor(largest, 0.0), claimed.at_ceiling(smallest, 1.0)) == kind


def test_equal_values_of_all_seeds_are_one_run() -> None:
    assert judgement("within", values=(1.0, 1.0)).is_one_run
    assert not judgement("within", values=(1.0,)).is_one_run
    assert not judgement("within", values=(1.0, 2.0)).is_one_run


def test_a_recording_that_the_mean_lies_in_is_within_it() -> None:
    runs = judgement("shown", values=(1.04,), references={"k": (1.0, 1.05)})
    inside = within_runs(runs, Margin(share=0.01))
    assert inside.kind == "within"
    assert (inside.low, inside.high) == pytest.approx((0.98975, 1.06025))
    assert inside.deviation == pytest.approx((1.04 - 1.025) / (1.06025 - 1.025))
