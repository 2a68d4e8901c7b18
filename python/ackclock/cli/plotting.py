"""The steps of ``ackclock plot``: read runs, draw their figures, or an overlay of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.cli.errors import InputError
from ackclock.cli.figure_options import FIGURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.results import Result
    from ackclock.views.figure import PaperFigure
    from ackclock.views.figure_options import Options

__all__ = ["Wish", "draw_overlay", "draw_run", "read_run", "read_runs"]


@dataclass(frozen=True)
class Wish:
    """The figures that a user asks for."""

    names: list[str] | None
    """Names of figures or panels; None: all."""
    suffix: str | None
    """Format; None: SVG, or the format of the file `out`."""
    out: Path | None
    """Folder, or the file of one figure."""
    phases: bool | None
    look: Options
    quiet: bool

    @property
    def file(self) -> Path | None:
        """The file of a single figure, if `out` is one; its suffix agrees with `suffix`."""
        if self.out is None or self.out.suffix[1:] not in FIGURE_SUFFIXES:
            return None
        if self.suffix is not None and self.out.suffix != f".{self.suffix}":
            raise InputError(f"--out: '{self.out}' is no .{self.suffix}, as --format says")
        return self.out


def read_run(folder: str) -> Result:
    """The run in a folder, with time series.

    Raises
    ------
    InputError
        If there is none.
    """
    from ackclock.results import Result
    from ackclock.sweeps.result import refuse_earlier

    where = Path(folder)
    if not where.is_dir():
        raise InputError(f"{folder}: there is no such folder; give one that ackclock run wrote")
    try:
        refuse_earlier(where)
        result = Result.load(where)
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: the results there cannot be read: {error}") from None
    if not result.has_samples:
        raise InputError(
            f'{folder}: no time series were recorded: set record.samples, for instance "10ms"'
        )
    return result


def read_runs(
    folders: Sequence[str], *, by: str | None, at: Mapping[str, str], seed: int | None
) -> dict[str, Result]:
    """Runs by name: those in the folders, and the variants of sweeps, which run again.

    Raises
    ------
    InputError
        If a folder has no run or sweep, or a sweep has no such axis or value.
    """
    from ackclock.atomic_io import is_file
    from ackclock.sweeps.sweeping import open_sweep

    results: dict[str, Result] = {}
    for folder in folders:
        where = Path(folder)
        if is_file(where, "sweep.toml"):
            try:
                variants = open_sweep(where).traces(by, at=at, seed=seed)
            except (ValueError, FileNotFoundError) as error:
                raise InputError(f"{folder}: {error}") from None
        else:
            variants = {where.resolve().name: read_run(folder)}
        for name, result in variants.items():
            if name in results:
                name = f"{where.resolve().name}: {name}"
            results[name] = result
    return results


def draw_run(result: Result, folder: Path, wish: Wish) -> None:
    """Draw a run's figures into files, each in its own, or one figure of several panels."""
    from ackclock.cli.target import check_target_file
    from ackclock.runtime.extras import require

    require("plots")
    if wish.file is not None:
        check_target_file(wish.file)
        names = wish.names or ["overview"]
        # Loading matplotlib takes as long as a short run.
        from ackclock.plot import figures, overview

        if len(names) == 1:
            [(_, single)] = figures(result, only=names, phases=wish.phases, **wish.look)
            _write({wish.file: single}, wish)
        else:
            figure = overview(result, only=names, phases=wish.phases, **wish.look)
            _write({wish.file: figure}, wish)
        return
    suffix = wish.suffix or "svg"
    target = wish.out if wish.out is not None else folder / "plots"
    beneath = wish.out if wish.out is not None else folder
    from ackclock.plot.overview import FIGURES, check_names

    names = check_names(wish.names or FIGURES, FIGURES)
    _make(target, beneath)
    check_target_file(target / f"{names[0]}.{suffix}", beneath=beneath)
    from ackclock.plot import figures
    from ackclock.plot.looking import check_labels, rename, texts_of
    from ackclock.views.figure_options import make_look

    look: Any = dict(wish.look)
    labels = look.pop("labels", {})
    plain = figures(result, only=wish.names, phases=wish.phases, **look)
    made = {target / f"{name}.{suffix}": figure for name, figure in plain}
    if labels:
        # A text must be in one of the figures at least.
        every = [text for figure in made.values() for text in texts_of(figure)]
        check_labels(make_look(labels=labels), every)
        for figure in made.values():
            rename(figure, make_look(labels=labels))
    _write(made, wish, place=target, beneath=beneath)


def draw_overlay(
    runs: Mapping[str, Result], folders: Sequence[str], flow: str | None, wish: Wish
) -> None:
    """Draw quantities of several runs, a panel for each quantity."""
    from ackclock.cli.target import check_target_file
    from ackclock.runtime.extras import require

    require("plots")
    from ackclock.plot.overlay import QUANTITIES, overlay
    from ackclock.plot.overview import check_names

    names = check_names(wish.names or QUANTITIES, QUANTITIES)
    target, beneath = wish.file, None
    if target is None:
        beneath = wish.out if wish.out is not None else Path(folders[0])
        inside = wish.out if wish.out is not None else beneath / "plots"
        _make(inside, beneath)
        target = inside / f"overlay.{wish.suffix or 'svg'}"
    check_target_file(target, beneath=beneath)
    _write({target: overlay(runs, names, flow=flow, **wish.look)}, wish, beneath=beneath)


def _write(
    figures: Mapping[Path, PaperFigure],
    wish: Wish,
    *,
    place: Path | None = None,
    beneath: Path | None = None,
) -> None:
    from ackclock.atomic_io import whole_file
    from ackclock.cli.progress import messages

    for path, figure in figures.items():
        with whole_file(path, beneath=beneath) as temporary:
            figure.write(temporary)
    message = f"Figures: {place}" if place is not None else f"Figure: {next(iter(figures))}"
    messages(quiet=wish.quiet).print(message, soft_wrap=True)


def _make(folder: Path, beneath: Path) -> None:
    from ackclock.atomic_io import LinkError, make_folders

    try:
        if folder == beneath:
            folder.mkdir(parents=True, exist_ok=True)
        else:
            make_folders(beneath, folder.relative_to(beneath).as_posix())
    except LinkError as error:
        raise InputError(f"{error} with --out") from None
    except OSError as error:
        raise InputError(f"--out: '{folder}' cannot be made: {error.strerror}") from None
