import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import ackclock
from ackclock import theory
from ackclock.results import Result
from ackclock.results.diagnosis.registry import KINDS
from ackclock.results.diagnosis.sentences import cautions
from ackclock.scenario import Scenario
from scenarios_of_limits import CASES, LONG, TINY, B, Case, F, T, beside, loss, run


def goodput(result: Result) -> float:
    return float(result.flows["goodput"][0])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_first_limit_is_the_scenarios(case: Case) -> None:
    """The named key, changed as it says, makes the flow faster: that proves a diagnosis."""
    result = run(case.changes)
    flow = result.diagnosis["f"]
    first = flow["limits"][0]
    assert (first["kind"], first["key"]) == (case.kind, case.key), flow["line"]
    assert case.least <= first["share"] <= 1.0, flow["line"]
    assert case.words in first["sentence"] + first["advice"], flow["line"]
    # What is limited by its link must say so; nothing else may.
    assert flow["is_clear"] == (case.kind == "link")
    # A sweep leaves the diagnosis out where few counters show that there is nothing to warn of.
    assert result.cautions() == cautions(result.summary())
    if case.cure is not None:
        assert goodput(run(case.changes, case.cure)) >= case.gain * goodput(result)


CLOSED = {
    # A closed form is a mean over long runs: 20 s hold 10 to 40 losses of this kind, whose number
    # varies by a third.
    "u1 reno": 0.4,
    "burst loss": 0.4,
    "corruption": 0.4,
    # These bounds are exact but for the first round trips.
    "receive window": 0.05,
    "slow reader": 0.05,
    "clamp": 0.05,
    "application": 0.05,
    "slots": 0.05,
    "access link": 0.05,
    "nothing": 0.05,
    # A bucket of a third of a BDP makes Reno fall below it at times.
    "policer": 0.2,
    "tiny buffer": 0.1,
    "parallel connections": 0.4,
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_are_near_what_is_measured(name: str) -> None:
    result = run(CASES[name].changes)
    bound = result.diagnosis["f"]["limits"][0]["bound"]
    assert bound is not None
    assert goodput(result) == pytest.approx(bound, rel=CLOSED[name])


def test_the_worst_sentence_of_the_product_is_gone() -> None:
    """U1: 6 % of the link, and nothing was found to limit the flow."""
    result = run(LONG | {"duration": "60s"})
    first = result.diagnosis["f"]["limits"][0]
    mathis = theory.aimd_random_window(5e-4) * 8 * 1448 / result.flows["rtt_mean"][0]
    assert first["bound"] == pytest.approx(mathis, rel=1e-3)
    assert goodput(result) == pytest.approx(mathis, rel=0.4)
    assert str(result.diagnosis).startswith("f: limited by cwnd after random losses for 9")
    assert "had its share" not in str(result.diagnosis)


@pytest.mark.parametrize("cc", ["westwood", "bic", "binomial"])
def test_a_closed_form_that_theory_has_is_told(cc: str) -> None:
    bottleneck = {"rate": "100Mbit/s", "delay": "20ms", "limit": "1bdp", "loss": "0.1%"}
    table = {
        "name": "l",
        "duration": "30s",
        "warmup": "5s",
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": [{"cc": cc}],
    }
    result = ackclock.run(Scenario.parse(table))
    text = json.dumps(result.summary()["flows"])
    assert "no closed form" not in text


def test_disciplines_of_one_control_law_get_one_advice() -> None:
    """CoDel and COBALT have a target and an interval, and one of either is the remedy."""
    advice = []
    for qdisc in ("codel", "cobalt"):
        bottleneck = {"rate": "50Mbit/s", "delay": "50ms", "limit": "1000 packets", "qdisc": qdisc}
        table = {
            "name": "a",
            "duration": "30s",
            "network": {"kind": "dumbbell", "bottleneck": bottleneck},
            "flows": [{"cc": "reno"}],
        }
        first = ackclock.run(Scenario.parse(table)).diagnosis["flow1"]["limits"][0]
        advice.append((first["key"], first["advice"]))
    assert advice[0] == advice[1]
    assert advice[0][0] == "network.bottleneck.qdisc.target"


def test_shares_are_of_the_flows_time_and_together_all_of_it() -> None:
    for changes in (
        {},
        LONG,
        {B + "limit": "5 packets"},
        {F + "app": {"kind": "file", "size": "1MB"}},
    ):
        limits = run(changes).diagnosis["f"]["limits"]
        assert sum(limit["share"] for limit in limits) == pytest.approx(1.0, abs=0.02 * len(KINDS))
        assert all(0.0 < limit["share"] <= 1.0 for limit in limits)


def test_a_limit_beside_a_full_link_is_no_first_limit() -> None:
    """A receive window of 1.2 BDP costs nothing: raising it gives nothing."""
    flow = run({T + "receive_buffer": "130kB"}).diagnosis["f"]
    assert flow["is_clear"], flow["line"]


def test_a_path_without_delay_has_no_count_of_round_trips() -> None:
    repeated = {"kind": "repeated", "size": "20kB", "think": "20ms"}
    result = run(
        {
            "duration": "1500ms",
            f"{B}rate": "2Mbit/s",
            f"{B}delay": "0s",
            f"{B}limit": "20 packets",
            f"{F}app": repeated,
        }
    )
    sentences = [limit["sentence"] for flow in result.diagnosis for limit in flow["limits"]]
    assert any("its time was" in sentence for sentence in sentences)
    assert not any("inf" in sentence.split() for sentence in sentences)


@pytest.mark.parametrize("change", [{"warmup": "1.9s"}, {"stop": True}])
def test_silence_is_no_longer_than_the_flows_time(change: dict[str, Any]) -> None:
    # The link is down from 0.3 s on. The timer expires after the warm-up's end, or after the flow's
    # stop.
    down = {B + "outages": {"windows": [["300ms", "1950ms"]], "lossy": True}, T + "min_rto": "1.8s"}
    stop = {F + "stop": "1s"} if change.pop("stop", False) else {}
    row = run({"duration": "4s", **down, **change, **stop}).flows.row(0, named=True)
    assert row["timeouts"] >= 1
    # Behind a warm-up the silence is the 200 ms and more until the timeout; behind a stop there is
    # none.
    assert (row["time_silence"] == 0.0) if stop else (0.05 < row["time_silence"] < 0.4)
    assert row["time_silence"] <= row["active_time"]


def test_more_goodput_than_the_application_reads_is_explained() -> None:
    # 64 MiB of buffer take what arrives at 20 Mbit/s for 20 s and is not read; a buffer of 4 MB is
    # full after 2 s.
    result = run({T + "read_rate": "4Mbit/s", T + "receive_buffer": "4MB"})
    assert result.flows["goodput"][0] > 4.4e6
    sentence = result.diagnosis["f"]["limits"][0]["sentence"]
    assert (
        "reads 4 Mbit/s, and the rest of the arriving data waits in the receiver's buffer of 4 MB"
        in sentence
    )


def test_no_share_of_packets_exceeds_all_when_a_warmup_sent_them() -> None:
    # fq_codel drops three packets that the warm-up sent, and two are sent afterwards.
    result = run(
        {
            "duration": "10s",
            "warmup": "56ms",
            f"{B}rate": "161kbit/s",
            f"{B}delay": "700us",
            f"{B}limit": "589 packets",
            f"{B}qdisc": {"kind": "fq_codel", "target": "3ms", "ecn": False},
            f"{F}app": {"kind": "file", "size": "13kB"},
            f"{F}cc": "reno",
        }
    )
    row = result.flows.row(0, named=True)
    assert row["lost_packets"] > row["sent_packets"]
    assert row["loss_rate"] is None
    assert result.metric("loss_rate") is None
    text = str(result.diagnosis)
    assert all(float(share) <= 100 for share in re.findall(r"([0-9.]+) %", text)), text
    # 166 kbit/s reached the receiver in this time, a packet of the warm-up's included.
    assert "it had all of the 161 kbit/s that it carries, alone" in text


def test_like_flows_share_a_line() -> None:
    result = run({"flows": [{"name": "f", "cc": "reno", "count": 12}], B + "loss": loss(0.1)})
    lines = [line for line in result.diagnosis.lines if not line.startswith("Looked at")]
    assert len(lines) == 1
    assert lines[0].startswith(
        "12 flows (reno): f.1, f.2, f.3 and 9 more: limited by cwnd after random losses for "
    )


def test_what_is_clear_says_what_was_looked_at() -> None:
    lines = run({}).diagnosis.lines
    assert lines[-1].startswith("Looked at: the receive window, ")
    for words in ("losses on the wire", "slow start", "policers", "the reverse path"):
        assert words in lines[-1]


def test_a_frame_has_a_row_per_limit() -> None:
    result = run({T + "receive_buffer": "30kB"})
    frame = result.diagnosis.frame()
    assert frame["kind"][0] == "receive-window"
    assert frame["rank"].to_list() == list(range(1, frame.height + 1))
    assert run({}).diagnosis.frame().columns == frame.columns
    assert repr(result.diagnosis) == "Diagnosis(f (reno): receive-window)"


def test_it_is_written_and_read_again(tmp_path: Path) -> None:
    result = run(LONG)
    folder = result.write(tmp_path / "r", plots=False)
    stored = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert stored["diagnosis"][0]["limits"][0]["kind"] == "random-loss"
    assert list(Result.load(folder).diagnosis) == list(result.diagnosis)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.index("limited by cwnd after random losses") < page.index("Over time")
    assert "nothing but the intended bottleneck" not in page


def test_comparisons_and_sweeps_warn_of_what_a_reader_would_not_suspect() -> None:
    (said,) = cautions(run({T + "receive_buffer": "30kB"}).summary())
    assert said.startswith(
        "Flow f was limited by the receive window for 99.6 % of its time: raise it to 200 kB"
    )
    assert said.endswith(f"({T}receive_buffer).")
    assert cautions(run({}).summary()) == []
    assert cautions(run(beside(cc="bbr")).summary()) == []


def test_a_closed_form_never_stands_above_what_a_run_could_reach() -> None:
    """A queue of 10 packets: Reno's sawtooth would be 146 Mbit/s; the flow still grows at 14."""
    young = run(CASES["tiny queue, long path"].changes).diagnosis["f"]
    assert all(limit["bound"] is None or limit["bound"] <= 200e6 for limit in young["limits"])
    assert not [
        limit
        for limit in young["limits"]
        if limit["kind"] in {"buffer", "slow-start-end"} and limit["bound"]
    ]
    assert "sawtooth" not in young["line"]
    # Where the run holds many teeth it does say so, and is right by a tenth: the growth to them is
    # 6 % of the run.
    old = run(TINY | {"duration": "200s"})
    first = old.diagnosis["f"]["limits"][0]
    assert (first["kind"], first["law"]) == ("buffer", "Reno's sawtooth, theory reno_utilisation")
    assert first["bound"] == pytest.approx(goodput(old), rel=0.1)


@pytest.mark.parametrize(
    "name",
    [
        "u1 reno",
        "u1 cubic",
        "heavy loss",
        "red",
        "red that marks",
        "small target",
        "slow way back",
        "policer",
    ],
)
def test_no_bound_is_above_the_links_rate(name: str) -> None:
    result = run(CASES[name].changes)
    rate = result.links["rate"][0]
    for limit in result.diagnosis["f"]["limits"]:
        assert limit["bound"] is None or limit["bound"] < rate, limit["sentence"]


def test_a_link_full_of_needless_retransmissions_is_no_share() -> None:
    """An RTT of 1,500 s, beyond the longest timeout: 1.54 bit/s of 8 was "its share"."""
    scenario = Scenario.model_validate(
        {
            "name": "needless",
            "duration": "15000s",
            "network": {
                "kind": "parking-lot",
                "bottlenecks": [{"rate": "8bit/s", "delay": "750s"}],
            },
            "flows": [{"name": "f", "cc": "ledbat"}],
        }
    )
    result = ackclock.run(scenario)
    flow = result.diagnosis["f"]
    first = flow["limits"][0]
    assert goodput(result) < 0.25 * 8.0
    assert (first["kind"], first["key"]) == ("needless", T + "max_rto")
    assert "57 % of the arriving packets had arrived before" in first["sentence"]
    assert not flow["is_clear"]
    assert "had its share" not in flow["line"]
    assert any("needless retransmissions" in said for said in cautions(result.summary()))
    cured = ackclock.run(scenario.replace({T + "max_rto": "10000s"}))
    assert goodput(cured) >= 2.0 * goodput(result)


def test_few_needless_retransmissions_stand_beside_the_link() -> None:
    """BBR answers no single loss, so reordering costs it what it sends twice, and no window."""
    result = run(
        {F + "cc": "bbr", B + "jitter": {"distribution": "uniform(0ms, 40ms)", "reorder": True}}
    )
    limits = {limit["kind"]: limit for limit in result.diagnosis["f"]["limits"]}
    assert limits["needless"]["share"] == pytest.approx(0.08, abs=0.03)
    assert limits["needless"]["key"] == B + "jitter"
    # Nor is a comparison's reader warned of them: without SACK there always are some.
    assert cautions(result.summary()) == []


def test_a_flow_without_goodput_never_had_its_share() -> None:
    """Some of 400 flows over 5 Mbit/s have no data: they had "their share", 0 bit/s."""
    result = run(
        {
            "duration": "3s",
            B + "rate": "5Mbit/s",
            "flows": [{"name": "f", "cc": "cubic", "count": 400}],
        }
    )
    starved = [
        flow
        for flow, rate in zip(result.diagnosis, result.flows["goodput"], strict=True)
        if not rate
    ]
    assert starved
    for flow in starved:
        assert not flow["is_clear"], flow["line"]
        assert flow["limits"][0]["kind"] in {"unfair-share", "opening"}
    unfair = [flow["limits"][0] for flow in starved if flow["limits"][0]["kind"] == "unfair-share"]
    assert unfair
    assert all("packets per RTT, and timeouts decide" in limit["sentence"] for limit in unfair)
    # An equal share is what is due where nobody leaves any of it.
    assert max(limit["bound"] or 0.0 for limit in unfair) < 10.0 * 5e6 / 400


def test_uneven_drops_of_a_tiny_queue_are_a_reason() -> None:
    flows = {"flows": [{"name": "f", "cc": "bbr", "count": 10}]}
    small = flows | {B + "limit": "10 packets", B + "rate": "50Mbit/s"}
    last = [flow["limits"][0] for flow in run(small).diagnosis if not flow["is_clear"]]
    assert last
    assert {(limit["kind"], limit["key"]) for limit in last} == {("unfair-share", B + "limit")}
    assert "drops unevenly" in last[0]["sentence"]
    assert all(flow["is_clear"] for flow in run(small, {B + "limit": "1bdp"}).diagnosis)


def test_closed_forms_are_silent_where_most_retransmissions_are_lost() -> None:
    """At 90 % of loss Padhye's formula gave 322 kbit/s beside 2 kbit/s that arrived."""
    flow = run({B + "loss": loss(0.9), "duration": "10s"}).diagnosis["f"]
    assert flow["limits"][0]["kind"] in {"timeouts", "random-loss", "opening"}
    assert all(limit["bound"] is None for limit in flow["limits"])


def test_equal_shares_of_hungry_flows_are_fair() -> None:
    """Bytes that drops keep from a flow are not left over for others."""
    result = run({"duration": "10s", "flows": [{"name": "f", "cc": "cubic", "count": 30}]})
    due = 20e6 / 30 * 1448 / 1500
    for flow, rate in zip(result.diagnosis, result.flows["goodput"], strict=True):
        if rate >= 0.8 * due:
            assert flow["is_clear"], flow["line"]


@pytest.mark.parametrize("is_longer", [True, False])
def test_a_path_over_several_busy_links_names_fair_queueing(is_longer: bool) -> None:
    """With equal RTTs, too: 10 ms on each access crossing make up for two links of 10 ms."""
    links, access = (2, {}) if is_longer else (3, {"access": {"delay": "10ms"}})
    flows = [{"name": "f", "cc": "reno", "from": "r1", "to": f"r{links + 1}"}]
    flows += [
        {"name": f"g{at}", "cc": "reno", "from": f"r{at}", "to": f"r{at + 1}", **access}
        for at in range(1, links + 1)
    ]
    network = {
        "kind": "parking-lot",
        "bottlenecks": [{"rate": "20Mbit/s", "delay": "10ms", "limit": "1bdp"}] * links,
    }
    scenario = Scenario.model_validate(
        {"name": "several", "duration": "20s", "network": network, "flows": flows}
    )
    result = ackclock.run(scenario)
    first = result.diagnosis["f"]["limits"][0]
    assert first["kind"] == "unfair-share"
    assert first["key"] in {f"network.bottlenecks.{at}.qdisc" for at in range(links)}
    assert f"{links} busy links" in first["sentence"]
    assert "fq_codel, on each busy link" in first["advice"]
    fair = [{"rate": "20Mbit/s", "delay": "10ms", "qdisc": "fq_codel"}] * links
    assert goodput(ackclock.run(scenario.replace({"network.bottlenecks": fair}))) >= 1.5 * goodput(
        result
    )


def test_an_algorithm_that_holds_its_window_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One drop at the end of slow start is not why an algorithm of a constant window is slow."""
    (tmp_path / "held.py").write_text(
        "from ackclock.cc import Avoidance\n\n\nclass Held(Avoidance):\n    def next_cwnd(self, "
        "ack, window):\n"
        "        return 8 * window.mss\n\n    def ssthresh(self, event, window):\n        return "
        "8 * window.mss\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    first = run({F + "cc": "python:held:Held"}).diagnosis["f"]["limits"][0]
    assert (first["kind"], first["key"]) == ("algorithm", F + "cc")
    assert first["share"] > 0.8
    assert "chose this window" in first["sentence"]


BUSY = 0.9
RUNS = 60


def _random_changes(draw: random.Random) -> dict[str, Any]:
    """A scenario out of everything that the diagnosis looks at; many have several limits."""
    ccs = [
        "reno",
        "cubic",
        "bbr",
        "bbr3",
        "vegas",
        "scalable",
        "copa",
        "ledbat",
        "dctcp",
        "westwood",
        "htcp",
        "pcc-vivace",
        "cos+reno",
    ]
    changes: dict[str, Any] = {
        "duration": f"{draw.choice([0.5, 2, 5])}s",
        "seed": draw.randrange(1000),
        B + "rate": f"{draw.choice([0.5, 5, 30])}Mbit/s",
        B + "delay": f"{draw.choice([1, 20, 80])}ms",
        B + "limit": draw.choice(["1bdp", "20 packets", "3 packets", "100 packets"]),
        F + "cc": draw.choice(ccs),
    }
    several: list[dict[str, Any]] = [
        {B + "loss": loss(draw.choice([1e-3, 0.02, 0.2]))},
        {B + "loss": {"kind": "gilbert-elliott", "p": 0.01, "r": 0.3}},
        {B + "reorder": {"p": 0.05, "extra": "10ms"}},
        {B + "jitter": "uniform(0ms, 15ms)"},
        {B + "policer": {"rate": "1Mbit/s", "burst": "20kB"}},
        {B + "slot": {"min_delay": "10ms", "packets": 3}},
        {B + "outages": [["0.2s", "0.4s"]]},
        {B + "reverse": {"rate": "30kbit/s"}},
        {B + "reverse": {"loss": loss(0.3) | {"acks": True}}},
        {B + "corrupt": {"p": 0.01}},
        {T + "receive_buffer": "10kB"},
        {T + "max_cwnd": "10kB"},
        {T + "loss_detection": "sack"},
        {T + "delayed_ack": 8},
        {T + "ssthresh": "10kB"},
        {F + "app": {"kind": "file", "size": "100kB"}},
        {F + "app": {"kind": "on-off", "rate": "2Mbit/s", "on": "0.1s", "off": "0.3s"}},
        {F + "app": {"kind": "request-response", "response": "20kB"}},
        {F + "access": {"rate": "1Mbit/s", "delay": "5ms", "limit": "5 packets"}},
        {F + "start": "0.3s"},
        {F + "stop": "0.4s"},
        {"warmup": "0.2s"},
    ]
    for chosen in draw.sample(several, draw.randrange(4)):
        changes |= chosen
    return changes


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_flow_whose_link_was_not_busy_is_limited_by_something_else(seed: int) -> None:
    changes = _random_changes(random.Random(seed))
    result = run(changes)
    (flow,) = result.diagnosis
    if result.flows["active_time"][0] == 0.0:
        assert flow["limits"] == []
        return
    busy = flow["busy"] or 0.0
    limits = flow["limits"]
    assert limits, changes
    if busy < BUSY:
        assert limits[0]["kind"] != "link", (changes, flow["line"])
        assert limits[0]["share"] > 0.0
        assert "had its share" not in flow["line"]
    assert sum(limit["share"] for limit in limits) <= 1.0 + 1e-9
    assert all(limit["sentence"] and "nan" not in limit["sentence"].split() for limit in limits)
