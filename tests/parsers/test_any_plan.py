"""The engine runs any text or raises ValueError: it never panics and never aborts.

Plans with other values are `crates/sim/tests/extreme_plans.rs`.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock import _core
from core.plans import dumbbell
from parsers.any_text import PIECES, broken

# Half a second, with every table recorded.
RECORD = {
    "samples": {"kind": "changes"},
    "packet_links": [0],
    "packet_senders": [0],
    "packet_receivers": [1],
}
PLAN = {**json.loads(dumbbell(record=RECORD)), "duration_ps": 500 * 10**9}
TEXT = json.dumps(PLAN)


class Enough(Exception):  # noqa: N818 - not an error
    """A run that would take long is a run."""


def enough(_share: float) -> None:
    raise Enough


def runs(text: str) -> bool:
    """Whether it is a plan; every table of its run is read."""
    try:
        run = _core.run(text, enough)
    except ValueError:
        return False
    except Enough:
        return True
    for table in (run.flow_samples, run.link_samples, run.internals, run.packets, run.transfers):
        table()
    for rows in (run.flows, run.links, run.streams, run.sessions):
        rows()
    return True


def test_the_plan_itself_runs() -> None:
    assert runs(TEXT)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=60), broken(TEXT, '"cc"', "[", "{}", "null", "1e999")))
def test_broken_json(text: str) -> None:
    runs(text)


@pytest.mark.parametrize(
    "text", [*PIECES, "[" * 100_000, '{"a":' * 100_000, TEXT * 2], ids=lambda text: ascii(text)[:12]
)
def test_what_is_no_plan_at_all(text: str) -> None:
    with pytest.raises(ValueError, match="the plan is not valid"):
        _core.run(text)
