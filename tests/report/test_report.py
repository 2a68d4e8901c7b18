import json
import re
from collections.abc import Callable
from pathlib import Path

from ackclock.report.series import figure

from ackclock.report import write_report
from ackclock.results import Result
from html_page import Page

Make = Callable[..., Result]


def _text(result: Result, folder: Path) -> str:
    return write_report(result, folder / "report.html").read_text(encoding="utf-8")


def test_the_page_is_well_formed_fetches_nothing_and_is_the_same_twice(
    fake_result: Make, tmp_path: Path
) -> None:
    result = fake_result()
    text = _text(result, tmp_path)
    page = Page(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert all(address.startswith("data:") for address in page.addresses)
    assert re.search(r"url\(|@import", text.split("</style>")[0]) is None
    assert _text(result, tmp_path) == text


def test_what_the_user_named_is_text_and_not_markup(fake_result: Make, tmp_path: Path) -> None:
    text = _text(fake_result(), tmp_path)
    assert "<h1>fake &lt;&amp;&gt; run</h1>" in text
    assert "fake <&> run" not in text


def test_warnings_stand_before_everything_else(fake_result: Make, tmp_path: Path) -> None:
    result = fake_result()
    result.warnings.append("Flow f.1 was limited by <something>: change it.")
    text = _text(result, tmp_path)
    assert text.index("Flow f.1 was limited by &lt;something&gt;") < text.index("Over time")
    assert "No warnings" not in text


def test_the_configuration_is_shown_in_full(fake_result: Make, tmp_path: Path) -> None:
    text = _text(fake_result(), tmp_path)
    assert "duration = &#34;20s&#34;" in text
    assert "initial_ssthresh_bytes" in text


def test_print_has_the_figure_and_a_browser_without_scripts_a_way_to_it(
    fake_result: Make, tmp_path: Path
) -> None:
    text = _text(fake_result(), tmp_path)
    assert "beforeprint" in text
    assert text.count("<noscript>") == 1
    assert "<code>ackclock plot</code>" in text


def test_series_share_one_axis_of_time_and_stay_small(fake_result: Make) -> None:
    drawn = figure(fake_result(20))
    assert {trace["yaxis"] for trace in drawn["data"]} == {"y", "y2", "y3", "y4"}
    assert not any("xaxis" in trace for trace in drawn["data"])
    assert len(json.dumps(drawn, allow_nan=False)) < 500_000


def test_many_flows_are_a_row_per_congestion_control_first(
    fake_result: Make, tmp_path: Path
) -> None:
    text = _text(fake_result(20), tmp_path)
    assert "<summary>20 flows</summary>" in text
    assert "0 of 10" in text


def test_a_notebook_shows_figures_and_warnings(fake_result: Make) -> None:
    result = fake_result()
    result.warnings.append("Beware of <this>.")
    shown = result._repr_html_()
    assert "Beware of &lt;this&gt;." in shown
    assert "784 kbit/s" in shown
