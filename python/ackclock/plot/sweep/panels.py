"""The panels of a sweep's figures: one for each combination of values of `Layout.panels`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.style import ONE_COLUMN, TWO_COLUMNS, new_figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.sweeps.axes import Axis
    from ackclock.views.figure import PaperFigure

__all__ = ["Panels", "panels"]


@dataclass(frozen=True)
class Panels:
    """A figure's panels."""

    figure: PaperFigure
    axes: list[Axes]
    places: list[Place]
    columns: int
    width: float
    """Approximate width of one panel, inches."""
    shared: bool
    """Whether all panels share one horizontal scale."""
    held: str
    """Note on the values that all panels have in common."""

    def __iter__(self) -> Iterator[tuple[Axes, Place]]:
        """Each panel with its place."""
        return iter(zip(self.axes, self.places, strict=True))

    def last_of_row(self, index: int) -> bool:
        """Whether a panel has free room to its right."""
        return index % self.columns == self.columns - 1 or index == len(self.axes) - 1

    def tidy(self, x_title: str, y_title: str) -> None:
        """Title the axes once for all panels, with a note on the held axes."""
        x_title = "; at ".join(part for part in (x_title, self.held) if part)
        for index, axes in enumerate(self.axes):
            axes.set_xlabel("")
            axes.set_ylabel("")
            # A panel with nothing below it has labels, even if it is not in the last row.
            axes.tick_params(labelbottom=not self.shared or index + self.columns >= len(self.axes))
        if len(self.axes) == 1:
            self.axes[0].set_xlabel(x_title)
            self.axes[0].set_ylabel(y_title)
        else:
            self.figure.supxlabel(x_title, fontsize=8)
            self.figure.supylabel(y_title, fontsize=8)


def panels(
    layout: Layout,
    axes: Sequence[Axis],
    *,
    width: float | None,
    height: float = 2.3,
    share_x: bool = True,
) -> Panels:
    """An empty figure with a titled panel for each place; sizes in inches."""
    places = list(layout.each_panel())
    columns = _columns(len(places))
    rows = -(-len(places) // columns)
    wide = width or (ONE_COLUMN if columns == 1 else TWO_COLUMNS)
    figure = new_figure(wide, height if rows == 1 else 0.85 * height * rows + 0.3)
    grid = figure.subplots(rows, columns, sharey=True, sharex=share_x, squeeze=False)
    for left in grid.flat[len(places) :]:
        left.remove()
    used = list(grid.flat[: len(places)])
    for panel, (_, title) in zip(used, places, strict=True):
        if title:
            panel.set_title(title)
    return Panels(
        figure,
        used,
        [place for place, _ in places],
        columns,
        (wide - 0.9) / columns - 0.1,
        share_x,
        layout.held_text(axes),
    )


def _columns(count: int) -> int:
    """Number of columns, at most four, that leaves the fewest places empty; three if in doubt."""
    if count <= 3:
        return count
    return min((3, 2, 4) if count == 4 else (3, 4, 2), key=lambda columns: -count % columns)
