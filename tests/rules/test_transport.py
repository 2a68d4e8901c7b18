"""Each rule of the transport, cause and limit occurs, and the numbers beside it agree with it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from rust_rules import rules_of

ROOT = Path(__file__).parents[2]
RULES = rules_of(ROOT / "crates/sim/src/decisions")
MSS = 1448
INITIAL_WINDOW = 10 * MSS
JIFFY = 0.004
"""Seconds; Linux counts idle times in these."""

DUPACK = {"loss_detection": "dupack", "window_approach": "inflation"}
ON_OFF = {"kind": "on-off", "on": "100ms", "off": "1s", "rate": "2Mbit/s"}
TRICKLE = {"kind": "on-off", "on": "1s", "off": "350ms", "rate": "2Mbit/s"}


def _lost(*packets: int, **more: object) -> dict[str, Any]:
    return {"loss": {"kind": "list", "packets": list(packets), **more}}


def _outage(*window: str, lossy: bool) -> dict[str, Any]:
    return {"outages": {"windows": [list(window)], "lossy": lossy}}


SCENARIOS: dict[str, dict[str, Any]] = {
    "RACK": _lost(100, 103),
    "RACK, the RFC's PRR": {"profile": "rfc", **_lost(100, *range(103, 111), *range(120, 129))},
    "SACK": {"transport": {"loss_detection": "sack"}, **_lost(100, 103)},
    "NewReno": {"transport": DUPACK, **_lost(100, 103)},
    "Tahoe": {"transport": DUPACK | {"dupack_recovery": "tahoe"}, **_lost(100)},
    "tail loss": {"app": ON_OFF, "duration": "2s", **_lost(18)},
    "outage": _outage("2s", "4s", lossy=False),
    "lossy outage": _outage("2s", "4s", lossy=True),
    "lossy outage, SACK": {
        "transport": {"loss_detection": "sack"},
        **_outage("2s", "4s", lossy=True),
    },
    "lost SYN": {"duration": "2s", **_lost(1, acks=True)},
    "marks": {"qdisc": {"kind": "codel", "ecn": True}, "transport": {"ecn": "classic"}},
    "reordering": {"wire": {"reorder": {"p": 0.02, "extra": "20ms"}}},
    "reordering, SACK": {
        "wire": {"reorder": {"p": 0.02, "extra": "20ms"}},
        "transport": {"loss_detection": "sack"},
        "duration": "3s",
    },
    "reordering, no timestamps": {
        "wire": {"reorder": {"p": 0.01, "extra": "30ms"}},
        "transport": {"loss_detection": "sack", "timestamps": False},
        "duration": "3s",
    },
    "shut window": {
        "profile": "rfc",
        "transport": {"receive_buffer": "16000B", "read_rate": "4kbit/s"},
        "duration": "20s",
    },
    "idle": {"app": {"kind": "on-off", "on": "1s", "off": "2s"}, "duration": "7s"},
    "unused window": {
        "app": TRICKLE,
        "ssthresh": "20 packets",
        "duration": "1.4s",
        **_outage("1s", "1.8s", lossy=True),
    },
    "pacing": {"cc": "bbr", "duration": "1s"},
    "clamp": {"transport": {"max_cwnd": "10 packets"}, "duration": "1s"},
}


@dataclass(frozen=True)
class Row:
    """A row of the record, with all rows before it."""

    scenario: str
    number: int
    rows: list[dict[str, Any]] = field(repr=False)

    def __getattr__(self, column: str) -> Any:
        return self.rows[self.number][column]

    @property
    def before(self) -> "Row":
        return Row(self.scenario, self.number - 1, self.rows)

    def earlier(self, holds: Callable[["Row"], bool]) -> "Row":
        """Return the latest row before this one for which something holds."""
        return next(row for row in self.back() if holds(row))

    def back(self) -> Iterator["Row"]:
        for number in range(self.number - 1, -1, -1):
            yield Row(self.scenario, number, self.rows)

    def newly_sacked(self) -> int:
        """Bytes first SACKed since SND.UNA last advanced, with this row."""
        total = self.sacked_bytes
        for row in self.back():
            if row.una != self.una:
                break
            total += row.sacked_bytes
        return int(total)


@pytest.fixture(scope="module")
def runs() -> Mapping[str, list[Row]]:
    return {name: _rows(name, **options) for name, options in SCENARIOS.items()}


def _rows(
    name: str,
    *,
    cc: str = "reno",
    app: str | Mapping[str, Any] = "bulk",
    ssthresh: str | None = None,
    duration: str = "6s",
    **options: Any,
) -> list[Row]:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="60ms",
        buffer="100 packets",
        flows=[ac.flow(cc, name="one", app=app, ssthresh=ssthresh)],
        duration=duration,
        warmup="0s",
        record={"samples": "off", "decisions": "all"},
        **options,
    )
    rows = ac.run(scenario).decisions.to_dicts()
    return [Row(name, number, rows) for number in range(len(rows))]


def _all(runs: Mapping[str, list[Row]]) -> Iterator[Row]:
    for rows in runs.values():
        yield from rows


def test_every_rule_of_the_transport_occurs(runs: Mapping[str, list[Row]]) -> None:
    rules = {row.transport_rule for row in _all(runs)}
    missing = {f"{rule.statement} ({rule.source})" for rule in RULES} - rules
    assert not missing
    assert rules - {None} <= {f"{rule.statement} ({rule.source})" for rule in RULES}


@pytest.mark.parametrize("column", ["cause", "held_by", "episode"])
def test_every_code_occurs(column: str, runs: Mapping[str, list[Row]]) -> None:
    names = ac.run(_any()).decisions[column].dtype.categories  # type: ignore[attr-defined]
    assert {getattr(row, column) for row in _all(runs)} == set(names)


def _any() -> ac.Scenario:
    flow = ac.flow("reno", name="one")
    record = {"decisions": "all"}
    return ac.dumbbell(rate="1Mbit/s", rtt="30ms", flows=[flow], duration="1s", record=record)


def _halved(row: Row) -> int:
    """ssthresh of Reno after congestion, in whole segments as Linux counts (RFC 5681 eq. 4)."""
    return max(int(row.cwnd_before) // MSS // 2, 2) * MSS


def _is_halved(row: Row) -> bool:
    exact = max(row.cwnd_before / 2, 2 * MSS)
    return bool(row.ssthresh in (_halved(row), exact))


def _is_timeout(row: Row) -> None:
    assert row.cause == "timeout"
    assert row.lost_bytes > 0
    assert row.sent == row.retransmitted == 1
    # One segment more than RACK spares, and that segment is out again.
    assert row.cwnd == row.inflight
    assert row.rto == pytest.approx(min(2 * row.before.rto, 120), abs=JIFFY)
    assert row.told in ("timeout", "repeated_timeout")
    if row.told == "repeated_timeout":
        assert row.ssthresh == row.ssthresh_before
    else:
        assert _is_halved(row)


def _is_timeout_without_rack(row: Row) -> None:
    _is_timeout(row)
    assert row.cwnd == MSS


def _is_lost_syn(row: Row) -> None:
    assert (row.cause, row.sent, row.acked_bytes) == ("timeout", 0, 0)
    assert row.time == pytest.approx(row.before.time + row.before.rto)


def _is_tail_probe(row: Row) -> None:
    assert (row.cause, row.sent, row.cwnd) == ("tail_probe", 1, row.cwnd_before)
    last = row.earlier(lambda event: event.sent > 0 or event.acked_bytes > 0)
    assert row.time - last.time >= 2 * row.srtt
    assert row.time - last.time <= row.rto + JIFFY


def _is_reordering_timeout(row: Row) -> None:
    assert (row.cause, row.acked_bytes, row.sacked_bytes) == ("reordering_timer", 0, 0)
    assert row.lost_bytes > 0
    # RFC 8985 section 6.2, step 4: the window is at most an SRTT.
    last = row.earlier(lambda event: event.cause == "ack")
    assert 0 < row.time - last.time <= row.srtt


def _fills_a_small_window(row: Row) -> None:
    assert (row.cause, row.sent, row.held_by) == ("window_probe", 1, "receive_window")
    assert 0 < row.inflight < MSS
    assert row.before.inflight == 0


def _is_window_probe(row: Row) -> None:
    assert (row.cause, row.sent, row.held_by) == ("window_probe", 0, "receive_window")
    assert row.inflight == 0
    assert row.cwnd == row.cwnd_before


def _takes_back(row: Row) -> None:
    assert row.cause == "ack"
    begin = row.earlier(lambda event: event.told in ("loss", "timeout"))
    assert row.told == "undo"
    assert row.target_cwnd >= begin.cwnd_before
    if begin.ssthresh_before is None:
        assert row.ssthresh is None
    else:
        assert row.ssthresh >= begin.ssthresh_before


def _takes_a_timeout_back(row: Row) -> None:
    _takes_back(row)
    assert row.before.episode == "loss"
    assert row.acked_bytes > 0


def _takes_a_recovery_back(row: Row) -> None:
    _takes_back(row)
    assert row.before.episode == "recovery"
    assert row.acked_bytes > 0


def _has_three_duplicates(row: Row) -> None:
    assert [row.is_duplicate, row.before.is_duplicate, row.before.before.is_duplicate] == [1, 1, 1]
    assert row.lost_bytes > 0
    assert row.retransmitted == 1
    assert _is_halved(row)


def _is_tahoes(row: Row) -> None:
    _has_three_duplicates(row)
    assert row.cwnd == MSS


def _is_fast_retransmit(row: Row) -> None:
    _has_three_duplicates(row)
    assert row.episode == "recovery"
    assert row.cwnd == row.ssthresh + 3 * MSS


def _begins_recovery(row: Row) -> None:
    assert row.episode == "recovery"
    assert row.lost_bytes > 0
    if row.told == "loss":
        # BBR has no ssthresh.
        assert _is_halved(row) or row.scenario == "pacing"
    else:
        assert row.told == "recovery_in_reduced_window"
        assert row.ssthresh == row.ssthresh_before


def _is_racks(row: Row) -> None:
    _begins_recovery(row)
    assert row.before.episode == "loss" or row.newly_sacked() >= MSS
    if row.scenario == "RACK":
        # Without reordering the third segment that is SACKed proves the loss.
        assert row.newly_sacked() == 3 * MSS


def _is_sacks(row: Row) -> None:
    _begins_recovery(row)
    recent = [event for event in row.back() if row.time - event.time <= row.srtt]
    sacked = sum(event.sacked_bytes for event in [row, *recent])
    assert row.before.episode == "loss" or sacked >= 3 * MSS


def _reduces_again(row: Row) -> None:
    assert (row.told, row.episode, row.before.episode) == ("loss", "recovery", "recovery")
    assert row.acked_bytes > 0
    # The recovery ends with the algorithm's window, which is halved.
    assert row.ssthresh == int(row.before.target_cwnd) // MSS // 2 * MSS
    begin = row.earlier(lambda event: event.told == "loss")
    assert row.time - begin.time >= row.min_rtt


def _answers_marks(row: Row) -> None:
    assert (row.told, row.episode, row.has_ece) == ("ecn", "cwr", 1)
    assert _is_halved(row)
    earlier = [event for event in row.back() if event.told == "ecn"]
    assert not earlier or row.time - earlier[0].time >= row.min_rtt


def _answers_a_repaired_loss(row: Row) -> None:
    assert (row.told, row.cause, row.lost_bytes) == ("loss", "ack", 0)
    assert row.acked_bytes > 0
    assert _is_halved(row)
    probe = row.earlier(lambda event: event.cause == "tail_probe")
    assert probe.retransmitted == 1


def _restarts_after_idleness(row: Row) -> None:
    assert row.told == "idle_restart"
    assert row.before.inflight == 0
    last = row.earlier(lambda event: event.sent > 0)
    idle = row.time - last.time
    assert idle > row.rto
    expected = []
    for seconds in (idle - JIFFY, idle, idle + JIFFY):
        for rto in (row.rto, row.rto + JIFFY):
            halved = int(row.cwnd_before) >> min(int(seconds / rto), 63)
            expected.append(max(halved, min(INITIAL_WINDOW, int(row.cwnd_before))) // MSS)
    assert row.cwnd // MSS in expected
    if row.ssthresh_before is not None:
        segments = int(row.cwnd_before) // MSS
        assert row.ssthresh >= (segments // 2 + segments // 4) * MSS


def _gives_up_the_unused(row: Row) -> None:
    assert row.told == "idle_restart"
    last = row.earlier(lambda event: event.acked_bytes > 0)
    assert row.time - last.time >= row.rto
    # The most that was used counts, and at least the initial window.
    assert (int(row.cwnd_before) + INITIAL_WINDOW) // 2 // MSS * MSS <= row.cwnd < row.cwnd_before


def _is_partial_ack(row: Row) -> None:
    assert (row.episode, row.before.episode) == ("recovery", "recovery")
    assert row.acked_bytes > 0
    assert row.retransmitted == 1


def _reduces_in_proportion(row: Row) -> None:
    assert row.cwnd >= row.target_cwnd
    if row.scenario == "RACK" and row.is_duplicate and row.before.is_duplicate:
        # Reno halves: a packet leaves for every second one.
        assert row.sent + row.before.sent == 1


def _conserves_packets(row: Row) -> None:
    assert row.cwnd <= max(row.target_cwnd, row.inflight, MSS)


def _inflates(row: Row) -> None:
    if row.is_duplicate:
        assert row.cwnd == row.cwnd_before + MSS


def _transmits_within_limits(row: Row) -> None:
    assert (row.cause, row.acked_bytes, row.retransmitted) == ("ack", 0, 0)
    assert row.sent > 0
    # Once reordering was seen, Linux counts what is SACKed for growth (`tcp_may_raise_cwnd`).
    assert row.cwnd == row.cwnd_before or row.scenario == "reordering"
    assert row.episode == "disorder"


CHECKS: dict[str, Callable[[Row], None]] = {
    "the SYN is not answered": _is_lost_syn,
    "retransmission timeout: the first segment": _is_timeout,
    "retransmission timeout: what is in flight": _is_timeout_without_rack,
    "tail loss probe:": _is_tail_probe,
    "RACK's reordering timer": _is_reordering_timeout,
    "the receiver's window stays smaller": _fills_a_small_window,
    "the receiver's window is shut": _is_window_probe,
    "D-SACKs show": _takes_back,
    "an original arrived after the timeout": _takes_a_timeout_back,
    "the ACK answers the original": _takes_a_recovery_back,
    "three duplicate ACKs: back to one segment": _is_tahoes,
    "RACK: ": _is_racks,
    "SACKs of three segments": _is_sacks,
    "the recovery is over, but": _reduces_again,
    "three duplicate ACKs: fast retransmit": _is_fast_retransmit,
    "the receiver reports marks": _answers_marks,
    "the tail loss probe has repaired": _answers_a_repaired_loss,
    "idle for longer than the RTO": _restarts_after_idleness,
    "the window was not full": _gives_up_the_unused,
    "a partial ACK": _is_partial_ack,
    "PRR: as many": _reduces_in_proportion,
    "PRR below": _conserves_packets,
    "fast recovery: each duplicate ACK": _inflates,
    "limited transmit": _transmits_within_limits,
}


def test_every_rule_of_the_transport_is_checked() -> None:
    for rule in RULES:
        assert sum(rule.statement.startswith(beginning) for beginning in CHECKS) == 1, rule
    assert len({rule.statement for rule in RULES}) == len(CHECKS)


@pytest.mark.parametrize("beginning", CHECKS)
def test_numbers_agree_with_their_rule(beginning: str, runs: Mapping[str, list[Row]]) -> None:
    rows = [row for row in _all(runs) if str(row.transport_rule).startswith(beginning)]
    assert rows
    for row in rows:
        CHECKS[beginning](row)


def test_numbers_agree_with_the_limit(runs: Mapping[str, list[Row]]) -> None:
    left: dict[str, list[int]] = {}
    for row in _all(runs):
        left.setdefault(row.held_by, []).append(row.room - row.sent)
        match row.held_by:
            case "receive_window":
                assert row.inflight <= 16_000 or row.scenario != "shut window"
            case "pacing":
                assert row.pacing_rate > 0
            case "clamp":
                assert row.inflight == 10 * MSS < row.cwnd
            case "closed":
                assert row.number == 0 or row.inflight == 0
    # A fast retransmission waits for no room; a host segment waits for two packets more at most.
    assert -1 <= min(left["cwnd"]) <= max(left["cwnd"]) <= 2
    for limit in ("receive_window", "application", "pacing", "clamp"):
        assert max(left[limit]) > 0
