"""Several runs in one panel, and shaded phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import ackclock as ac
from ackclock import plot
from ackclock.cli import main
from ackclock.plot_data.palette import PHASE_SHADES

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.results import Result

Capture = pytest.CaptureFixture[str]


def run(cc: str, count: int = 1, duration: str = "5s") -> Result:
    return ac.run(
        ac.dumbbell(
            rate="10Mbit/s",
            rtt="40ms",
            buffer="1bdp",
            flows=[ac.flow(cc, count=count)],
            duration=duration,
        )
    )


@pytest.fixture(scope="module")
def runs() -> dict[str, Result]:
    return {"Reno": run("reno"), "two CUBIC": run("cubic", 2)}


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def labels(figure: plot.PaperFigure, panel: int = 0) -> list[str]:
    legend = figure.axes[panel].get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def test_an_overlay_has_a_line_per_run_and_a_band_for_several_flows(
    runs: dict[str, Result],
) -> None:
    figure = plot.overlay(runs, "cwnd")
    assert labels(figure) == ["Reno", "two CUBIC"]
    [axes] = figure.axes
    assert axes.get_ylabel() == "cwnd (segments)"
    assert len(axes.collections) == 1


def test_goodput_of_an_overlay_is_that_of_all_flows(runs: dict[str, Result]) -> None:
    [axes] = plot.overlay(runs, "rate").axes
    for line, result in zip(axes.get_lines(), runs.values(), strict=True):
        mean = np.nanmean(np.asarray(line.get_ydata(), dtype=float)) * 1e6
        delivered = 8 * result.flows["goodput_bytes"].sum() / result.end_time
        # Intervals before the first flow's start or after the last edge are left out.
        assert mean == pytest.approx(delivered, rel=0.05)


def test_quantities_get_panels_and_runs_without_names_are_named_by_their_algorithms(
    runs: dict[str, Result],
) -> None:
    figure = plot.overlay(list(runs.values()), ["cwnd", "rtt", "queue"], width="1col")
    assert labels(figure) == ["reno", "cubic"]
    assert len(figure.axes) == 3


def test_one_flow_can_stand_for_a_run(runs: dict[str, Result]) -> None:
    name = runs["two CUBIC"].series[0].name
    figure = plot.overlay({"a": runs["two CUBIC"]}, flow=name)
    assert not figure.axes[0].collections
    with pytest.raises(plot.FigureOptionError, match="has no flow 'x'"):
        plot.overlay(runs, flow="x")
    with pytest.raises(
        plot.FigureOptionError, match=r"no 'cwdn' to overlay; did you mean 'cwnd'\?"
    ):
        plot.overlay(runs, "cwdn")


def test_a_single_flow_has_its_phases_behind_its_window(runs: dict[str, Result]) -> None:
    figure = plot.cwnd(runs["Reno"])
    assert {"slow start", "fast recovery"} <= set(labels(figure))
    assert not set(labels(plot.cwnd(runs["Reno"], phases=False))) & set(PHASE_SHADES)
    bbr = plot.cwnd(run("bbr"))
    assert {"STARTUP", "DRAIN"} <= set(labels(bbr))
    # The kernel's value of ssthresh means nothing to BBR.
    assert "ssthresh" not in labels(bbr)


def test_two_flows_have_a_strip_each_and_many_have_none(runs: dict[str, Result]) -> None:
    [axes] = plot.cwnd(runs["two CUBIC"]).axes
    assert axes.get_ylim()[0] < 0.0
    assert min(axes.get_yticks()) >= 0.0
    assert {"flow1.1", "flow1.2"} <= {text.get_text() for text in axes.texts}
    many = run("reno", 7, "2s")
    [axes] = plot.cwnd(many).axes
    assert axes.get_ylim()[0] == 0.0
    with pytest.raises(plot.FigureOptionError, match="the run has 7 flows, and phases of 6"):
        plot.cwnd(many, phases=True)


TEXT = """
name = "short"
duration = "3s"
[network]
kind = "dumbbell"
bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
[[flows]]
name = "f"
cc = "reno"
start = "uniform(0s, 100ms)"
[compare]
cc = ["reno", "cubic"]
seeds = 2
along = { "network.bottleneck.limit" = ["10 packets", "20 packets"] }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "short.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_variants_of_a_comparison_run_again_with_equal_results() -> None:
    assert status("compare", "short.toml", "-q") == 0
    result = ac.open_sweep("runs/short-comparison")
    traces = result.traces()
    assert list(traces) == ["reno", "cubic"]
    rows = {
        (row["variant"], row["network.bottleneck.limit"], row["seed"]): row["goodput"]
        for row in result.runs.iter_rows(named=True)
    }
    for name, trace in traces.items():
        assert trace.has_samples
        assert trace.value("goodput") == rows[name, "10 packets", 1]
    other = result.traces("network.bottleneck.limit", at={"variant": "cubic"}, seed=2)
    assert list(other) == ["10 packets", "20 packets"]
    assert other["20 packets"].value("goodput") == rows["cubic", "20 packets", 2]
    with pytest.raises(ac.Error, match="the sweep has no axis 'varaint'; did you mean 'variant'"):
        result.traces("varaint")
    with pytest.raises(ac.Error, match="axis 'variant' has no value 'bbr'"):
        result.traces("network.bottleneck.limit", at={"variant": "bbr"})


@pytest.mark.long
def test_plot_overlays_folders_and_variants(folder: Path, capsys: Capture) -> None:
    assert status("compare", "short.toml", "-q") == 0
    for cc in ("reno", "cubic"):
        assert status("run", "short.toml", "-q", "--set", f"flows.cc={cc}", "--out", cc) == 0
    assert status("plot", "reno", "cubic", "--only", "cwnd,queue", "--out", "both.pdf") == 0
    assert capsys.readouterr().err.endswith("Figure: both.pdf\n")
    assert (folder / "both.pdf").stat().st_size > 1000
    assert status("plot", "reno", "cubic") == 0
    assert (folder / "reno" / "plots" / "overlay.svg").is_file()
    variants = ["plot", "runs/short-comparison", "--overlay", "--out", "v.svg", "-q"]
    assert status(*variants, "--only", "rtt", "--by", "network.bottleneck.limit") == 0
    first = (folder / "v.svg").read_bytes()
    assert status(*variants, "--only", "rtt", "--by", "network.bottleneck.limit") == 0
    assert (folder / "v.svg").read_bytes() == first


def test_plot_draws_chosen_figures_with_options(folder: Path) -> None:
    assert status("run", "short.toml", "-q", "--out", "r") == 0
    asked = ["--width", "9cm", "--font", "serif", "--label", "f=Reno", "--grey", "-q"]
    assert status("plot", "r", "--only", "cwnd,rate", "--format", "pgf", *asked) == 0
    assert {path.name for path in (folder / "r" / "plots").iterdir()} == {"cwnd.pgf", "rate.pgf"}
    assert status("plot", "r", "--only", "cwnd,rate", "--out", "one.svg", *asked) == 0
    assert (folder / "one.svg").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "cwdn"], "only: there is no figure 'cwdn'; did you mean 'cwnd'?"),
        (["--width", "3ft"], "width: '3ft' is no length"),
        (["--label", "g=h"], "labels: the figure has no text 'g'"),
        (["--label", "gh"], "--label: 'gh' is not TEXT=NEW, such as flow1=CUBIC"),
        (["--title", "a", "--no-title"], "--title, --no-title: one or the other"),
        (["--by", "cc"], "--by: goes with --overlay"),
        (["--out", "a.pdf", "--format", "svg"], "--out: 'a.pdf' is no .svg, as --format says"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_wrong_option_of_plot_is_one_line_and_draws_nothing(
    folder: Path, arguments: list[str], said: str, capsys: Capture
) -> None:
    assert status("run", "short.toml", "-q", "--out", "r") == 0
    assert status("plot", "r", *arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not list((folder / "r").glob("plots/*"))
