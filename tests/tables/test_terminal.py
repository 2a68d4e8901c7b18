"""Tables in a terminal."""

from rich.console import Console, RenderableType

from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import BARE, FOLDED, GRID, RULED, Fitting, drawn, facts

FLOWS = Table(("flow", "goodput\nmean"), [("reno", "1.5"), ("a-long-name", "12.5")], title="Flows")


def text(drawing: RenderableType, width: int = 40, *, color: bool = False) -> str:
    console = Console(width=width, force_terminal=color, color_system="standard" if color else None)
    with console.capture() as capture:
        console.print(drawing)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_names_are_left_and_figures_right() -> None:
    assert text(drawn(FLOWS, BARE)).splitlines() == [
        "Flows",
        "            goodput",
        "flow           mean",
        "reno            1.5",
        "a-long-name    12.5",
    ]


def test_a_grid_rules_rows_and_keeps_the_spaces_at_its_edges() -> None:
    table = Table(("id", "verdict"), [("S-1", "holds"), ("S-2", "open")], 2, title="Small")
    assert text(drawn(table, GRID)).splitlines()[1:] == [
        " id  ┃ verdict",
        "━━━━━╇━━━━━━━━━",
        " S-1 │ holds",
        "─────┼─────────",
        " S-2 │ open",
    ]


def test_a_cut_number_says_so_and_a_name_is_folded() -> None:
    table = Table(("flow", "packets"), [("a-long-name", "1234567")])
    assert "…" in text(drawn(table, RULED), 12)
    lines = text(drawn(table, RULED, (FOLDED,)), 14).splitlines()
    assert "1234567" in lines[-1]
    assert "…" not in "".join(lines)


def test_rows_that_are_left_out_are_counted() -> None:
    short = Table(("flow",), [("a",), ("b",), ("c",)]).first(1, "flows")
    assert text(drawn(short, BARE)).splitlines() == ["flow", "a", "… 2 more flows"]
    assert FLOWS.first(2) is FLOWS


def test_parts_of_a_cell_have_styles_and_files_have_none() -> None:
    table = Table(("", "verdict"), [("a", styled("it ", ("holds", "green")))], 2)
    assert "\x1b[32mholds" in text(drawn(table), color=True)
    assert table.to_csv() == ",verdict\na,it holds\n"


def test_markup_and_escapes_of_a_name_are_letters() -> None:
    assert text(facts([("name", "[bold]x[/bold]\x1b[31m")])) == r"name  [bold]x[/bold]\u001b[31m"


def test_the_first_form_that_fits_is_drawn() -> None:
    wide = Table(("wide", "column"), [("a" * 30, "b")])
    forms = Fitting(lambda: drawn(wide), lambda: drawn(FLOWS, BARE))
    assert "a" * 30 in text(forms, 60)
    assert "reno" in text(forms, 25)
