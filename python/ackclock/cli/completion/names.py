"""Completers of values, for the argument `shell_complete` of click's options and arguments."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import click

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

__all__ = [
    "FILE",
    "controls",
    "engines",
    "listed",
    "names_of",
    "one_control",
    "one_of",
    "results",
    "runs_and_scenarios",
    "scenarios",
    "several_of",
    "studies",
]

FILE = Path(__file__).with_name("names.json")
"""Names by kind, each with its summary; `tools/names` writes the file."""

_SLOW_START = "slow start"
# What stands behind a slow start for which the user has named no avoidance yet.
_USUAL_AVOIDANCE = "reno"
_DEFAULT_RESULTS = Path("runs")
# Deepest folder of results in runs: runs/evaluate/SUBJECT.
_DEEPEST = 2


@cache
def _known() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    known: Mapping[str, Mapping[str, Mapping[str, str]]] = json.loads(
        FILE.read_text(encoding="utf-8")
    )
    return known


def _summaries(kind: str) -> list[tuple[str, str]]:
    return [(name, entry["summary"]) for name, entry in _known().get(kind, {}).items()]


def _items(names: Iterable[tuple[str, str]], head: str, tail: str) -> list[CompletionItem]:
    """The names that begin with `tail`, each behind `head`."""
    return [
        CompletionItem(head + name, help=summary)
        for name, summary in names
        if name.startswith(tail)
    ]


def _cut(text: str, separators: str) -> tuple[str, str]:
    """The text up to its last separator, and the rest."""
    at = max(text.rfind(separator) for separator in separators) + 1
    return text[:at], text[at:]


def names_of(kind: str, incomplete: str) -> list[CompletionItem]:
    """The names of a kind that begin as the user has begun: cc, qdisc, app, metric, formula."""
    return _items(_summaries(kind), "", incomplete)


def one_of(kind: str) -> Completer:
    """Completer of a name of a kind: cc, qdisc, app, profile, metric, formula."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return names_of(kind, incomplete)

    return complete


def several_of(kind: str) -> Completer:
    """Completer of the last of several names of a kind, with commas between them."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return _items(_summaries(kind), *_cut(incomplete, ","))

    return complete


def controls(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of several algorithms: ``reno,cos+cu`` becomes ``reno,cos+cubic``."""
    head, last = _cut(incomplete, ",")
    start, tail = _cut(last, "+")
    known = _known()["cc"]
    if start:
        names = [(name, entry) for name, entry in known.items() if entry["role"] == "avoidance"]
    else:
        names = [
            (f"{name}+{_USUAL_AVOIDANCE}" if entry["role"] == _SLOW_START else name, entry)
            for name, entry in known.items()
        ]
    return _items(((name, entry["summary"]) for name, entry in names), head + start, tail)


def one_control(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete one algorithm, which may be a slow start and an avoidance."""
    return [] if "," in incomplete else controls(context, parameter, incomplete)


def engines(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of several engines: ``sim,virtual:7.3``."""
    from ackclock.engine.linux.machine import LinuxError
    from ackclock.engine.linux.virtual.kernels import built

    names = [
        ("sim", "the simulator"),
        ("linux", "this machine's kernel, in real time"),
        ("virtual", "the newest kernel in virtual time"),
    ]
    with suppress(LinuxError):
        names += [
            (f"virtual:{kernel.name}", f"Linux {kernel.kernel.release}") for kernel in built()
        ]
    return _items(names, *_cut(incomplete, ","))


def listed(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a name behind ``ackclock list KIND``."""
    return names_of(str(context.params.get("what")), incomplete)


def studies(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of an installed study, or a file."""
    from ackclock.runtime.installed import entries

    completions = _items(((name, "") for name in (*entries(), "all")), "", incomplete)
    return completions or _files(incomplete)


def scenarios(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a scenario's file: TOML files alone, unless a folder's name fits, too."""
    head, tail = _cut(incomplete, os.sep + "/")
    try:
        entries = [entry for entry in os.scandir(head or ".") if entry.name.startswith(tail)]
    except OSError:
        return _files(incomplete)
    if any(entry.is_dir() for entry in entries if not entry.name.startswith(".") or tail):
        return _files(incomplete)
    names = sorted(entry.name for entry in entries if entry.name.endswith(".toml"))
    return _items(((name, "") for name in names), head, tail) or _files(incomplete)


def results(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a folder of results in runs/, or any folder."""
    places: list[str] = []
    for place, inner, names in os.walk(_DEFAULT_RESULTS):
        where = Path(place)
        depth = len(where.parts) - 1
        if {"report.html", "contents.json", "dossier.json"} & set(names):
            places.append(where.as_posix())
            inner.clear()
        elif depth >= _DEEPEST:
            inner.clear()
    items = _items(((name, "") for name in sorted(places)), "", incomplete)
    return items or [CompletionItem(incomplete, type="dir")]


def runs_and_scenarios(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a folder of results in runs/, or a scenario's file."""
    completions = [
        completion
        for completion in results(context, parameter, incomplete)
        if completion.type == "plain"
    ]
    return completions or scenarios(context, parameter, incomplete)


def _files(incomplete: str) -> list[CompletionItem]:
    """The shell's own completion of files."""
    return [CompletionItem(incomplete, type="file")]
