"""Makes runs of a sweep again, with their time series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.engine.linux import run_on_linux
from ackclock.engine.run import run
from ackclock.errors import Error, UnknownNameError
from ackclock.messages import nearest_or_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.results import Result
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.result import SweepResult

__all__ = ["TraceError", "traces"]


class TraceError(Error, ValueError):
    """A run that cannot be made again."""

    kind = "no-data"


def traces(
    result: SweepResult, by: str | None, *, at: Mapping[str, Any], seed: int | None
) -> dict[str, Result]:
    """The runs of one seed along an axis; see `SweepResult.traces`."""
    design = result.design
    varied = [axis for axis in design.axes if len(axis.labels) > 1]
    compared = [comparison.axis for comparison in design.comparisons]
    own = (
        _axis(result, by)
        if by is not None
        else next((axis for axis in varied if axis.name in compared), varied[0] if varied else None)
    )
    held = {_axis(result, name).name: value for name, value in at.items()}
    if own is not None and own.name in held:
        raise UnknownNameError(f"at: the runs have every value of '{own.name}' already")
    chosen: dict[str, int] = {}
    for axis in design.axes:
        if axis.name in held:
            chosen[axis.name] = _value(axis, held[axis.name])
        elif axis is not own:
            chosen[axis.name] = 0
    results: dict[str, Result] = {}
    for setting in design.settings:
        places = [
            axis.labels.index(label)
            for axis, label in zip(design.axes, setting.labels, strict=True)
        ]
        if any(
            chosen.get(axis.name, place) != place
            for axis, place in zip(design.axes, places, strict=True)
        ):
            continue
        name = design.name if own is None else str(setting.labels[design.axes.index(own)])
        if design.is_live(setting.index):
            raise TraceError(f"{name}: a run in real time cannot be made again with equal results")
        scenario = design.scenario_at(setting.index, warmup_ps=result.warmup_ps).to_run()
        record = scenario.record.model_copy(update={"samples": "auto"})
        again = scenario.model_copy(
            update={"record": record, "seed": design.seed(0) if seed is None else seed}
        )
        kernel = design.kernel_at(setting.index)
        results[name] = run(again) if kernel is None else run_on_linux(again, virtual=kernel.here())
    return results


def _axis(result: SweepResult, name: str) -> Axis:
    for axis in result.design.axes:
        if name == axis.name or name in axis.keys:
            return axis
    known = [axis.name for axis in result.design.axes]
    raise UnknownNameError(
        f"the sweep has no axis '{name}'{nearest_or_all(name, known) or ', nor any other'}"
    )


def _value(axis: Axis, wanted: Any) -> int:
    for index, label in enumerate(axis.labels):
        if wanted == label or str(wanted) == str(label):
            return index
    known = [str(label) for label in axis.labels]
    raise UnknownNameError(
        f"axis '{axis.name}' has no value '{wanted}'{nearest_or_all(str(wanted), known)}"
    )
