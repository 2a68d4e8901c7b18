"""Gives a figure the look that a user asks for: size, font, names, legend, grid, grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean
from ackclock.runtime.extras import is_installed, require
from ackclock.views.figure import paper, settings
from ackclock.views.figure_options import FONTS, FigureOptionError, Look

# Papers import this module also where nothing can be drawn.
if TYPE_CHECKING or is_installed("plots"):
    from matplotlib import font_manager
    from matplotlib.collections import Collection
    from matplotlib.colors import ListedColormap, to_rgba, to_rgba_array
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

    from ackclock.views.figure import PaperFigure

__all__ = ["check_labels", "drawn", "rename", "texts_of"]

_SIZE = 8.0
"""Size of labels in figures for print, pt."""
_SMALL = 7 / 8
"""Size of ticks and legends, as a share of that of labels."""
_LUMA = (0.2126, 0.7152, 0.0722)
"""Weights of red, green and blue in lightness (ITU-R BT.709)."""


def drawn(
    draw: Callable[[], PaperFigure], look: Look, *, checks_labels: bool = True
) -> PaperFigure:
    """Draw a figure with a look.

    Parameters
    ----------
    draw
        Function that draws the figure, in the width that the look gives.
    look
        The look.
    checks_labels
        Whether a text in `look.labels` that the figure does not have is an error.

    Raises
    ------
    FigureOptionError
        If there is no such font, or the figure has no such text, or several panels have no common
        label.
    ackclock.runtime.extras.MissingExtraError
        If matplotlib is not installed.
    """
    require("plots")
    _check_font(look)
    with settings(_settings(look)):
        figure = draw()
        with paper():
            if checks_labels:
                check_labels(look, texts_of(figure))
            _finish(figure, look)
    return figure


def texts_of(figure: PaperFigure) -> list[str]:
    """The texts of a figure that `Look.labels` may replace."""
    texts = [text.get_text() for text in figure.findobj(Text)]
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            formatter = axis.get_major_formatter()
            if isinstance(formatter, FixedFormatter):
                texts += [str(text) for text in formatter.seq]
    return list(dict.fromkeys(text for text in texts if text.strip()))


def check_labels(look: Look, texts: Sequence[str]) -> None:
    """Check that each text to be replaced is there.

    Raises
    ------
    FigureOptionError
        If one is not; the text names the nearest.
    """
    names = list(dict.fromkeys(part for text in texts for part in (text, _name(text))))
    for old in look.labels:
        if old not in names:
            raise FigureOptionError(
                f"labels: the figure has no text '{old}'{did_you_mean(old, names)}"
            )


def _check_font(look: Look) -> None:
    if look.font is None or look.font in FONTS:
        return
    names = sorted({font.name for font in font_manager.fontManager.ttflist})
    if look.font not in names:
        raise FigureOptionError(
            f"font: there is no font '{look.font}' on this machine{did_you_mean(look.font, names)} "
            f"(everywhere: {', '.join(FONTS)})"
        )


def _settings(look: Look) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if look.font is not None:
        settings |= {"font.family": look.font}
        # Formulas and powers of ten match the text.
        settings |= {"mathtext.fontset": "dejavuserif" if look.font == "serif" else "dejavusans"}
    if look.font_size is not None:
        size = look.font_size
        settings |= {"font.size": size, "axes.labelsize": size, "axes.titlesize": size}
        small = ("legend.fontsize", "xtick.labelsize", "ytick.labelsize")
        settings |= dict.fromkeys(small, size * _SMALL)
    if not look.grid:
        settings["axes.grid"] = False
    return settings


def _finish(figure: PaperFigure, look: Look) -> None:
    width, height = figure.get_size_inches()
    figure.set_size_inches(look.width or width, look.height or height)
    if look.font_size is not None:
        _scale_texts(figure, look.font_size)
    if not look.grid:
        for axes in figure.axes:
            axes.grid(visible=False)
    rename(figure, look)
    _label(figure, look)
    _set_title(figure, look)
    if look.legend is not None:
        _place_legends(figure, look.legend)
    if look.grey:
        _make_grey(figure)


def _scale_texts(figure: PaperFigure, size: float) -> None:
    """Scale texts with a size of their own, such as notes."""
    for text in figure.findobj(Text):
        own = float(text.get_fontsize())
        if all(abs(own - usual) > 0.01 for usual in (size, size * _SMALL)):
            text.set_fontsize(own * size / _SIZE)


def _name(text: str) -> str:
    """A flow's name without its congestion control: `flow1 (cubic)` is `flow1`."""
    return text.partition(" (")[0]


def rename(figure: PaperFigure, look: Look) -> None:
    """Replace the texts in `look.labels`; texts that the figure does not have are left out."""

    def replaced(text: str) -> str:
        return look.labels.get(text, look.labels.get(_name(text), text))

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            formatter = axis.get_major_formatter()
            if isinstance(formatter, FixedFormatter):
                formatter.seq = [replaced(str(text)) for text in formatter.seq]
    for text in figure.findobj(Text):
        text.set_text(replaced(text.get_text()))


def _label(figure: PaperFigure, look: Look) -> None:
    panels = [axes for axes in figure.axes if axes.get_ylabel() or axes.get_xlabel()]
    if look.x_label is not None:
        for axes in panels:
            if axes.get_xlabel():
                axes.set_xlabel(look.x_label)
    if look.y_label is not None:
        named = [axes for axes in panels if axes.get_ylabel()]
        if len(named) > 1:
            raise FigureOptionError(
                f"y_label: the figure has {len(named)} panels; rename each with labels, such as "
                f"{named[0].get_ylabel()!r}"
            )
        for axes in named:
            axes.set_ylabel(look.y_label)


def _set_title(figure: PaperFigure, look: Look) -> None:
    if look.title is False:
        for axes in figure.axes:
            for place in ("left", "center", "right"):
                axes.set_title("", loc=place)
        if figure.get_suptitle():
            figure.suptitle("")
    elif isinstance(look.title, str):
        engine = figure.get_suptitle()
        figure.suptitle(
            " · ".join([look.title, engine] if engine else [look.title]), fontsize="medium"
        )


def _legends(figure: PaperFigure) -> Iterator[tuple[Axes | PaperFigure, Legend]]:
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is not None:
            yield axes, legend
    for legend in list(figure.legends):
        yield figure, legend


def _place_legends(figure: PaperFigure, place: str) -> None:
    for owner, legend in list(_legends(figure)):
        handles = [handle for handle in legend.legend_handles if handle is not None]
        names = [text.get_text() for text in legend.get_texts()]
        legend.remove()
        if place == "none":
            continue
        home: Any = owner if owner is not figure else figure.axes[0]
        if place == "above":
            room = 72 * figure.get_figwidth() - 40
            widest = max(4.0 * len(name) + 29 for name in names)
            home.legend(
                handles,
                names,
                loc="lower left",
                bbox_to_anchor=(0.0, 1.0),
                ncols=max(1, min(len(names), int(room / widest))),
                columnspacing=1.2,
            )
        elif place == "right":
            home.legend(handles, names, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        else:
            home.legend(handles, names, loc=place)


def _make_grey(figure: PaperFigure) -> None:
    for line in figure.findobj(Line2D):
        line.set_color(_grey(line.get_color()))
        line.set_markeredgecolor(_grey(line.get_markeredgecolor()))
        line.set_markerfacecolor(_grey(line.get_markerfacecolor()))
    for patch in figure.findobj(Patch):
        edge = _grey(patch.get_edgecolor())
        patch.set_facecolor(_grey(patch.get_facecolor()))
        patch.set_edgecolor(edge)
    for many in figure.findobj(Collection):
        if many.get_array() is None:
            edges = _greys(many.get_edgecolor())
            many.set_facecolor(_greys(many.get_facecolor()))
            many.set_edgecolor(edges)
        else:
            many.set_cmap(_grey_map(many.get_cmap()))
    for image in figure.findobj(AxesImage):
        image.set_cmap(_grey_map(image.get_cmap()))
    for text in figure.findobj(Text):
        text.set_color(_grey(text.get_color()))


def _grey(colour: Any) -> Any:
    """The grey of equal lightness; "none" stays."""
    if isinstance(colour, str) and colour == "none":
        return colour
    *rgb, alpha = to_rgba(colour)
    light = sum(weight * part for weight, part in zip(_LUMA, rgb, strict=True))
    return (light, light, light, alpha)


def _greys(colours: Any) -> Any:
    return [_grey(tuple(colour)) for colour in to_rgba_array(colours)]


def _grey_map(colours: Any) -> ListedColormap:
    return ListedColormap([_grey(colours(index / 255)) for index in range(256)])
