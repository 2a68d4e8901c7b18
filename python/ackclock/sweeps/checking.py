"""What only the settings themselves can tell: that one of them cannot be run, that two values of an axis give the same."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError, did_you_mean
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
    """Say of what is wrong with a setting's scenario which axis or which setting it comes from."""
    try:
        yield
    except ScenarioError as error:
        raise _blamed(design, setting, error) from None


def _blamed(design: Design, setting: Setting, error: ScenarioError) -> ScenarioError:
    found = _axis_of(design, error.key)
    if found is None:
        return ScenarioError(
            f"{error.key}: {error.message}" if error.key else error.message, key=where(design.axes, setting), value=error.value
        )
    index, key = found
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
    return ScenarioError(f"{error.message} (in {where(design.axes, setting)})", key=place, value=error.value)


def _axis_of(design: Design, key: str) -> tuple[int, str] | None:
    """The axis that set a key, which a message names by its place in the scenario: flows.0.cc for flows.cc."""
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
    """How many parts two keys share, if one of them is inside the other; 0: they mean different things."""
    at = 0
    for part in named:
        if at == len(own):
            return at
        if part == own[at] or (part.isdigit() and own[at] in entries and entries.index(own[at]) == int(part)):
            at += 1
        elif not part.isdigit():
            return 0
    return at


def elements_of(plan_text: str) -> frozenset[str]:
    """What a response can name in a plan: `flows NAME`, `links NAME`, `streams NAME`, and `cc NAME` for congestion controls."""
    plan: dict[str, Any] = json.loads(plan_text)
    flows = [element["name"] for flow in plan["flows"] for element in (flow["part_of"], flow) if element is not None]
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
    """As the flows of a summary: a row per name, and one per congestion control."""
    names = _of(known, "flows")
    return [{"name": name, "part_of": None, "cc": ""} for name in names] + [
        {"name": "", "part_of": None, "cc": cc} for cc in _of(known, "cc")
    ]


def check_groups(design: Design, known: Mapping[frozenset[str], int]) -> None:
    """Say before the runs, and not after, that they have no such flow, link or group.

    Parameters
    ----------
    design
        The sweep.
    known
        What `elements_of` gave, with the first setting that it is of.
    """
    for index, response in enumerate(design.responses):
        key = f"sweep.responses.{index}"
        if response.flows is not None and not any(members(_rows(one), response.flows) for one in known):
            everything = frozenset().union(*known)
            names = [*design.scenario.entry_names(), *_of(everything, "cc")]
            raise ScenarioError(
                f"no setting has flows '{response.flows}', only {', '.join(dict.fromkeys(names))}{did_you_mean(response.flows, names)}",
                key=f"{key}.flows",
                value=response.flows,
            )
        figure = response.figure
        if figure.element is None:
            continue
        for one, setting in known.items():
            names = _of(one, figure.of)
            if figure.element not in names:
                raise ScenarioError(
                    f"'{figure.name}': {where(design.axes, design.settings[setting])} has no {figure.of[:-1]} '{figure.element}'"
                    f"{did_you_mean(figure.element, names)}",
                    key=key,
                    value=figure.name,
                )


def same_values(design: Design, digests: Sequence[bytes]) -> tuple[Same, ...]:
    """Pairs of an axis' values whose plans are the same at every setting of the other axes."""
    found: list[Same] = []
    stride = len(digests)
    for axis in design.axes:
        count = len(axis.values)
        stride //= count
        columns: dict[tuple[bytes, ...], int] = {}
        for at in range(count):
            column = tuple(
                digests[outer + at * stride + inner] for outer in range(0, len(digests), stride * count) for inner in range(stride)
            )
            first = columns.setdefault(column, at)
            if first != at:
                found.append(Same(axis.name, axis.labels[first], axis.labels[at]))
    return tuple(found)
