import math
from typing import Any

import numpy as np
import pytest

import ackclock as ac
from ackclock.sweeps.responses import Response
from ackclock.sweeps.warmup import OBSERVATIONS, Truncation, agreed, pilots, series_behind
from sweep_designs import design


def late(start: str, **options: Any) -> ac.Scenario:
    """A second flow that comes late: what the two share is steady after that."""
    flows = [ac.flow("reno", name="first"), ac.flow("reno", name="second", start=start)]
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="20s", **options
    )


RESULT = ac.run(late("4s"))


def test_the_series_of_a_link_is_its_queueing_delay_over_pieces_of_the_run() -> None:
    series = series_behind(Response("u", "utilisation"), RESULT)
    assert list(series) == ["queue_delay of bottleneck"]
    delays = series["queue_delay of bottleneck"]
    assert delays.shape == (OBSERVATIONS,)
    samples = RESULT.samples.links.filter(RESULT.samples.links["link"] == "bottleneck")
    # Held from sample to sample: a millisecond apart, 40 of them in a piece.
    assert delays.mean() == pytest.approx(samples["queue_delay"].mean(), rel=0.01)
    piece = samples.filter((samples["time"] >= 8.0) & (samples["time"] < 8.04))[
        "queue_delay"
    ].mean()
    assert delays[200] == pytest.approx(piece, rel=0.05)


@pytest.mark.parametrize(
    ("response", "names"),
    [
        (Response("x", "goodput"), ["inflight of all flows"]),
        (Response("x", "goodput", flows="second"), ["inflight of second"]),
        (Response("x", "goodput@first"), ["inflight of first"]),
        (
            Response("x", "jain_index"),
            ["queue_delay of bottleneck", "inflight of first", "inflight of second"],
        ),
    ],
)
def test_a_response_is_as_steady_as_what_it_is_of(response: Response, names: list[str]) -> None:
    assert list(series_behind(response, RESULT)) == names


def test_the_flows_of_a_group_are_one_series() -> None:
    parts = [
        series_behind(Response("x", "goodput", flows=name), RESULT) for name in ("first", "second")
    ]
    both = series_behind(Response("x", "goodput"), RESULT)["inflight of all flows"]
    assert np.allclose(both, sum(next(iter(part.values())) for part in parts))


def test_what_the_flows_share_is_steady_after_the_last_has_come() -> None:
    warmup = Truncation.behind(Response("jain_index", "jain_index")).value(RESULT)
    assert warmup is not None
    assert 4.0 <= warmup <= 8.0


def test_pilots_are_one_run_of_every_setting_that_looks_at_nothing_else() -> None:
    of = design(
        replications=20,
        warmup="auto",
        stop={"response": "goodput", "relative": 0.1, "most": 40},
        comparisons=["cc"],
    )
    pilot = pilots(of)
    assert (
        len(pilot.settings),
        pilot.replications,
        pilot.stop,
        pilot.comparisons,
        pilot.warmup,
    ) == (6, 1, None, (), None)
    assert [response.name for response in pilot.responses] == [
        "steady: utilisation",
        "steady: goodput",
    ]
    assert pilot.scenario_at(0).record.samples != "off"
    assert of.scenario_at(0).record.samples == "off"


def figures(of: Any, seconds: list[float | None]) -> dict[tuple[int, int], dict[str, float | None]]:
    return {
        (index, 0): {f"steady: {response.name}": value for response in of.responses}
        for index, value in enumerate(seconds)
    }


@pytest.mark.parametrize(
    ("seconds", "agreed_on"),
    [
        ([0.0, 0.0], 0.0),
        ([0.12, 1.2], 1.2),
        ([0.123, None], 0.13),
        ([1.21, 1.19], 1.3),
        ([1.999, 0.0], 2.0),
    ],
)
def test_the_largest_holds_for_the_whole_sweep_rounded_up(
    seconds: list[float | None], agreed_on: float
) -> None:
    of = design(axes=[{"flows.cc": ["reno", "cubic"]}], warmup="auto")
    assert agreed(of, figures(of, seconds)) == math.ceil(agreed_on * 1e12 - 0.5)


def test_a_setting_without_a_steady_state_is_named() -> None:
    of = design(axes=[{"flows.cc": ["reno", "cubic"]}], warmup="auto")
    with pytest.raises(
        ac.ScenarioError,
        match=r"setting 1 \(cc=cubic\) has no steady state within its 4 s.*begins at 2.4 s",
    ):
        agreed(of, figures(of, [0.2, 2.4]))


def test_a_warm_up_that_leaves_too_little_of_another_setting_is_an_error() -> None:
    of = design(axes=[{"duration": ["4s", "20s"]}], warmup="auto")
    with pytest.raises(
        ac.ScenarioError,
        match=r"setting 1 \(duration=20s\) is steady from 7 s on.*the 4 s of setting 0",
    ):
        agreed(of, figures(of, [0.5, 7.0]))


def test_a_sweeps_runs_are_measured_from_the_warm_up_that_its_pilots_found() -> None:
    axes = [{"flows.second.start": ["1s", "4s"]}]
    result = ac.sweep(
        late("0s"), axes=axes, replications=2, responses=["jain_index"], warmup="auto"
    )
    assert result.warmup_ps is not None
    assert 4.0 <= result.warmup_ps / 1e12 <= 8.0
    alone = ac.run(late("1s").replace({"warmup": f"{result.warmup_ps // 10**9}ms"}))
    assert result.runs.row(0, named=True)["jain_index"] == alone.metric("jain_index")


def test_a_sweep_whose_pilots_find_no_steady_state_makes_no_other_run() -> None:
    with pytest.raises(
        ac.ScenarioError, match=r"setting 1 \(start=16s\) has no steady state within its 20 s"
    ):
        ac.sweep(
            late("0s"),
            axes=[{"flows.second.start": ["1s", "16s"]}],
            replications=2,
            responses=["jain_index"],
            warmup="auto",
        )
