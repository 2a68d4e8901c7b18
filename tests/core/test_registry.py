"""The registry and random draws, as Python sees them."""

import pytest

from ackclock import _core

UNIFORM = '{"kind": "uniform", "low": 0, "high": 2}'


def test_every_entry_says_what_it_is():
    entries = _core.list_cc()
    assert {"reno", "cubic", "cos"} <= {entry["name"] for entry in entries}
    for entry in entries:
        assert entry["role"] in {"avoidance", "slow start", "whole"}
        assert entry["summary"]
        assert entry["reference"]
        for parameter in entry["parameters"]:
            assert set(parameter) == {"name", "default", "range", "choices", "unit", "meaning"}
            assert isinstance(parameter["default"], float | bool | str)
            if parameter["choices"] is not None:
                assert parameter["range"] is None
                assert parameter["default"] in parameter["choices"]
            elif parameter["range"] is None:
                assert isinstance(parameter["default"], bool)
            else:
                low, high = parameter["range"]
                assert low <= parameter["default"] <= high


def test_every_avoidance_names_the_slow_start_that_it_has_alone():
    starts = {entry["name"] for entry in _core.list_cc() if entry["role"] == "slow start"}
    for entry in _core.list_cc():
        assert (entry["slow_start"] in starts) == (entry["role"] == "avoidance")


def test_every_listed_avoidance_can_be_built_behind_cos():
    for entry in _core.list_cc():
        if entry["role"] == "avoidance":
            _core.check_cc(f"cos+{entry['name']}")


def test_an_unknown_controller_is_refused_with_the_nearest_name():
    with pytest.raises(ValueError, match=r"'cubik'.*did you mean 'cubic'"):
        _core.check_cc("cubik")


def test_draws_depend_on_seed_and_stream_only():
    first = _core.draw(1, "flow/3/start", UNIFORM, 5)
    assert first == _core.draw(1, "flow/3/start", UNIFORM, 5)
    assert first != _core.draw(2, "flow/3/start", UNIFORM, 5)
    assert first != _core.draw(1, "flow/4/start", UNIFORM, 5)
    assert all(0.0 <= value < 2.0 for value in first)


def test_a_wrong_distribution_is_a_value_error():
    with pytest.raises(ValueError, match=r"unknown variant `gauss`, expected .*`pareto`"):
        _core.draw(1, "x", '{"kind": "gauss"}', 1)
