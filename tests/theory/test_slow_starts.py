"""How connections begin: each slow start's end, in runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from scripts import DOCS, docs_script
from single_flow import MSS, row, run_alone, window

FAST = {"rate": "100Mbit/s", "rtt": "40ms", "duration": "3s", "record": {"samples": "changes"}}
BDP = 100e6 * 0.040 / 8 / 1500
"""Packets."""


def ssthresh_at_end(result: ac.Result) -> tuple[float, bool]:
    """Packets, and whether a loss ended the first slow start."""
    first = result.samples.flows.filter(
        pl.col("ssthresh").is_not_null() & pl.col("ssthresh").is_not_nan()
    ).row(0, named=True)
    return first["ssthresh"] / MSS, first["state"] in {"recovery", "loss"}


@pytest.mark.long
def test_the_documents_tables_are_what_runs_give() -> None:
    document = (DOCS / "algorithms/slow-starts.md").read_text(encoding="utf-8")
    make = docs_script()
    assert make.BEGIN + make.start_tables() + make.END in document, "make docs"


def test_hystart_ends_before_the_first_loss_with_a_buffer_of_one_bdp() -> None:
    result = run_alone("hystart+reno", buffer="1bdp", **FAST)
    ssthresh, by_loss = ssthresh_at_end(result)
    assert not by_loss
    assert BDP < ssthresh < 2 * BDP
    assert row(result)["lost_packets"] == 0


def test_limited_grows_by_50_packets_per_round_trip_and_loses_no_more() -> None:
    result = run_alone("limited+reno", buffer="1bdp", **FAST)
    flow = window(result)
    time, cwnd = flow.time[: flow.begins[0]], flow.cwnd[: flow.begins[0]]
    srtt = result.samples.flows["srtt"].to_numpy()[: flow.begins[0]]
    grown = cwnd - np.interp(time - srtt, time, cwnd)
    # Two: an ACK covers two packets, and a round trip's ends lie between ACKs.
    assert grown[cwnd > 200].max() < 50 + 2
    assert grown[cwnd > 200].min() > 40
    # What one round trip adds is what the full buffer has no room for.
    assert 40 < row(result)["lost_packets"] <= 51


def css(result: ac.Result) -> list[tuple[float, float]]:
    """When conservative slow start of the only flow that has one begins (1) and ends (0)."""
    own = result.samples.internals.filter(pl.col("name") == "css")
    changes = own.filter(pl.col("value") != pl.col("value").shift(1, fill_value=0.0))
    return list(changes.select("time", "value").iter_rows())


def test_hystartpp_doubles_again_when_a_burst_of_another_flow_has_passed() -> None:
    burst: dict[str, Any] = {
        "initial_window": "400 packets",
        "app": {"kind": "file", "size": "560kB"},
    }
    flows = [
        ac.flow("hystartpp+reno", name="first"),
        ac.flow("reno", name="burst", start="100ms", **burst),
    ]
    result = ac.run(ac.dumbbell(profile="rfc", buffer="8bdp", flows=flows, **FAST))
    (entry, began), (back, ended), (_, again) = css(result)[:3]
    assert (began, ended, again) == (1.0, 0.0, 1.0)
    # The burst arrives at 0.14 s and is 32 ms of queue; the next round trip has less.
    assert 0.14 < entry < back < 0.3
    samples = result.samples.flows.filter(pl.col("flow").cast(pl.String) == "first")
    time, cwnd = samples["time"].to_numpy(), samples["cwnd"].to_numpy() / MSS

    def growth(since: float) -> float:
        """The factor of the round trip of 40 ms that follows."""
        before, after = np.interp([since, since + 0.041], time, cwnd)
        return float(after / before)

    assert growth(entry) == pytest.approx(1.25, abs=0.03)
    assert growth(back) == pytest.approx(2.0, abs=0.1)


def test_hystartpp_ends_without_loss_where_the_buffer_holds_its_five_rounds() -> None:
    result = run_alone("hystartpp+reno", buffer="16bdp", **FAST)
    (entry, _), *others = css(result)
    assert not others
    at_entry = float(
        np.interp(
            entry,
            result.samples.flows["time"].to_numpy(),
            result.samples.flows["cwnd"].to_numpy() / MSS,
        )
    )
    ssthresh, by_loss = ssthresh_at_end(result)
    assert not by_loss
    assert row(result)["lost_packets"] == 0
    # Five rounds of a quarter.
    assert ssthresh / at_entry == pytest.approx(1.25**5, rel=0.01)


@pytest.mark.parametrize("buffer", ["5bdp", "8bdp"])
def test_search_ends_before_the_loss_with_the_bdp_as_window_where_the_buffer_is_deep(
    buffer: str,
) -> None:
    result = run_alone("search+reno", buffer=buffer, **FAST)
    ssthresh, by_loss = ssthresh_at_end(result)
    assert not by_loss
    assert row(result)["lost_packets"] == 0
    # The initial RTT, rounded up to whole bins of 0.35 of it: 3 bins, 1.05.
    assert ssthresh == pytest.approx(1.05 * BDP, rel=0.02)


def test_search_comes_too_late_for_a_buffer_of_one_bdp() -> None:
    """The claim that it exits before the first loss does not hold there."""
    result = run_alone("search+reno", buffer="1bdp", **FAST)
    assert ssthresh_at_end(result)[1]
    assert (
        row(result)["lost_packets"]
        == row(run_alone("classic+reno", buffer="1bdp", **FAST))["lost_packets"]
    )
