"""Writes diagnoses of many flows in few sentences: groups of like flows, warnings of many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.messages import names
from ackclock.tables.quantities import quantity, short_cc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.results.diagnosis.types import FlowDiagnosis

__all__ = ["LOOKED_AT", "NOT_KNOWN", "Group", "cautions", "groups", "headline"]

ALONE_UP_TO = 2
"""Largest number of like flows with a line each; more of them share one."""

LOOKED_AT = "Looked at: "
NOT_KNOWN = "Not known on a kernel: "

_HIDDEN = frozenset({"receive-window", "clamp", "other-link", "reverse-path", "unexplained"})
"""Kinds of limits that a comparison or sweep warns of; any other is intended, or a result."""


class Group(NamedTuple):
    """Return groups of flows with one congestion control and one kind of limit."""

    label: str
    line: str
    is_clear: bool


def groups(diagnoses: Sequence[FlowDiagnosis]) -> list[Group]:
    """Return a line per flow, or per group of like flows; limited flows come first."""
    alike: dict[tuple[Any, ...], list[FlowDiagnosis]] = {}
    for diagnosis in diagnoses:
        first = diagnosis["limits"][0]["kind"] if diagnosis["limits"] else ""
        alike.setdefault(
            (not diagnosis["is_clear"], first, diagnosis["link"], diagnosis["cc"]), []
        ).append(diagnosis)
    lines: list[Group] = []
    for members in alike.values():
        if len(members) <= ALONE_UP_TO:
            lines += [
                Group(diagnosis["flow"], _short(diagnosis), diagnosis["is_clear"])
                for diagnosis in members
            ]
        else:
            lines.append(_together(members))
    return sorted(lines, key=lambda group: group.is_clear)


def _short(diagnosis: FlowDiagnosis) -> str:
    return diagnosis["line"].split(f" {LOOKED_AT}", 1)[0]


def _together(members: Sequence[FlowDiagnosis]) -> Group:
    first = members[0]
    label = (
        f"{len(members)} flows ({short_cc(first['cc'])}): "
        f"{names([diagnosis['flow'] for diagnosis in members])}"
    )
    if not first["limits"]:
        return Group(label, _short(first), is_clear=False)
    shares = [diagnosis["limits"][0]["share"] for diagnosis in members]
    low, high = quantity(min(shares), "%", 2), quantity(max(shares), "%", 2)
    span = low if low == high else f"{low.removesuffix(' %')} to {high}"
    most = max(members, key=lambda diagnosis: diagnosis["limits"][0]["share"])
    limit = most["limits"][0]
    change = (
        f" Change {limit['key']}: {limit['advice']}."
        if limit["key"] and not first["is_clear"]
        else ""
    )
    if first["is_clear"]:
        text = f"had their share of {first['link']}. {most['flow']}: {limit['sentence']}."
    else:
        text = (
            f"limited by {limit['title']} for {span} of their time. {most['flow']}: "
            f"{limit['sentence']}.{change}"
        )
    return Group(label, text, first["is_clear"])


def headline(diagnoses: Sequence[FlowDiagnosis], *, measured: int = 0) -> list[str]:
    """Return the terminal's diagnosis: a paragraph per flow or group, and what was looked at.

    `measured` is the number of TCP flows; more than were diagnosed is said first.
    """
    sections = groups(diagnoses)
    lines = [f"{group.label}: {group.line}" for group in sections]
    if measured > len(diagnoses):
        lines.insert(
            0,
            f"{len(diagnoses)} of {measured} flows are diagnosed, evenly chosen from each entry "
            "of flows.",
        )
    if sections and all(group.is_clear for group in sections):
        lines.append(f"{LOOKED_AT}{', '.join(diagnoses[0]['looked_at'])}.")
    if sections and diagnoses[0]["not_known"]:
        lines.append(
            f"{NOT_KNOWN}{', '.join(diagnoses[0]['not_known'])}; times after losses are shared out "
            "by the packets that the network lost."
        )
    return lines


def cautions(summary: Mapping[str, Any]) -> list[str]:
    """Return the warnings of one run of many, and the limits that a reader would not suspect.

    Parameters
    ----------
    summary
        As in summary.json.

    Returns
    -------
    list of str
        The warnings, and a sentence per kind of limit: which flows, how long, what to change.
    """
    by_kind: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for diagnosis in summary.get("diagnosis", ()):
        for rank, limit in enumerate(diagnosis["limits"]):
            # Without SACK some packets are always sent again needlessly.
            if limit["kind"] in _HIDDEN or (limit["kind"] == "needless" and rank == 0):
                by_kind.setdefault(limit["kind"], []).append((diagnosis["flow"], limit))
    return [*summary.get("warnings", ()), *(_caution(members) for members in by_kind.values())]


def _caution(members: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    flow, most = max(members, key=lambda member: member[1]["share"])
    many = len(members) > 1
    who = (
        f"{len(members)} flows: {names([name for name, _ in members])} were"
        if many
        else f"Flow {flow} was"
    )
    share = quantity(most["share"], "%")
    how_long = f"for up to {share} of their time ({flow})" if many else f"for {share} of its time"
    change = f": {most['advice']} ({most['key']})" if most["key"] else ""
    return f"{who} limited by {most['title']} {how_long}{change}."
