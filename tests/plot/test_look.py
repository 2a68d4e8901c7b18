"""Options of figures: size, font, names, legend, grid, grey, and PGF."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

import ackclock as ac
from ackclock import plot
from ackclock.plot.looking import texts_of
from ackclock.views.figure_options import make_look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.results import Result

    Make = Callable[..., Result]


@pytest.mark.parametrize(
    ("written", "inches"),
    [
        (3.5, 3.5),
        ("3.5in", 3.5),
        ("9cm", 9 / 2.54),
        ("90 mm", 9 / 2.54),
        ("1col", 3.4),
        (None, None),
    ],
)
def test_a_width_is_inches_a_length_or_columns(written: Any, inches: float | None) -> None:
    assert make_look(width=written).width == (None if inches is None else pytest.approx(inches))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"widht": 3}, "widht: there is no such option of a figure; did you mean 'width'?"),
        ({"width": "3ft"}, "width: '3ft' is no length: write inches, or 3.5in, 9cm"),
        ({"width": True}, "width: 'True' is no length"),
        ({"height": "1col"}, "height: '1col' is no length"),
        ({"width": 900}, "width: 900 inches is no size of a figure: 0.5 to 60"),
        ({"font_size": 99}, "font_size: 99 is no size of a font: 3 to 40 pt"),
        ({"legend": "bset"}, "legend: 'bset' is no place of a legend; did you mean 'best'?"),
        ({"labels": {"a": 1}}, "labels: give texts by the texts that they replace"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(options: Any, said: str) -> None:
    with pytest.raises(ac.Error) as raised:
        make_look(options)
    assert str(raised.value).startswith(said)


def test_size_and_font_are_as_asked(fake_result: Make) -> None:
    figure = plot.cwnd(
        fake_result(2), width="9cm", height=3.0, font="serif", font_size=10, title="A run"
    )
    assert figure.get_size_inches() == pytest.approx((9 / 2.54, 3.0))
    [axes] = figure.axes
    assert axes.yaxis.label.get_fontfamily() == ["serif"]
    assert axes.yaxis.label.get_fontsize() == 10
    assert axes.get_xticklabels()[0].get_fontsize() == pytest.approx(8.75)
    assert figure.get_suptitle() == "A run"


def test_a_font_that_is_not_there_is_an_error(fake_result: Make) -> None:
    with pytest.raises(plot.FigureOptionError, match=r"no font 'DejaVu Serfi'.*'DejaVu Serif'"):
        plot.rtt(fake_result(), font="DejaVu Serfi")


def test_names_and_axes_are_renamed(fake_result: Make) -> None:
    names = {"f.1": "Reno", "cwnd (segments)": "Window"}
    figure = plot.cwnd(fake_result(2), labels=names, x_label="t (s)")
    [axes] = figure.axes
    assert axes.get_ylabel() == "Window"
    assert axes.get_xlabel() == "t (s)"
    assert "Reno" in [text.get_text() for text in axes.get_legend().get_texts()]
    with pytest.raises(plot.FigureOptionError, match=r"the figure has no text 'f\.11'"):
        plot.cwnd(fake_result(2), labels={"f.11": "x"})


def test_a_label_of_one_axis_needs_one_panel(fake_result: Make) -> None:
    with pytest.raises(plot.FigureOptionError, match="y_label: the figure has 4 panels"):
        fake_result().plot(y_label="all")


@pytest.mark.parametrize("place", ["none", "above", "right", "best", "upper left"])
def test_the_legend_goes_where_asked(fake_result: Make, place: str) -> None:
    [axes] = plot.rate(fake_result(2), legend=place).axes
    assert (axes.get_legend() is None) == (place == "none")


def test_grey_has_no_colour_left(fake_result: Make) -> None:
    figure = fake_result(3).plot(grey=True, grid=False)
    for line in figure.findobj(Line2D):
        red, green, blue = to_rgb(line.get_color())
        assert red == green == blue
    assert not any(line.get_visible() for axes in figure.axes for line in axes.get_xgridlines())


def test_panels_are_chosen_by_name(fake_result: Make) -> None:
    figure = fake_result().plot(only=["queue", "cwnd"])
    assert [axes.get_ylabel() for axes in figure.axes] == ["Queue (packets)", "cwnd (segments)"]
    with pytest.raises(plot.FigureOptionError, match=r"no figure 'cwdn'; did you mean 'cwnd'\?"):
        fake_result().plot(only=["cwdn"])


def test_a_users_options_leave_the_next_figure_alone(fake_result: Make) -> None:
    before = plot.rate(fake_result(2)).svg()
    plot.rate(fake_result(2), font="serif", font_size=14, grey=True)
    assert plot.rate(fake_result(2)).svg() == before


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png", ".pgf"])
def test_options_give_equal_bytes_twice(fake_result: Make, tmp_path: Path, suffix: str) -> None:
    look: Any = {"width": "1col", "font": "serif", "grey": True, "legend": "above"}
    files = [
        plot.overview(fake_result(2), **look).write(tmp_path / f"{name}{suffix}").read_bytes()
        for name in "ab"
    ]
    assert files[0] == files[1]


def test_pgf_needs_no_latex_and_escapes_texts(
    fake_result: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    figure = plot.cwnd(fake_result(2), labels={"f.1": "50 % of a_b & c"}, font="serif")
    text = figure.write(tmp_path / "a.pgf").read_text(encoding="utf-8")
    assert r"50~\% of a\_b \& c" in text
    assert r"\rmfamily" in text
    assert "fontspec" not in text
    # The figure can still be written in another format.
    assert figure.write(tmp_path / "a.png").stat().st_size > 1000


def _has_pgf() -> bool:
    program = shutil.which("kpsewhich")
    return program is not None and bool(
        subprocess.run([program, "pgf.sty"], capture_output=True, check=False).stdout
    )


@pytest.mark.long
@pytest.mark.skipif(not _has_pgf(), reason="no LaTeX with pgf here")
def test_latex_takes_a_figure_as_pgf(fake_result: Make, tmp_path: Path) -> None:
    fake_result(2).plot(font="serif", title="50 % of a_b").write(tmp_path / "a.pgf")
    (tmp_path / "all.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{pgf}"
        r"\begin{document}\noindent\input{a.pgf}\end{document}",
        encoding="utf-8",
    )
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )


def test_texts_of_a_figure_are_those_that_can_be_replaced(fake_result: Make) -> None:
    texts = texts_of(plot.cwnd(fake_result(2)))
    assert {"cwnd (segments)", "Time (s)", "ssthresh"} <= set(texts)
