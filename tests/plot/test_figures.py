import re
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest

from ackclock import plot
from ackclock.results import Result

Make = Callable[..., Result]
FIGURES = [plot.overview, plot.cwnd, plot.rate, plot.rtt, plot.queue]


@pytest.mark.long
@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("flows", [1, 20])
def test_a_figure_is_the_same_bytes_twice(
    fake_result: Make, draw: Callable[..., plot.PaperFigure], flows: int
) -> None:
    result = fake_result(flows)
    assert draw(result).svg() == draw(result).svg()


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_a_file_is_the_same_bytes_twice_and_carries_no_date(
    fake_result: Make, tmp_path: Path, suffix: str
) -> None:
    result = fake_result()
    files = [plot.cwnd(result).write(tmp_path / f"{name}{suffix}").read_bytes() for name in "ab"]
    assert files[0] == files[1]
    assert re.search(rb"dc:date|CreationDate", files[0]) is None


def test_another_suffix_is_an_error(fake_result: Make, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"written as \.svg, \.pdf, \.png or \.pgf"):
        plot.cwnd(fake_result()).write(tmp_path / "a.gif")


@pytest.mark.parametrize(
    ("draw", "label"),
    [
        (plot.cwnd, "cwnd (segments)"),
        (plot.rate, "Goodput per 500 ms\n(Mbit/s)"),
        (plot.rtt, "RTT (ms)"),
        (plot.queue, "Queue (packets)"),
    ],
)
def test_axes_carry_their_units(
    fake_result: Make, draw: Callable[..., plot.PaperFigure], label: str
) -> None:
    (axes,) = draw(fake_result()).axes
    assert axes.get_ylabel() == label
    assert axes.get_xlabel() == "Time (s)"


def test_the_overview_shares_one_axis_of_time(fake_result: Make) -> None:
    axes = plot.overview(fake_result()).axes
    assert len(axes) == 4
    assert {panel.get_xlim() for panel in axes} == {(0.0, 20.0)}


def test_flows_differ_in_colour_and_in_dashes_so_that_grey_print_tells_them_apart(
    fake_result: Make,
) -> None:
    (axes,) = plot.rate(fake_result(6)).axes
    drawn = axes.get_lines()[:6]
    assert len({line.get_color() for line in drawn}) == 6
    assert (
        len(
            {
                str(line.get_linestyle()) + str(getattr(line, "_unscaled_dash_pattern", ""))
                for line in drawn
            }
        )
        == 6
    )


def test_the_users_own_style_is_left_alone(fake_result: Make) -> None:
    mpl.rcParams["font.size"] = 23.0
    try:
        before = plot.cwnd(fake_result()).svg()
        assert mpl.rcParams["font.size"] == 23.0
    finally:
        mpl.rcdefaults()
    assert plot.cwnd(fake_result()).svg() == before
