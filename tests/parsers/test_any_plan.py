"""The engine runs any JSON or raises ValueError: it never panics and never aborts."""

from __future__ import annotations

import json
from typing import Any

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

INTEGERS = [
    0,
    1,
    2,
    255,
    256,
    2**16,
    2**31,
    2**32 - 1,
    2**32,
    2**53,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    -1,
    10**400,
]
NUMBERS = [0.0, -0.0, -1.0, 0.5, 1.0000001, 5e-324, 1.7e308, float("nan"), float("inf")]
OTHERS: list[Any] = [
    None,
    True,
    False,
    "",
    "reno",
    "\0",
    "x" * 5000,
    [],
    {},
    [0],
    [[]],
    {"kind": "bulk"},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [place for key, child in inner for place in [(*path, key), *places(child, (*path, key))]]


PLACES = places(PLAN)


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


def changed(edits: list[tuple[tuple[Any, ...], Any]]) -> str:
    plan = json.loads(TEXT)
    for path, value in edits:
        here = plan
        try:
            for key in path[:-1]:
                here = here[key]
            here[path[-1]] = value
        except (TypeError, LookupError):
            # An earlier edit has replaced what it was in.
            continue
    return json.dumps(plan)


def test_the_plan_itself_runs() -> None:
    assert runs(TEXT)
    assert len(PLACES) > 100


@pytest.mark.parametrize("key", sorted({path[-1] for path in PLACES if isinstance(path[-1], str)}))
def test_each_key_with_extremes(key: str) -> None:
    path = next(path for path in PLACES if path[-1] == key)
    for value in (*INTEGERS, *NUMBERS, *OTHERS):
        runs(changed([(path, value)]))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(PLACES), st.sampled_from([*INTEGERS, *NUMBERS, *OTHERS])),
        min_size=2,
        max_size=4,
    )
)
def test_several_values_at_once(edits: list[tuple[tuple[Any, ...], Any]]) -> None:
    runs(changed(edits))


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
