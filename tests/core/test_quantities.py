"""Quantities cross into Python exactly; crates/units tests the grammar itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock import _core

LARGEST = 2**64 - 1


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (_core.parse_time, "60ms", 60 * 10**9),
        (_core.parse_time, "1.5 s", 15 * 10**11),
        (_core.parse_rate, "1.5Mbit/s", 1_500_000),
        (_core.parse_rate, "1MB/s", 8_000_000),
        (_core.parse_size, "30kB", 30_000),
        (_core.parse_size, "64KiB", 65_536),
    ],
)
def test_text_becomes_base_units(parse, text, value):
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text", "says"),
    [
        (_core.parse_rate, "10M", "rate '10M' has no unit: write '10Mbit/s' or '10MB/s'"),
        (_core.parse_time, "-1s", "time '-1s' is negative"),
        (_core.parse_size, "30KB", "did you mean '30kB'?"),
    ],
)
def test_a_mistake_is_a_value_error_with_the_sentence(parse, text, says):
    with pytest.raises(ValueError, match=r".") as raised:
        parse(text)
    assert says in str(raised.value)


@given(st.integers(0, LARGEST))
def test_printing_then_parsing_is_the_identity(value):
    assert _core.parse_time(_core.format_time(value)) == value
    assert _core.parse_rate(_core.format_rate(value)) == value
    assert _core.parse_size(_core.format_size(value)) == value


def test_the_version_is_the_packages():
    from importlib.metadata import version

    assert _core.__version__ == version("ackclock")
