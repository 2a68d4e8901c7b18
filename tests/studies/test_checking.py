"""Is every name that nothing has found before anything runs, and named with the nearest?"""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ackclock.engine.run
import ackclock.sweeps.task
from ackclock.studies import find_study, studies
from ackclock.studies.claim import Claim, Verdict
from ackclock.studies.criteria import Curve, Effect, Growth, Level, RatioOf, less
from ackclock.studies.item import Item
from ackclock.studies.outside import Outside
from ackclock.studies.reading import Reading
from ackclock.studies.results import Results
from ackclock.studies.rules import All, Rule
from ackclock.studies.study import Experiment, Figure, Recording, Study
from ackclock.studies.tools.checking import problems_of
from ackclock.studies.tools.finding import find
from small_study import write_study


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def ran(*_: object, **__: object) -> None:
        pytest.fail("a check has made a run")

    monkeypatch.setattr(ackclock.sweeps.task, "perform", ran)
    monkeypatch.setattr(ackclock.engine.run, "run", ran)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return find(str(write_study(tmp_path)))


def sentences(study: Study) -> list[str]:
    return [str(problem) for problem in problems_of(study)]


def claim(study: Study, criterion: Any) -> Study:
    return replace(study, claims=(Claim("S-1", "A claim.", "Figure 1.", criterion),), items=())


def test_a_sound_study_has_no_problems(study: Study) -> None:
    assert sentences(study) == []


@pytest.mark.long
@pytest.mark.parametrize("name", studies())
def test_ours_are_sound(name: str) -> None:
    assert [str(problem) for problem in problems_of(find_study(name), settings=False)] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        (
            less("small", "queu", "cc", "vegas", "reno"),
            (
                "claim S-1: experiment 'small': response: there is no response 'queu', only "
                "utilisation, queue; did you mean 'queue'?"
            ),
        ),
        (
            less("small", "queue", "ccs", "vegas", "reno"),
            (
                "claim S-1: experiment 'small': axis: there is no axis 'ccs', only buffer, cc, "
                "acks; "
                "did you mean 'cc'?"
            ),
        ),
        (
            less("small", "queue", "cc", "vegass", "reno"),
            (
                "claim S-1: experiment 'small': value: axis 'cc' has no value 'vegass', only reno, "
                "vegas; did you mean 'vegas'?"
            ),
        ),
        (
            less("small", "queue", "cc", "vegas", "renoo"),
            (
                "claim S-1: experiment 'small': base: axis 'cc' has no value 'renoo', only reno, "
                "vegas; did you mean 'reno'?"
            ),
        ),
        (
            less("small", "queue", "cc", "vegas", "reno", at={"bufer": 5}),
            (
                "claim S-1: experiment 'small': at: there is no axis 'bufer', only buffer, cc, "
                "acks; "
                "did you mean 'buffer'?"
            ),
        ),
        (
            Level("small", "queue", lowest=0.0, at={"buffer": [5, 41]}),
            "claim S-1: experiment 'small': at.buffer: axis 'buffer' has no value '41', only 5, 40",
        ),
        (
            Level("small", "queue", lowest=0.0, at={"buffer": "40"}),
            (
                "claim S-1: experiment 'small': at.buffer: '40' is text where axis 'buffer' has "
                "the "
                "number 40"
            ),
        ),
        (
            Level("small", "queue", lowest=2.0, highest=1.0),
            (
                "claim S-1: experiment 'small': lowest: 2 is above highest, 1: nothing can lie "
                "between them"
            ),
        ),
        (
            Growth("small", "queue", "buffer", 5, 40, along="cc"),
            (
                "claim S-1: experiment 'small': along: axis 'cc' has words for values, and a "
                "slope or "
                "a law needs numbers"
            ),
        ),
        (
            Curve("small", "queue", "buffer", {5: 1.0, 50: 2.0}, 0.1),
            "claim S-1: experiment 'small': law: axis 'buffer' has no value '50', only 5, 40",
        ),
        (
            RatioOf("small", "queue", "utilisaton", lowest=0.0),
            (
                "claim S-1: experiment 'small': under: there is no response 'utilisaton', only "
                "utilisation, queue; did you mean 'utilisation'?"
            ),
        ),
        (
            All(
                (
                    ("first", Effect("other", "utilisation", "cc", "a", "b")),
                    ("second", Level("other", "loss_rate", highest=1.0)),
                )
            ),
            (
                "claim S-1 (second): experiment 'other': response: there is no response "
                "'loss_rate', "
                "only utilisation, queue"
            ),
        ),
        (
            Rule(
                "the queue is there",
                lambda results: Verdict("holds", str(results.spots("small", "queues"))),
                ("small",),
            ),
            (
                "claim S-1: experiment 'small': there is no response 'queues', only utilisation, "
                "queue; did you mean 'queue'?"
            ),
        ),
        (
            Rule(
                "the window is there",
                lambda results: Verdict("holds", str(results.runs["curve"]["bbr"])),
                ("curve",),
            ),
            "claim S-1: recording 'curve' has no variant 'bbr', only reno, vegas",
        ),
        (
            Rule(
                "it is read",
                lambda results: Verdict("holds", str(results.under("eech"))),
                ("small",),
            ),
            "claim S-1: there is no reading 'eech', only each, second; did you mean 'each'?",
        ),
    ],
)
def test_a_criterion_that_asks_in_vain(study: Study, criterion: Any, said: str) -> None:
    assert said in sentences(claim(study, criterion))


def test_what_comes_of_made_up_values_is_no_problem(study: Study) -> None:
    def fails(results: Results) -> Verdict:
        values = [
            value for spot in results.spots("small", "queue") for value in spot.values.values()
        ]
        if min(values) > 0.5:
            raise ZeroDivisionError
        return Verdict("holds", "")

    assert sentences(claim(study, Rule("of values", fails, ("small",)))) == []


def test_a_recorded_run_that_is_looked_into_is_no_problem(study: Study) -> None:
    rule = Rule(
        "of a run",
        lambda results: Verdict("holds", str(results.runs["curve"]["vegas"].flow("f").columns)),
        ("curve",),
    )
    assert sentences(claim(study, rule)) == []


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (
            lambda results: results.sweeps["small"].plot("queu"),
            "figure S-F1: there is no response 'queu', only .*; did you mean 'queue'?",
        ),
        (
            lambda results: results.sweeps["smal"].plot("queue"),
            "figure S-F1: there is no experiment 'smal', only small, other; did you mean 'small'?",
        ),
        (
            lambda results: results.sweeps["small"].runs["queu"],
            "figure S-F1: its runs have no such column: .*queu.*",
        ),
    ],
)
def test_a_figure_that_asks_in_vain(study: Study, draw: Any, said: str) -> None:
    problems = sentences(replace(study, figures=(Figure("S-F1", "Queues", "", draw, ("small",)),)))
    assert len(problems) == 1
    assert re.fullmatch(re.escape(said).replace(r"\.\*", ".*"), problems[0]), problems


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"readings": (Reading("each", "T.", "W.", {"ack": "each"}),)},
            (
                "reading 'each': settings: there is no axis 'ack', only buffer, cc, acks; did you "
                "mean 'acks'?"
            ),
        ),
        (
            {"readings": (Reading("each", "T.", "W.", {"acks": "eech"}),)},
            (
                "reading 'each': settings.acks: axis 'acks' has no value 'eech', only each, "
                "second; "
                "did you mean 'each'?"
            ),
        ),
        (
            {"readings": (Reading("each", "T.", "W.", {"acks": {"each": "third"}}),)},
            "reading 'each': settings.acks: axis 'acks' has no value 'third', only each, second",
        ),
        (
            {"readings": (Reading("each", "T.", "W.", responses={"queue": "delay"}),)},
            "reading 'each': responses: there is no response 'delay', only queue, utilisation",
        ),
        (
            {"items": (Item("system", "section 1", "Reno.", ("cc:renno",)),)},
            (
                "item 'section 1: Reno.': where: 'cc:renno': there is no cc 'renno'; did you mean "
                "'reno'? (all of them: ackclock list cc)"
            ),
        ),
        (
            {"items": (Item("formula", "equation 1", "W.", ("theory:cos_windo",)),)},
            (
                "item 'equation 1: W.': where: 'theory:cos_windo': there is no theory 'cos_windo', "
                ".*; did you mean 'cos_window'?"
            ),
        ),
        (
            {"items": (Item("formula", "equation 1", "W.", ("docs:nowhere.md",)),)},
            "item 'equation 1: W.': where: 'docs:nowhere.md': there is no docs 'nowhere.md', .*",
        ),
        (
            {"items": (Item("formula", "equation 1", "W.", ("metrics:jain_index",)),)},
            (
                "item 'equation 1: W.': where: 'metrics:jain_index': there is no kind 'metrics', "
                "only "
                ".*; did you mean 'metric'?"
            ),
        ),
        ({"bibtex": "nobody2000"}, "bibtex: an entry begins with its kind: .*"),
        ({"bibtex": "@article{a, title = {B}"}, "bibtex: 2 braces open, and 1 close"),
        (
            {"experiments": (Experiment("small", "smal.toml"), Experiment("other", "other.toml"))},
            "experiment 'small': file: there is no smal.toml in .*; did you mean 'small.toml'?",
        ),
        (
            {
                "experiments": (
                    Experiment("small", "small.toml", quick={"axes": {"buffer": [6]}}),
                    Experiment("other", "other.toml"),
                )
            },
            "experiment 'small': quick.axes.buffer: axis 'buffer' has no value '6', only 5, 40",
        ),
        (
            {
                "experiments": (
                    Experiment("small", "small.toml", quick={"axes": {"bufer": [5]}}),
                    Experiment("other", "other.toml"),
                )
            },
            (
                "experiment 'small': quick.axes: there is no axis 'bufer', only buffer, cc, "
                "acks; did "
                "you mean 'buffer'?"
            ),
        ),
        (
            {
                "experiments": (
                    Experiment("small", "small.toml", quick={"replications": 9}),
                    Experiment("other", "other.toml"),
                )
            },
            "experiment 'small': quick.replications: 9 are more than the 3 of the full run",
        ),
        (
            {
                "experiments": (
                    Experiment("small", "small.toml", quick={"duratio": "1s"}),
                    Experiment("other", "other.toml"),
                )
            },
            "experiment 'small': quick: small.toml duratio: .*",
        ),
        (
            {
                "recordings": (
                    Recording("curve", "curve.toml", {"reno": {}, "vegas": {"flows.cc": "vegs"}}),
                )
            },
            "recording 'curve': variants 'vegas' flows.*: .*did you mean 'vegas'?.*",
        ),
        (
            {"recordings": (Recording("curve", "curve.toml", {"a": {}}, quick=("b",)),)},
            "recording 'curve': quick: there is no variant 'b', only a",
        ),
    ],
)
def test_what_else_is_not_there(study: Study, changes: Any, said: str) -> None:
    problems = sentences(replace(study, **changes))
    assert len(problems) == 1, problems
    assert re.fullmatch(re.escape(said).replace(r"\.\*", ".*"), problems[0]), problems


def test_an_algorithm_that_is_none_is_found_in_a_setting(tmp_path: Path) -> None:
    wrong = find(
        str(
            write_study(
                tmp_path,
                old='"flows.cc" = ["reno", "vegas"]',
                new='"flows.cc" = ["reno", "vegas", "vegass"]',
            )
        )
    )
    (problem,) = sentences(wrong)
    assert problem.startswith("experiment 'small': small.toml ")
    assert "'vegass'" in problem
    assert "did you mean 'vegas'" in problem


def test_rows_of_another_simulator_have_our_names(study: Study, tmp_path: Path) -> None:
    rows = [{"cc": "renno", "seed": 1, "utilisation": 0.1, "queu": 1, "timeouts": 3}]
    (tmp_path / "ns2.json").write_text(
        json.dumps({"simulator": "ns-2", "made_by": "a.py", "runs": rows}), encoding="utf-8"
    )
    problems = sentences(
        replace(study, outside=(Outside("ns-2", "small", "ns2.json", "a.py", "By hand."),))
    )
    names = "buffer, cc, acks, utilisation, queue"
    assert problems == [
        (
            "runs of ns-2: experiment 'small': ns2.json cc: axis 'cc' has no value 'renno', only "
            "reno, vegas; did you mean 'reno'?"
        ),
        (
            "runs of ns-2: experiment 'small': ns2.json: there is no axis or response 'queu', only "
            f"{names}; did you mean 'queue'?"
        ),
    ]


def test_a_claim_that_leaves_no_setting_says_so(study: Study) -> None:
    readings = (Reading("far", "T.", "W.", {"buffer": [5]}),)
    problems = sentences(
        replace(
            claim(study, Level("small", "queue", lowest=0.0, at={"buffer": []})), readings=readings
        )
    )
    assert problems == [
        (
            "claim S-1: no setting of its experiment is left to look at under reading 'far': "
            "what it "
            "holds excludes one another"
        )
    ]


def test_rows_of_another_simulator_without_any_response_say_nothing(
    study: Study, tmp_path: Path
) -> None:
    runs = {
        "simulator": "ns-2",
        "made_by": "a.py",
        "runs": [{"cc": "reno", "seed": 1, "timeouts": 3}],
    }
    (tmp_path / "ns2.json").write_text(json.dumps(runs), encoding="utf-8")
    problems = sentences(
        replace(study, outside=(Outside("ns-2", "small", "ns2.json", "a.py", "By hand."),))
    )
    assert problems == [
        "runs of ns-2: experiment 'small': ns2.json: no row has a response: utilisation, queue"
    ]


def test_labels_that_a_function_may_find_are_no_problem(study: Study) -> None:
    assert (
        sentences(
            claim(
                study,
                Rule(
                    "some",
                    lambda results: results.spots("small", "queue", {"buffer": [40, 41]})[0],
                    ("small",),
                ),
            )
        )
        == []
    )
    (problem,) = sentences(
        claim(
            study,
            Rule(
                "none",
                lambda results: results.spots("small", "queue", {"buffer": [41, 42]})[0],
                ("small",),
            ),
        )
    )
    assert problem == "claim S-1: experiment 'small': axis 'buffer' has no value '41', only 5, 40"


@pytest.mark.long
def test_metrics_of_an_item_are_found_as_everywhere(study: Study) -> None:
    items = (Item("formula", "equation 1", "Q.", ("metric:queue_delay.p95", "metric:goodput@f.1")),)
    assert sentences(replace(study, items=items)) == []
    (problem,) = sentences(
        replace(study, items=(Item("formula", "equation 1", "Q.", ("metric:queue_dely",)),))
    )
    assert "did you mean 'queue_delay" in problem
