import pytest

from ackclock.messages import names
from ackclock.tables.intervals import with_error
from ackclock.tables.quantities import quantity


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.5e6, "bit/s", "1.5 Mbit/s"),
        (999.0, "bit/s", "999 bit/s"),
        (0.0, "bit/s", "0 bit/s"),
        (0.5, "bit/s", "0.5 bit/s"),
        (60.0, "s", "60 s"),
        (2.4e-4, "s", "240 µs"),
        (1234567.0, "bytes", "1.23 MB"),
        (0.9999, "%", "100 %"),
        (12345.0, "packets", "12345"),
        (None, "s", "–"),
        (float("nan"), "s", "–"),
    ],
)
def test_quantities_as_people_write_them(value: float | None, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


def test_an_error_is_in_the_unit_of_its_value() -> None:
    assert with_error(1.2e6, 400.0, "bit/s") == "1.2000 ± 0.0004 Mbit/s"
    assert with_error(0.0, 0.002, "s") == "0.0 ± 2.0 ms"


def test_names_in_a_sentence() -> None:
    assert names(["a"]) == "a"
    assert names(["a", "b"]) == "a and b"
    assert names(["a", "b", "c", "d"]) == "a, b, c and d"
    assert names(list("abcdef")) == "a, b, c and 3 more"
