"""Any value at any key gives a scenario with a plan, or a `ScenarioError` of one line."""

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import ackclock as ac

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
BASES = [
    json.loads(ac.load(path).resolved().model_dump_json(by_alias=True, exclude_none=True))
    for path in FILES
]

VALUES: list[Any] = [
    0,
    -1,
    1,
    3,
    10**30,
    0.5,
    -0.5,
    float("nan"),
    float("inf"),
    True,
    False,
    "",
    " ",
    "x",
    "0",
    "0s",
    "-1s",
    "1s",
    "1e400s",
    "1h",
    "1ps",
    "10Mbit/s",
    "1bit/s",
    "1Tbit/s",
    "1 packet",
    "1.5 packets",
    "1bdp",
    "0.1bdp",
    "1e9bdp",
    "1kB",
    ("1 byte"),
    "unlimited",
    "auto",
    "off",
    "uniform(0s, 1s)",
    "uniform(",
    "normal(1s, -1s)",
    "pareto(1s, 0)",
    "lognormal(1s, 1e300)",
    "left",
    "right",
    "r1",
    "a",
    "reno",
    "tahoe",
    "cos+",
    "+reno",
    "cos+cos",
    "cubic(beta=9)",
    "rack",
    "dupack",
    "red",
    "file",
    "graph",
    "linux",
    "\u2028\n",
    "bottleneck",
    [],
    [1],
    ["x"],
    [[]],
    {},
    {"kind": "red"},
    {"kind": "file"},
    {"kind": []},
    {"": 1},
    {"kind": "writes", "writes": [["0s", "1kB"]]},
    None,
    "python:",
    "python:my_reno:MyReno",
    "python:my_reno:MyReno(left=9)",
    "python:nowhere:No",
    "cos+python:my_reno:Mine",
]


def _places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [
        place for key, value in items for place in [(*path, key), *_places(value, (*path, key))]
    ]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.data())
def test_any_value_at_any_key_is_a_plan_or_one_line(data: st.DataObject) -> None:
    scenario = copy.deepcopy(data.draw(st.sampled_from(BASES)))
    for _ in range(data.draw(st.integers(1, 2))):
        *parents, last = data.draw(st.sampled_from(_places(scenario)))
        table: Any = scenario
        for key in parents:
            table = table[key]
        if isinstance(table, dict) and data.draw(st.booleans()) and data.draw(st.booleans()):
            del table[last]
        else:
            table[last] = copy.deepcopy(data.draw(st.sampled_from(VALUES)))
    try:
        parsed = ac.Scenario.parse(scenario, "a.toml")
        plan = parsed.plan()
        again = ac.Scenario.parse(tomllib.loads(parsed.to_toml()))
    except ac.ScenarioError as error:
        assert "\n" not in str(error)  # noqa: PT017 - not raising is fine too
        assert str(error).startswith("a.toml: ")  # noqa: PT017
    else:
        assert json.loads(json.dumps(plan, allow_nan=False)) == plan
        assert again.plan() == plan
