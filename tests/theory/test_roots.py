"""Roots are found to the last digit, and a bracket without one is an error."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.theory.roots import root


@given(st.floats(-5.0, 5.0), st.sampled_from([0.1, 1.0, 3.0, 7.0]))
def test_steep_and_flat_functions(at: float, power: float) -> None:
    zero = root(lambda x: math.copysign(abs(x - at) ** power, x - at), -7.3, 9.1)
    assert zero == pytest.approx(at, rel=1e-14, abs=1e-40)


def test_ends_and_directions() -> None:
    assert root(lambda x: x - 1.0, 1.0, 2.0) == 1.0
    assert root(lambda x: x - 2.0, 1.0, 2.0) == 2.0
    assert root(lambda x: 5.0 - math.exp(x), -10.0, 100.0) == pytest.approx(math.log(5.0))
    with pytest.raises(ValueError, match="no change of sign between 2 and 3"):
        root(lambda x: x * x, 2.0, 3.0)
