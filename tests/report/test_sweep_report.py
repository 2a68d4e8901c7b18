"""A sweep as people read it: the page, the terminal, the notebook."""

import html
import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from ackclock.pages.run import write_report
from ackclock.pages.run.sweep.terminal import view
from ackclock.plot_data.sweep.layout import ViewError
from ackclock.sweeps.design import Stop
from ackclock.sweeps.result import SweepResult
from ackclock.tables.intervals import Digits, bar, decimals, effect, p_value
from html_page import Page
from sweep_frames import CC, COUNT, DELAY, LIMIT, LOST, PATH, UTILISATION, axis, fake_sweep

CC2 = axis("cc", "flows.cc", ("reno", "cubic"))


@pytest.fixture(scope="module")
def buffers() -> SweepResult:
    return fake_sweep((LIMIT, CC), UTILISATION | DELAY, replications=6, compared="cc")


@pytest.fixture(scope="module")
def page(buffers: SweepResult, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(buffers, tmp_path_factory.mktemp("page") / "report.html").read_text(
        encoding="utf-8"
    )


def shown(what: object, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), legacy_windows=False)
    console.print(what)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_the_page_is_well_formed_fetches_nothing_and_is_the_same_twice(
    buffers: SweepResult, page: str, tmp_path: Path
) -> None:
    read = Page(page)
    assert read.open == []
    assert all(address.startswith(("data:", "#")) for address in read.addresses)
    assert "<h1>fake &lt;&amp;&gt; sweep</h1>" in page
    again = SweepResult(buffers.design, buffers.runs)
    assert write_report(again, tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_the_page_asks_the_question_and_tells_the_design(page: str) -> None:
    assert (
        "How do utilisation and queue delay p95 depend on limit and cc? How far are cubic and bbr "
        "from reno, seed by seed?" in page
    )
    assert "12 settings (4 limit × 3 cc) × 6 seeds = 72 runs; seeds 1 to 6" in page
    assert "network.bottleneck.limit" in page
    assert "along cc, difference from reno, paired by seed" in page


def test_the_page_has_each_mean_each_difference_and_how_each_interval_was_made(
    buffers: SweepResult, page: str
) -> None:
    overview = page[page.index("<h2>Results") : page.index("<figure")]
    assert overview.count("<tr>") == 1 + 12
    assert page.count(">difference from reno (percentage points)</th>") == 1
    assert page.count(">difference from reno (ms)</th>") == 1
    made = page[page.index("the method of each, and the reason") :]
    assert made.count("<tr>") == 1 + 24
    assert "too few to judge their shape" in made
    assert f"of {buffers.by_chance.shown} intervals of differences leave out no difference" in page


def test_the_page_tells_how_to_run_it_again(page: str) -> None:
    assert "<code>ackclock sweep sweep.toml</code>" in page
    assert "[[sweep.axes]]" in page


def test_each_figure_is_data_with_its_finding_in_words(page: str) -> None:
    figures = re.findall(
        r'<figure class="chart[^"]*" data-chart="(\w+)">.*?aria-label="([^"]*)".*?'
        r'<script type="application/json">(.*?)</script>',
        page,
        re.DOTALL,
    )
    assert [kind for kind, _, _ in figures] == [
        "scatter", "line", "difference", "box", "cdf", "line", "difference", "box",
    ]  # fmt: skip
    for kind, label, data in figures:
        assert json.loads(data)["kind"] == kind
        assert html.unescape(label) == json.loads(data)["says"]
        assert len(label) > 60
    assert "<img" not in page
    assert re.search(r"D3 [0-9.]+, Observable Plot [0-9.]+", page)


def test_a_page_of_many_settings_stays_small(tmp_path: Path) -> None:
    result = fake_sweep(
        (LIMIT, CC, PATH), UTILISATION | DELAY | LOST, replications=10, compared="cc"
    )
    text = write_report(result, tmp_path / "r.html").read_text(encoding="utf-8")
    assert len(result.design.settings) == 24
    assert len(text.encode()) < 1_000_000


def test_long_pages_have_contents_that_lead_somewhere(page: str) -> None:
    links = re.findall(r'href="#([^"]+)"', page)
    assert len(links) >= 5
    assert set(links) <= set(Page(page).ids)


def test_an_axis_without_effect_stands_before_everything_else(tmp_path: Path) -> None:
    ecn = axis("ecn", "transport.ecn", ("off", "classic"))
    text = write_report(
        fake_sweep((LIMIT, ecn), UTILISATION, replications=3), tmp_path / "r.html"
    ).read_text(encoding="utf-8")
    assert text.index("off and classic gave the same bytes in every run") < text.index(
        "<h2>Question"
    )
    assert "Every axis changes something" not in text


def test_a_stop_is_told_where_it_was_reached_and_where_the_budget_ended(tmp_path: Path) -> None:
    stop = Stop("utilisation", half_width=0.004, relative=None, most=6, batch=3)
    result = fake_sweep((CC,), UTILISATION, replications=6, stop=stop)
    assert {outcome.reached for outcome in result.stopped} == {True, False}, (
        "or this test shows nothing"
    )
    text = write_report(result, tmp_path / "r.html").read_text(encoding="utf-8")
    assert re.search(
        r"At [12] settings? half of the interval of utilisation did not come below 0.004 within 6 "
        r"seeds",
        text,
    )
    assert re.search(
        r"At [12] settings? half of the interval of utilisation came below 0.004 after", text
    )


def test_runs_without_a_value_are_told() -> None:
    seen = iter((1.0, None, 2.0, 3.0, None, 4.0))
    text = shown(fake_sweep((CC2,), {"fct.mean": lambda _where, _rng: next(seen)}, replications=3))
    assert "warning: 2 runs of 6 have no FCT mean; means are over the others." in text


def test_the_terminal_shows_means_differences_and_what_to_beware_of(buffers: SweepResult) -> None:
    text = shown(buffers)
    assert "utilisation: cc against reno" in text
    assert text.count("●") == 16, "an interval is drawn for each difference"
    assert "95 % intervals over seeds · differences paired by seed" in text
    neutral = [
        line.index("│")
        for line in text.splitlines()
        if "│" in line and "+" in line and "packets" in line
    ]
    assert neutral


@pytest.mark.parametrize("width", [72, 100, 140])
def test_no_number_is_cut_however_narrow_the_terminal(buffers: SweepResult, width: int) -> None:
    text = shown(view(buffers, kind="difference"), width)
    assert max(map(len, text.splitlines())) <= width
    rows = [
        line
        for line in text.splitlines()
        if line.startswith((" 5 packets", " 10 packets", " 20 packets", " 40 packets"))
    ]
    assert len(rows) == 8
    assert all(re.search(r"[+−]\d+(\.\d+)? ?(±|\[)", row) for row in rows)


def test_one_response_is_a_column_for_each_value_apart(buffers: SweepResult) -> None:
    lines = shown(view(buffers, "queue_delay.p95")).splitlines()
    assert lines[0].startswith("queue delay p95 (ms) by cc")
    [head] = [line for line in lines if "reno" in line and "cubic" in line]
    assert head.split() == ["limit", "reno", "cubic", "bbr"]
    assert len([line for line in lines if line.startswith(" ") and "packets" in line]) == 4


@pytest.mark.parametrize("width", [60, 100])
def test_what_is_too_wide_in_columns_is_in_rows(buffers: SweepResult, width: int) -> None:
    text = shown(view(buffers, x="cc", by="limit"), width)
    assert max(map(len, text.splitlines())) <= width
    assert len(re.findall(r"\d(?: ± [\d.]+| \[[\d., ]+\]) *", text)) == 12
    whole = shown(buffers, 60)
    assert (
        len(re.findall(r"^ (?:5|10|20|40) packets +(?:reno|cubic|bbr) ", whole, re.MULTILINE)) >= 12
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [("box", "median"), ("cdf", "p75"), ("scatter", "correlation"), ("difference", "d_z")],
)
def test_every_kind_of_figure_has_its_table(buffers: SweepResult, kind: str, words: str) -> None:
    assert words in shown(view(buffers, kind=kind))


def test_a_held_axis_leaves_the_rest(buffers: SweepResult) -> None:
    text = shown(view(buffers, kind="box", at={"limit": "20 packets"}))
    assert text.count("reno") == 1
    with pytest.raises(ViewError, match="did you mean 'limit'"):
        view(buffers, at={"limits": "20 packets"})


def test_a_notebook_has_means_and_differences(buffers: SweepResult) -> None:
    html = buffers._repr_html_()
    assert "fake &lt;&amp;&gt; sweep" in html
    assert html.count("<table>") == 2


def test_large_sweeps_are_cut_in_the_terminal_and_say_so() -> None:
    text = shown(fake_sweep((COUNT, CC, PATH), LOST, replications=2))
    assert "… 2 more" in text


def test_intervals_have_as_many_digits_as_they_bear() -> None:
    even, skewed = Digits(100.0, even=True), Digits(1.0, even=False)
    assert even.text(0.98412, 0.9821, 0.98614) == "98.41 ± 0.20"
    assert skewed.text(12.3456, 11.0, 19.0) == "12.3 [11.0, 19.0]"
    assert skewed.text(-0.5, -1.2, 0.2, sign=True) == "−0.50 [−1.20, +0.20]"
    assert skewed.text(0.25, 0.25, 0.25) == "0.25 in each"
    assert skewed.text(None, None, None) == "–"
    # Five digits are enough of anything.
    assert skewed.text(94.7471, 94.74705, 94.74713) == "94.74710 [94.74705, 94.74713]"


def test_small_figures_of_a_difference() -> None:
    assert [p_value(p) for p in (0.0004, 0.0123, 0.456, None)] == ["< 0.001", "0.012", "0.46", "–"]
    assert [effect(size) for size in (1.234, -0.5, 5e9, None)] == ["1.2", "−0.5", "> 1000", "–"]
    assert decimals(0.0) == 3
    assert bar(1.0, 2.0, 3.0, (0.0, 4.0), 9, 0.0) == "│ ├─●─┤  "
