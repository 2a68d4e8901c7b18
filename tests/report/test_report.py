import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ackclock.pages.run import write_report
from ackclock.pages.run.charts.timeline import timeline
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


@pytest.mark.long
@pytest.mark.parametrize("flows", [1, 6, 50, 200])
def test_a_page_stays_small_however_many_flows_there_are(
    flows: int, fake_result: Make, tmp_path: Path
) -> None:
    text = _text(fake_result(flows), tmp_path)
    assert len(text.encode()) < 1_000_000
    assert len(json.dumps(timeline(fake_result(flows)), allow_nan=False)) < 500_000


def test_a_figure_is_told_in_words_and_its_data_are_in_the_page(
    fake_result: Make, tmp_path: Path
) -> None:
    text = _text(fake_result(), tmp_path)
    labels = re.findall(r'role="application"[^>]* aria-label="([^"]*)"', text)
    assert len(labels) == 4
    assert re.fullmatch(
        r"Congestion window over time, segments\. f\.1 \(reno\): \S+ to \S+, median \S+; "
        r"f\.2 \(cos\+reno\): \S+ to \S+, median \S+\.",
        labels[0],
    )
    match = re.search(r'id="series-data">(.*?)</script>', text, re.DOTALL)
    assert match
    assert json.loads(match[1]) == json.loads(json.dumps(timeline(fake_result())))


def test_the_scenario_and_the_command_can_be_copied(fake_result: Make, tmp_path: Path) -> None:
    text = _text(fake_result(), tmp_path)
    assert 'data-copy="#scenario"' in text
    assert '<pre id="scenario"' in text
    assert 'data-text="ackclock run scenario.toml"' in text


def test_the_page_names_the_library_and_has_its_licence(fake_result: Make, tmp_path: Path) -> None:
    text = _text(fake_result(), tmp_path)
    assert re.search(r"<footer>.*uPlot 1\.[0-9.]+", text)
    assert "Copyright (c) 2022 Leon Sorokin" in text or "Leon Sorokin" in text


def test_the_diagnosis_stands_first_then_tiles_then_series(
    fake_result: Make, tmp_path: Path
) -> None:
    text = _text(fake_result(), tmp_path)
    order = ["What limited the flows", 'class="tiles"', ">Over time<", ">Flows<", ">Links<"]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


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
