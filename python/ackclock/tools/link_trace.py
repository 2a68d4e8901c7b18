"""Mahimahi traces of links: of their rate, or of the packets delivered in a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import write_bytes
from ackclock.messages import did_you_mean, shown
from ackclock.results.capacity import opportunities, rate_spans, steps, unpack
from ackclock.runtime.permission import looking
from ackclock.scenario import Scenario, ScenarioError, load, mahimahi
from ackclock.scenario.quantities import PS_PER_S, check_rate, check_time, rate_bps, time_ps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.core_types.plan import LinkPlan, Plan
    from ackclock.results import Result
    from ackclock.results.capacity import Span
    from ackclock.scenario.mahimahi import Opportunities

__all__ = ["link_opportunities", "write_mahimahi"]

_PS_PER_MS = PS_PER_S // 1000
_BITS = mahimahi.PACKET_BYTES * 8
_MOST_LINES = 10_000_000
_DEFAULT_PS = 60 * PS_PER_S


def write_mahimahi(
    source: Result | Scenario | str | Path,
    file: str | Path,
    *,
    link: str | None = None,
    duration: str | None = None,
    delivered: bool = False,
) -> Path:
    """Write a link's delivery opportunities as a trace, and return the file.

    mm-link plays the trace, and ``rate = { trace = "FILE" }`` reads it.

    Parameters
    ----------
    source
        A result or its folder, a scenario or its file, or a rate such as ``"10Mbit/s"``.
    file
        File of the trace; an earlier one is replaced.
    link
        Name of the link; by default the first bottleneck.
    duration
        Length of the trace; by default one period of a link whose rate repeats, else the whole run;
        60 s for a rate.
    delivered
        Whether to write the packets that the link delivered in the run instead of its rate; they
        must have been recorded.

    Raises
    ------
    ScenarioError
        If the source cannot be read or has no such link, or the link's rate is unlimited.
    WriteError
        If the file cannot be written; an earlier one is untouched.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> trace = ac.write_mahimahi("12Mbit/s", Path(mkdtemp()) / "link.trace", duration="5ms")
    >>> trace.read_text().split()
    ['1', '2', '3', '4', '5']
    """
    opportunities = link_opportunities(source, link=link, duration=duration, delivered=delivered)
    target = Path(file)
    write_bytes(target, mahimahi.text(opportunities).encode("ascii"))
    return target


def link_opportunities(
    source: Result | Scenario | str | Path,
    *,
    link: str | None = None,
    duration: str | None = None,
    delivered: bool = False,
) -> Opportunities:
    """Pairs of a millisecond and the number of packets of 1500 bytes that can leave then.

    Parameters: see `write_mahimahi`.
    """
    length = None if duration is None else _length_ps(duration)
    if isinstance(source, str) and _is_rate(source):
        if delivered:
            raise ScenarioError(
                f"{shown(source)} is a rate and has delivered nothing: name the folder of a run",
                key="delivered",
            )
        return _from_spans(
            [(0, length or _DEFAULT_PS, rate_bps(check_rate(source)))], length or _DEFAULT_PS
        )
    opened = _opened(source)
    plan = opened.plan() if isinstance(opened, Scenario) else opened.plan
    link_plan = _link(plan, link)
    if delivered:
        if isinstance(opened, Scenario):
            raise ScenarioError(
                "a scenario has delivered nothing yet: name the folder of a run", key="delivered"
            )
        return _delivered(opened, link_plan, length)
    return _offered(link_plan, plan["duration_ps"], length)


def _is_rate(text: str) -> bool:
    try:
        return rate_bps(text) > 0
    except (ValueError, OverflowError):
        return False


def _length_ps(duration: str) -> int:
    try:
        length = time_ps(check_time(duration))
    except ValueError as error:
        raise ScenarioError(str(error), key="duration", value=duration) from None
    if length < _PS_PER_MS or length % _PS_PER_MS:
        raise ScenarioError(
            f"{shown(duration)} is not a whole number of ms: the lines of a trace are",
            key="duration",
            value=duration,
            kind="wrong-type",
        )
    return length


def _opened(source: Result | Scenario | str | Path) -> Result | Scenario:
    if not isinstance(source, str | Path):
        return source
    if not Path(source).is_dir():
        with looking():
            return load(source)
    from ackclock.results import Result

    try:
        return Result.load(source)
    except (FileNotFoundError, ValueError) as error:
        raise ScenarioError(str(error)) from None


def _link(plan: Plan, name: str | None) -> LinkPlan:
    links = {link["name"]: link for link in plan["links"]}
    name = name or next(iter(links))
    if name not in links:
        known = ", ".join(list(links)[:8]) + (", ..." if len(links) > 8 else "")
        raise ScenarioError(
            f"there is no link '{name}', only {known}{did_you_mean(name, links)}",
            key="link",
            value=name,
            kind="unknown-name",
        )
    return links[name]


def _offered(link: LinkPlan, run_ps: int, length: int | None) -> Opportunities:
    if link["rate_bps"] is None:
        raise ScenarioError(
            f"the rate of '{link['name']}' is unlimited: a trace would have no end",
            key="link",
            value=link["name"],
        )
    service = link.get("service")
    if service is None:
        length = length or run_ps // _PS_PER_MS * _PS_PER_MS
        return _from_spans([(0, length, link["rate_bps"])], length)
    outages = service.get("outages")
    if steps(service, length or run_ps) > _MOST_LINES:
        raise ScenarioError(
            f"the rate of '{link['name']}' changes too often for a trace: give a shorter duration",
            key="duration",
        )
    if service["kind"] == "trace":
        if length is None and outages is None:
            return list(unpack(service["opportunities"]))
        length = length or run_ps // _PS_PER_MS * _PS_PER_MS
        return _ended(list(opportunities(service, length)), length)
    if length is None:
        period = service.get("period_ps")
        length = run_ps if period is None or outages is not None else period
        length = length // _PS_PER_MS * _PS_PER_MS
    return _from_spans(rate_spans(service, length), length)


def _from_spans(spans: Iterable[Span], length: int) -> Opportunities:
    """An opportunity at the end of each millisecond in which the bits of a packet are complete."""
    counts: dict[int, int] = {}
    # Bits times picoseconds per second, so that all is exact.
    unit, carried, lines = _BITS * PS_PER_S, 0, 0
    for begin, end, bps in spans:
        offered = carried + bps * (end - begin)
        lines += offered // unit
        if lines > _MOST_LINES:
            raise ScenarioError(
                f"more than {_MOST_LINES} lines: give a shorter duration", key="duration"
            )
        for number in range(1, offered // unit + 1):
            at = begin + -(-(number * unit - carried) // bps)
            ms = -(-at // _PS_PER_MS)
            counts[ms] = counts.get(ms, 0) + 1
        carried = offered % unit
    return _ended(sorted(counts.items()), length)


def _ended(opportunities: Opportunities, length: int) -> Opportunities:
    """Opportunities that end at `length`, because the last line of a trace is its period.

    The last opportunity is moved there, or an incomplete one is added.
    """
    last = length // _PS_PER_MS
    if opportunities and opportunities[-1][0] == last:
        return opportunities
    moved = (
        [(opportunities[-1][0], opportunities[-1][1] - 1)]
        if opportunities and opportunities[-1][1] > 1
        else []
    )
    return [*opportunities[:-1], *moved, (last, 1)]


def _delivered(result: Result, link: LinkPlan, length: int | None) -> Opportunities:
    import polars as pl

    name = link["name"]
    recorded = [
        result.plan["links"][index]["name"] for index in result.plan["record"]["packet_links"]
    ]
    if name not in recorded:
        raise ScenarioError(
            f"the packets of '{name}' were not recorded: run the scenario with record.packets = "
            f"['{name}']",
            key="link",
            value=name,
        )
    packets = result.packets.filter(
        (pl.col("where") == name) & (pl.col("event").cast(pl.String) == "receive")
    )
    counts: dict[int, int] = {}
    carried = 0
    for time_ns, size in packets.select("time_ns", "wire_size").iter_rows():
        left = 1000 * time_ns - link["delay_ps"]
        if length is not None and left > length:
            break
        carried += size
        ms = -(-left // _PS_PER_MS)
        counts[ms] = counts.get(ms, 0) + carried // mahimahi.PACKET_BYTES
        carried %= mahimahi.PACKET_BYTES
    end = length or int(result.end_time * 1000) * _PS_PER_MS
    opportunities = [
        (ms, count) for ms, count in sorted(counts.items()) if count and ms * _PS_PER_MS <= end
    ]
    if not opportunities:
        raise ScenarioError(
            f"'{name}' delivered less than a packet of {mahimahi.PACKET_BYTES} bytes",
            key="link",
            value=name,
        )
    return _ended(opportunities, end)
