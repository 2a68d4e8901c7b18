"""Drawn quantities: how they are written, what the engine gets, what their files may hold."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from ackclock.scenario.distributions import (
    CountOrDistribution,
    RateOrDistribution,
    SizeOrDistribution,
    TimeOrDistribution,
    count_distribution,
    mean_of,
    rate_distribution,
    size_distribution,
    time_distribution,
)

TYPES: dict[str, Any] = {
    "time": TimeOrDistribution,
    "rate": RateOrDistribution,
    "size": SizeOrDistribution,
    "count": CountOrDistribution,
}


def _read(kind: str, text: object, folder: Path | None = None) -> str:
    checked: str = TypeAdapter(TYPES[kind]).validate_python(text, context={"folder": folder})
    return checked


def _complaint(kind: str, text: object, folder: Path | None = None) -> str:
    with pytest.raises(ValidationError) as caught:
        _read(kind, text, folder)
    return str(caught.value.errors()[0]["ctx"]["message"])


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("10ms", {"kind": "fixed", "value": 0.01}),
        ("uniform(0s, 1s)", {"kind": "uniform", "low": 0.0, "high": 1.0}),
        ("normal(5ms, 2ms)", {"kind": "normal", "mean": 0.005, "sd": 0.002}),
        ("weibull(20ms, 0.8)", {"kind": "weibull", "scale": 0.02, "shape": 0.8}),
        (
            "exponential(10ms) between 0s and 50ms",
            {
                "kind": "between",
                "of": {"kind": "exponential", "mean": 0.01},
                "low": 0.0,
                "high": 0.05,
            },
        ),
    ],
)
def test_times_are_seconds(text: str, plan: dict[str, Any]) -> None:
    assert time_distribution(_read("time", text)) == plan


def test_sizes_rates_and_counts_are_bytes_bits_and_numbers() -> None:
    assert size_distribution(_read("size", "pareto(3kB, 1.2)")) == {
        "kind": "pareto",
        "scale": 3000.0,
        "shape": 1.2,
    }
    assert rate_distribution(_read("rate", "uniform(1Mbit/s, 2Mbit/s)")) == {
        "kind": "uniform",
        "low": 1e6,
        "high": 2e6,
    }
    assert count_distribution(_read("count", 5)) == {"kind": "fixed", "value": 5.0}
    assert count_distribution(_read("count", "lognormal(4, 1.5)")) == {
        "kind": "lognormal",
        "median": 4.0,
        "sigma": 1.5,
    }


def test_a_file_of_two_or_three_columns_is_a_distribution(tmp_path: Path) -> None:
    # A third at 1, a third evenly to 3, a third evenly to 11: (1 + 2 + 7) / 3.
    points = [[1.0, 0.25], [3.0, 0.5], [11.0, 1.0]]
    (tmp_path / "two.cdf").write_text(
        "# size probability\n1 0.25\n\n3 0.5 # middle\n11 1\n", encoding="utf-8"
    )
    (tmp_path / "ns2.cdf").write_text("1 7 0.25\n3 8 0.5\n11 9 1.0\n", encoding="utf-8")
    for file in ("two.cdf", "ns2.cdf"):
        text = _read("size", f"cdf({file})", tmp_path)
        assert size_distribution(text, tmp_path) == {"kind": "cdf", "points": points}
    scaled = size_distribution(_read("size", "cdf(two.cdf, 1kB)", tmp_path), tmp_path)
    assert scaled["points"] == [[1000 * x, p] for x, p in points]
    # 1/4 of 1, 1/4 of 2, 1/2 of 7.
    assert mean_of(scaled) == 4250.0


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.cdf").write_text("1 1\n", encoding="utf-8")
    assert count_distribution(_read("count", "cdf(a.cdf)", tmp_path), tmp_path)["points"] == [
        [1.0, 1.0]
    ]
    (tmp_path / "a.cdf").write_text("17 1\n", encoding="utf-8")
    assert count_distribution(_read("count", "cdf(a.cdf)", tmp_path), tmp_path)["points"] == [
        [17.0, 1.0]
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "bad.cdf is empty"),
        ("# nothing\n", "bad.cdf is empty"),
        ("1 0.5\n2 0.9\n", "bad.cdf: the last probability is 0.9, and must be 1"),
        ("1 0.5\n2 50\n", "bad.cdf, line 2: the probability 50 is not from 0 to 1"),
        ("2 0.5\n1 1\n", "bad.cdf, line 2: the value 1 comes after 2; values ascend"),
        (
            "1 0.5\n\n2 0.4\n3 1\n",
            "bad.cdf, line 3: the probability 0.4 comes after 0.5; probabilities ascend",
        ),
        ("1 0.5\nmany 1\n", "bad.cdf, line 2: 'many 1' is not a value and a probability"),
        ("1\n", "bad.cdf, line 1: 1 columns"),
        ("-1 1\n", "bad.cdf, line 1: the value -1 is not a number from zero on"),
        ("nan 1\n", "bad.cdf, line 1: the value nan"),
        ("1 nan\n", "bad.cdf, line 1: the probability nan"),
        (b"1 0.5\n\xff\xfe 1\n", "bad.cdf: not text in UTF-8: byte 6 (0xff, line 2)"),
    ],
)
def test_a_file_that_is_no_distribution_function_is_told_by_line(
    tmp_path: Path, content: str | bytes, said: str
) -> None:
    (tmp_path / "bad.cdf").write_bytes(content if isinstance(content, bytes) else content.encode())
    message = _complaint("size", "cdf(bad.cdf)", tmp_path)
    assert message.startswith("'cdf(bad.cdf)': ")
    assert said in message


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("size", "cdf(none.cdf)", "there is no file none.cdf"),
        ("size", "cdf(.)", ".: this is a folder, not a file"),
        ("size", "cdf()", "cdf takes (file)"),
        ("size", "weibul(3kB, 1)", "did you mean 'weibull'"),
        ("size", "weibull(3kB)", "weibull takes (scale, shape)"),
        ("size", "weibull(3, 1)", "has no unit"),
        ("size", "weibull(3kB, 0.001)", "shape is 0.001; it must be at least 0.05"),
        ("size", "exponential(3kB) between 1MB and 10kB", "it must not be below low"),
        ("size", "exponential(3kB) between 10MB and 20MB", "it must hold at least 0.001"),
        ("size", "exponential(3kB) between 1kB and 10s", "'10s'"),
        ("size", "3kB between 1kB and 5kB", "only a distribution has bounds"),
        ("time", "pareto(1s, 0.9)", "above 1"),
        ("count", "0", "is not a number above zero"),
        ("count", "five", "is not a number above zero"),
        ("count", True, "is not a number above zero"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, kind: str, text: object, said: str) -> None:
    assert said in _complaint(kind, text, tmp_path)


# Means follow from the tables: the sum of each step's probability times its middle.
@pytest.mark.parametrize(
    ("name", "mean", "quantiles"),
    [
        ("websearch", 1_711_250.0, {0.15: 10_000, 0.53: 80_000, 0.9: 5_000_000, 1.0: 30_000_000}),
        # 5116.6 segments, pFabric's 5117.
        ("datamining", 5116.6 * 1460, {0.5: 1460, 0.9: 267 * 1460, 1.0: 666_667 * 1460}),
    ],
)
def test_published_sizes_have_a_name(name: str, mean: float, quantiles: dict[float, int]) -> None:
    sizes = size_distribution(_read("size", f"cdf({name})"))
    assert mean_of(sizes) == pytest.approx(mean, rel=1e-6)
    assert sizes["kind"] == "cdf"
    values = {p: value for value, p in sizes["points"]}
    assert {p: values[p] for p in quantiles} == quantiles


def test_published_sizes_are_no_times_and_have_no_unit() -> None:
    assert "sizes in bytes" in _complaint("time", "cdf(websearch)")
    assert "sizes in bytes" in _complaint("size", "cdf(websearch, 1kB)")


def test_a_published_name_that_is_nearly_right_is_suggested() -> None:
    assert "did you mean 'datamining'?" in _complaint("size", "cdf(data-mining)")


def test_a_file_of_the_name_of_published_sizes_is_written_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "websearch").write_text("100 0\n200 1\n", encoding="utf-8")
    mine = size_distribution(_read("size", "cdf(./websearch)", tmp_path), tmp_path)
    assert mean_of(mine) == 150.0
