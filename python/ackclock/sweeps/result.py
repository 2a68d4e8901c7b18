"""A sweep's result: frames, files, views."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.chance import Starts
from ackclock.results import files
from ackclock.writing import Kind, recover, whole_files, write_parquet, write_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from rich.console import RenderableType

    from ackclock.plot.style import PaperFigure
    from ackclock.plot.sweep.names import Kind as PictureKind
    from ackclock.sweeps.analysis import ByChance, Run, Unchanged
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.sequential import Stopped

__all__ = ["KIND", "NEXT", "SWEEP", "SweepResult"]

KIND = "ackclock sweep"
"""What sweep.json says that it is."""
NEXT = "sweep.next.toml"
"""A sweep that is under way in the folder of a finished one, whose results stay until it is finished, too."""


def _before_contents(folder: Path) -> set[str]:
    """Files of a sweep of an ackclock that wrote no contents.json; its figures are named after the responses."""
    from ackclock.plot.sweep.names import KINDS, stem

    names = {"sweep.toml", "sweep.json", "report.html", *(f"{name}.parquet" for name in ("runs", "responses", "differences"))}
    try:
        responses = ["", *(str(one["name"]) for one in files.read_json(folder / "sweep.json")["responses"])]
    except (OSError, ValueError, KeyError, TypeError):
        return names
    return names | {f"plots/{stem(kind, response)}.svg" for kind in KINDS for response in responses}


SWEEP = Kind(
    "sweep",
    "sweep.toml",
    _before_contents,
    later=frozenset({"sweep.toml", NEXT, "report.html", "timing.json"}),
    beside=frozenset({"runs"}),
    last="sweep.json",
)


class SweepResult:
    """What a sweep gave.

    Attributes
    ----------
    design : Design
        Settings, axes, responses and comparisons.
    runs : polars.DataFrame
        One row per run; columns: `ackclock.sweeps.analysis.RUNS`.
    warmup_ps : int or None
        The warm-up that pilots gave, ps; None: the scenario's own.
    warnings : list of str
        What the runs warn of: the first run's words for each kind, and how many runs warn of it.
    said : list of str or None
        What was said of starts and of identical runs when it ran; None: it has just run.
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
        self.runs = runs
        self.warmup_ps = warmup_ps
        self.warnings = list(warnings)
        self.said = said

    @classmethod
    def of(
        cls, design: Design, runs: Mapping[tuple[int, int], Run], *, warmup_ps: int | None = None, warnings: Sequence[str] = ()
    ) -> SweepResult:
        """The result of runs that were just made, by setting and replication."""
        from ackclock.sweeps.analysis import runs_frame

        return cls(design, runs_frame(design, runs), warmup_ps=warmup_ps, warnings=warnings)

    @classmethod
    def load(cls, folder: str | Path) -> SweepResult:
        """Read what `write` wrote; `ackclock.open_sweep` does this.

        Raises
        ------
        FileNotFoundError
            If it is not the folder of a sweep, or of one that is not finished.
        ValueError
            If another version of ackclock wrote it.
        """
        import polars as pl

        from ackclock import _core
        from ackclock.scenario import load
        from ackclock.sweeps.making import read_design

        where = Path(folder)
        recover(where)
        if not (where / "sweep.toml").is_file():
            raise FileNotFoundError(f"{where}: not the folder of a sweep: sweep.toml is missing")
        if not (where / "sweep.json").is_file() or not (where / "runs.parquet").is_file():
            raise FileNotFoundError(f"{where}: this sweep is not finished: ackclock sweep status {where} tells how far it is")
        stored = files.read_json(where / "sweep.json")
        if stored.get("kind") != KIND or stored.get("results_version") != _core.RESULTS_VERSION:
            raise ValueError(
                f"{where}: written in version {stored.get('results_version')} of the results' layout, and this ackclock reads version "
                f"{_core.RESULTS_VERSION}: run the sweep again, or read the folder with the ackclock that wrote it"
            )
        design = read_design(load(where / "sweep.toml"))
        design.starts = Starts(**stored["starts"]) if "starts" in stored else design.starts
        return cls(
            design,
            pl.read_parquet(where / "runs.parquet"),
            warmup_ps=stored["warmup_ps"],
            warnings=stored["warnings"],
            said=stored.get("notes"),
        )

    @cached_property
    def responses(self) -> pl.DataFrame:
        """Means with intervals; columns: `ackclock.sweeps.analysis.RESPONSES`."""
        from ackclock.sweeps.analysis import responses_frame

        return responses_frame(self.design, self.runs)

    @cached_property
    def differences(self) -> pl.DataFrame:
        """Paired differences; columns: `ackclock.sweeps.analysis.DIFFERENCES`."""
        from ackclock.sweeps.analysis import differences_frame

        return differences_frame(self.design, self.runs)

    @cached_property
    def unchanged(self) -> list[Unchanged]:
        """Pairs of an axis' values that made no difference at all."""
        from ackclock.sweeps.analysis import unchanged

        return unchanged(self.design, self.runs)

    @cached_property
    def identical(self) -> dict[int, int]:
        """Where several seeds gave the same bytes: how many of them, by setting."""
        digests: dict[int, list[str]] = {}
        for setting, digest in self.runs.select("setting", "digest").iter_rows():
            digests.setdefault(setting, []).append(digest)
        return {setting: len(every) for setting, every in digests.items() if len(every) > 1 and len(set(every)) == 1}

    @cached_property
    def stopped(self) -> list[Stopped]:
        """Where the sequential stop left each group of settings; empty without one."""
        from ackclock.sweeps.analysis import figures_of
        from ackclock.sweeps.sequential import stopped

        return stopped(self.design, figures_of(self.design, self.runs))

    @cached_property
    def by_chance(self) -> ByChance:
        """How many intervals of differences leave out no difference, and how many would by chance."""
        from ackclock.sweeps.analysis import by_chance

        return by_chance(self.design, self.differences)

    @cached_property
    def pictures(self) -> dict[tuple[PictureKind, str], str]:
        """The figures that suit the design, as SVG text, by kind and response ("" for those of several)."""
        from ackclock.plot.sweep import pictures

        return pictures(self)

    def plot(
        self,
        response: str | None = None,
        *,
        kind: str | None = None,
        x: str | None = None,
        by: str | None = None,
        at: Mapping[str, Any] | None = None,
        width: float | None = None,
    ) -> PaperFigure:
        """A figure, which shows itself in a notebook; `.write(FILE)` saves it as SVG, PDF or PNG.

        Parameters
        ----------
        response
            What is shown; the first by default.
        kind : {"line", "heat", "box", "cdf", "scatter", "difference"}, optional
            By default means with intervals over an axis.
        x, by
            Names of the axes along which, and by which, values stand; by default numbers run along and what is compared is told apart.
        at
            Axes that only one value is shown of: `{"rate": "10Mbit/s"}`.
        width
            Inches; by default one or two columns of a page.

        Raises
        ------
        ValueError
            If there is no such response, axis or value, with the nearest that exists, or the sweep has not what the figure needs.
        """
        from ackclock.plot.sweep import draw

        return draw(self, response, kind=kind, x=x, by=by, at=at, width=width)

    def table(self, response: str | None = None) -> pl.DataFrame:
        """The rows of `responses` of one response.

        Parameters
        ----------
        response
            Its name; the first by default.

        Raises
        ------
        ValueError
            With the nearest name that exists.
        """
        from ackclock.scenario.errors import did_you_mean

        names = [one.name for one in self.design.responses]
        wanted = names[0] if response is None else response
        if wanted not in names:
            raise ValueError(f"there is no response '{wanted}', only {', '.join(names)}{did_you_mean(wanted, names)}")
        return self.responses.filter(self.responses["response"] == wanted)

    def to_dict(self) -> dict[str, Any]:
        """As in sweep.json: how large the sweep is, what made its intervals, and what to beware of."""
        from ackclock import _core
        from ackclock.report.sweep.words import notes

        design, per_setting = self.design, Counter(self.runs["setting"].to_list())
        return {
            "kind": KIND,
            "results_version": _core.RESULTS_VERSION,
            "name": design.name,
            "settings": len(design.settings),
            "runs": self.runs.height,
            "replications": {"least": min(per_setting.values(), default=0), "most": max(per_setting.values(), default=0)},
            "warmup_ps": self.warmup_ps,
            "confidence": design.confidence,
            "starts": asdict(design.starts),
            "identical": [{"setting": setting, "runs": count} for setting, count in self.identical.items()],
            "notes": notes(self),
            "axes": [{"name": axis.name, "keys": list(axis.keys), "labels": list(axis.labels), "unit": axis.unit} for axis in design.axes],
            "responses": [{"name": one.name, "metric": one.metric, "unit": one.unit} for one in design.responses],
            "intervals": dict(sorted(Counter(self.responses["method"].to_list()).items())),
            "intervals_of_differences": dict(sorted(Counter(self.differences["method"].to_list()).items())),
            "by_chance": asdict(self.by_chance),
            "unchanged": [asdict(one) for one in self.unchanged],
            "stopped": [asdict(one) for one in self.stopped],
            "warnings": self.warnings,
        }

    def write(self, folder: str | Path, *, timing: Mapping[str, float] | None = None) -> Path:
        """Write sweep.toml, runs.parquet, responses.parquet, differences.parquet, sweep.json, plots/ and report.html.

        What else the folder holds, the runs' store above all, is left alone. All files are made before the first one takes its place.

        Parameters
        ----------
        folder
            Where.
        timing
            Wall-clock figures for timing.json, s; None: there is no such file.

        Raises
        ------
        FileExistsError
            If the folder holds something that is no sweep, or a file of the user's where one of the sweep's belongs.
        ackclock.WriteError
            If it cannot be written: which folder, and why. Earlier results there are untouched.
        """
        from ackclock.plot.sweep import write_sweep
        from ackclock.report import write_report

        target = Path(folder)
        with whole_files(target, SWEEP) as temporary:
            write_text(temporary / "sweep.toml", self.design.to_toml(target))
            for name, frame in (("runs", self.runs), ("responses", self.responses), ("differences", self.differences)):
                write_parquet(temporary / f"{name}.parquet", frame)
            write_sweep(self, temporary / "plots")
            write_report(self, temporary / "report.html")
            files.write_json(temporary / "sweep.json", self.to_dict())
            if timing is not None:
                files.write_json(temporary / "timing.json", dict(timing))
        return target

    def __repr__(self) -> str:
        """What was swept, in a line."""
        axes = ", ".join(f"{axis.name} ({len(axis.labels)})" for axis in self.design.axes) or "no axes"
        return f"SweepResult({self.design.name}: {len(self.design.settings)} settings of {axes}; {self.runs.height} runs)"

    def __rich__(self) -> RenderableType:
        """The sweep's tables, in a terminal."""
        from ackclock.report.sweep import sweep_view

        return sweep_view(self)

    def _repr_html_(self) -> str:
        from ackclock.report.sweep import sweep_html

        return sweep_html(self)
