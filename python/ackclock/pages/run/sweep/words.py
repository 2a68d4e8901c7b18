"""Sentences about a sweep: its design, its methods, its warnings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ackclock.messages import names
from ackclock.plot_data.sweep.scale import words as spoken
from ackclock.scenario.randomness import why_same
from ackclock.tables.quantities import quantity, significant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.sweeps.result import SweepResult

__all__ = ["MOST_DETAILED", "facts", "method", "narrow", "notes", "question", "stops", "warnings"]

MOST_DETAILED = 2
"""Largest number of responses whose differences are shown with effect sizes and p at once.

Differences of more responses come in one table without them first.
"""

_METHODS = {
    "t": "Student's t",
    "bootstrap-t": "studentised bootstrap",
    "BCa": "bootstrap BCa",
    "constant": "none, as all seeds gave the same,",
    "none": "none, for want of values,",
}


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def facts(result: SweepResult) -> str:
    """One line: numbers of settings, runs and seeds."""
    design = result.design
    axes = " × ".join(f"{len(axis.labels)} {axis.name}" for axis in design.axes)
    seeds: list[int] = result.runs["seed"].to_list()
    per_setting = Counter(result.runs["setting"].to_list())
    least, most = min(per_setting.values(), default=0), max(per_setting.values(), default=0)
    replications = _count(most, "seed") if least == most else f"{least:,} to {most:,} seeds"
    several = (
        f" ({axes})"
        if len(design.axes) > 1
        else f" of {design.axes[0].name}"
        if design.axes
        else ""
    )
    which = f"; seeds {min(seeds)} to {max(seeds)}" if most > 1 else ""
    return (
        f"{_count(len(design.settings), 'setting')}{several} × {replications} = "
        f"{_count(result.runs.height, 'run')}{which}"
    )


def question(result: SweepResult) -> str:
    """The question that the design answers, as a sentence."""
    design = result.design
    asked = names([spoken(response.name) for response in result.shown], most=4)
    do = "do" if len(result.shown) > 1 else "does"
    if not design.axes:
        return f"How {do} {asked} vary from seed to seed?"
    sentence = f"How {do} {asked} depend on {names([axis.name for axis in design.axes], most=4)}?"
    for comparison in design.comparisons:
        [axis] = [axis for axis in design.axes if axis.name == comparison.axis]
        others = [str(label) for label in axis.labels if label != comparison.base]
        sentence += (
            f" How far {'is' if len(others) == 1 else 'are'} {names(others, most=5)} from "
            f"{comparison.base}, seed by seed?"
        )
    return sentence


def notes(result: SweepResult) -> list[str]:
    """Notes on kernels in virtual time, on the choice of starts and on identical runs."""
    if result.said is not None:
        return list(result.said)
    design = result.design
    said = [
        f"virtual {name} is Linux {kernel.kernel.release}, {kernel.hz} Hz, build "
        f"{kernel.digest[:12]}."
        for name, kernel in sorted(design.kernels.items())
    ]
    said += [design.starts.why] if design.starts.why else []
    same = result.identical
    if not same:
        return said
    where = (
        ""
        if len(same) == len(design.settings)
        else f" at {_count(len(same), 'setting')} of {len(design.settings):,}"
    )
    because = (
        f": {why_same([design.chances[at] for at in same], design.starts)}"
        if design.chances
        else ""
    )
    return [*said, f"{max(same.values()):,} runs, one result{where}{because}."]


def warnings(result: SweepResult) -> list[str]:
    """Reasons to doubt the figures."""
    design = result.design
    said = [f"{str(note)[:1].upper()}{str(note)[1:]}." for note in result.unchanged]
    for response in result.shown:
        lacking = result.runs[response.name].null_count()
        name = spoken(response.name)
        if lacking == result.runs.height:
            said.append(
                f"No run has a {name}: its flows gave it nothing to measure, or have another name."
            )
        elif lacking:
            have = "has" if lacking == 1 else "have"
            said.append(
                f"{_count(lacking, 'run')} of {result.runs.height:,} {have} no {name}; means are "
                "over the others."
            )
    said.extend(stops(result, reached=False))
    if design.replications == 1 and design.stop is None:
        said.append(
            "One run per setting has no interval: more replications tell how much of a difference "
            "is chance."
        )
    return [*said, *result.warnings]


def narrow(result: SweepResult) -> tuple[str, str]:
    """The interval that a sequential stop watches, and the goal of its half-width; as text."""
    stop = result.design.stop
    if stop is None:
        return "", ""
    unit = next((response.unit for response in result.shown if response.name == stop.response), "1")
    asked = (
        quantity(stop.half_width, unit)
        if stop.half_width is not None
        else f"{significant(100 * (stop.relative or 0.0))} % of the mean"
    )
    if stop.comparison is None:
        return f"the interval of {spoken(stop.response)}", asked
    return f"the interval of {spoken(stop.response)}'s differences along {stop.comparison}", asked


def stops(result: SweepResult, *, reached: bool) -> list[str]:
    """A sentence on settings whose intervals became narrow enough (`reached`), or did not."""
    stop = result.design.stop
    chosen = [group for group in result.stopped if group.reached == reached]
    if stop is None or not chosen:
        return []
    of, asked = narrow(result)
    where = _count(sum(len(group.settings) for group in chosen), "setting")
    if reached:
        least = min(group.replications for group in chosen)
        most = max(group.replications for group in chosen)
        seeds = f"{least}" if least == most else f"{least} to {most}"
        return [f"At {where} half of {of} came below {asked} after {seeds} seeds."]
    unit = next((response.unit for response in result.shown if response.name == stop.response), "1")
    widest = max(
        (group.half_width for group in chosen if group.half_width is not None), default=None
    )
    is_now = "" if widest is None else f": it is up to {quantity(widest, unit, 2)}"
    return [f"At {where} half of {of} did not come below {asked} within {stop.most} seeds{is_now}."]


def method(result: SweepResult) -> list[str]:
    """The methods behind the figures, a sentence or two each."""
    design = result.design
    percent = f"{significant(100 * design.confidence, 4)} %"
    made = _made(result.responses["method"].to_list())
    said = [
        (
            "Runs of one seed see the same random draws at every setting (common random numbers), "
            "so settings are compared seed by seed."
        ),
        (
            f"Intervals are of the mean over seeds, at {percent}: {made}. Student's t where the "
            "values' skewness is small for their number, a bootstrap where it is not; which one "
            "and why stands with each mean below and in responses.parquet."
        ),
        (
            "Intervals stay within the range of their quantity: they are made on a log scale for "
            "quantities that are never negative, on a logit scale for shares and Jain's index (the "
            "delta method: Casella and Berger, Statistical Inference, 2nd edition, section 5.5.4). "
            "Figures are rounded so that half of the interval keeps two significant digits (JCGM "
            "100:2008, GUM, section 7.2.6); without an interval they have four."
        ),
    ]
    if design.warmup == "auto" and result.warmup_ps is not None:
        said.append(
            f"The warm-up of {quantity(result.warmup_ps / 1e12, 's')}, found by MSER-5 on a pilot "
            "of each setting, is not counted."
        )
    elif design.warmup == "auto":
        said.append("Pilots found no warm-up to remove.")
    if result.differences.height:
        said.append(
            "Differences are paired by seed; their intervals: "
            f"{_made(result.differences['method'].to_list())}. n.s., not significant: "
            "the interval holds no difference. d_z is the mean difference over the standard "
            "deviation of the differences (Cohen); p is two-sided, of no difference."
        )
        chance = result.by_chance
        if chance.shown > 1:
            said.append(
                f"{chance.apart} of {chance.shown} intervals of differences leave out no "
                f"difference; about {significant(chance.expected, 2)} would by chance if nothing "
                "made any difference."
            )
    said.extend(stops(result, reached=True))
    return said


def _made(methods: Iterable[str]) -> str:
    counts = Counter(methods)
    return ", ".join(
        f"{_METHODS[name]} for {count}" for name, count in counts.most_common() if name in _METHODS
    )
