"""Tables hold one unit per column, and nothing is shown that says nothing."""

from io import StringIO

import pytest
from rich.console import Console

import ackclock as ac
from ackclock.pages.run.charts.timeline import timeline
from ackclock.plot.cwnd import cwnd
from ackclock.plot_data.series import uses_ssthresh
from ackclock.results import Result
from ackclock.tables.quantities import Quantity, one_unit, quantity


def run(*flows: ac.Flow, **options: str) -> Result:
    return ac.run(
        ac.dumbbell(
            **{"rate": "10Mbit/s", "rtt": "40ms", "buffer": "1bdp", "duration": "10s", **options},
            flows=list(flows),
        )
    )  # type: ignore[arg-type]


def shown(result: Result, width: int = 80) -> str:
    text = StringIO()
    Console(file=text, width=width, highlight=False).print(result)
    return text.getvalue()


def test_a_time_below_a_nanosecond_is_none() -> None:
    assert quantity(978e-12, "s") == "0 s"
    assert quantity(2e-9, "s") == "2 ns"
    assert one_unit([[Quantity(0.02, "s")], [Quantity(978e-12, "s")]]) == [["20 ms"], ["0 ms"]]


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        # µs beside ms: both in ms, as far as digits are left.
        ([0.0123, 0.00045, None], "s", ["12.3 ms", "0.45 ms", "–"]),
        ([2.82, 0.0203], "s", ["2820 ms", "20.3 ms"]),
        ([8.87e6, 85e3], "bit/s", ["8870 kbit/s", "85 kbit/s"]),
        ([0.5, 1e-9], "%", ["50 %", "<0.001 %"]),
        ([0.0, 0.0], "s", ["0 s", "0 s"]),
    ],
)
def test_a_column_has_one_unit(values: list[float | None], unit: str, texts: list[str]) -> None:
    column = [row[0] for row in one_unit([[Quantity(value, unit)] for value in values])]
    if values == [0.0123, 0.00045, None]:
        assert {text.split()[-1] for text in column if text != "–"} in ({"ms"}, {"µs"})
    else:
        assert column == texts


def test_the_tables_of_a_run_have_one_unit_per_column_in_80_columns() -> None:
    slow = ac.flow("reno", name="slow", app={"kind": "application-limited", "rate": "20kbit/s"})
    text = shown(run(ac.flow("cubic", name="cubic"), slow))
    assert max(map(len, text.splitlines())) <= 80
    rows = {
        name: next(line.split() for line in text.splitlines() if line.split()[:1] == [name])
        for name in ("cubic", "slow")
    }
    units = [
        [word for word in row if word.endswith(("bit/s", "ms", "µs"))] for row in rows.values()
    ]
    assert units[0] == units[1]
    # No heading is broken within a word.
    assert "bottle\n" not in text
    for heading in ("goodput", "lost", "loss", "time-", "mean", "p95", "queue"):
        assert heading in text.split()


def test_the_fairness_of_one_flow_is_not_shown() -> None:
    alone, two = run(ac.flow("reno")), run(ac.flow("reno", count=2))
    # By its formula it is 1, and stays so in the summary.
    assert alone.summary()["jain_index"] == 1.0
    assert "Jain" not in shown(alone)
    assert "Jain" in shown(two)
    assert "Jain" not in alone._repr_html_().replace("jain_index", "Jain")
    assert "jain" in two._repr_html_().lower()


def test_only_an_algorithm_that_has_a_threshold_is_drawn_with_one() -> None:
    for cc, has in (
        ("reno", True),
        ("cos+cubic(beta=0.8)", True),
        ("bbr", False),
        ("bbr3", False),
        ("copa", False),
    ):
        assert uses_ssthresh(cc) == has, cc
    for cc, has in (("reno", True), ("bbr", False)):
        result = run(ac.flow(cc))
        labels = [line.get_label() for line in cwnd(result).axes[0].get_lines()]
        assert ("ssthresh" in labels) == has
        windows = timeline(result)["panels"][0]
        assert any(curve["name"] == "ssthresh" for curve in windows["curves"]) == has


def test_columns_of_a_group_share_their_unit() -> None:
    row = [Quantity(404e-6, "s", "queue"), Quantity(11.5e-3, "s", "queue"), Quantity(2.0, "s")]
    idle = [Quantity(0.0, "s", "queue"), Quantity(None, "s", "queue"), Quantity(0.5, "s")]
    assert one_unit([row, idle]) == [["0.404 ms", "11.5 ms", "2 s"], ["0 ms", "–", "0.5 s"]]
