"""Checks that need the settings: one that cannot run, two values of an axis with equal plans."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ackclock.messages import did_you_mean
from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.design import Same, where
from ackclock.sweeps.responses import members

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from ackclock.sweeps.axes import Setting
    from ackclock.sweeps.design import Design

__all__ = ["check_groups", "check_setting", "elements_of", "same_values"]


@contextmanager
def check_setting(design: Design, setting: Setting) -> Iterator[None]:
    """Name the axis or the setting in an error of a setting's scenario."""
    try:
        yield
    except ScenarioError as error:
        raise _blamed(design, setting, error) from None


def _blamed(design: Design, setting: Setting, error: ScenarioError) -> ScenarioError:
    position = _axis_of(design, error.key)
    if position is None:
        return ScenarioError(
            f"{error.key}: {error.message}" if error.key else error.message,
            key=where(design.axes, setting),
            value=error.value,
        )
    index, key = position
    place = f"sweep.axes.{index}.{key}"
    if error.message.startswith("unknown key"):
        message = error.message
        last = key.rpartition(".")[2]
        wrong = error.key.rpartition(".")[2]
        if wrong != last:
            message = f"'{wrong}': {message}"
        entries = design.scenario.entry_names()
        if (
            key.startswith("flows.")
            and error.key.count(".") == 2
            and (near := did_you_mean(wrong, entries))
            and "did you mean" not in message
        ):
            message += near
        if setting.index > 0:
            message += f" (in {where(design.axes, setting)})"
        return ScenarioError(message, key=place, value=error.value)
    return ScenarioError(
        f"{error.message} (in {where(design.axes, setting)})", key=place, value=error.value
    )


def _axis_of(design: Design, key: str) -> tuple[int, str] | None:
    """The axis that set a key. An error names the key by its place: flows.0.cc for flows.cc."""
    if not key:
        return None
    best: tuple[int, int, str] | None = None
    named = key.split(".")
    for index, axis in enumerate(design.axes):
        for own in axis.keys:
            common = _common(own.split("."), named, design.scenario.entry_names())
            if common and (best is None or common > best[0]):
                best = (common, index, own)
    return None if best is None else (best[1], best[2])


def _common(own: Sequence[str], named: Sequence[str], entries: Sequence[str]) -> int:
    """Number of parts that two keys share; 0 unless one of them is inside the other."""
    at = 0
    for part in named:
        if at == len(own):
            return at
        if part == own[at] or (
            part.isdigit() and own[at] in entries and entries.index(own[at]) == int(part)
        ):
            at += 1
        elif not part.isdigit():
            return 0
    return at


def elements_of(plan_text: str) -> frozenset[str]:
    """Elements of a plan that responses can name: `flows NAME`, `links NAME`, `streams NAME`, ...

    A congestion control is `cc NAME`.
    """
    plan: dict[str, Any] = json.loads(plan_text)
    flows = [
        element["name"]
        for flow in plan["flows"]
        for element in (flow["part_of"], flow)
        if element is not None
    ]
    streams = [stream["name"] for stream in plan["streams"]]
    return frozenset(
        [
            *(f"flows {name}" for name in [*flows, *streams]),
            *(f"streams {name}" for name in streams),
            *(f"links {link['name']}" for link in plan["links"]),
            *(f"cc {flow['cc']}" for flow in plan["flows"]),
        ]
    )


def _of(known: Collection[str], kind: str) -> list[str]:
    return sorted(name.removeprefix(f"{kind} ") for name in known if name.startswith(f"{kind} "))


def _rows(known: Collection[str]) -> list[dict[str, Any]]:
    """Rows as `members` reads them: one per name, and one per congestion control."""
    names = _of(known, "flows")
    return [{"name": name, "part_of": None, "cc": ""} for name in names] + [
        {"name": "", "part_of": None, "cc": cc} for cc in _of(known, "cc")
    ]


def check_groups(design: Design, known: Mapping[frozenset[str], int]) -> None:
    """Refuse, before any run, responses of a flow, link or group that the runs will not have.

    `known` maps the results of `elements_of` to the first setting that has them.
    """
    for index, response in enumerate(design.responses):
        key = f"sweep.responses.{index}"
        if response.flows is not None and not any(
            members(_rows(elements), response.flows) for elements in known
        ):
            everything = frozenset().union(*known)
            names = [*design.scenario.entry_names(), *_of(everything, "cc")]
            raise ScenarioError(
                f"no setting has flows '{response.flows}', only "
                f"{', '.join(dict.fromkeys(names))}{did_you_mean(response.flows, names)}",
                key=f"{key}.flows",
                value=response.flows,
                kind="unknown-name",
            )
        figure = response.figure
        if figure.element is None:
            continue
        for elements, setting in known.items():
            names = _of(elements, figure.of)
            if figure.element not in names:
                raise ScenarioError(
                    f"'{figure.name}': {where(design.axes, design.settings[setting])} has no "
                    f"{figure.of[:-1]} '{figure.element}'"
                    f"{did_you_mean(figure.element, names)}",
                    key=key,
                    value=figure.name,
                    kind="unknown-name",
                )


def same_values(design: Design, digests: Sequence[bytes]) -> tuple[Same, ...]:
    """Pairs of an axis' values whose plans are equal at every setting of the other axes."""
    pairs: list[Same] = []
    stride = len(digests)
    for axis in design.axes:
        count = len(axis.values)
        stride //= count
        columns: dict[tuple[bytes, ...], int] = {}
        for at in range(count):
            column = tuple(
                digests[outer + at * stride + inner]
                for outer in range(0, len(digests), stride * count)
                for inner in range(stride)
            )
            first = columns.setdefault(column, at)
            if first != at:
                pairs.append(Same(axis.name, axis.labels[first], axis.labels[at]))
    return tuple(pairs)
