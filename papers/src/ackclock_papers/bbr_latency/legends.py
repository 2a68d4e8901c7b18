"""A legend beside a figure that shows several panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.views.figure import PaperFigure


def legend_beside(figure: PaperFigure, axes: Axes) -> None:
    """Draw the legend of `axes` to the right of all panels."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right center")
