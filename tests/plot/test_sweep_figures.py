"""Figures of sweeps show the frames' values, in the units and on the axes that readers expect."""

import itertools
import re
import zlib
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, to_hex, to_rgb

from ackclock.plot import PaperFigure
from ackclock.plot.sweep import KINDS, ViewError, choose, draw, suitable
from ackclock.plot.sweep.labels import ink
from ackclock.plot_data.sweep.captions import caption
from ackclock.plot_data.sweep.clouds import ellipse
from ackclock.plot_data.sweep.layout import samples
from ackclock.plot_data.sweep.scale import is_logarithmic
from ackclock.sweeps.result import SweepResult
from sweep_frames import CC, COUNT, DELAY, LIMIT, LOST, PATH, UTILISATION, axis, fake_sweep


@pytest.fixture(scope="module")
def buffers() -> SweepResult:
    return fake_sweep((LIMIT, CC), UTILISATION | DELAY, compared="cc")


@pytest.fixture(scope="module")
def flows() -> SweepResult:
    return fake_sweep((COUNT, CC), LOST, replications=5, compared="cc")


@pytest.fixture(scope="module")
def paths() -> SweepResult:
    return fake_sweep((LIMIT, CC, PATH), UTILISATION | DELAY, replications=5, compared="cc")


def ticks(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_xticklabels()]


def texts(figure: PaperFigure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def panels(figure: PaperFigure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def test_means_are_lines_with_their_intervals_as_bands(buffers: SweepResult) -> None:
    (axes,) = draw(buffers).axes
    assert axes.get_ylabel() == "Utilisation (%)"
    assert axes.get_xlabel() == "Limit (packets)"
    assert axes.get_xscale() == "log", "5, 10, 20, 40: equal ratios"
    assert ticks(axes) == ["5", "10", "20", "40"]
    lines = [line for line in axes.get_lines() if len(line.get_xdata()) == 4]
    assert len(lines) == len(axes.collections) == 3
    rows = buffers.table("utilisation")
    for line, band, cc in zip(lines, axes.collections, CC.labels, strict=True):
        own = rows.filter(rows["cc"] == cc)
        assert list(line.get_xdata()) == [5.0, 10.0, 20.0, 40.0]
        assert np.allclose(np.asarray(line.get_ydata(), dtype=float), 100 * own["mean"].to_numpy())
        corners = band.get_paths()[0].vertices
        assert np.allclose(corners[:, 1].min(), 100 * own["low"].min())
        assert np.allclose(corners[:, 1].max(), 100 * own["high"].max())


def test_lines_are_named_beside_their_ends_without_covering_each_other() -> None:
    same = fake_sweep(
        (COUNT, CC), {"lost_packets": lambda where, _: float(where["count"])}, replications=2
    )
    figure = draw(same)
    figure.draw_without_rendering()
    names = [text for text in figure.axes[0].texts if text.get_text()]
    assert [text.get_text() for text in names] == list(CC.labels)
    boxes = [text.get_window_extent() for text in names]
    edge = figure.axes[0].get_window_extent()
    assert all(box.x0 >= edge.x1 - 1 for box in boxes)
    assert all(box.x1 <= figure.bbox.x1 for box in boxes)
    for first, other in itertools.combinations(boxes, 2):
        assert first.y0 >= other.y1 - 1 or other.y0 >= first.y1 - 1


def test_a_response_over_two_decades_has_a_logarithmic_axis(flows: SweepResult) -> None:
    (axes,) = draw(flows).axes
    assert axes.get_yscale() == axes.get_xscale() == "log"
    assert axes.get_xlabel() == "Number of flows"
    assert ticks(axes) == ["1", "3", "10", "32", "100", "316", "1000"]


@pytest.mark.parametrize(
    ("numbers", "logarithmic"),
    [
        ((1.0, 10.0, 100.0), True),
        ((5.0, 10.0, 20.0), True),
        ((1.0, 3.0, 10.0, 32.0, 100.0), True),
        ((1.0, 2.0, 3.0, 4.0, 5.0), False),
        ((10.0, 20.0, 30.0), False),
        ((10.0, 12.0, 15.0), False),
        ((0.0, 1.0, 1000.0), False),
        ((1.0, 50.0), False),
        ((1.0, 100.0), True),
    ],
)
def test_an_axis_is_logarithmic_where_its_values_are(
    numbers: tuple[float, ...], logarithmic: bool
) -> None:
    assert is_logarithmic(numbers) is logarithmic


def test_names_stand_in_the_order_in_which_they_were_given() -> None:
    disciplines = axis("qdisc", "network.bottleneck.qdisc", ("red", "codel", "fifo"))
    (axes,) = draw(fake_sweep((disciplines,), UTILISATION, replications=3)).axes
    assert ticks(axes) == ["red", "codel", "fifo"]
    assert not axes.get_lines() or all(
        line.get_linestyle() == "None" for line in axes.get_lines() if len(line.get_xdata()) > 1
    )


def test_a_third_axis_is_panels(paths: SweepResult) -> None:
    figure = draw(paths)
    assert [axes.get_title() for axes in figure.axes] == ["path = slow", "path = fast"]
    assert len({axes.get_ylim() for axes in figure.axes}) == 1


def test_an_axis_is_held_where_asked_and_the_figure_says_so(paths: SweepResult) -> None:
    (axes,) = draw(paths, at={"path": "fast"}).axes
    assert axes.get_xlabel() == "Limit (packets); at path = fast"
    rows = paths.table("utilisation")
    own = rows.filter((rows["cc"] == "reno") & (rows["path"] == "fast"))
    assert np.allclose(
        np.asarray(axes.get_lines()[0].get_ydata(), dtype=float), 100 * own["mean"].to_numpy()
    )


def test_axes_go_where_they_are_wanted(paths: SweepResult) -> None:
    layout = choose(paths, x="cc", by="path")
    assert layout.x is not None
    assert layout.by is not None
    assert (layout.x.name, layout.by.name, [axis.name for axis in layout.panels]) == (
        "cc",
        "path",
        ["limit"],
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"response": "utilization"},
            (
                "no response 'utilization', only utilisation, queue_delay.p95; did you mean "
                "'utilisation'"
            ),
        ),
        ({"x": "limt"}, "no axis 'limt'; did you mean 'limit'"),
        ({"at": {"cc": "rena"}}, "no value 'rena'; did you mean 'reno'"),
        ({"x": "cc", "by": "cc"}, "both along and apart"),
        ({"x": "cc", "at": {"cc": "reno"}}, "held at one value"),
        ({"kind": "pie"}, "no figure of kind 'pie', only line"),
        ({"kind": "difference", "by": "limit"}, "does not compare along 'limit', only along cc"),
    ],
)
def test_what_cannot_be_drawn_is_told_with_what_can(
    buffers: SweepResult, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ViewError, match=message):
        draw(buffers, **options)


def test_more_panels_than_can_be_read_are_refused_with_the_remedy() -> None:
    size = axis("mss", "flows.mss", tuple(range(8)), tuple(map(float, range(8))))
    many = fake_sweep((COUNT, size, CC, PATH), LOST, replications=1)
    with pytest.raises(ViewError, match=r"panels.* cannot be read: hold an axis at a value"):
        draw(many)
    assert "line" not in {kind for kind, _ in many.pictures}


def test_a_heat_map_has_the_means_in_its_cells_and_one_scale_of_colours(paths: SweepResult) -> None:
    figure = draw(paths, kind="heat")
    maps = [axes.images[0] for axes in panels(figure)]
    assert len({(image.norm.vmin, image.norm.vmax) for image in maps}) == 1
    rows = paths.table("utilisation")
    corner = rows.filter(
        (rows["limit"] == "40 packets") & (rows["cc"] == "bbr") & (rows["path"] == "slow")
    )["mean"][0]
    assert maps[0].get_array()[2, 3] == pytest.approx(100 * corner)
    assert len(texts(figure)) == 24


def test_colours_of_values_over_two_decades_follow_logarithms() -> None:
    figure = draw(fake_sweep((LIMIT, COUNT), LOST, replications=2), kind="heat")
    assert isinstance(panels(figure)[0].images[0].norm, LogNorm)


def test_a_heat_map_of_one_axis_is_refused() -> None:
    with pytest.raises(ViewError, match="needs two axes"):
        draw(fake_sweep((LIMIT,), UTILISATION, replications=2), kind="heat")


def test_boxes_hold_every_run(buffers: SweepResult) -> None:
    (axes,) = draw(buffers, "queue_delay.p95", kind="box").axes
    points = [
        line
        for line in axes.get_lines()
        if line.get_marker() == "." and len(line.get_xdata()) == 10
    ]
    assert len(points) == 12
    runs = 1000 * buffers.runs["queue_delay.p95"].to_numpy()
    drawn = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in points])
    assert np.allclose(np.sort(drawn), np.sort(runs))


def test_a_distribution_climbs_from_nothing_to_all(buffers: SweepResult) -> None:
    figure = draw(buffers, kind="cdf")
    assert len(figure.axes) == 4
    for line in figure.axes[0].get_lines():
        share = np.asarray(line.get_ydata(), dtype=float)
        assert (share[0], share[-1]) == (0.0, 1.0)
        assert np.all(np.diff(np.asarray(line.get_xdata(), dtype=float)) >= 0.0)


def test_an_ellipse_is_one_standard_deviation_of_its_runs() -> None:
    rng = np.random.default_rng(1)
    pairs = rng.multivariate_normal([3.0, 5.0], [[2.0, 0.8], [0.8, 1.0]], size=400)
    centre, outline = ellipse(pairs)
    assert outline is not None
    inverse = np.linalg.inv(np.cov(pairs, rowvar=False))
    # Mahalanobis distance one all around.
    distance = np.einsum("ij,jk,ik->i", outline - centre, inverse, outline - centre)
    assert np.allclose(distance, 1.0)
    assert ellipse(pairs[:2])[1] is None


def test_throughput_stands_against_delay_and_less_delay_is_to_the_right(
    buffers: SweepResult,
) -> None:
    (axes,) = draw(buffers, kind="scatter").axes
    assert axes.xaxis_inverted()
    assert "Queue delay p95 (ms)" in axes.get_xlabel()
    assert axes.get_ylabel() == "Utilisation (%)"
    assert set(texts(draw(buffers, kind="scatter"))) >= set(CC.labels)


def test_a_scatter_without_a_delay_says_what_it_lacks(flows: SweepResult) -> None:
    with pytest.raises(
        ViewError, match=r"needs a throughput .* and a delay .* among the responses: lost_packets"
    ):
        draw(flows, kind="scatter")


def test_differences_that_may_be_none_are_hollow() -> None:
    def response(where: dict[str, Any], rng: np.random.Generator) -> float:
        noise, other = rng.normal(size=2)
        return {"reno": noise, "cubic": noise + 0.01 * other, "bbr": noise + 3.0 + 0.1 * other}[
            where["cc"]
        ] + 10.0

    (axes,) = draw(fake_sweep((CC,), {"goodput": response}, compared="cc"), kind="difference").axes
    marks = {
        line.get_marker(): line.get_markerfacecolor()
        for line in axes.get_lines()
        if line.get_marker() != "None"
    }
    assert marks["s"] == "white"
    assert marks["^"] != "white"
    assert any(np.all(np.asarray(line.get_xdata()) == 0.0) for line in axes.get_lines()), (
        "the line of no difference"
    )


def test_ratios_stand_against_one() -> None:
    (axes,) = draw(
        fake_sweep((CC, PATH), UTILISATION, compared="cc", ratio=True), kind="difference"
    ).axes
    assert axes.get_xlabel() == "Utilisation: ratio to reno"
    assert any(np.all(np.asarray(line.get_xdata()) == 1.0) for line in axes.get_lines())


def test_many_differences_over_numbers_are_bands() -> None:
    many = fake_sweep(
        (COUNT, CC, axis("run", "flows.mss", ("a", "b"))), LOST, replications=3, compared="cc"
    )
    figure = draw(many, kind="difference")
    assert len(figure.axes) == 2
    assert figure.axes[0].collections


def _hollow(figure: PaperFigure) -> int:
    return sum(
        len(np.atleast_1d(line.get_xdata()))
        for axes in figure.axes
        for line in axes.get_lines()
        if line.get_marker() not in {"None", None, ""} and line.get_markerfacecolor() == "white"
    )


def _has_height(drawn: Any) -> bool:
    return any(
        np.ptp(path.vertices[:, 1]) > 0.0 for path in drawn.get_paths() if len(path.vertices)
    )


@pytest.mark.long
@pytest.mark.parametrize("replications", [1, 2, 3, 70])
@pytest.mark.parametrize(
    "axes", [(LIMIT, CC), (COUNT, CC, axis("run", "flows.mss", ("a", "b"))), (PATH, CC)]
)
def test_a_caption_says_what_is_drawn_and_nothing_else(
    axes: tuple[Any, ...], replications: int
) -> None:
    def noise(where: dict[str, Any], rng: np.random.Generator) -> float:
        # Each setting its own, so that differences are chance alone.
        return 10.0 + float(rng.normal(size=97)[zlib.crc32(repr(where).encode()) % 97])

    result = fake_sweep(
        axes, {"goodput": noise, "queue_delay.p95": noise}, replications=replications, compared="cc"
    )
    (response, _) = result.design.responses
    figure = draw(result, kind="difference")
    assert ("hollow" in caption("difference", result, response)) == (replications > 1)
    if replications > 1:
        assert _hollow(figure) > 0
    lines = draw(result, kind="line")
    has_intervals = any(
        _has_height(collection) for drawn in lines.axes for collection in drawn.collections
    )
    assert (
        ("with intervals" in caption("line", result, response))
        == has_intervals
        == (replications > 1)
    )
    scatter = draw(result, kind="scatter")
    assert ("ellipse" in caption("scatter", result, None)) == any(
        drawn.patches for drawn in scatter.axes
    )
    boxes = draw(result, kind="box", at={"limit": LIMIT.labels[0]} if LIMIT in axes else None)
    points = sum(
        len(np.atleast_1d(line.get_xdata()))
        for drawn in boxes.axes
        for line in drawn.get_lines()
        if line.get_marker() == "."
    )
    runs = sum(len(by_seed) for by_seed in samples(result, response).values()) // (
        len(LIMIT.labels) if LIMIT in axes else 1
    )
    assert ("each point is a run" in caption("box", result, response)) == (points == runs)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_the_same_bytes_twice(buffers: SweepResult, kind: str) -> None:
    assert draw(buffers, kind=kind).svg() == draw(buffers, kind=kind).svg()


@pytest.mark.long
def test_every_figure_that_suits_the_design_is_drawn(buffers: SweepResult) -> None:
    assert list(buffers.pictures) == list(suitable(buffers))
    assert {kind for kind, _ in buffers.pictures} == {"scatter", "line", "difference", "box", "cdf"}
    assert all(re.search(r'<svg[^>]* width="[0-9.]+pt"', svg) for svg in buffers.pictures.values())


def test_a_sweep_without_axes_or_without_values_still_draws() -> None:
    draw(fake_sweep((), UTILISATION)).svg()
    nothing = fake_sweep((LIMIT,), {"fct.mean": lambda _where, _rng: None}, replications=2)
    assert nothing.pictures == {}
    draw(nothing).svg()


def test_one_run_per_setting_has_lines_without_bands() -> None:
    draw(fake_sweep((LIMIT, CC), UTILISATION, replications=1, compared="cc"), kind="line").svg()


@pytest.mark.parametrize("colour", ["#E69F00", "#56B4E9", "#CC79A7", "#0072B2"])
def test_names_can_be_read_on_white(colour: str) -> None:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(ink(colour))
    ]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    assert 1.05 / (luminance + 0.05) >= 4.5
    assert to_hex(ink(colour)) == ink(colour)


def test_the_topmost_point_of_close_values_is_whole() -> None:
    close = fake_sweep(
        (LIMIT, CC),
        {"lost_packets": lambda where, _: {"reno": 0.0, "cubic": 99.0, "bbr": 100.0}[where["cc"]]},
        replications=2,
    )
    (axes,) = draw(close).axes
    assert axes.get_ylim()[0] == 0.0
    assert axes.get_ylim()[1] >= 105.0
