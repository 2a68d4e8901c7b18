"""The recorded decisions: what they say agrees with what else the run has kept."""

import json
import tomllib
from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.tools.explain import ExplainError, decisions_at, open_run, why_not_faster

TEXT = """#:schema ./ackclock.schema.json
name = "explained"
duration = "6s"
[network]
kind = "dumbbell"
rtt = "40ms"
bottleneck = { rate = "10Mbit/s", limit = "20 packets" }
[[flows]]
name = "mine"
cc = "CC"
[[flows]]
name = "other"
cc = "reno"
start = "2s"
[record]
samples = "off"
"""


def _scenario(cc: str, **record: object) -> ac.Scenario:
    changes = {f"record.{key}": value for key, value in record.items()}
    data = tomllib.loads(TEXT.replace('"CC"', f'"{cc}"'))
    return ac.Scenario.parse(data).replace(changes)


def _run(cc: str = "cubic", **record: object) -> Result:
    return ac.run(_scenario(cc, **record))


@pytest.mark.parametrize("cc", ["reno", "cubic", "bbr", "bbr3", "vegas", "pcc-vivace"])
def test_the_record_changes_nothing_else(cc: str) -> None:
    plain, recorded = _run(cc), _run(cc, decisions=["mine"])
    assert plain.flows.equals(recorded.flows)
    assert plain.links.equals(recorded.links)
    assert not plain.has_decisions
    assert plain.decisions.is_empty()


def test_a_plan_without_the_record_does_not_mention_it() -> None:
    assert "decision_flows" not in _scenario("reno").plan()["record"]
    assert _scenario("reno", decisions="all").plan()["record"]["decision_flows"] == [0, 1]
    assert _scenario("reno", decisions=["other"]).plan()["record"]["decision_flows"] == [1]


def test_rows_agree_with_the_counters() -> None:
    result = _run(decisions="all")
    for flow in result.flows.iter_rows(named=True):
        rows = result.decisions.filter(pl.col("flow") == flow["name"])
        assert rows["sent"].sum() == flow["sent_packets"]
        assert rows["retransmitted"].sum() == flow["retransmitted_packets"]
        assert rows["acked_bytes"].sum() == flow["acked_bytes"]
        assert rows["time"].is_sorted()
        begins = rows.filter(pl.col("told") == "loss")
        assert len(begins) == flow["recoveries"]
        # A row begins with the window with which the one before it ended.
        assert (rows["cwnd_before"][1:] == rows["cwnd"][:-1]).all()


def test_each_kind_of_decision_has_its_rule() -> None:
    rows = _run("cubic(linux=false)", decisions=["mine"]).decisions
    by = {kind: rows.filter(pl.col("told") == kind)["rule"].unique() for kind in ("ack", "loss")}
    assert any("slow start" in str(rule) for rule in by["ack"])
    assert any("RFC 9438" in str(rule) for rule in by["ack"])
    assert by["loss"].cast(pl.String).str.contains("RFC 9438 section").all()
    transport = rows["transport_rule"].drop_nulls().cast(pl.String)
    assert transport.str.contains("RACK").any()
    assert transport.str.contains("PRR").any()


def test_the_table_comes_back_from_its_folder(tmp_path: Path) -> None:
    result = _run(decisions=["mine"])
    result.write(tmp_path / "run", report=False)
    again = Result.load(tmp_path / "run")
    assert again.decisions.equals(result.decisions)
    assert open_run(tmp_path / "run", "mine").decisions.equals(result.decisions)


def test_a_full_table_says_since_when() -> None:
    result = _run(decisions=["mine"], max_size="100kB")
    assert "decisions" in result.summary()["recorded_until"]
    assert any("record.decisions" in warning for warning in result.warnings)


def test_a_decision_is_told_in_sentences() -> None:
    result = _run("reno", decisions=["mine"])
    rows = result.decisions.filter(pl.col("told") == "loss")
    [single] = decisions_at(result, "mine", rows["time"][0])
    assert single.time == rows["time"][0]
    assert "declare" in single.sentences[0]
    assert "a loss halves the window (RFC 5681 section 3.1, equation 4)" in str(single)
    assert json.loads(json.dumps(single.to_dict()))["numbers"]["told"] == "loss"
    three = decisions_at(result, "mine", rows["time"][0], count=3)
    assert [decision.time for decision in three] == sorted(decision.time for decision in three)
    assert three[-1] == single
    for moment in (0.05, 0.5, 1.0, 3.0, 5.9):
        for decision in decisions_at(result, "mine", moment, count=20):
            assert all(sentence.endswith(".") for sentence in decision.sentences)


def test_what_held_a_flow_back_adds_up() -> None:
    result = _run("reno", decisions="all")
    reasons = why_not_faster(result, "mine")
    assert sum(share.share for share in reasons.shares) == pytest.approx(1.0)
    assert reasons.shares[0].held_by == "cwnd"
    assert reasons.reductions == len(
        result.decisions.filter((pl.col("flow") == "mine") & (pl.col("told") == "loss"))
    )
    assert reasons.largest[0].before > reasons.largest[0].after
    assert any("lost" in sentence for sentence in reasons.sentences())
    [counted] = result.flows.filter(pl.col("name") == "mine").to_dicts()
    [cwnd] = [share for share in reasons.shares if share.held_by == "cwnd"]
    assert cwnd.share * (reasons.end - reasons.begin) == pytest.approx(
        counted["limited_cwnd"], 1e-3
    )


def test_an_application_that_has_nothing_to_send_is_named() -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="40ms",
        flows=[
            ac.flow("reno", name="mine", app={"kind": "application-limited", "rate": "1Mbit/s"})
        ],
        duration="5s",
        record={"samples": "off", "decisions": ["mine"]},
    )
    reasons = why_not_faster(ac.run(scenario), "mine")
    assert reasons.shares[0].held_by == "application"
    assert reasons.shares[0].share > 0.9


def test_errors_name_the_nearest_flow_and_say_how_to_record(tmp_path: Path) -> None:
    result = _run("reno", decisions=["mine"])
    with pytest.raises(
        ExplainError, match=r"there is no TCP flow 'mime', only mine, other.*'mine'"
    ):
        decisions_at(result, "mime", 1.0)
    with pytest.raises(ExplainError, match="has decided nothing until"):
        decisions_at(_run("reno", decisions=["other"]), "other", 1.0)
    with pytest.raises(ExplainError, match=r"--at: the run ends at 6 s, before 6\.1 s"):
        decisions_at(result, "mine", 6.1)
    assert decisions_at(result, "mine", 6.0)
    result.write(tmp_path / "run", report=False)
    with pytest.raises(ExplainError, match=r'record.decisions = \["other"\]'):
        open_run(tmp_path / "run", "other")
    with pytest.raises(ExplainError, match="no such file or folder"):
        open_run(tmp_path / "nothing", "mine")


class Own(ac.cc.Avoidance):
    """An algorithm of a user's, with a rule of its own."""

    def next_cwnd(self, ack: ac.cc.AckEvent, window: ac.cc.Window) -> float:
        return window.cwnd + ack.credited * window.mss / window.cwnd

    def ssthresh(self, event: ac.cc.CongestionEvent, window: ac.cc.Window) -> float:
        del event
        return window.cwnd / 2

    def rule(self, told: str) -> str:
        return f"my rule for {told} (chapter 3)"


class Silent(ac.cc.Avoidance):
    """An algorithm of a user's that says nothing."""

    def next_cwnd(self, ack: ac.cc.AckEvent, window: ac.cc.Window) -> float:
        return window.cwnd + ack.credited * window.mss / window.cwnd

    def ssthresh(self, event: ac.cc.CongestionEvent, window: ac.cc.Window) -> float:
        del event
        return window.cwnd / 2


def test_an_algorithm_in_python_names_its_rules_if_it_wants() -> None:
    rows = _run(f"python:{__name__}:Own", decisions=["mine"]).decisions
    assert "my rule for loss (chapter 3)" in rows["rule"].cast(pl.String).unique()
    rows = _run(f"python:{__name__}:Silent", decisions=["mine"]).decisions
    assert rows["rule"].cast(pl.String).str.contains("Silent decides").any()
