from collections.abc import Callable
from io import StringIO

from rich.console import Console

from ackclock.results import Result

Make = Callable[..., Result]


def _text(result: Result) -> str:
    console = Console(width=80, record=True, file=StringIO())
    console.print(result)
    return console.export_text()


def test_few_flows_are_listed_within_eighty_columns(fake_result: Make) -> None:
    text = _text(fake_result())
    assert "f.2" in text
    assert "392 kbit/s" in text
    assert "bottleneck.reverse" in text
    assert "…" not in text


def test_many_flows_are_a_row_per_congestion_control(fake_result: Make) -> None:
    text = _text(fake_result(40))
    assert "20 flows (cos+reno): f.2, f.4, f.6 and 17 more: had their share" in " ".join(
        text.split()
    )
    assert "f.8" not in text
    assert "…" not in text


def test_warnings_come_last(fake_result: Make) -> None:
    result = fake_result()
    result.summary()["warnings"].append("Flow f.1 was limited by [brackets]: do something.")
    assert "warning: Flow f.1 was limited by [brackets]: do something." in " ".join(
        _text(result).splitlines()[-3:]
    )
