"""P3: claims told true and false under each reading, measures, smallest buffers, and the film."""

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.studies.judging import Judgement, judge, under_first_reading
from ackclock.studies.results import Results
from ackclock.studies.running import designs
from ackclock.sweeps.design import Design
from ackclock.sweeps.result import SweepResult
from ackclock.sweeps.running import Row
from ackclock_papers.small_buffers import STUDY, curves, measures
from ackclock_papers.small_buffers.laws import BDP, LAWS, WANTED, crossing
from ackclock_papers.small_buffers.points import Below, Points, levels_off
from ackclock_papers.small_buffers.readings import AXIS, LITERAL, READINGS, SAWTOOTH, STATED, STEADY
from made_up_studies import noise
from made_up_studies import results as made_up

Figure = Callable[[str, str, Mapping[str, Any], int], float | None]
"""Of experiment, response, setting and replication."""

_FIRST, _LATER = "lowest throughput of TCP in the first 50 s", "lowest throughput of TCP after 50 s"
AS_PRINTED: dict[str, tuple[float, ...]] = {
    # 400 ms with 10 packets are printed, and are the very limit of what video bears.
    "network delay": (0.1, 0.38, 0.3, 0.3, 0.3),
    "jitter": (0.005, 0.006, 0.007, 0.008, 0.01),
    "throughput of TCP": (12e6, 17e6, 17.5e6, 17.98e6, 17.98e6),
    _FIRST: (8e6, 16e6, 17e6, 17.97e6, 17.97e6),
    _LATER: (12e6, 17.5e6, 17.8e6, 17.98e6, 17.98e6),
    "loss of TCP": (2e-3, 1e-3, 2.8e-4, 2.8e-4, 2.8e-4),
    "loss of the film": (1e-2, 1e-3, 5e-5, 0.0, 0.0),
    "throughput of the film": (1.5e6,) * 5,
    "throughput of the link": (12.5e6,) * 5,
    "utilisation of the link": (0.7,) * 5,
}
"""By response, with buffers of 5, 10, 20, 30 and 50 packets."""
THE_CONTRARY: dict[str, tuple[float, ...]] = {
    "network delay": (0.6, 0.55, 0.56, 0.6, 0.6),
    "jitter": (0.05, 0.04, 0.04, 0.04, 0.02),
    "throughput of TCP": (30e6, 30e6, 30e6, 20e6, 25e6),
    _FIRST: (17e6, 17e6, 17e6, 10e6, 10e6),
    _LATER: (17e6, 17e6, 17e6, 17e6, 17e6),
    "loss of TCP": (1e-3, 1e-3, 2e-3, 4e-3, 4e-3),
    "loss of the film": (1e-3, 1e-3, 1e-3, 1e-2, 2e-2),
    "throughput of the film": (1.5e6,) * 5,
    "throughput of the link": (19.5e6,) * 5,
    "utilisation of the link": (0.9,) * 5,
}
ON_THE_PAPERS_RUNS = [
    claim.id for claim in STUDY.claims if claim.criterion.experiments == ("buffers",)
]
OTHERS = {
    "jitter": ("jitter by RFC 3550", "jitter of the network"),
    "network delay": ("delay of the film", "delay of TCP"),
    "loss of TCP": ("loss of TCP at the target link",),
}
"""Responses that readings put in the place of another."""


@cache
def _designs() -> dict[str, Design]:
    # Few seeds are enough where nothing is random; the rules want all buffers.
    return {**designs(STUDY, quick=True), "rules": designs(STUDY, quick=False)["rules"]}


def results(figure: Figure, *experiments: str) -> Results:
    """The study's experiments with made-up runs, under the most literal reading."""
    sweeps = {}
    for name in experiments:
        of = _designs()[name]
        runs = {}
        for setting in of.settings:
            labels = dict(zip((axis.name for axis in of.axes), setting.labels, strict=True))
            for replication in range(of.replications):
                figures = {
                    response.name: figure(name, response.name, labels, replication)
                    for response in of.responses
                }
                key = f"{setting.index:032x}{replication:032x}"
                runs[setting.index, replication] = Row(key, of.seed(replication), "", figures)
        sweeps[name] = SweepResult.of(of, runs)
    return under_first_reading(STUDY, Results(sweeps))


def paper(
    world: Mapping[str, tuple[float, ...]],
    other: Mapping[str, Mapping[str, tuple[float, ...]]] | None = None,
) -> Results:
    """The paper's experiment; `other`: what is otherwise at some settings."""
    alike = {**world, **{name: world[of] for of, names in OTHERS.items() for name in names}}

    def figure(
        experiment: str, response: str, labels: Mapping[str, Any], replication: int
    ) -> float:
        assert experiment == "buffers"
        rows = {**alike, **(other or {}).get(labels[AXIS], {})}
        value = dict(zip((5, 10, 20, 30, 50), rows.get(response, (0.0,) * 5), strict=True))[
            labels["buffer"]
        ]
        return value * (1 + noise(replication, 1e-3))

    return results(figure, "buffers")


def needing(buffer: Callable[[float, int], float]) -> Results:
    """Utilisation is a line over the logarithm of the buffer, 99 % at buffer(connections, seed)."""

    def figure(
        experiment: str, response: str, labels: Mapping[str, Any], replication: int
    ) -> float:
        assert experiment == "rules"
        if response != "utilisation":
            return 0.0
        return WANTED + 0.01 * math.log2(
            labels["buffer"] / buffer(labels["connections"], replication)
        )

    return results(figure, "rules")


def verdict(name: str, runs: Results) -> Any:
    (statement,) = (entry for entry in STUDY.statements if entry.id == name)
    return statement.criterion.judge(runs)


@pytest.fixture(scope="module")
def as_printed() -> Results:
    return paper(AS_PRINTED)


@pytest.fixture(scope="module")
def the_contrary() -> Results:
    return paper(THE_CONTRARY)


@pytest.mark.long
@pytest.mark.parametrize("name", ON_THE_PAPERS_RUNS)
def test_a_claim_holds_under_every_reading_where_all_is_as_printed(
    name: str, as_printed: Results
) -> None:
    assert {verdict(name, as_printed.under(reading.name)).kind for reading in READINGS} == {"holds"}


@pytest.mark.long
@pytest.mark.parametrize("name", ON_THE_PAPERS_RUNS)
def test_a_claim_holds_under_no_reading_where_all_is_contrary(
    name: str, the_contrary: Results
) -> None:
    assert {verdict(name, the_contrary.under(reading.name)).kind for reading in READINGS} == {
        "does not hold"
    }


@cache
def _judged() -> Mapping[str, Judgement]:
    """Judge claims on runs as printed, but for the sawtooth's rate and a fast film's delay."""
    verdicts = paper(
        AS_PRINTED,
        {
            STEADY: {"throughput of TCP": (5e6, 17e6, 17.5e6, 19e6, 19e6)},
            "full film": {"delay of the film": (2.0, 2.1, 2.0, 2.0, 2.0)},
        },
    )
    only = [claim for claim in STUDY.claims if claim.criterion.experiments == ("buffers",)]
    return judge(
        cast("Any", SimpleNamespace(statements=only, readings=READINGS, outside=())), verdicts
    )


@pytest.mark.long
def test_a_reading_of_the_setting_looks_at_its_own_runs() -> None:
    judged = _judged()["P3-F4a"]
    assert judged.headline == f"holds under “{LITERAL}”, does not hold under “{STEADY}”"


@pytest.mark.long
def test_a_reading_of_the_delay_looks_at_another_response() -> None:
    kinds = {case.reading: case.verdict.kind for case in _judged()["P3-F2c"].cases}
    assert kinds == {LITERAL: "holds", "full film's delay": "does not hold"}


def test_where_nothing_is_lost_no_level_of_the_loss_is_judged() -> None:
    nothing = paper({**AS_PRINTED, "loss of TCP": (0.0,) * 5})
    assert verdict("P3-F5a", nothing).kind == "nothing to judge"


def _keys(reading: str) -> dict[str, Any]:
    return curves._keys(reading)


def _changed(reading: str) -> dict[str, Any]:
    return {key: value for key, value in _keys(reading).items() if value != _keys(LITERAL)[key]}


def test_every_setting_that_is_run_is_a_reading_and_every_reading_is_run() -> None:
    table = tomllib.loads((STUDY.folder / "buffers.toml").read_text(encoding="utf-8"))
    (axis,) = (dimension for dimension in table["sweep"]["axes"] if dimension["name"] == AXIS)
    under = [reading.settings.get(AXIS, LITERAL) for reading in READINGS]
    assert list(dict.fromkeys(under)) == axis["labels"]
    responses = {response["name"] for response in table["sweep"]["responses"]}
    assert {
        name for reading in READINGS for pair in reading.responses.items() for name in pair
    } <= responses


def test_the_scenarios_own_values_are_those_of_the_most_literal_reading() -> None:
    for file in ("buffers", "curve"):
        scenario = ac.load(STUDY.folder / f"{file}.toml")
        literal = scenario.replace(
            {key: value for key, value in _keys(LITERAL).items() if key != "warmup"}
        )
        assert scenario.plan() == literal.plan()


@pytest.mark.parametrize(
    "name",
    ["80 % load", "full film", "delayed ACKs", "window of 32", "no window", "80 ms", "after 20 s"],
)
def test_a_reading_of_one_topic_changes_one_key(name: str) -> None:
    assert len(_changed(name)) == 1


def test_bundles_are_made_of_readings_of_one_topic() -> None:
    stated = {**_changed("80 % load"), **_changed("bursts")}
    sawtooth = {**stated, **_changed("no window"), **_changed("delayed ACKs")}
    assert _changed(STATED) == stated
    assert _changed(f"{STATED} + 80 ms") == {**stated, **_changed("80 ms")}
    assert _changed(f"{STATED} + window of 32") == {**stated, **_changed("window of 32")}
    assert _changed(f"{STATED} + no window") == {**stated, **_changed("no window")}
    assert _changed(SAWTOOTH) == sawtooth
    assert _changed(STEADY) == {**sawtooth, **_changed("after 20 s")}


def test_the_load_and_the_round_trip_time_are_the_stated_ones() -> None:
    rate, delay = (
        _keys(STATED)["network.bottleneck.rate"],
        _keys("80 ms")["network.bottleneck.delay"],
    )
    assert (18 * 1.0 + 1.5) / float(rate.removesuffix("Mbit/s")) == pytest.approx(0.8, abs=2e-3)
    assert 2 * (25.5 + float(delay.removesuffix("ms"))) == 80.0


def test_every_claim_and_figure_of_the_paper_has_an_item() -> None:
    named = {name for item in STUDY.items for name in item.where}
    assert {claim.id for claim in STUDY.claims} <= named
    assert {figure.id for figure in STUDY.figures if figure.printed} <= named
    assert {experiment.name for experiment in STUDY.experiments} <= named


def test_explanations_have_no_shares_but_those_of_printed_rates() -> None:
    shares = {
        share
        for statement in STUDY.statements
        for share in re.findall(r"[\d.]+(?= %)", statement.why or "")
    }
    # 99 % is what is asked for; the others are quotients of rates that the paper prints.
    assert shares == {"99", "37.5", "79.9", "12", "7.7"}


@pytest.mark.parametrize(("better", "kind"), [("RED", "holds"), ("DropTail", "does not hold")])
def test_red_is_judged_by_losses_at_once_and_by_windows_that_move_alike(
    better: str, kind: str
) -> None:
    def figure(
        experiment: str, response: str, labels: Mapping[str, Any], replication: int
    ) -> float | None:
        assert experiment == "red"
        if labels["connections"] == 18:
            # Nothing is lost, and no window moves.
            return None if response == "correlation of the windows" else 0.0
        worse = 0.0 if labels["queue"] == better else 0.3
        return 0.1 + worse + noise(replication, 0.01)

    assert verdict("P3-RED", results(figure, "red")).kind == kind


@pytest.mark.parametrize(("with_half", "kind"), [(0.95, "holds"), (0.995, "in part")])
def test_the_rule_of_thumb_is_needed_and_enough(with_half: float, kind: str) -> None:
    def figure(
        experiment: str, response: str, labels: Mapping[str, Any], replication: int
    ) -> float:
        assert experiment == "thumb"
        if response != "utilisation":
            return 0.9 + noise(replication, 0.01)
        used = with_half if labels["share"] < 1 else 0.998
        return used + noise(replication, 1e-4)

    assert verdict("P3-R1", results(figure, "thumb")).kind == kind


def test_differences_of_shares_stay_within_a_hundred_points() -> None:
    runs = made_up(lambda cc, _, seed: 0.97 + noise(seed, 0.03) if cc == "cubic" else 0.02)
    (intervals, *_) = Points("e", "goodput", "cc", "cubic", "reno").weigh(runs)
    assert intervals.unit == "%"
    assert intervals.low is not None
    assert intervals.high is not None
    assert 0.8 < intervals.low < 0.95 < intervals.high <= 1.0


def test_a_correlation_below_another_may_be_negative() -> None:
    runs = made_up(
        lambda cc, _, seed: (
            (-0.1 if cc == "cubic" else 0.0) + noise(seed, 0.01 if cc == "cubic" else 0.001)
        )
    )
    assert Below("e", "goodput", "cc", "cubic", "reno").judge(runs).kind == "holds"
    assert Below("e", "goodput", "cc", "reno", "cubic").judge(runs).kind == "does not hold"
    nothing = made_up(lambda cc, _, seed: 0.0)  # noqa: ARG005
    assert Below("e", "goodput", "cc", "cubic", "reno").judge(nothing).kind == "nothing to judge"


def test_a_level_needs_something_to_level_off() -> None:
    def level(later: float) -> str:
        runs = made_up(
            lambda _, buffer, seed: (
                (later if buffer == 20 else 1.0) * (later > 0) * (1 + noise(seed, 1e-3))
            )
        )
        return levels_off("e", "goodput", "buffer", 20, 10, margin=0.1).judge(runs).kind

    assert (level(1.05), level(0.5), level(0.0)) == ("holds", "does not hold", "nothing to judge")


# The study's measures.


def _run(**changes: Any) -> Result:
    """Two seconds of 100 ms samples of the paper's network, all alike in delay."""
    scenario = ac.load(STUDY.folder / "curve.toml")
    keys = {
        "duration": "40s",
        "flows.tcp.access.delay": "10ms",
        "flows.film.access.delay": "10ms",
        **changes,
    }
    return ac.run(scenario.replace(keys))


def test_network_delay_is_that_of_the_packets_themselves() -> None:
    links = ["tcp.1.access-up", "tcp.1.access-down"]
    run = _run(**{"record.packets": links, "flows.film.app.rate": "0.1Mbit/s"})
    # Nothing is lost: each segment enters once and leaves once.
    rows = run.packets.filter((pl.col("is_ack") == 0) & (pl.col("flow").cast(pl.String) == "tcp.1"))
    where, event = (rows[name].cast(pl.String) for name in ("where", "event"))
    entered = (
        rows.filter((where == links[0]) & (event == "send"))
        .group_by("seq")
        .agg(pl.col("time_ns").min())
    )
    left = (
        rows.filter((where == links[1]) & (event == "receive"))
        .group_by("seq")
        .agg(pl.col("time_ns").min())
    )
    both = entered.join(left, on="seq", suffix="_left")
    taken = 1e-9 * (both["time_ns_left"] - both["time_ns"]).to_numpy().mean()
    assert run.flows["lost_packets"].sum() == 0
    assert measures.network_delay(run, of="tcp") == pytest.approx(taken, rel=2e-3)
    # A window of 20 packets takes 240 ms on 1 Mbit/s, of which the ACKs' way back, 70 ms, is no
    # part.
    assert taken == pytest.approx(0.24 - 0.07, abs=5e-3)


def test_network_delay_over_time_has_the_same_mean() -> None:
    run = _run(warmup="10s")
    ends, means = measures.delay_over_time(run)
    assert ends.tolist() == [float(number) for number in range(1, 41)]
    tcp, film = measures.network_delay(run, of="tcp"), run.metric("stream_delay.mean")
    assert tcp is not None
    assert film is not None
    # Senders weigh alike, 18 to 1, in place of their packets.
    assert means[ends > 10].mean() == pytest.approx((18 * tcp + film) / 19, rel=0.01)


def _stream(
    delays: list[float | None], sizes: int = 1000, gap: float = 0.04, warmup: float = 0.0
) -> Result:
    rows = {
        "flow": ["film"] * len(delays),
        "number": list(range(len(delays))),
        "sent_time": [gap * at for at in range(len(delays))],
        "size": [sizes] * len(delays),
        "delay": delays,
    }
    plan = {"warmup_ps": int(1e12 * warmup), "duration_ps": int(1e12 * gap * len(delays))}
    return cast(
        "Result",
        SimpleNamespace(
            plan=plan,
            samples=SimpleNamespace(
                datagrams=pl.DataFrame(rows, schema_overrides={"delay": pl.Float64})
            ),
        ),
    )


def test_variation_is_of_packets_that_follow_each_other_and_both_arrive() -> None:
    run = _stream([0.1, 0.13, None, 0.2, 0.15])
    times, changes = measures.variations(run, "film")
    assert times == pytest.approx([0.04, 0.16])
    assert changes == pytest.approx([0.03, -0.05])
    assert measures.delay_variation(run, "film", share=1.0) == pytest.approx(0.05)
    assert measures.delay_variation(_stream([None, None]), "film") is None


def test_variation_leaves_the_warmup_out() -> None:
    assert measures.variations(_stream([0.1, 0.9, 0.1, 0.2], warmup=0.08), "film")[
        1
    ] == pytest.approx([0.1])


def test_burstiness_is_the_same_at_both_ends_of_a_path_that_only_delays() -> None:
    run = _stream([0.1] * 50, gap=0.08)
    sent = measures.burstiness(run, "film")
    # Every other interval has a packet.
    assert sent == pytest.approx(1.0)
    assert measures.burstiness(run, "film", at="receiver") == sent
    lost = _stream([0.1, None] * 25, gap=0.08)
    assert measures.burstiness(lost, "film", at="receiver") == pytest.approx(math.sqrt(3))


def _connections(columns: Mapping[str, list[float]], of: str, period: float = 0.1) -> Result:
    rows = [
        {"time": period * at, "flow": name, "cwnd": 0.0, "lost": 0, of: value}
        for name, values in columns.items()
        for at, value in enumerate(values)
    ]
    return cast(
        "Result",
        SimpleNamespace(plan={"warmup_ps": 0}, samples=SimpleNamespace(flows=pl.DataFrame(rows))),
    )


def test_windows_in_step_correlate() -> None:
    saw = [float(at % 7) for at in range(70)]
    shifted = [float((at + 3) % 7) for at in range(70)]
    contrary = [-value for value in saw]
    assert measures.window_correlation(
        _connections({"tcp.1": saw, "tcp.2": saw}, "cwnd")
    ) == pytest.approx(1.0)
    assert measures.window_correlation(
        _connections({"tcp.1": saw, "tcp.2": contrary}, "cwnd")
    ) == pytest.approx(-1.0)
    correlation = measures.window_correlation(
        _connections({"tcp.1": saw, "tcp.2": shifted, "tcp.3": [5.0] * 70}, "cwnd")
    )
    assert correlation == pytest.approx(float(np.corrcoef(saw, shifted)[0, 1]))
    assert (
        measures.window_correlation(_connections({"tcp.1": [5.0] * 9, "tcp.2": [5.0] * 9}, "cwnd"))
        is None
    )


def test_connections_that_lose_at_once_are_counted_by_interval() -> None:
    # In the second 200 ms both lose, in the third one of them.
    run = _connections(
        {"tcp.1": [0, 0, 0, 1, 1, 2, 2, 2], "tcp.2": [0, 0, 3, 3, 3, 3, 3, 3]}, "lost"
    )
    assert measures.share_losing(run) == pytest.approx(0.75)
    assert (
        measures.share_losing(_connections({"tcp.1": [0.0] * 8, "tcp.2": [0.0] * 8}, "lost")) == 0.0
    )


def test_the_lowest_throughput_is_looked_for_after_the_warmup() -> None:
    times = np.arange(0.0, 60.5, 0.5)
    carried = np.cumsum(np.where((times > 20) & (times <= 25), 250, 500.0))
    links = pl.DataFrame(
        {"time": times, "link": ["tcp.1.access-down"] * len(times), "delivered_bytes": carried}
    )

    def run(warmup: float) -> Result:
        return cast(
            "Result",
            SimpleNamespace(
                plan={"warmup_ps": int(1e12 * warmup)}, samples=SimpleNamespace(links=links)
            ),
        )

    assert measures.lowest_throughput(run(0)) == pytest.approx(4000.0)
    assert measures.lowest_throughput(run(30)) == pytest.approx(8000.0)
    assert measures.lowest_throughput(run(0), since=70, until=80) is None


def test_losses_in_access_queues_are_none_of_the_targets() -> None:
    run = _run(**{"flows.tcp.transport.max_cwnd": "10000 packets"})
    assert run.flows["lost_packets"].sum() > 0
    assert measures.target_loss_rate(run) == 0.0
    full = _run(**{"network.bottleneck.rate": "5Mbit/s"})
    assert full.links["dropped_packets"][0] > 0
    rows = full.flows.filter(pl.col("name").str.starts_with("tcp"))
    lost, sent = (float(rows[name].sum()) for name in ("lost_packets", "sent_packets"))
    assert measures.target_loss_rate(full) == pytest.approx(lost / sent, rel=0.01)


# The three rules.


@pytest.mark.parametrize(("factor", "kind"), [(0.9, "holds"), (1.1, "does not hold")])
@pytest.mark.parametrize(("name", "law"), [("P3-R2", "RTT·C/√N"), ("P3-R3", "O(log W)")])
def test_a_rule_suffices_where_no_larger_buffer_is_needed(
    name: str, law: str, factor: float, kind: str
) -> None:
    runs = needing(
        lambda connections, replication: (
            factor * LAWS[law](connections) * (1 + noise(replication, 0.01))
        )
    )
    assert verdict(name, runs).kind == kind


def test_a_buffer_beyond_those_run_speaks_against_a_rule_only_if_every_seed_needs_it() -> None:
    assert verdict("P3-R2", needing(lambda *_: 2000.0)).kind == "does not hold"
    assert (
        verdict("P3-R2", needing(lambda _, replication: 2000.0 if replication % 2 else 8.0)).kind
        == "cannot be judged"
    )
    assert verdict("P3-R2", needing(lambda *_: 1.0)).kind == "holds"


def test_the_exponent_of_the_smallest_buffer_is_told() -> None:
    outcome = verdict(
        "P3-Q7",
        needing(
            lambda connections, replication: (
                LAWS["RTT·C/√N"](connections) * (1 + noise(replication, 0.01))
            )
        ),
    )
    assert outcome.figures["by ACKs"]["exponent"] == pytest.approx(-0.5, abs=0.01)
    assert "as N to the power of −0.5." in outcome.sentence


def test_frames_are_held_against_packets_where_packets_are_lost() -> None:
    def figure(_experiment: str, response: str, labels: Mapping[str, Any], _of: int) -> float:
        lost = 0.01 if labels["queue"] == "PIE" else 0.0
        return {"loss of the film": lost, "decodable frames": 1 - 20 * lost}.get(response, 0.0)

    outcome = verdict("P3-Q4", results(figure, "queues"))
    assert (
        outcome.sentence
        == "Where 1 % of the packets are lost, 20 % of the frames cannot be decoded (3 seeds)."
    )
    assert {interval.where.split(",")[0] for interval in outcome.evidence} == {"PIE"}


def test_the_smallest_buffer_is_between_two_that_were_run_on_a_logarithmic_scale() -> None:
    assert crossing([1, 10, 100], [0.9, 0.98, 1.0]) == pytest.approx(10 * math.sqrt(10))


def test_a_buffer_that_suffices_by_chance_below_one_that_does_not_is_not_the_smallest() -> None:
    assert crossing([1, 10, 100, 1000], [0.995, 0.9, 0.98, 1.0]) == pytest.approx(
        100 * math.sqrt(10)
    )


def test_the_ends_of_what_was_run() -> None:
    assert crossing([2, 4], [0.991, 0.999]) == 2
    assert crossing([2, 4], [0.995, 0.98]) == math.inf


def test_the_rules_agree_for_one_connection_as_their_papers_have_it() -> None:
    assert LAWS["RTT·C"](1) == LAWS["RTT·C/√N"](1) == pytest.approx(BDP)
    assert LAWS["RTT·C/√N"](100) == pytest.approx(BDP / 10)


def test_the_study_has_the_film_that_the_scenarios_have() -> None:
    shipped = Path(__file__).parents[2] / "scenarios" / "video" / "clip.trace"
    assert (STUDY.folder / "clip.trace").read_bytes() == shipped.read_bytes()
