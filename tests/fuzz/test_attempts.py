"""Are hangs, crashes, greed and exceptions found out, and do failures shrink?"""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from fuzz import attempt as attempts
from fuzz.attempt import Outcome, attempt, kind_of
from fuzz.campaign import Totals, campaign
from fuzz.generate import Case, generate
from fuzz.shrink import shrunk

OWN = """from ackclock.cc import Avoidance


class Bad(Avoidance):
    def next_cwnd(self, ack, window):
        BODY
        return window.cwnd

    def ssthresh(self, event, window):
        return window.cwnd
"""


def bad(body: str, name: str) -> Case:
    """A scenario whose algorithm does something bad on its first ACK."""
    data = {
        "duration": "1s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "1Mbit/s", "delay": "1ms", "limit": "9 packets"},
        },
        "flows": [{"cc": f"python:{name}:Bad", "ssthresh": "1 packet"}],
    }
    return Case(data, {f"{name}.py": OWN.replace("BODY", body)})


def test_an_exception_is_a_failure(tmp_path):
    (complaint,) = attempt(bad("raise OSError('oh')", "raises"), 0, tmp_path).complaints
    assert complaint[0] == "exception"
    assert "oh" in complaint[1] or "OSError" in complaint[1]


def test_a_refusal_is_none(tmp_path):
    outcome = attempt(Case({"duration": "1s"}), 0, tmp_path)
    assert outcome.refusal
    assert outcome.complaints == []


@pytest.mark.long
def test_greed_is_a_failure(tmp_path):
    body = (
        f"self.held = bytearray(b'1') * {attempts.MOST_GROWTH_KB * 1024 + (64 << 20)}; "
        "self.next_cwnd = lambda a, w: w.cwnd"
    )
    complaints = attempt(bad(body, "greedy"), 0, tmp_path).complaints
    assert "memory" in [name for name, _ in complaints]


def dies(_case: Case, number: int, _folder: Path, _relation: str | None) -> Outcome:
    if number == 3:
        os._exit(7)
    if number == 5:
        time.sleep(3600)
    return Outcome(complaints=[("flows", f"flow1: wrong by {number}")] if number == 6 else [])


def serve_dying(pipe: Any, seed: int, number: Any, relation: str | None) -> None:
    from fuzz import worker

    worker.attempt = dies
    worker.serve_numbers(pipe, seed, number, relation)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_hangs_and_crashes_are_failures_and_the_others_are_tried(monkeypatch, tmp_path):
    # Number 5 sleeps for an hour: three seconds without an end are a hang.
    monkeypatch.setattr("fuzz.campaign.serve_numbers", serve_dying)
    totals = campaign(1, 8, workers=2, state=tmp_path / "state.json", hang_s=3.0)
    assert totals.scenarios == 8
    assert {name: failure["numbers"] for name, failure in totals.failures.items()} == {
        "crash: the process died with status #": [3],
        "hang: no end within # s": [5],
        "flows: wrong by #": [6],
    }


def test_a_failure_shrinks_to_what_it_needs():
    """The prober objects to every flow with an access delay: all else goes."""
    number = next(
        at for at in range(1000) if any("access" in flow for flow in generate(1, at).data["flows"])
    )
    complaint = ("flows", "f: 17 is wrong")

    def prober(case: Case, _number: int, *_: str) -> list[tuple[str, str]]:
        flows = case.data.get("flows", [])
        return [("flows", "g: 4 is wrong")] if any("access" in flow for flow in flows) else []

    small = shrunk(generate(1, number), number, complaint, prober)
    assert list(small.data) == ["flows"]
    assert [list(flow) for flow in small.data["flows"]] == [["access"]]
    assert small.files == {}


def test_kinds_do_not_depend_on_names_and_numbers():
    assert (
        kind_of("flow1.2: busy for 1.5 s of 1e-05 s")
        == kind_of("a: busy for 2 s of 3 s")
        == "busy for # s of # s"
    )


def test_totals_survive_being_written():
    totals = Totals(1)
    totals.fail(3, "flows", "f: 3 is wrong")
    totals.keys.update({"b": 1, "a": 2})
    again = Totals.of_json(totals.as_json())
    again.fail(4, "flows", "g: 5 is wrong")
    assert again.failures["flows: # is wrong"]["numbers"] == [3, 4]
    assert again.keys == totals.keys
