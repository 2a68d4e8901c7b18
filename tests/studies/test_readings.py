"""Claims under several readings of a paper, and by runs of other simulators."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ackclock.studies.claim import Claim
from ackclock.studies.criteria import Curve, Level, Quantile, Ratio, RatioOf, greater, less
from ackclock.studies.criteria.phrases import in_units
from ackclock.studies.item import Item
from ackclock.studies.judging import Judgement, judge, under_first_reading
from ackclock.studies.outside import Outside, read_outside
from ackclock.studies.page.readings import grid_of, together
from ackclock.studies.reading import Reading
from ackclock.studies.results import Results
from ackclock.studies.rules import All
from ackclock.studies.study import Experiment, Study
from made_up_studies import noise, results

LITERAL = Reading("small", "The buffer is small.", "It says so.", {"buffer": 5}, topic="buffer")
LARGE = Reading("large", "The buffer is large.", "It may be.", {"buffer": 20}, topic="buffer")
SWAPPED = Reading("other", "Cubic is vegas.", "A slip.", {"cc": {"cubic": "vegas"}})
FEWER = less("e", "goodput", "cc", "cubic", "reno")


def study(
    *readings: Reading,
    criterion: Any = FEWER,
    folder: Path | None = None,
    outside: tuple[Outside, ...] = (),
    **more: Any,
) -> Study:
    return Study(
        name="s",
        title="S",
        paper="P.",
        summary="S.",
        folder=folder or Path(),
        experiments=(Experiment("e", "e.toml"),),
        claims=(Claim("C-1", "Cubic has less.", "It says so.", criterion, **more),),
        known=(),
        readings=readings,
        outside=outside,
    )


def made() -> Results:
    factor = {("cubic", 5): 0.5, ("cubic", 20): 2.0, ("vegas", 5): 3.0, ("vegas", 20): 3.0}
    return results(
        lambda cc, buffer, seed: 100.0 * factor.get((cc, buffer), 1.0) + noise(seed),
        ccs=("reno", "cubic", "vegas"),
    )


def judged(of: Study, runs: Results | None = None) -> Judgement:
    return judge(of, under_first_reading(of, runs or made()))["C-1"]


def test_the_headline_says_under_which_reading() -> None:
    judgement = judged(study(LITERAL, LARGE))
    assert judgement.headline == "holds under “small”, does not hold under “large”"
    assert judgement.verdict.kind == "holds"
    assert [case.name for case in judgement.cases] == ["small", "large"]


def test_a_headline_names_no_more_than_four_readings() -> None:
    more = [
        replace(LARGE, name=f"large {at}", responses={"goodput": f"none {at}"}) for at in range(5)
    ]
    judgement = judged(study(LITERAL, *more))
    assert judgement.headline == "holds under “small”, does not hold under “large 0” and 4 more"


def test_labels_are_looked_at_in_the_place_of_others() -> None:
    judgement = judged(study(LITERAL, SWAPPED))
    assert [case.verdict.kind for case in judgement.cases] == ["holds", "does not hold"]
    under = replace(made(), readings=(LITERAL, SWAPPED), reading=LITERAL).under("other")
    assert [spot.labels["cc"] for spot in under.spots("e", "goodput")] == ["reno", "cubic"]
    (spot,) = under.spots("e", "goodput", {"cc": "cubic"})
    assert spot.values[min(spot.values)] > 200


def test_a_list_keeps_several_labels() -> None:
    both = Reading("both", "Either.", "It says nothing.", {"buffer": [5, 20]})
    judgement = judged(study(both, LARGE))
    assert [(case.name, case.verdict.kind) for case in judgement.cases] == [
        ("both", "in part"),
        ("large", "does not hold"),
    ]
    assert len(judgement.verdict.evidence) == 2


def test_a_reading_that_looks_nowhere_else_gives_no_case() -> None:
    held = less("e", "goodput", "cc", "cubic", "reno", at={"buffer": 5})
    assert [case.name for case in judged(study(LITERAL, LARGE, criterion=held)).cases] == ["small"]
    assert judged(study(LITERAL, LARGE, criterion=held)).headline == "holds"


def test_a_study_without_readings_has_one_case() -> None:
    judgement = judged(study())
    assert [case.name for case in judgement.cases] == [""]
    assert judgement.headline == judgement.verdict.kind == "in part"


def test_the_first_reading_must_hold_what_others_hold() -> None:
    with pytest.raises(
        ValueError,
        match="reading 'large' holds the axis 'buffer', and the first one, 'plain', does not",
    ):
        study(Reading("plain", "As it is.", "It is so."), LARGE)
    with pytest.raises(ValueError, match="two of its readings are called 'small'"):
        study(LITERAL, LITERAL)


def test_which_reading_brings_claims_together() -> None:
    of = study(LITERAL, LARGE)
    more = replace(
        of,
        claims=(
            *of.claims,
            Claim(
                "C-2", "Cubic has more.", "It does.", greater("e", "goodput", "cc", "cubic", "reno")
            ),
        ),
    )
    judgements = judge(more, under_first_reading(more, made()))
    assert together(more, more.claims, judgements) == (
        "No reading makes all claims hold that hold under some reading (2). Of 2 claims 1 hold "
        "under “small”, “large”."
    )
    grid = grid_of(more, judgements)
    assert grid is not None
    assert grid.columns == ["small", "large"]
    assert [[cell.kind for cell, _ in cells] for _, cells in grid.rows] == [
        ["holds", "does not hold"],
        ["does not hold", "holds"],
    ]
    assert "All 1 claims hold under “small”" in together(of, of.claims, judgements)


def written(folder: Path, factor: float) -> Outside:
    rows = [
        {
            "cc": cc,
            "buffer": buffer,
            "seed": seed,
            "goodput": 100.0 * (factor if cc == "cubic" else 1.0) + noise(seed),
        }
        for cc in ("reno", "cubic")
        for buffer in (5, 20)
        for seed in range(6)
    ]
    (folder / "o.json").write_text(
        json.dumps({"simulator": "sim 1", "made_by": "o.py", "runs": rows}), encoding="utf-8"
    )
    return Outside("sim", "e", "o.json", "o.py", "As ours.")


def test_runs_of_another_simulator_are_judged_by_the_same_criterion(tmp_path: Path) -> None:
    judgement = judged(study(LITERAL, LARGE, folder=tmp_path, outside=(written(tmp_path, 0.5),)))
    assert [(case.name, case.verdict.kind) for case in judgement.cases] == [
        ("small", "holds"),
        ("large", "does not hold"),
        ("small in sim", "holds"),
        ("large in sim", "holds"),
    ]
    assert [case.name for case in judgement.disagreeing] == ["large in sim"]


def test_rows_without_the_response_say_nothing(tmp_path: Path) -> None:
    other = written(tmp_path, 0.5)
    text = (tmp_path / "o.json").read_text(encoding="utf-8").replace("goodput", "delay")
    (tmp_path / "more.json").write_text(text, encoding="utf-8")
    judgement = judged(study(LITERAL, folder=tmp_path, outside=(replace(other, file="more.json"),)))
    assert [case.name for case in judgement.cases] == ["small"]


def test_a_file_of_another_simulator_must_say_what_made_it(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"runs": [], "simulator": "x"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.json: there is no 'made_by'"):
        read_outside(tmp_path / "bad.json")


def test_an_item_is_run_somewhere_or_says_why_not() -> None:
    with pytest.raises(ValueError, match="neither where it is run nor why it is not"):
        Item("figure", "Figure 1", "A picture")
    with pytest.raises(ValueError, match=r"item 'Figure 1: A picture' names the place 'C-9'"):
        replace(study(LITERAL), items=(Item("figure", "Figure 1", "A picture", ("C-9",)),))
    assert replace(
        study(LITERAL), items=(Item("figure", "Figure 1", "A picture", ("C-1", "cc:reno")),)
    ).items


def test_a_tie_at_the_floor_is_nothing_to_judge() -> None:
    def lost(cc: str, buffer: int, seed: int) -> float:
        return 1.0 if buffer == 5 else 50.0 + noise(seed) - (10.0 if cc == "cubic" else 0.0)

    of = study(criterion=less("e", "goodput", "cc", "cubic", "reno", floor=1.0))
    verdict = judged(of, results(lost)).verdict
    assert verdict.kind == "holds"
    assert "nothing to judge at 1 of 3 settings (buffer = 5)" in verdict.sentence
    assert judged(of, results(lambda *_: 0.0)).verdict.kind == "nothing to judge"
    strict = less("e", "goodput", "cc", "cubic", "reno")
    assert judged(study(criterion=strict), results(lambda *_: 1.0)).verdict.kind == "does not hold"


def test_a_ratio_is_told_as_one() -> None:
    ratio = Ratio("e", "goodput", "cc", "cubic", "reno", at={"buffer": 20}, lowest=1.8, highest=2.2)
    verdict = ratio.judge(made())
    assert verdict.kind == "holds"
    assert verdict.evidence[0].value == pytest.approx(2.0, rel=0.01)
    assert (
        Ratio("e", "goodput", "cc", "cubic", "reno", at={"buffer": 20}, lowest=3.0)
        .judge(made())
        .kind
        == "does not hold"
    )
    assert RatioOf("e", "goodput", "goodput", 0.9, 1.1).judge(made()).kind == "holds"


def test_a_median_over_seeds() -> None:
    assert (
        Quantile("e", "goodput", 0.5, 90e-9, 110.0, at={"cc": "reno"}).judge(made()).kind == "holds"
    )
    assert (
        Quantile("e", "goodput", 0.5, 150.0, at={"cc": "reno"}).judge(made()).kind
        == "does not hold"
    )
    assert (
        "median over seeds of goodput is at least 150"
        in Quantile("e", "goodput", lowest=150.0).describe()
    )


def test_a_time_that_never_was_counts_as_the_end() -> None:
    some = results(
        lambda cc, _buffer, seed: None if cc == "reno" and seed % 2 else 10.0 + noise(seed)
    )
    at = {"cc": "reno", "buffer": 5}
    assert Level("e", "goodput", 30.0, 40.0, at).judge(some).kind == "does not hold"
    held = Level("e", "goodput", 30.0, 40.0, at, censored_at=60.0)
    assert held.judge(some).evidence[0].value == pytest.approx(35.0, abs=0.5)
    assert "(restricted mean)" in held.describe()


def test_a_curve_follows_its_law() -> None:
    line = results(lambda _cc, buffer, seed: 10.0 * buffer + noise(seed, 0.1))
    assert Curve("e", "goodput", "buffer", {5: 50.0, 20: 200.0}, 0.02).judge(line).kind == "holds"
    assert Curve("e", "goodput", "buffer", {5: 50.0, 20: 100.0}, 0.02).judge(line).kind == "in part"


def test_criteria_are_told_in_the_units_of_their_responses() -> None:
    text = in_units(All((("a", Level("e", "goodput", lowest=2e6)),)), made()).describe()
    assert "at least 2 Mbit/s" in text


def test_what_quick_runs_leave_out_is_said_once() -> None:
    parts = tuple(
        (name, less("e", "goodput", "cc", name, "reno")) for name in ("cubic", "bbr", "vegas")
    )
    quick = results(
        lambda cc, _buffer, seed: (50.0 if cc == "cubic" else 100.0) + noise(seed), quick=True
    )
    verdict = All(parts).judge(quick)
    assert verdict.kind == "holds"
    assert verdict.sentence.endswith("The quick runs leave out cc = bbr, cc = vegas.")
    assert verdict.sentence.count("leave out") == 1
    assert All(parts[1:]).judge(quick).kind == "cannot be judged"
