import random
from typing import Any

import numpy as np
import pytest

from ackclock.stats import bounded, difference, estimate
from ackclock.sweeps.design import Design
from ackclock.sweeps.sequential import stopped, wanted
from sweep_designs import design, made_up

STOP = {"response": "utilisation", "half_width": 0.05, "most": 60, "batch": 10}
COMPARED = {"comparisons": ["cc"], "stop": {**STOP, "comparison": "cc"}}
Figures = dict[tuple[int, int], dict[str, float | None]]

NOISE = np.random.default_rng(5).normal(0.0, 1.0, (6, 100))


def noisy(spread: dict[int, float]) -> Any:
    return lambda setting, replication: (
        0.5 + spread.get(setting, 0.0) * float(NOISE[setting, replication])
    )


def all_figures(of: Design, figure: Any, replications: int = 100) -> Figures:
    return {place: dict(run.figures) for place, run in made_up(of, figure, replications).items()}


def carried_out(of: Design, world: Figures) -> tuple[Figures, list[int]]:
    """The figures at the end, and the number of runs wanted at a time."""
    there: Figures = {}
    asked = []
    while more := wanted(of, there):
        asked.append(len(more))
        there.update({run: world[run] for run in more})
    return there, asked


def replications(of: Design, there: Figures) -> list[int]:
    return [sum((setting.index, at) in there for at in range(100)) for setting in of.settings]


def test_without_a_stop_every_setting_gets_its_replications_and_no_more() -> None:
    of = design(replications=3)
    runs = wanted(of, {})
    assert runs == [(setting, replication) for replication in range(3) for setting in range(6)]
    there: Figures = {run: {} for run in runs[:7]}
    assert wanted(of, there) == runs[7:]
    assert wanted(of, {run: {} for run in runs}) == []
    assert stopped(of, {}) == []


def test_each_setting_goes_on_until_its_own_interval_is_narrow() -> None:
    of = design(replications=10, stop=STOP)
    there, _ = carried_out(of, all_figures(of, noisy({1: 0.1, 4: 0.15})))
    made = replications(of, there)
    assert made[0] == made[2] == made[3] == made[5] == 10
    assert 20 < made[1] < made[4] < 60
    for report in stopped(of, there):
        (setting,) = report.settings
        values = [there[setting, at]["utilisation"] for at in range(report.replications)]
        assert report.replications == made[setting]
        assert report.reached
        assert report.half_width == bounded(estimate(values), 0.0, 1.0).half_width
        assert report.half_width is not None
        assert report.half_width <= 0.05
        if made[setting] > 10:
            # Also a batch before, but not two.
            earlier = [
                estimate(values[:count]).half_width or 0.0 for count in range(10, made[setting], 10)
            ]
            assert earlier[-1] <= 0.05
            assert all(width > 0.05 for width in earlier[:-1])


def test_the_budget_ends_what_is_never_narrow() -> None:
    of = design(replications=10, stop={**STOP, "most": 25})
    there, asked = carried_out(of, all_figures(of, noisy({2: 5.0})))
    assert replications(of, there) == [10, 10, 25, 10, 10, 10]
    assert asked == [60, 10, 5]
    assert [report.reached for report in stopped(of, there)] == [
        True,
        True,
        False,
        True,
        True,
        True,
    ]


def test_compared_settings_get_the_same_seeds() -> None:
    # Settings 0 to 2 are limit 5 with reno, cubic, vegas; the noise of vegas alone keeps all three
    # going.
    of = design(replications=10, **COMPARED)
    there, _ = carried_out(of, all_figures(of, noisy({2: 0.1})))
    made = replications(of, there)
    assert made[0] == made[1] == made[2] > 20
    assert made[3:] == [10, 10, 10]
    assert [report.settings for report in stopped(of, there)] == [(0, 1, 2), (3, 4, 5)]


def test_the_stop_of_a_comparison_looks_at_paired_differences() -> None:
    # All see the same noise: no mean is sure, every difference is.
    def shared(setting: int, replication: int) -> float:
        return setting + float(NOISE[0, replication])

    of = design(replications=10, **COMPARED)
    there, _ = carried_out(of, all_figures(of, shared))
    assert replications(of, there) == [10] * 6
    means = design(replications=10, stop=STOP)
    assert replications(means, carried_out(means, all_figures(means, shared))[0]) == [60] * 6


def test_a_relative_stop_is_of_the_mean_and_of_a_comparisons_base() -> None:
    relative = {"response": "utilisation", "relative": 0.1, "most": 60}

    def far(setting: int, replication: int) -> float:
        return 100.0 + float(NOISE[setting, replication])

    of = design(replications=10, stop=relative)
    assert replications(of, carried_out(of, all_figures(of, far))[0]) == [20] * 6
    # Their differences are about zero, no share of which would ever be reached.
    of = design(replications=10, comparisons=["cc"], stop={**relative, "comparison": "cc"})
    there, _ = carried_out(of, all_figures(of, far))
    assert replications(of, there) == [20] * 6
    pairs = [[there[setting, at]["utilisation"] for at in range(20)] for setting in (1, 0)]
    assert (difference(*pairs).half_width or 0.0) > 0.1 * abs(difference(*pairs).difference or 0.0)


def test_the_order_in_which_runs_finish_does_not_matter() -> None:
    of = design(replications=10, stop=STOP)
    world = all_figures(of, noisy({1: 0.1, 4: 0.15}))
    expected, _ = carried_out(of, world)
    for seed in range(5):
        rng = random.Random(seed)
        there: Figures = {}
        while more := wanted(of, there):
            # Only a part of it finishes before the sweep is killed and asks again.
            there.update({run: world[run] for run in rng.sample(more, rng.randint(1, len(more)))})
        assert there == expected


def test_runs_beyond_what_is_wanted_change_nothing() -> None:
    of = design(replications=10, stop=STOP)
    world = all_figures(of, noisy({1: 0.1}))
    expected, _ = carried_out(of, world)
    assert wanted(of, world) == []
    assert stopped(of, world) == stopped(of, expected)


def test_what_no_run_can_measure_does_not_use_up_the_budget() -> None:
    of = design(replications=10, stop=STOP)
    there, _ = carried_out(of, all_figures(of, lambda setting, _: None if setting == 3 else 1.0))
    assert replications(of, there) == [10] * 6
    assert [(report.reached, report.half_width) for report in stopped(of, there)][2:4] == [
        (True, 0.0),
        (False, None),
    ]


@pytest.mark.long
@pytest.mark.parametrize("ratio", [False, True])
def test_hundreds_of_settings_are_decided_in_seconds(ratio: bool) -> None:
    import time

    limits = [f"{packets} packets" for packets in range(5, 155)]
    of = design(
        axes=[{"network.bottleneck.limit": limits}, {"flows.cc": ["reno", "cubic"]}],
        replications=10,
        comparisons=[{"axis": "cc", "ratio": ratio}],
        stop={**STOP, "half_width": 0.02, "comparison": "cc", "most": 40},
    )
    values = np.random.default_rng(1).lognormal(0.0, 0.1, (300, 40))
    world: Figures = {
        (setting, at): {"utilisation": float(values[setting, at])}
        for setting in range(300)
        for at in range(40)
    }
    began = time.process_time()
    there, asked = carried_out(of, world)
    assert len(asked) == 4
    assert len(there) > 6_000
    assert time.process_time() - began < 15.0
