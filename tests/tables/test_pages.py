"""Tables in pages: HTML, and documents that are written in Markdown."""

from markupsafe import Markup

from ackclock.tables.markdown import page_table
from ackclock.tables.table import Table

TABLE = Table(("flow", "", "loss"), [("a<b", Markup("<b>x</b>"), "1 %"), ("", "y", "")], 2)


def test_html_escapes_text_and_names_rows_and_columns() -> None:
    html = TABLE.to_html("Flows & links")
    assert 'aria-label="Flows &amp; links"' in html
    assert '<th scope="col" class="name">flow</th><td></td><th scope="col">loss</th>' in html
    row = '<th scope="row">a&lt;b</th><td class="name"><b>x</b></td><td>1 %</td>'
    assert f"<tr>{row}</tr>" in html
    assert '<tr><td class="name"></td><td class="name">y</td><td></td></tr>' in html
    assert "more rows" not in html


def test_html_tells_of_rows_that_are_left_out() -> None:
    html = TABLE.first(1, where="flows.parquet").to_html("Flows")
    assert '<p class="hint">1 more rows in <code>flows.parquet</code>.</p>' in html


def test_a_page_in_markdown_keeps_links_and_aligns_figures() -> None:
    assert page_table(("name", "", "n"), [("[a](#a)", "", "3")], "llr") == (
        "| name | | n |\n|---|---|--:|\n| [a](#a) |  | 3 |\n"
    )


def test_columns_that_do_not_lead_may_be_names() -> None:
    table = Table(("n", "name"), [("1", "a")], align="rl")
    assert table.lefts == (False, True)
    assert table.to_markdown().splitlines()[1] == "|----:|------|"
    assert "{@{}rl@{}}" in table.to_latex()
