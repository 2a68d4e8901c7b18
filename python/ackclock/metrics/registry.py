"""Metrics by name: what `compare --metric` and `Result.metric` accept, and how to add one.

A name may carry arguments and an element: `rate_variation(timescale=100ms)`, `goodput@f.3`,
`queue_delay.p95@bottleneck.2`. Figures of flows count over all flows, one of several connections
once; figures of links are of the first link, the bottleneck.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

from ackclock.errors import Error, UnknownNameError
from ackclock.formulas.statistics import mean_of
from ackclock.messages import did_you_mean, nearest_or_all, said, shown
from ackclock.metrics.recorded_run import RecordedRun
from ackclock.runtime import permission
from ackclock.runtime.interruption import is_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ackclock.errors import Kind
    from ackclock.results.result import Result

Need = Literal["samples", "packets", "transfers", "streams", "frames"]
"""Data that a metric reads besides the counters, by the name of the `Result`'s attribute."""

Of = Literal["flows", "links", "streams", "run"]

Run: TypeAlias = "Mapping[str, Any] | Result | RecordedRun"
"""A run: its result, its summary as in summary.json, or a recording of the kernel."""

_Function = TypeVar("_Function", bound="Callable[..., float | None]")

_TOTALS: Mapping[str, Callable[[list[float]], float]] = {"sum": sum, "min": min, "max": max}
_SHORT = {"fct": "fct.mean", "rtt": "rtt.mean", "queue_delay": "queue_delay.mean"}
_NAME = re.compile(
    r"(?P<base>(?:python:[\w.]*:)?[^(@]*)(?:\((?P<arguments>.*?)\))?(?:@(?P<element>.*))?",
    re.DOTALL,
)


class UnknownMetricError(UnknownNameError):
    """A metric's name that does not exist, or that the run has no element for.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> try:
    ...     ac.run(scenario).value("godput")
    ... except ac.UnknownMetricError as error:
    ...     print(error)
    unknown metric "godput"; did you mean 'goodput'?
    """


class MetricError(Error, ValueError):
    """A metric that a run cannot give, because it did not record the data.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> quiet = ac.run(scenario.replace({"record": {"samples": "off"}}))
    >>> try:
    ...     quiet.value("rtt.p95@nobody")
    ... except ac.Error as error:
    ...     print(type(error).__name__)
    UnknownMetricError
    >>> issubclass(ac.MetricError, ValueError)
    True
    """

    kind: Kind = "no-data"


class MetricFunctionError(MetricError):
    """The function of a user's metric failed, or returned no finite number."""

    kind = "own-code"


class MetricDefinitionError(Error, ValueError):
    """A user's metric that `metric` refuses to register."""

    kind = "own-code"


@dataclass(frozen=True)
class Metric:
    """A figure of a run.

    Attributes
    ----------
    name : str
        As the user writes it, arguments and element included.
    unit : str
        "bit/s", "s", "packets", or "1" for shares and counts.
    of : {"flows", "links", "streams", "run"}
        What `@ELEMENT` may name.
    definition : str
        One sentence.
    source : str
        Where the definition comes from.
    needs : tuple of str
        Data that it reads besides counters, and a comparison therefore keeps: "samples", "packets",
        "transfers", ...
    parameters : mapping
        Default of each parameter.
    from_summary : bool
        Whether summary.json is enough.
    of_recorded : bool
        Whether it is made from what a recording of the kernel has, and from a result alike.
    function : callable
        Function of a `Result` (or a summary), then the name of an element unless it is of the whole
        run, then parameters.
    over : str
        How the figures of elements make that of the run: "mean", "sum", "min", "max"; or "all": the
        function does it, called with None.
    element : str or None
        The flow, link or stream.
    arguments : mapping
        Values given for parameters, in base units.
    limits : tuple of two floats or None
        Smallest and largest value that it can have, in its unit; None: not known.

    Examples
    --------
    >>> from ackclock.metrics import Metric, find_metric
    >>> figure = find_metric("queue_delay.p95")
    >>> isinstance(figure, Metric), figure.unit
    (True, 's')
    """

    name: str
    unit: str
    of: Of
    definition: str
    source: str
    function: Callable[..., float | None] = field(compare=False)
    needs: tuple[Need, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    from_summary: bool = False
    of_recorded: bool = False
    over: str = "mean"
    element: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: tuple[float, float] | None = None

    def value(self, run: Run) -> float | None:
        """The figure of one run.

        Parameters
        ----------
        run : Result, mapping or RecordedRun
            A result; its summary or a recorded run for a metric that is made from one.

        Returns
        -------
        float or None
            None if the run has nothing to measure it from.

        Raises
        ------
        UnknownMetricError
            If the run has no such element.
        MetricError
            If the run was not recorded with what the metric needs, or the metric's function fails.
        """
        if isinstance(run, Mapping) and not self.from_summary:
            raise MetricError(
                f'metric "{self.name}" is not made from a run\'s summary: it needs the Result'
            )
        if isinstance(run, RecordedRun) and not self.of_recorded:
            raise MetricError(
                f'metric "{self.name}" is not made from a recorded run: it needs the Result'
            )
        if not isinstance(run, Mapping | RecordedRun):
            for need in self.needs:
                _require(run, need, self.name)
            run = run.summary() if self.from_summary else run
        if self.of == "run":
            return self._called(run)
        if self.element is not None:
            known = _elements(run, self.of)
            if self.element not in known:
                raise UnknownMetricError(
                    f'metric "{self.name}": the run has no {self.of[:-1]} '
                    f'"{self.element}"{nearest_or_all(self.element, known)}'
                )
            return self._called(run, self.element)
        if self.over == "all":
            return self._called(run, None)
        names = [name for name, counts in _elements(run, self.of).items() if counts]
        figures = [figure for name in names if (figure := self._called(run, name)) is not None]
        return (
            mean_of(figures)
            if self.over == "mean"
            else _TOTALS[self.over](figures)
            if figures
            else None
        )

    def _called(self, *arguments: Any) -> float | None:
        try:
            value = self.function(*arguments, **self.arguments)
        except MetricError:
            raise
        except BaseException as error:
            if self.function.__module__.startswith("ackclock.metrics.") or (
                not isinstance(error, Exception) and is_ctrl_c(error)
            ):
                raise
            raise MetricFunctionError(
                f"metric '{self.name}' ({_line(error, self.function)}) raised {said(error)}"
            ) from error
        if value is None:
            return None
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise MetricFunctionError(
                f"metric '{self.name}' ({_place(self.function)}) returned {shown(value)}; allowed "
                "is a finite number, or None"
            )
        return number


def _elements(run: Run, of: Of) -> dict[str, bool]:
    """Return the names that may follow `@`, and whether each counts for the whole run."""
    if isinstance(run, RecordedRun):
        return {flow.name: True for flow in run.flows}
    if of == "streams" and not isinstance(run, Mapping):
        return dict.fromkeys(run.streams["name"].to_list(), True)
    summary = run if isinstance(run, Mapping) else run.summary()
    if of == "links":
        return {row["name"]: index == 0 for index, row in enumerate(summary["links"])}
    return {row["name"]: row["part_of"] is None for row in summary["flows"]}


UNKNOWN_UNIT = "?"
"""Unit of a metric of the user whose code is only looked at, and not imported."""

_RECORDED = {
    "samples": 'time series, and the run recorded none: set record.samples, for instance "10ms"',
    "packets": "packet events, and the run recorded none: set record.packets, for instance "
    '["bottleneck"]',
}


def _require(result: Result, need: Need, name: str) -> None:
    if not {"samples": result.has_samples, "packets": result.has_packets}.get(need, True):
        raise MetricError(f'metric "{name}" needs {_RECORDED[need]}')


def _place(function: Callable[..., Any]) -> str:
    code = inspect.unwrap(function).__code__
    return f"{_shown(code.co_filename)}, line {code.co_firstlineno}"


def _line(error: BaseException, function: Callable[..., Any]) -> str:
    """Return the innermost line in the function's own file."""
    file = inspect.unwrap(function).__code__.co_filename
    place, traceback = None, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            place = f"{_shown(file)}, line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place or _place(function)


def _shown(file: str) -> str:
    path = Path(file)
    if "ipykernel" in file:
        return "notebook"
    return (
        str(path.relative_to(Path.cwd()))
        if path.is_absolute() and path.is_relative_to(Path.cwd())
        else file
    )


_built_in: dict[str, Metric] = {}
_own: dict[str, Metric] = {}

SHARE = (0.0, 1.0)
"""Limits of a share."""

METRICS: Mapping[str, Metric] = _built_in
"""Every metric that comes with ackclock by its name, in the order in which help shows them."""


def metric(
    name: str | None = None,
    *,
    unit: str,
    of: Of = "run",
    definition: str | None = None,
    source: str = "",
    needs: Sequence[Need] = (),
    over: str = "mean",
    limits: tuple[float, float] | None = None,
) -> Callable[[_Function], _Function]:
    """Make a function a metric: a decorator.

    Parameters
    ----------
    name : str, optional
        As `compare --metric` takes it; the function's by default.
    unit : str
        "s", "bit/s", "bytes", "packets", or "1" for shares and counts.
    of : {"run", "flows", "links", "streams"}
        "run": the function gets the `Result`. Otherwise it gets the `Result` and the name of one
        element, and `NAME@ELEMENT` asks for that one's figure; without `@`, a link's is that of the
        bottleneck, and those of flows and streams are put together as `over` says.
    definition : str, optional
        One sentence; the first line of the function's docstring by default.
    source : str
        Where the definition comes from.
    needs : sequence of {"samples", "packets", "transfers", "streams", "frames"}
        What the function reads besides `flows`, `links` and `summary()`. A comparison records what
        its metric needs, and nothing else.
    over : {"mean", "sum", "min", "max"}
        How the figures of several elements make the run's; those that are None are left out.
    limits : tuple of two floats, optional
        Smallest and largest value that it can have, in its unit, such as (0.0, math.inf): no
        interval leaves them.

    Returns
    -------
    callable
        The decorator; it gives the function back as it was.

    Raises
    ------
    MetricDefinitionError
        If the metric is not described as above, or the name is that of one that comes with
        ackclock.

    Notes
    -----
    The function returns a finite number, or None if there is nothing to measure. Its keyword-only
    parameters are the metric's: `def mine(result, *, threshold=0.01)` is asked for as
    `mine(threshold=20ms)`; it gets times in s, sizes in bytes, rates in bit/s.

    Examples
    --------
    >>> @metric(unit="1")
    ... def starved(result, *, below=0.1):
    ...     "Share of the flows that got less than a tenth of the mean."
    ...     rates = result.flows["goodput"]
    ...     return (rates < below * rates.mean()).mean()
    >>> find_metric("starved(below=0.5)").unit
    '1'
    """

    def register(function: _Function) -> _Function:
        if limits is not None and not limits[0] < limits[1]:
            raise MetricDefinitionError(
                f"metric '{name or function.__name__}': limits = {limits} are not a smaller and a "
                "larger number"
            )
        described = replace(
            _described(function, name, unit, of, definition, source, needs, over), limits=limits
        )
        known = _own.get(described.name)
        if described.name in _built_in:
            raise MetricDefinitionError(
                f"there is a metric '{described.name}' already: give yours another name"
            )
        if known is not None and _identity(known.function) != _identity(function):
            raise MetricDefinitionError(
                f"there is a metric '{described.name}' already ({_place(known.function)}): give "
                "one of them another name"
            )
        _own[described.name] = described
        return function

    return register


def built_in(
    name: str,
    unit: str,
    of: Of,
    source: str,
    definition: str | None = None,
    *,
    needs: Sequence[Need] = (),
    over: str = "mean",
    from_summary: bool = False,
    of_recorded: bool = False,
    limits: tuple[float, float] | None = None,
) -> Callable[[_Function], _Function]:
    """Register a metric that comes with ackclock, like `metric`.

    The function's docstring is the definition, unless it is given. Without limits a rate, a share
    or an index is from 0 to 1, and any other figure at least 0.
    """
    is_share = unit == "1" and re.search("_rate|_share|jain_", name)

    def register(function: _Function) -> _Function:
        words = " ".join((definition or function.__doc__ or name).split())
        described = _described(function, name, unit, of, words, source, needs, over)
        _built_in[name] = replace(
            described,
            from_summary=from_summary,
            of_recorded=of_recorded,
            limits=limits or (0.0, 1.0 if is_share else math.inf),
        )
        return function

    return register


def _identity(function: Callable[..., Any]) -> tuple[str, str]:
    # A cell of a notebook that runs again defines its metric again.
    return function.__module__, function.__qualname__


def _described(
    function: Callable[..., Any],
    name: str | None,
    unit: str,
    of: Of,
    definition: str | None,
    source: str,
    needs: Sequence[Need],
    over: str,
) -> Metric:
    label = function.__name__ if name is None else name
    if not re.fullmatch(r"\w[\w.-]*", label):
        raise MetricDefinitionError(
            f"'{label}' is not a metric's name: letters, digits, '_', '-' and '.'"
        )
    for what, value, allowed in (
        ("of", of, get_args(Of)),
        ("over", over, ("mean", "all", *_TOTALS)),
        *(("needs", need, get_args(Need)) for need in needs),
    ):
        if value not in allowed:
            raise MetricDefinitionError(
                f"metric '{label}': {what} = {value!r} is not one of "
                f"{', '.join(allowed)}{did_you_mean(value, allowed)}"
            )
    words = (
        definition
        if definition is not None
        else (inspect.getdoc(function) or "").partition("\n")[0]
    )
    if not words:
        raise MetricDefinitionError(
            f"metric '{label}' has no definition: give the function a docstring"
        )
    kinds = inspect.Parameter
    arguments = inspect.signature(function).parameters.values()
    given = [argument for argument in arguments if argument.kind is not kinds.KEYWORD_ONLY]
    needed = ["result"] if of == "run" else ["result", of[:-1]]
    takes_any = any(argument.kind is kinds.VAR_POSITIONAL for argument in given)
    if not takes_any and len(given) != len(needed):
        raise MetricDefinitionError(
            f"metric '{label}' of {of}: its function takes {', '.join(needed)}, and parameters "
            "after a *"
        )
    parameters = {
        argument.name: argument.default
        for argument in arguments
        if argument.kind is kinds.KEYWORD_ONLY
    }
    return Metric(label, unit, of, words, source, function, tuple(needs), parameters, over=over)


def metric_names() -> list[str]:
    """Names of every metric, in the order in which help shows them; the user's come last.

    Examples
    --------
    >>> from ackclock.metrics import metric_names
    >>> "goodput" in metric_names()
    True
    """
    return [*_built_in, *_own]


def range_of(metric: Metric, flows: int | None = None) -> tuple[float, float]:
    """Smallest and largest value that a metric can have, in its unit.

    Parameters
    ----------
    metric : Metric
        With or without an element and arguments.
    flows : int, optional
        How many flows the run has, which bounds Jain's index from below: 1/n, where one flow has
        all (R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984, section 3). By default it is not known,
        and 0.

    Returns
    -------
    tuple of two floats
        (0, 1) for shares, indices and rates of loss or marking; (0, inf) for other built-in
        metrics; those that it was registered with for metrics of a user's own, (-inf, inf) where
        none were given.

    Examples
    --------
    >>> from ackclock.metrics import find_metric
    >>> range_of(find_metric("loss_rate")), range_of(find_metric("rtt.p95"))
    ((0.0, 1.0), (0.0, inf))
    >>> range_of(find_metric("jain_index"), 2)
    (0.5, 1.0)
    """
    low, high = metric.limits or (-math.inf, math.inf)
    # Where one of n flows has all, Jain's index is 1/n.
    name = metric.name.partition("@")[0].partition("(")[0]
    return 1.0 / flows if flows and name in METRICS and "jain_" in name else low, high


def own_metric(name: str) -> Metric | None:
    """Return the user's metric of a name without arguments and element."""
    return _own.get(name)


def adopt(metric: Metric) -> None:
    """Register a metric from another process, in place of an earlier one of that name."""
    _own[metric.name] = metric


def find_metric(name: str, folder: str | Path | None = None) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    name : str
        A name; with arguments `NAME(PARAMETER=VALUE, ...)`, for one flow, link or stream
        `NAME@ELEMENT`. A quantity alone means its mean: `rtt`. `python:MODULE:FUNCTION` is a metric
        of the user.
    folder : str or Path, optional
        Where modules are looked for first.

    Raises
    ------
    UnknownMetricError
        With the nearest name that exists.

    Examples
    --------
    >>> find_metric("lost_packets").unit
    'packets'
    >>> find_metric("goodputt")
    Traceback (most recent call last):
    ...
    ackclock.metrics.registry.UnknownMetricError: unknown metric "goodputt"; did you mean 'goodput'?
    """
    parts = _NAME.fullmatch(name)
    if parts is None:
        raise UnknownMetricError(
            f'"{name}" is not a metric: write NAME, NAME(PARAMETER=VALUE, ...), or NAME@ELEMENT'
        )
    base, arguments, element = parts["base"].strip(), parts["arguments"], parts["element"]
    if base.startswith("python:") and permission.current().looks:
        return _unread(name)
    figure = (
        _of_module(base, folder)
        if base.startswith("python:")
        else _built_in.get(_SHORT.get(base, base)) or _own.get(base)
    )
    if figure is None:
        raise UnknownMetricError(f'unknown metric "{base}"{nearest_or_all(base, metric_names())}')
    given = figure.name
    if arguments is not None:
        values = _arguments(figure, arguments)
        given += (
            f"({', '.join(f'{key}={text}' for key, (text, _) in values.items())})" if values else ""
        )
        figure = replace(
            figure, name=given, arguments={key: value for key, (_, value) in values.items()}
        )
    for parameter, default in figure.parameters.items():
        if default is inspect.Parameter.empty and parameter not in figure.arguments:
            raise UnknownMetricError(
                f'metric "{given}" needs a value for {parameter}: {given}({parameter}=...)'
            )
    if element is None:
        return figure
    if figure.of == "run":
        raise UnknownMetricError(
            f'metric "{given}" is of the whole run: write it without "@{element}"'
        )
    return replace(figure, name=f"{given}@{element}", element=element)


def _arguments(figure: Metric, text: str) -> dict[str, tuple[str, Any]]:
    arguments: dict[str, tuple[str, Any]] = {}
    # Not at the commas of cubic(beta=0.7,c=0.4).
    for part in filter(None, (part.strip() for part in re.split(r",(?![^(]*\))", text))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise UnknownMetricError(f'metric "{figure.name}": "{part}" is not PARAMETER=VALUE')
        if key not in figure.parameters:
            known = list(figure.parameters)
            has = f" (it has {', '.join(known)})" if known else " (it has none at all)"
            raise UnknownMetricError(f'metric "{figure.name}" has no parameter "{key}"{has}')
        arguments[key] = (value, _quantity(figure, key, value))
    return arguments


def _quantity(figure: Metric, key: str, text: str) -> Any:
    """Read a number, or a quantity in s, bytes or bit/s; text only if the default is text."""
    from ackclock import _core

    if isinstance(figure.parameters[key], str):
        return text
    if text in {"true", "false"}:
        return text == "true"
    try:
        number = float(text)
    except ValueError:
        for parse, per_unit in (
            (_core.parse_time, 1e12),
            (_core.parse_size, 1.0),
            (_core.parse_rate, 1.0),
        ):
            try:
                return parse(text) / per_unit
            except ValueError:
                continue
        number = math.nan
    if not math.isfinite(number):
        raise UnknownMetricError(
            f'metric "{figure.name}": {key} = "{text}" is no number, time, size or rate, such as '
            "0.5, 100ms, 30kB, 10Mbit/s"
        )
    return number


def _unread(name: str) -> Metric:
    """Return a metric of the user's code, which is not imported: only its name is known."""

    def unknown(_result: object) -> None:
        raise MetricError(f'metric "{name}": its code is not run here')

    return Metric(name, UNKNOWN_UNIT, "run", f"{name}, which was not run", "", unknown)


def _of_module(text: str, folder: str | Path | None) -> Metric:
    """Return the metric that a function of a module is."""
    from ackclock.scenario.own import Finder, OwnClassError

    module_name, colon, function_name = text.removeprefix("python:").partition(":")
    if (
        not colon
        or not function_name
        or not all(part.isidentifier() for part in module_name.split("."))
    ):
        raise UnknownMetricError(
            f'"{text}" names no metric: write python:MODULE:FUNCTION, such as python:mine:my_metric'
        )
    try:
        module = Finder(None if folder is None else Path(folder), rereads=True).module(module_name)
    except OwnClassError as error:
        raise UnknownMetricError(f"{text}: {error}") from error
    function = getattr(module, function_name, None)
    known = next((metric for metric in _own.values() if metric.function is function), None)
    if known is not None:
        return known
    if function is None:
        raise UnknownMetricError(
            f'there is no "{function_name}" in '
            f'"{module_name}"{nearest_or_all(function_name, _metrics_of(module))}'
        )
    raise UnknownMetricError(
        f'"{function_name}" in "{module_name}" is no metric: write @ackclock.metric(unit=...) '
        "above it"
    )


def _metrics_of(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if any(metric.function is value for metric in _own.values())
    ]
