"""Labels beside lines and marks, placed where they hide nothing; legends and ticks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, DASHES, MARKERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from ackclock.sweeps.axes import Axis
    from ackclock.views.figure import PaperFigure

__all__ = ["Look", "beside_lines", "beside_points", "ink", "legend_above", "looks", "name_ticks"]

_FONT = 7.0
_GAP = 1.2 * _FONT


@dataclass(frozen=True)
class Look:
    """Style of one value of an axis in every panel."""

    label: str
    colour: str
    dashes: Any
    marker: str


def looks(axis: Axis | None) -> list[Look]:
    """A style for each value of an axis; numbers get an ordered range of colours."""
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    if axis is None:
        return [Look("", COLOURS[0], DASHES[0], MARKERS[0])]
    count = len(axis.labels)
    if (axis.numbers is not None and count > 3) or count > len(COLOURS):
        # The last 12 % of the range are too pale for lines on white.
        shades = mpl.colormaps["viridis"]
        colours = [to_hex(shades(0.88 * index / (count - 1))) for index in range(count)]
    else:
        colours = list(COLOURS[:count])
    return [
        Look(str(label), colours[index], DASHES[index % len(DASHES)], MARKERS[index % len(MARKERS)])
        for index, label in enumerate(axis.labels)
    ]


def ink(colour: str) -> str:
    """Darken a colour for text on white (contrast at least 4.5:1, WCAG 2.1)."""
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = to_rgb(colour)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < 4.5:
        red, green, blue = 0.93 * red, 0.93 * green, 0.93 * blue
    return to_hex((red, green, blue))


def _luminance(red: float, green: float, blue: float) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red, green, blue)
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def beside_lines(
    figure: PaperFigure, axes: Axes, ends: Sequence[tuple[float, float, Look]]
) -> None:
    """Write each line's name to the right of its end, without overlaps.

    `ends` has the last point of each line. Limits and all other parts of the axes must be set.
    """
    texts = [
        axes.text(
            1.0,
            y,
            look.label,
            fontsize=_FONT,
            color=ink(look.colour),
            va="center_baseline",
            transform=_at_edge(figure, axes, 6.0, 0.0),
        )
        for _, y, look in ends
    ]
    figure.draw_without_rendering()
    to_points = 72.0 / figure.dpi
    box = axes.get_window_extent()
    wanted = [float(axes.transData.transform((x, y))[1]) * to_points for x, y, _ in ends]
    placed = _apart(wanted, box.y0 * to_points, box.y1 * to_points)
    for (x, y, look), text, old, new in zip(ends, texts, wanted, placed, strict=True):
        text.set_transform(_at_edge(figure, axes, 6.0, new - old))
        across = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[0]
        if abs(new - old) > 0.3 * _GAP or abs(float(across) - 1.0) >= 0.1:
            axes.annotate(
                "",
                xy=(x, y),
                xytext=(1.0, y),
                textcoords=_at_edge(figure, axes, 5.0, new - old),
                arrowprops={
                    "arrowstyle": "-",
                    "color": look.colour,
                    "linewidth": 0.5,
                    "shrinkA": 0,
                    "shrinkB": 2,
                },
                annotation_clip=False,
            )


def _at_edge(figure: PaperFigure, axes: Axes, right: float, up: float) -> Any:
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    shift = ScaledTranslation(right / 72, up / 72, figure.dpi_scale_trans)
    return blended_transform_factory(axes.transAxes, axes.transData) + shift


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Heights close to the wanted ones, each at least a line of text apart from the next.

    Names that touch become a block, which is centred on the mean of its wanted heights.
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], -index))
    blocks: list[list[int]] = []
    middles: list[float] = []
    for index in order:
        blocks.append([index])
        middles.append(wanted[index])
        while (
            len(blocks) > 1
            and middles[-1] - middles[-2] < _GAP * (len(blocks[-1]) + len(blocks[-2])) / 2
        ):
            merged = blocks[-2] + blocks[-1]
            blocks[-2:] = [merged]
            middle = sum(wanted[member] for member in merged) / len(merged)
            half = _GAP * (len(merged) - 1) / 2
            middles[-2:] = [
                min(max(middle, low + half), high - half)
                if 2 * half < high - low
                else (low + high) / 2
            ]
    placed = [0.0] * len(wanted)
    for block, middle in zip(blocks, middles, strict=True):
        for rank, index in enumerate(block):
            placed[index] = middle + _GAP * (rank - (len(block) - 1) / 2)
    return placed


def fits_beside(figure: PaperFigure, axes: Axes, count: int) -> bool:
    """Whether `count` names fit one above the other beside the axes."""
    figure.draw_without_rendering()
    return axes.get_window_extent().height * 72.0 / figure.dpi >= count * _GAP


def beside_points(
    figure: PaperFigure,
    axes: Axes,
    marks: Sequence[tuple[float, float, Bbox, Look]],
    others: Sequence[Bbox] = (),
) -> None:
    """Write each mark's name where it covers no other mark and no other name.

    `marks` have a centre and a box in the axes' units; names keep off the boxes in `others`, too.
    Limits and all other parts of the axes must be set.
    """
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    scale = figure.dpi / 72.0
    frame = axes.get_window_extent()
    boxes = [_on_screen(axes, box, (x, y), 4.0 * scale) for x, y, box, _ in marks]
    hidden = [
        *boxes,
        *(
            _on_screen(axes, box, ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), 3.0 * scale)
            for box in others
        ),
    ]
    taken: list[Bbox] = []
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    for (x, y, _, look), own in zip(marks, boxes, strict=True):
        centre = axes.transData.transform((x, y))
        text = axes.annotate(
            look.label,
            (x, y),
            xytext=(0, 0),
            textcoords="offset points",
            fontsize=_FONT,
            color=ink(look.colour),
            va="bottom",
            zorder=6,
        )
        size = text.get_window_extent(renderer)
        best, cost = (0.0, 0.0), float("inf")
        for rank, (left, bottom) in enumerate(
            _candidates(own, size.width, size.height, 2.0 * scale)
        ):
            there = Bbox.from_bounds(left, bottom, size.width, size.height)
            spent = rank * 0.02 * size.width * size.height + sum(
                _overlap(there, other) for other in [*hidden, *taken]
            )
            spent += 20.0 * (there.width * there.height - _overlap(there, frame))
            if spent < cost:
                best, cost = (left, bottom), spent
        text.set_position(((best[0] - centre[0]) / scale, (best[1] - centre[1]) / scale))
        taken.append(Bbox.from_bounds(*best, size.width, size.height))


def _on_screen(axes: Axes, box: Bbox, centre: tuple[float, float], least: float) -> Bbox:
    """Convert a box to pixels, with at least `least` on every side of its centre."""
    from matplotlib.transforms import Bbox

    corners = axes.transData.transform([[box.x0, box.y0], [box.x1, box.y1]])
    x, y = axes.transData.transform(centre)
    return Bbox.from_extents(
        min(*corners[:, 0], x - least),
        min(*corners[:, 1], y - least),
        max(*corners[:, 0], x + least),
        max(*corners[:, 1], y + least),
    )


def _candidates(own: Bbox, width: float, height: float, gap: float) -> list[tuple[float, float]]:
    middle_x, middle_y = (own.x0 + own.x1 - width) / 2, (own.y0 + own.y1 - height) / 2
    right, left, above, below = (
        own.x1 + gap,
        own.x0 - gap - width,
        own.y1 + gap,
        own.y0 - gap - height,
    )
    return [
        (right, middle_y), (left, middle_y), (middle_x, above), (middle_x, below),
        (right, above), (left, above), (right, below), (left, below),
    ]  # fmt: skip


def _overlap(box: Bbox, other: Bbox) -> float:
    from matplotlib.transforms import Bbox

    common = Bbox.intersection(box, other)
    return 0.0 if common is None else float(common.width * common.height)


def name_ticks(axes: Axes, texts: Sequence[str], room: float) -> None:
    """Name the ticks 0, 1, ... of a horizontal axis; slanted if `room` inches each are too few."""
    slanted = max(map(len, texts)) * 4.2 > 72 * room
    axes.set_xticks(
        range(len(texts)),
        texts,
        rotation=30 if slanted else 0,
        ha="right" if slanted else "center",
        rotation_mode="anchor",
    )


def legend_above(
    figure: PaperFigure, handles: Sequence[Any], names: Sequence[str], width: float | None = None
) -> None:
    """Add a legend in rows above the panels; by default as wide as the figure, inches."""
    room = 72 * (width or figure.get_figwidth()) - 8
    widths = [3.9 * len(name) + 29 for name in names]
    columns = len(names) if sum(widths) <= room else max(1, int(room / max(widths)))
    # matplotlib fills columns; names are read in rows.
    order = [index for column in range(columns) for index in range(column, len(names), columns)]
    figure.legend(
        [handles[index] for index in order],
        [names[index] for index in order],
        loc="outside upper left",
        ncols=max(columns, 1),
        columnspacing=1.2,
    )


def pale(colour: str) -> str:
    """A pale, opaque version of a colour: a grid behind it does not show."""
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = to_rgb(colour)
    return to_hex((0.75 + 0.25 * red, 0.75 + 0.25 * green, 0.75 + 0.25 * blue))
