"""Key figures of each kind of results, from the files for other programs."""

from __future__ import annotations

from collections import Counter
from string import hexdigits
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.atomic_io import LinkError, entries_of, files_of, is_file, read_json
from ackclock.core_types.names import damaged_name
from ackclock.formulas.rates import goodput
from ackclock.sweeps.result import NEXT
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

__all__ = ["Figures", "figures_of"]

_FINISHED = "sweep.json"
_SIMULATOR = "simulator"


class Figures(NamedTuple):
    """Key figures of a result."""

    kind: str
    """The kind, more exactly than its files tell: "kernel run", "comparison"."""
    text: str
    values: Mapping[str, float | int | str]


def figures_of(kind: str, folder: Path) -> Figures:
    """Read the key figures of a result.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError, AttributeError
        If the result's files are damaged.
    """
    return _READERS[kind](folder)


def _counted(count: int, noun: str, nouns: str = "") -> str:
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def _check_names(entries: Iterable[Mapping[str, Any]]) -> None:
    wrong = damaged_name(entry["name"] for entry in entries)
    if wrong:
        raise ValueError(f"damaged: {wrong}")


def _run(folder: Path) -> Figures:
    summary = read_json(folder, "summary.json")
    _check_names([*summary["flows"], *summary["links"]])
    flows = [flow for flow in summary["flows"] if flow["part_of"] is None]
    time = summary["measured_time"]
    rate = goodput(sum(flow["goodput_bytes"] for flow in flows), time) or 0.0
    used = max((link["utilisation"] or 0.0 for link in summary["links"]), default=0.0)
    lost = sum(flow["lost_packets"] for flow in flows)
    is_simulated = summary["engine"] == _SIMULATOR
    return Figures(
        "run" if is_simulated else "kernel run",
        f"{_counted(len(flows), 'flow')}, {quantity(rate, 'bit/s')}, "
        f"link {100 * used:.3g} % used, {lost:,} lost",
        {
            "flows": len(flows),
            "goodput_bps": rate,
            "utilisation": used,
            "lost_packets": lost,
            "engine": summary["engine"],
        },
    )


def _sweep(folder: Path) -> Figures:
    if not is_file(folder, _FINISHED):
        there = _runs_in(folder, "runs")
        return Figures("sweep", f"unfinished: {_counted(there, 'run')} made", {"runs": there})
    stored = read_json(folder, _FINISHED)
    _check_names([*stored["axes"], *stored["responses"]])
    axes = [axis["name"] for axis in stored["axes"]]
    responses = ", ".join(response["name"] for response in stored["responses"])
    least, most = stored["replications"]["least"], stored["replications"]["most"]
    seeds = f"{least}" if least == most else f"{least} to {most}"
    settings = _counted(stored["settings"], "setting")
    more = "; another one in progress" if is_file(folder, NEXT) else ""
    return Figures(
        "comparison" if "variant" in axes else "sweep",
        f"{settings} × {seeds} seed{'' if seeds == '1' else 's'}; {responses}{more}",
        {"settings": stored["settings"], "runs": stored["runs"], "responses": responses},
    )


def _verdicts(kinds: Iterable[str]) -> tuple[str, dict[str, int]]:
    counted = dict(Counter(kinds).most_common())
    return ", ".join(f"{count:,} {kind}" for kind, count in counted.items()), counted


def _study(folder: Path) -> Figures:
    claims = read_json(folder, "claims.json")
    text, counted = _verdicts(claim["verdict"] for claim in claims if claim["kind"] == "claim")
    quick = " (quick)" if any(claim["quick"] for claim in claims) else ""
    return Figures("study", f"claims: {text or 'none'}{quick}", counted)


def _dossier(folder: Path) -> Figures:
    dossier = read_json(folder, "dossier.json")
    text, counted = _verdicts(row["verdict"] for row in dossier["rows"])
    quick = " (quick)" if dossier["quick"] else ""
    return Figures("dossier", f"rows: {text}{quick}", {"subject": dossier["subject"], **counted})


def _golden(folder: Path) -> Figures:
    checks = read_json(folder, "result.json")["checks"]
    failed = sum(not check["ok"] for check in checks)
    text = f"{_counted(len(checks), 'check')}, {failed or 'none'} failed"
    return Figures("golden test", text, {"checks": len(checks), "failed": failed})


def _store(folder: Path) -> Figures:
    count = _runs_in(folder, "")
    return Figures("store", _counted(count, "run"), {"runs": count})


def _runs_in(folder: Path, store: str) -> int:
    """Number of runs in a store within a folder; 0 without one, or if it is elsewhere."""
    try:
        shelves = [name for name in entries_of(folder, store) if name[:1] in set(hexdigits)]
        return sum(
            len(files_of(folder, f"{store}/{name}".lstrip("/"), ".json")) for name in shelves
        )
    except LinkError:
        return 0


_READERS: Mapping[str, Callable[[Path], Figures]] = {
    "run": _run,
    "sweep": _sweep,
    "study": _study,
    "dossier": _dossier,
    "golden test": _golden,
    "store": _store,
}
