"""A sweep's result: frames, files, views."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, Unpack

from typing_extensions import TypedDict

from ackclock.atomic_io import (
    Kind,
    is_file,
    read_json,
    read_table,
    recover,
    whole_files,
    write_parquet,
    write_text,
)
from ackclock.atomic_io.reading import DamagedError, decoding, shaped
from ackclock.errors import FileMissingError, FormatError, UnknownNameError
from ackclock.results import files
from ackclock.runtime.extras import is_installed
from ackclock.runtime.permission import looking
from ackclock.scenario.randomness import Starts
from ackclock.sweeps.pictures import KINDS, stem
from ackclock.views import view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from rich.console import RenderableType

    from ackclock.metrics import Metric
    from ackclock.results import Result
    from ackclock.sweeps.analysis import ByChance, Run, Unchanged
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.pictures import Kind as PictureKind
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.sequential import Stopped
    from ackclock.tables.frame import Frame
    from ackclock.tables.table import Table
    from ackclock.views.figure import PaperFigure
    from ackclock.views.figure_options import Options

__all__ = ["KIND", "NEXT", "SWEEP", "SweepResult", "refuse_earlier"]

KIND = "ackclock sweep"
"""The value of `kind` in sweep.json."""
NEXT = "sweep.next.toml"
"""File of a sweep in progress in the folder of a finished one.

The results of the finished sweep stay until the new one is finished, too.
"""


def _before_contents(folder: Path) -> set[str]:
    """Files of a sweep by an earlier ackclock, which wrote no contents.json."""
    names = {
        "sweep.toml",
        "sweep.json",
        "report.html",
        *(f"{name}.parquet" for name in ("runs", "responses", "differences")),
    }
    try:
        responses = [
            "",
            *(str(response["name"]) for response in read_json(folder, "sweep.json")["responses"]),
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return names
    return names | {f"plots/{stem(kind, response)}.svg" for kind in KINDS for response in responses}


SWEEP = Kind(
    "sweep",
    "sweep.toml",
    _before_contents,
    possible=r"sweep(?:\.next)?\.toml|sweep\.json|timing\.json|report\.html"
    r"|(?:runs|responses|differences)\.parquet|plots/[^/]+\.svg",
    later=frozenset({"sweep.toml", NEXT, "report.html", "timing.json"}),
    beside=frozenset({"runs", "runs.mark"}),
    last="sweep.json",
)


def refuse_earlier(folder: Path) -> None:
    """Refuse the folder of a comparison that an earlier ackclock wrote.

    Raises
    ------
    FileMissingError
        If the folder holds such a comparison; the text says what to do.
    """
    if is_file(folder, "comparison.json"):
        raise FileMissingError(
            f"{folder}: a comparison in the layout of an earlier ackclock, which this one does not "
            f"read: make it again with ackclock compare {folder / 'scenario.toml'} --out ANOTHER"
        )


def _told_of(response: Response) -> dict[str, str]:
    """A response as in sweep.json; a metric of the user has its definition and source there."""
    from ackclock.metrics import METRICS

    figure = response.figure
    entry = {"name": response.name, "metric": response.metric, "unit": response.unit}
    if figure.definition in {metric.definition for metric in METRICS.values()}:
        return entry
    return {**entry, "definition": figure.definition, "source": figure.source}


def _metrics_of(stored: Mapping[str, Any]) -> dict[str, Metric]:
    """The user's metrics in sweep.json, without their functions: their values are enough."""
    from ackclock.metrics import Metric, MetricError

    def unknown(_result: object) -> None:
        raise MetricError("this metric's function is not known here")

    return {
        response["name"]: Metric(
            response["name"],
            response["unit"],
            "run",
            response["definition"],
            response["source"],
            unknown,
        )
        for response in stored["responses"]
        if "definition" in response
    }


class _Starts(TypedDict):
    within_ps: int
    why: str
    is_fixed: bool


class _Response(TypedDict):
    name: str
    metric: str
    unit: str
    definition: NotRequired[str]
    source: NotRequired[str]


class _Kernel(TypedDict):
    name: str
    release: str
    hz: int
    digest: str


class _Stored(TypedDict):
    """The part of sweep.json that is read."""

    warmup_ps: int | None
    warnings: list[str]
    notes: NotRequired[list[str] | None]
    starts: NotRequired[_Starts]
    responses: list[_Response]
    kernels: NotRequired[list[_Kernel]]


def _check_runs(runs: pl.DataFrame, design: Design, file: Path) -> None:
    """Raise a DamagedError if a table of runs is none of a design."""
    from ackclock.sweeps.analysis import runs_frame

    for name, kind in runs_frame(design, {}).schema.items():
        if runs.schema.get(name) != kind:
            raise DamagedError(f"{file}: damaged, or of another sweep: column '{name}' is wrong")
    for name in ("setting", "replication", "seed", "key", "digest"):
        if runs[name].null_count():
            raise DamagedError(f"{file}: damaged: column '{name}' has no value in some run")
    if not runs["setting"].is_between(0, len(design.settings) - 1).all():
        raise DamagedError(f"{file}: damaged, or of another sweep: it has another setting")


class SweepResult:
    """Result of a sweep or a comparison.

    Attributes
    ----------
    design : Design
        Settings, axes, responses and comparisons.
    runs : polars.DataFrame
        One row per run; columns: `ackclock.sweeps.analysis.RUNS`.
    warmup_ps : int or None
        The warm-up that pilots gave, ps; None: the scenario's.
    warnings : list of str
        Warnings of the runs: for each kind the first run's text, and the number of such runs.
    said : list of str or None
        Notes on starts and identical runs, as written with the results; None for a sweep that has
        just run.

    Examples
    --------
    >>> import ackclock as ac
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> result = ac.sweep(base, axes=[{"flows.cc": ["reno", "cubic"]}], replications=2)
    >>> result
    SweepResult(scenario: 2 settings of cc (2); 4 runs)
    >>> result.runs.height
    4
    """

    def __init__(
        self,
        design: Design,
        runs: pl.DataFrame,
        *,
        warmup_ps: int | None = None,
        warnings: Sequence[str] = (),
        said: Sequence[str] | None = None,
    ) -> None:
        self.design = design
        self.runs = self._framed(runs, "runs")
        self.warmup_ps = warmup_ps
        self.warnings = list(warnings)
        self.said = said

    @classmethod
    def of(
        cls,
        design: Design,
        runs: Mapping[tuple[int, int], Run],
        *,
        warmup_ps: int | None = None,
        warnings: Sequence[str] = (),
    ) -> SweepResult:
        """The result of finished runs, given by setting and replication."""
        from ackclock.sweeps.analysis import runs_frame

        return cls(design, runs_frame(design, runs), warmup_ps=warmup_ps, warnings=warnings)

    @classmethod
    def load(cls, folder: str | Path) -> SweepResult:
        """Read a folder that `write` wrote; `ackclock.open_sweep` does this.

        Raises
        ------
        FileMissingError
            If the folder holds no sweep, or one that is not finished.
        FormatError
            If another version of ackclock wrote it.
        """
        from ackclock import _core
        from ackclock.engine.linux.machine import Kernel
        from ackclock.engine.linux.virtual.kernels import VirtualKernel, folder_of_kernels
        from ackclock.scenario import load
        from ackclock.sweeps.making import read_design

        where = Path(folder)
        recover(where)
        if not is_file(where, "sweep.toml"):
            refuse_earlier(where)
            raise FileMissingError(f"{where}: not the folder of a sweep: sweep.toml is missing")
        if not is_file(where, "sweep.json") or not is_file(where, "runs.parquet"):
            raise FileMissingError(
                f"{where}: this sweep is not finished: ackclock sweep status {where} tells how "
                "far it is"
            )
        file = where / "sweep.json"
        stored = read_json(where, file.name)
        if not isinstance(stored, dict):
            raise FormatError(f"{file}: damaged, or of something else: it has no table")
        if stored.get("kind") != KIND or stored.get("results_version") != _core.RESULTS_VERSION:
            raise FormatError(
                f"{where}: written in version {stored.get('results_version')} of the results' "
                "layout, and this ackclock reads version "
                f"{_core.RESULTS_VERSION}: run the sweep again, or read the folder with the "
                "ackclock that wrote it"
            )
        shaped(stored, _Stored, file, "the results of a sweep")
        with decoding(file, "the results of a sweep"):
            metrics = _metrics_of(stored)
        with looking():
            design = read_design(load(where / "sweep.toml"), metrics)
        design.starts = Starts(**stored["starts"]) if "starts" in stored else design.starts
        design.kernels = {
            kernel["name"]: VirtualKernel(
                kernel["name"],
                folder_of_kernels() / kernel["name"],
                Kernel(kernel["release"], (), name=kernel["name"]),
                kernel["hz"],
                kernel["digest"],
            )
            for kernel in stored.get("kernels", ())
        }
        runs = read_table(where, "runs.parquet")
        _check_runs(runs, design, where / "runs.parquet")
        return cls(
            design,
            runs,
            warmup_ps=stored["warmup_ps"],
            warnings=stored["warnings"],
            said=stored.get("notes"),
        )

    def _framed(self, frame: pl.DataFrame, name: str, view_name: str | None = None) -> Frame:
        """A frame that writes itself as tables do; `view_name` makes its table for people."""
        from functools import partial

        from ackclock.tables.frame import About, Frame

        units = {axis.name: axis.unit or "" for axis in self.design.axes if axis.numbers is None}
        units |= (
            {response.name: response.unit for response in self.design.kept}
            if name == "runs"
            else {}
        )
        make = None if view_name is None else partial(view(view_name), self)
        return Frame.of(frame, About(name, units, make=make))

    @property
    def tables(self) -> dict[str, Table]:
        """The tables that the terminal shows, and all runs, by name, for other formats.

        Names are "means", "runs", and "differences of RESPONSE" for each comparison:
        `result.tables["means"].to_latex()`.
        """
        tables: dict[str, Table] = view("sweep.tables")(self)
        return tables

    @cached_property
    def responses(self) -> Frame:
        """Means with intervals; columns: `ackclock.sweeps.analysis.RESPONSES`."""
        from ackclock.sweeps.analysis import responses_frame

        return self._framed(responses_frame(self.design, self.runs), "means", "sweep.means")

    @cached_property
    def differences(self) -> Frame:
        """Paired differences; columns: `ackclock.sweeps.analysis.DIFFERENCES`."""
        from ackclock.sweeps.analysis import differences_frame

        frame = differences_frame(self.design, self.runs)
        return self._framed(frame, "differences", "sweep.differences")

    @cached_property
    def shown(self) -> tuple[Response, ...]:
        """Responses that tables and figures show.

        If the results keep every metric, responses that no run has are left out.
        """
        responses = self.design.responses
        known = tuple(response for response in responses if self.runs[response.name].count())
        return known if known and self.design.every_metric else responses

    @cached_property
    def unchanged(self) -> list[Unchanged]:
        """Pairs of an axis' values that made no difference in any run."""
        from ackclock.sweeps.analysis import unchanged

        return unchanged(self.design, self.runs)

    @cached_property
    def identical(self) -> dict[int, int]:
        """Settings where all seeds gave the same bytes, with their number of seeds."""
        digests: dict[int, list[str]] = {}
        for setting, digest in self.runs.select("setting", "digest").iter_rows():
            digests.setdefault(setting, []).append(digest)
        return {
            setting: len(every)
            for setting, every in digests.items()
            if len(every) > 1 and len(set(every)) == 1
        }

    @cached_property
    def stopped(self) -> list[Stopped]:
        """The sequential stop of each group of settings; empty without a stop."""
        from ackclock.sweeps.analysis import figures_of
        from ackclock.sweeps.sequential import stopped

        return stopped(self.design, figures_of(self.design, self.runs))

    @cached_property
    def by_chance(self) -> ByChance:
        """Number of intervals that exclude "no difference", and that number by chance alone."""
        from ackclock.sweeps.analysis import by_chance

        return by_chance(self.design, self.differences)

    @cached_property
    def pictures(self) -> dict[tuple[PictureKind, str], str]:
        """The figures that suit the design, as SVG text, by kind and response.

        The response is "" for a figure of several responses.
        """
        drawn: dict[tuple[PictureKind, str], str] = view("sweep.pictures")(self)
        return drawn

    def plot(
        self,
        response: str | None = None,
        *,
        kind: str | None = None,
        x: str | None = None,
        by: str | None = None,
        at: Mapping[str, Any] | None = None,
        **options: Unpack[Options],
    ) -> PaperFigure:
        """A figure, which shows itself in a notebook; `.write(FILE)` saves it.

        The file's suffix is .svg, .pdf, .png or .pgf.

        Parameters
        ----------
        response
            Name of the response; by default the first.
        kind : {"line", "heat", "box", "cdf", "scatter", "difference"}, optional
            By default means with intervals over an axis.
        x, by
            Names of the axes that give the horizontal position and the colour; by default an axis
            of numbers, and the compared axis.
        at
            Values of axes that are shown at one value only: `{"rate": "10Mbit/s"}`.
        options
            Size, font, names, legend and so on, as in `ackclock.plot.Look`; the width is one or
            two columns of a page by default.

        Raises
        ------
        ValueError
            If a response, axis, value or option does not exist (the text names the nearest), or the
            figure needs something that the sweep does not have.
        """
        figure: PaperFigure = view("sweep.figure")(
            self, response, kind=kind, x=x, by=by, at=at, **options
        )
        return figure

    def traces(
        self, by: str | None = None, *, at: Mapping[str, Any] | None = None, seed: int | None = None
    ) -> dict[str, Result]:
        """Runs of the sweep with their time series, for figures over time, by the variant's name.

        A sweep keeps no time series. The simulator makes these runs again, with equal results.

        Parameters
        ----------
        by
            Axis with a run for each value; by default the axis of the comparison, or the first.
        at
            Values of the other axes: `{"rate": "10Mbit/s"}`; by default the first of each.
        seed
            Seed of the runs; by default the first.

        Raises
        ------
        UnknownNameError
            If an axis or value does not exist; the text names the nearest.
        """
        results: dict[str, Result] = view("sweep.traces")(self, by, at=at or {}, seed=seed)
        return results

    def table(self, response: str | None = None) -> Frame:
        """The means of one response with their intervals, a row per setting.

        The frame also has `to_pandas()`, `to_csv()`, `to_markdown()` and `to_latex()`.
        Columns: `ackclock.sweeps.analysis.RESPONSES`. `response` and errors: as for `find`.
        """
        from ackclock.sweeps.analysis import responses_frame

        chosen = self.find(response)
        if chosen in self.design.responses:
            is_chosen = self.responses["response"] == chosen.name
            return self.responses.filter(is_chosen)
        frame = responses_frame(self.design, self.runs, [chosen])
        return self._framed(frame, "means", "sweep.means")

    def difference(self, response: str | None = None) -> Frame:
        """The paired differences of one response, a row per comparison and setting.

        Columns: `ackclock.sweeps.analysis.DIFFERENCES`. `response` and errors: as for `find`.
        """
        from ackclock.sweeps.analysis import differences_frame

        chosen = self.find(response)
        if chosen in self.design.responses:
            is_chosen = self.differences["response"] == chosen.name
            return self.differences.filter(is_chosen)
        frame = differences_frame(self.design, self.runs, [chosen])
        return self._framed(frame, "differences", "sweep.differences")

    def find(self, name: str | None = None) -> Response:
        """A response, or another metric that the results keep, by name; by default the first.

        Raises
        ------
        UnknownNameError
            If the results have nothing of that name; the text names the nearest that exists.
        """
        from ackclock.messages import did_you_mean

        if name is None:
            return self.shown[0]
        for response in self.design.kept:
            if response.name == name:
                return response
        names = [response.name for response in self.design.kept]
        others = " and what summaries hold" if self.design.every_metric else ""
        raise UnknownNameError(
            f"there is no response '{name}', only "
            f"{', '.join(response.name for response in self.design.responses)}{others}"
            f"{did_you_mean(name, names)}"
        )

    def to_dict(self, *, tables: bool = False) -> dict[str, Any]:
        """The content of sweep.json: the sweep's size, methods of its intervals, and warnings.

        With `tables` the rows of `responses` and `differences` are included.
        """
        from ackclock import _core

        design, per_setting = self.design, Counter(self.runs["setting"].to_list())
        return {
            "kind": KIND,
            "results_version": _core.RESULTS_VERSION,
            "name": design.name,
            "settings": len(design.settings),
            "runs": self.runs.height,
            "replications": {
                "least": min(per_setting.values(), default=0),
                "most": max(per_setting.values(), default=0),
            },
            "warmup_ps": self.warmup_ps,
            "confidence": design.confidence,
            "starts": asdict(design.starts),
            "identical": [
                {"setting": setting, "runs": count} for setting, count in self.identical.items()
            ],
            "notes": view("sweep.notes")(self),
            "axes": [
                {
                    "name": axis.name,
                    "keys": list(axis.keys),
                    "labels": list(axis.labels),
                    "unit": axis.unit,
                }
                for axis in design.axes
            ],
            "responses": [_told_of(response) for response in design.responses],
            "kernels": [
                {"name": name, "release": kernel.kernel.release, **kernel.build}
                for name, kernel in sorted(design.kernels.items())
            ],
            "intervals": dict(sorted(Counter(self.responses["method"].to_list()).items())),
            "intervals_of_differences": dict(
                sorted(Counter(self.differences["method"].to_list()).items())
            ),
            "by_chance": asdict(self.by_chance),
            "unchanged": [asdict(pair) for pair in self.unchanged],
            "stopped": [asdict(group) for group in self.stopped],
            "warnings": self.warnings,
            **(
                {"means": self.responses.to_dicts(), "differences": self.differences.to_dicts()}
                if tables
                else {}
            ),
        }

    def write(self, folder: str | Path, *, timing: Mapping[str, float] | None = None) -> Path:
        """Write the results into a folder.

        The files are sweep.toml, runs.parquet, responses.parquet, differences.parquet, sweep.json,
        plots/ (with the extra `plots`) and report.html. Other files of the folder, such as the
        runs' store, stay. All files are made before the first one takes its place.

        Parameters
        ----------
        folder
            Folder of the results.
        timing
            Wall-clock figures for timing.json, s; None: no such file.

        Raises
        ------
        FileExistsError
            If the folder holds something that is no sweep, or a file of the user has the name of
            one of the sweep's files.
        ackclock.WriteError
            If the folder cannot be written; earlier results in it are untouched.
        """
        target = Path(folder)
        with whole_files(target, SWEEP) as temporary:
            write_text(temporary / "sweep.toml", self.design.to_toml(target))
            for name, frame in (
                ("runs", self.runs),
                ("responses", self.responses),
                ("differences", self.differences),
            ):
                write_parquet(temporary / f"{name}.parquet", frame)
            if is_installed("plots"):
                view("sweep.figures")(self, temporary / "plots")
            view("sweep.page")(self, temporary / "report.html")
            files.write_json(temporary / "sweep.json", self.to_dict())
            if timing is not None:
                files.write_json(temporary / "timing.json", dict(timing))
        return target

    def __repr__(self) -> str:
        """The sweep in a line."""
        axes = (
            ", ".join(f"{axis.name} ({len(axis.labels)})" for axis in self.design.axes) or "no axes"
        )
        return (
            f"SweepResult({self.design.name}: {len(self.design.settings)} settings of {axes}; "
            f"{self.runs.height} runs)"
        )

    def __rich__(self) -> RenderableType:
        """The sweep's tables, in a terminal."""
        tables: RenderableType = view("sweep.terminal")(self)
        return tables

    def _repr_html_(self) -> str:
        html: str = view("sweep.notebook")(self)
        return html
