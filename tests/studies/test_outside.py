"""Runs of other programs: how they are asked for, and what is said of them."""

from types import SimpleNamespace
from typing import Any

import pytest

from ackclock.studies.claim import Claim
from ackclock.studies.criteria import Level
from ackclock.studies.judging import checked_from_outside
from ackclock.studies.results import Results
from ackclock.studies.rules import Agreement

RUN = Claim("A-1", "It is so.", "Page 1.", Level("one", "utilisation", lowest=0.5))
OTHER = Claim("A-2", "It is so, too.", "Page 2.", Level("two", "utilisation", lowest=0.5))
COMPUTED = Claim(
    "A-3", "It follows.", "Page 3.", Agreement("one against one", lambda _: [("", 1.0, 1.0)], 0.1)
)
ALONE = "on ackclock's runs alone: no other program has repeated those experiments."


@pytest.mark.parametrize(
    ("claims", "simulators", "said"),
    [
        ([RUN, OTHER], {}, f"2 claims rest {ALONE}"),
        ([RUN], {}, f"1 claim rests {ALONE}"),
        ([RUN, OTHER], {"A-2": ["ns-2"]}, f"ns-2 has run A-2. The other claim rests {ALONE}"),
        (
            [RUN, OTHER],
            {"A-1": ["ns-2", "Linux"], "A-2": ["ns-2"]},
            "ns-2 has run A-1, A-2. Linux has run A-1.",
        ),
        (
            [COMPUTED],
            {},
            "Computed from the paper's formulas and printed figures, without a run: A-3.",
        ),
    ],
)
def test_a_page_says_what_others_have_run(
    claims: list[Claim], simulators: dict[str, list[str]], said: str
) -> None:
    assert checked_from_outside(claims, simulators) == said


def test_a_recording_has_our_figures_or_theirs() -> None:
    ours: Any = {"a": SimpleNamespace(took=1.0), "b": SimpleNamespace(took=None)}
    rows = [
        {"run": "a", "seed": seed, "took": took} for seed, took in ((1, 2.0), (2, 3.0), (3, None))
    ]

    def took(run: Any, name: str) -> float | None:
        return None if run.took is None else run.took + len(name)

    assert Results({}, {"curve": ours}).recorded("curve", "took", took) == {"a": [2.0]}
    assert Results({}, {"curve": ours}, elsewhere={"curve": rows}).recorded(
        "curve", "took", took
    ) == {"a": [2.0, 3.0]}


def test_numbers_of_settings_that_only_others_have_are_in_base_units() -> None:
    axis = SimpleNamespace(name="rtt", labels=[20, 40], numbers=[0.02, 0.04])
    sweeps: Any = {"one": SimpleNamespace(design=SimpleNamespace(axes=[axis]))}
    assert Results(sweeps, elsewhere={"one": [{"rtt": 80, "seed": 1}]}).numbers(
        "one", "rtt"
    ) == pytest.approx({20: 0.02, 40: 0.04, 80: 0.08})
    # Labels that are no multiple of the numbers tell nothing of other labels.
    axis.numbers = [0.02, 0.05]
    assert Results(sweeps, elsewhere={"one": [{"rtt": 80, "seed": 1}]}).numbers("one", "rtt") == {
        20: 0.02,
        40: 0.05,
    }
