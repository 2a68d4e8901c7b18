"""Does each relation hold for sound runs, and object to a run or a plan with a fault?"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ackclock import _core
from ackclock.scenario.qdisc import QDISCS
from fuzz import pending
from fuzz.__main__ import main
from fuzz.attempt import ALL, attempt, kind_of
from fuzz.campaign import Totals
from fuzz.engines import ENGINES
from fuzz.generate import Case
from fuzz.oracles import ORACLES
from fuzz.pending import PENDING, reason
from fuzz.relations import RELATIONS, Subject, broken, plans, scaled
from fuzz.shrink import shrunk
from fuzz.trial import checked

DATA: dict[str, Any] = {
    "duration": "2s",
    "network": {
        "kind": "dumbbell",
        "bottleneck": {"rate": "2Mbit/s", "delay": "10ms", "limit": "20 packets"},
    },
    "flows": [
        {"name": "bulk", "cc": "reno"},
        {"name": "other", "cc": "cubic", "start": "100ms"},
        {"name": "web", "cc": "cubic", "app": {"kind": "repeated", "size": "5kB"}},
        {"name": "voice", "app": {"kind": "cbr", "rate": "100kbit/s", "packet": "500 bytes"}},
    ],
}


def subject(folder: Path, data: dict[str, Any] = DATA) -> Subject:
    case = Case(data)
    return Subject(case, folder, *checked(case, folder))


def applying(name: str, given: Subject) -> int:
    """A number with which the relation applies: `independent` draws the other scenario."""
    return next(number for number in range(50) if broken(name, given, number) is not None)


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_holds_for_a_sound_run(name, tmp_path):
    given = subject(tmp_path)
    before = copy.deepcopy(given.plan)
    complaints = [
        complaint for number in range(6) for complaint in broken(name, given, number) or []
    ]
    assert [complaint for complaint in complaints if reason(name, kind_of(complaint)) is None] == []
    assert plans(name, given, applying(name, given))
    assert given.plan == before


class Faulty:
    """A run with a changed table."""

    def __init__(self, core: Any, table: str, change: Callable[[Any], Any]) -> None:
        self._core, self._table, self._change = core, table, change

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._core, name)
        if name != self._table:
            return value
        return self._change(value) if not callable(value) else lambda: self._change(value())


def one_more(column: str) -> Callable[[Any], Any]:
    def change(rows: Any) -> Any:
        rows = [dict(row) for row in rows]
        rows[0][column] += 1
        return rows

    return change


def other_value(column: str) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        table = dict(table)
        table[column] = np.asarray(table[column]).copy()
        table[column][0] += 1
        return table

    return change


COUNTERS: list[tuple[str, Callable[[Any], Any]]] = [
    ("flows", one_more("sent_packets")),
    ("flows", one_more("retransmitted_packets")),
    ("links", one_more("delivered_bytes")),
    ("links", one_more("dropped_forced")),
    ("streams", one_more("received_packets")),
    ("sessions", one_more("waited")),
]
SERIES: list[tuple[str, Callable[[Any], Any]]] = [
    ("flow_samples", other_value("acked")),
    ("link_samples", other_value("queue_packets")),
    ("transfers", other_value("size")),
    ("datagrams", other_value("size")),
]
FAULTS = [
    *((name, *fault) for name in RELATIONS if name != "longer" for fault in COUNTERS),
    *(("longer", *fault) for fault in SERIES),
]


@pytest.mark.parametrize(
    ("name", "table", "change"),
    # A scaled plan has no sessions, whose times are random.
    [fault for fault in FAULTS if fault[:2] != ("scaled", "sessions")],
)
def test_a_relation_objects_to_a_fault_of_the_last_run(name, table, change, tmp_path, monkeypatch):
    given = subject(tmp_path)
    number = applying(name, given)
    last = json.dumps(plans(name, given, number)[-1], allow_nan=False)
    engine = ENGINES["simulator"]

    def faulty(plan: str, scenario: Any) -> Any:
        core = engine(plan, scenario)
        return Faulty(core, table, change) if plan == last else core

    monkeypatch.setattr("fuzz.relations.ENGINES", {"faulty": faulty})
    assert broken(name, given, number)


def spoilt(change: Callable[[Any], None]) -> Callable[[Any, Any], Any]:
    """An engine with which the last plan of a relation is changed."""

    def engine_for(last: str, engine: Any) -> Any:
        def run(plan: str, scenario: Any) -> Any:
            if plan == last:
                data = json.loads(plan)
                change(data)
                plan = json.dumps(data)
            return engine(plan, scenario)

        return run

    return engine_for


def put(table: str, **values: Any) -> Callable[[Any], None]:
    return lambda plan: plan[table][0].update(values)


PLANS: list[tuple[str, Callable[[Any], None]]] = [
    ("neutral", put("links", policer={"rate_bps": 10**6, "burst_bytes": 3000})),
    ("neutral", put("links", loss={"kind": "bernoulli", "p": 0.2, "acks": False})),
    ("scaled", put("links", rate_bps=10**6)),
    ("scaled", put("links", delay_ps=12 * 10**9)),
    ("scaled", lambda plan: plan["flows"][0]["transport"].update(delayed_ack_timeout_ps=10**9)),
    ("independent", lambda plan: [flow.update(cc="fast") for flow in plan["flows"]]),
    ("recorded", lambda plan: plan.update(seed=2, warmup_ps=10**11)),
    ("longer", put("links", delay_ps=12 * 10**9)),
    ("unstarted", lambda plan: plan["flows"][-1].update(start_ps=0)),
    ("reordered", lambda plan: plan["flows"][-1].update(cc="fast")),
    ("later", put("flows", start_ps=120 * 10**12 + 10**11)),
    ("later", lambda plan: plan.update(duration_ps=plan["duration_ps"] + 10**11)),
]


@pytest.mark.parametrize(
    ("name", "change"), PLANS, ids=[f"{at}-{name}" for at, (name, _) in enumerate(PLANS)]
)
def test_a_relation_objects_to_a_plan_with_a_fault(name, change, tmp_path, monkeypatch):
    data = {**DATA, "flows": DATA["flows"][:2]}
    given = subject(tmp_path, data)
    number = applying(name, given)
    last = json.dumps(plans(name, given, number)[-1], allow_nan=False)
    engine = spoilt(change)(last, ENGINES["simulator"])
    monkeypatch.setattr("fuzz.relations.ENGINES", {"faulty": engine})
    assert broken(name, given, number)


def test_names_of_relations_and_oracles_differ():
    assert not set(RELATIONS) & set(ORACLES)
    assert ALL not in RELATIONS


def test_each_algorithm_and_discipline_scales_or_has_a_reason_not_to():
    algorithms = {entry["name"] for entry in _core.list_cc()}
    assert sorted([*scaled.STARTS, *scaled.AVOIDANCES, *scaled.LEFT_OUT]) == sorted(algorithms)
    assert sorted([*scaled.QDISCS, *scaled.LEFT_OUT_QDISCS]) == sorted(QDISCS)


def test_a_hash_of_the_flows_number_is_left_out(tmp_path):
    data = copy.deepcopy(DATA)
    data["network"]["bottleneck"]["qdisc"] = "fq_codel"
    given = subject(tmp_path, data)
    for name in ("independent", "reordered"):
        assert [plans(name, given, number) for number in range(5)] == [[]] * 5


def test_a_default_limit_that_depends_on_who_crosses_is_left_out(tmp_path):
    data = copy.deepcopy(DATA)
    data["network"]["bottleneck"]["limit"] = "1bdp"
    data["flows"][1]["access"] = {"delay": "50ms"}
    given = subject(tmp_path, data)
    pairs = [plans("unstarted", given, number) for number in range(20)]
    assert [] in pairs
    for pair in filter(None, pairs):
        assert pair[0]["links"] == pair[1]["links"][: len(pair[0]["links"])]


def test_an_exception_within_a_relation_is_its_failure(tmp_path, monkeypatch):
    def raises(_subject: Subject, _draw: Any) -> None:
        raise ValueError("oh")

    monkeypatch.setattr("fuzz.relations.RELATIONS", {"neutral": raises})
    complaints = attempt(Case(DATA), 0, tmp_path, "neutral").complaints
    assert [name for name, _ in complaints] == ["neutral"]
    assert "ValueError: oh" in complaints[0][1]


def test_a_failure_of_a_relation_shrinks_by_the_relation():
    """The prober is asked for the relation alone, and objects to every second flow."""
    asked = []

    def prober(case: Case, _number: int, relation: str | None = None) -> list[tuple[str, str]]:
        asked.append(relation)
        return [("later", "a: 2 differ")] if len(case.data.get("flows", [])) > 1 else []

    small = shrunk(Case(DATA), 0, ("later", "b: 3 differ"), prober)
    assert small.data == {"flows": [{}, {}]} or len(small.data["flows"]) == 2
    assert set(asked) == {"later"}


def test_known_defects_are_of_a_relation_or_an_oracle_and_are_recognised(monkeypatch):
    for name, _pattern, _what in PENDING:
        assert name in {*RELATIONS, *ORACLES}
    monkeypatch.setattr(pending, "PENDING", (("longer", "^link_samples by changes", "a defect"),))
    sentence = "link_samples by changes differ in time, 9 rows and then 10"
    totals = Totals(1)
    totals.fail(3, "longer", sentence)
    totals.fail(3, "longer", sentence.replace("changes", "period"))
    assert sum(totals.pending.values()) == 1
    assert [failure["sentence"] for failure in totals.failures.values()] == [
        sentence.replace("changes", "period")
    ]
    assert kind_of(sentence).startswith("link_samples by changes")


def test_one_scenario_is_tried_with_a_relation():
    run = CliRunner().invoke(main, ["--seed", "1", "--only", "3", "--relation", "recorded"])
    assert run.exit_code == 0, run.output
    assert "relations that apply: recorded" in run.output
