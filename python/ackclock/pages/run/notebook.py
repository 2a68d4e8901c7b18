"""Results in a notebook: figures and warnings; `.plot()` draws plots."""

from typing import TYPE_CHECKING

from ackclock.pages.run.page import render
from ackclock.pages.run.run import facts, says_something, shown, title
from ackclock.tables.quantities import MISSING, quantity, short_cc
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from ackclock.results import Result

_MOST_FLOWS = 20
_HEADER = ("flow", "cc", "goodput", "lost", "timeouts", "RTT mean", "RTT p95", "completion")
_FIGURES = (
    "goodput",
    "utilisation",
    "lost_packets",
    "timeouts",
    "queue_delay.p95",
    "rtt.mean",
    "fct.mean",
    "jain_index",
)


def result_html(result: "Result") -> str:
    """A run's facts, figures, flows and warnings."""
    figures = [
        (name, text)
        for name in _FIGURES
        if (text := shown(result, name)) != MISSING and says_something(result, name)
    ]
    rows = [
        (
            flow["name"],
            short_cc(flow["cc"]),
            quantity(flow["goodput"], "bit/s"),
            str(flow["lost_packets"]),
            str(flow["timeouts"]),
            quantity(flow["rtt"]["mean"], "s"),
            quantity(flow["rtt"]["p95"], "s"),
            quantity(flow["fct"], "s"),
        )
        for flow in result.summary()["flows"]
    ]
    hidden = len(rows) - _MOST_FLOWS
    return render(
        "notebook.html",
        title=title(result),
        note=facts(result) + (f" · {hidden} more flows in .flows" if hidden > 0 else ""),
        tables=[
            (
                "Figures",
                Table([name for name, _ in figures], [[text for _, text in figures]], names=0),
            ),
            ("Flows", Table(_HEADER, rows[:_MOST_FLOWS], names=2)),
        ],
        diagnosis=result.diagnosis.lines,
        warnings=result.warnings,
    )
