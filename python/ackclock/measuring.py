"""Figures that take several runs: harm, friendliness, response curves, utilisation against buffer, router tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.comparing import compare
from ackclock.metrics import find_metric, harm, loss_rate, mean_of
from ackclock.metrics import friendliness as friendliness_of
from ackclock.running import run
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.scenario.errors import did_you_mean
from ackclock.scenario.record import recorded_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from ackclock.results import Comparison

__all__ = [
    "back_to_back",
    "by_setting",
    "frame_loss",
    "friendliness",
    "harm_to",
    "response_curve",
    "router_throughput",
    "utilisation_by_buffer",
]


def _entries(scenario: Scenario) -> list[dict[str, Any]]:
    """The flows' tables, each with its name: alone it shall see the draws that it sees beside the others."""
    tables = [dict(one) for one in scenario.data()["flows"]]
    return [{**table, "name": name} for table, name in zip(tables, scenario.entry_names(), strict=True)]


def _loaded(scenario: Scenario | str | Path) -> Scenario:
    return scenario if isinstance(scenario, Scenario) else load(scenario)


def _plain(scenario: Scenario | str | Path) -> Scenario:
    """The scenario without its own comparison."""
    return _loaded(scenario).replace({"compare": {}})


def _check_entry(scenario: Scenario, name: str) -> None:
    known = scenario.entry_names()
    if name not in known:
        raise ScenarioError(
            f"there is no entry '{name}' in flows, only {', '.join(known)}{did_you_mean(name, known)}",
            key="victim",
            value=name,
            file=scenario.file,
        )


def _value(scenario: Scenario, entry: str, metric: str, seed: int) -> float | None:
    """The metric of the flows of one entry, their mean."""
    result = run(scenario.replace({"record": recorded_for(find_metric(metric).needs, scenario)}), seed=seed)
    names = [
        name for name in result.flows.filter(result.flows["part_of"].is_null())["name"] if name == entry or name.startswith(f"{entry}.")
    ]
    return mean_of(result.value(f"{metric}@{name}") for name in names)


def harm_to(
    scenario: Scenario | str | Path, victim: str, *, metric: str = "goodput", more_is_better: bool = True, seeds: int = 1
) -> pl.DataFrame:
    """What the other flows of a scenario do to one of them.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    victim
        The entry of flows that is harmed; it is run beside the others and alone, with the same draws.
    metric
        A metric of flows; of an entry of several flows their mean.
    more_is_better
        True of goodput; False of ``"rtt.p95"``, ``"fct"``, ``"loss_rate"``.
    seeds
        Number of seeds: the scenario's and those that follow it.

    Returns
    -------
    polars.DataFrame
        Columns seed, solo, together (in the metric's unit), harm (1: all is lost, 0: none, below 0: a benefit).

    Notes
    -----
    `ackclock.metrics.harm`; R. Ware, M. Mukerjee, S. Seshan, J. Sherry, Beyond Jain's fairness index, HotNets 2019.

    Examples
    --------
    >>> import ackclock as ac
    >>> both = ac.dumbbell(rate="10Mbit/s", rtt="40ms", buffer="1bdp", flows=[ac.flow("reno"), ac.flow("cubic")], duration="10s")
    >>> harm_to(both, "flow1").columns
    ['seed', 'solo', 'together', 'harm']
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, victim)
    entries = _entries(scenario)
    together = scenario.replace({"flows": entries})
    solo = scenario.replace({"flows": [one for one in entries if one["name"] == victim]})
    rows = []
    for seed in range(scenario.seed, scenario.seed + seeds):
        alone, beside = (_value(one, victim, metric, seed) for one in (solo, together))
        done = None if alone is None or beside is None else harm(alone, beside, more_is_better=more_is_better)
        rows.append({"seed": seed, "solo": alone, "together": beside, "harm": done})
    return pl.DataFrame(rows, schema={"seed": pl.Int64, "solo": pl.Float64, "together": pl.Float64, "harm": pl.Float64})


def friendliness(scenario: Scenario | str | Path, victim: str, *, seeds: int = 1) -> pl.DataFrame:
    """What flows of a standard algorithm get beside another one, against what they get if all flows have the standard one.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    victim
        The entry of flows with the standard algorithm, Reno or CUBIC.
    seeds
        Number of seeds: the scenario's and those that follow it.

    Returns
    -------
    polars.DataFrame
        Columns seed, beside, among (mean goodput of the victim's flows, bit/s), friendliness (1: the other takes what the standard would).

    Notes
    -----
    `ackclock.metrics.friendliness`; RFC 5166 section 2.3, RFC 9743. The metric of that name is of one run and takes an equal share for
    what they would get.
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, victim)
    entries = _entries(scenario)
    standard = next(one["cc"] for one in entries if one["name"] == victim)
    among = scenario.replace({"flows": [{**one, "cc": standard} for one in entries]})
    rows = []
    for seed in range(scenario.seed, scenario.seed + seeds):
        got, due = (_value(one, victim, "goodput", seed) for one in (scenario.replace({"flows": entries}), among))
        rows.append({"seed": seed, "beside": got, "among": due, "friendliness": friendliness_of([got], [due])})
    return pl.DataFrame(rows, schema={"seed": pl.Int64, "beside": pl.Float64, "among": pl.Float64, "friendliness": pl.Float64})


def by_setting(comparison: Comparison, metrics: Sequence[str]) -> pl.DataFrame:
    """Several metrics of a comparison side by side: means over its seeds.

    Parameters
    ----------
    comparison
        Runs, or what was read of them with ``Comparison.load``.
    metrics
        Names; of those that summaries do not hold, only the comparison's own.

    Returns
    -------
    polars.DataFrame
        A row per setting and variant: the ``along`` keys, variant, a column per metric.
    """
    import polars as pl

    values = {metric: comparison.values(metric) for metric in metrics}
    rows: list[Mapping[str, Any]] = [
        {
            **dict(zip(comparison.along, setting, strict=True)),
            "variant": variant,
            **{metric: mean_of(table[setting, variant].values()) for metric, table in values.items()},
        }
        for setting in comparison.settings
        for variant in comparison.variants
    ]
    return pl.DataFrame(rows, infer_schema_length=None, schema_overrides=dict.fromkeys(metrics, pl.Float64))


def utilisation_by_buffer(
    scenario: Scenario | str | Path,
    buffers: Sequence[str],
    *,
    key: str = "network.bottleneck.limit",
    seeds: int = 1,
    workers: int | None = None,
) -> pl.DataFrame:
    """Utilisation, queueing delay and losses with buffers of several sizes.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    buffers
        Sizes, such as ``["0.1bdp", "1bdp", "30 packets"]``.
    key
        Where the scenario has the size.
    seeds, workers
        As for `ackclock.compare`.

    Returns
    -------
    polars.DataFrame
        A row per size: buffer, utilisation, queue_delay.mean (s), loss_rate; means over the seeds.

    Notes
    -----
    The curve that buffers are sized by: C. Villamizar, C. Song, 1994; G. Appenzeller et al., 2004 (`ackclock.theory.buffers`).
    """
    comparison = compare(_plain(scenario), along={key: list(buffers)}, seeds=seeds, metric="utilisation", workers=workers)
    table = by_setting(comparison, ["utilisation", "queue_delay.mean", "loss_rate"])
    return table.rename({key: "buffer"}).drop("variant")


def response_curve(
    scenario: Scenario | str | Path,
    losses: Sequence[float],
    *,
    key: str = "network.bottleneck.loss",
    seeds: int = 1,
    workers: int | None = None,
) -> pl.DataFrame:
    """Mean window against the measured loss rate, with losses by chance on the bottleneck's wire.

    Parameters
    ----------
    scenario
        A scenario whose link is never full, or the path of its file.
    losses
        Probabilities that a packet is lost.
    key
        Where the scenario has the loss.
    seeds, workers
        As for `ackclock.compare`.

    Returns
    -------
    polars.DataFrame
        A row per probability: p, loss_rate (measured), window (packets), goodput (bit/s); means over flows and seeds.

    Notes
    -----
    H. Pham, L. Le, Improving the performance of TCP, 2005, figure 1; `ackclock.theory` has many algorithms' in closed form.
    """
    import polars as pl

    # One algorithm, that of the scenario: a row per probability.
    along = {key: [{"kind": "bernoulli", "p": p} for p in losses]}
    comparison = compare(_plain(scenario), along=along, seeds=seeds, metric="window.mean", workers=workers)
    table = by_setting(comparison, ["loss_rate", "window.mean", "goodput.mean"])
    curve = table.select("loss_rate", "window.mean", "goodput.mean").rename({"window.mean": "window", "goodput.mean": "goodput"})
    return curve.insert_column(0, pl.Series("p", losses, dtype=pl.Float64))


def _datagrams(scenario: Scenario, stream: str, changes: Mapping[str, Any]) -> tuple[int, int, float | None]:
    """Of a stream, datagrams sent and lost, and their mean delay, s."""
    setting = {f"flows.{stream}.{key}": value for key, value in changes.items()}
    result = run(scenario.replace({**setting, "record": {"samples": "off"}}))
    row = next(row for row in result.streams.iter_rows(named=True) if row["name"] == stream)
    return row["sent_packets"], row["lost_packets"], row["delay_mean"]


def frame_loss(scenario: Scenario | str | Path, stream: str, rates: Sequence[str]) -> pl.DataFrame:
    """Frame loss rate of a link at several offered rates (RFC 1242 section 3.6, RFC 2544 section 26.3).

    Parameters
    ----------
    scenario
        A scenario, or the path of its file, with a stream of constant rate and nothing else on the link under test.
    stream
        Name of the stream, whose application is ``cbr``.
    rates
        Offered rates, on the wire, such as ``["10Mbit/s", "9Mbit/s"]``.

    Returns
    -------
    polars.DataFrame
        A row per rate: offered (as given), sent, lost (packets), loss_rate, latency (mean one-way delay of what arrived, s).
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, stream)
    rows = []
    for rate in rates:
        sent, lost, latency = _datagrams(scenario, stream, {"app.rate": rate})
        rows.append({"offered": rate, "sent": sent, "lost": lost, "loss_rate": loss_rate(lost, sent), "latency": latency})
    kinds = {"offered": pl.String, "sent": pl.Int64, "lost": pl.Int64, "loss_rate": pl.Float64, "latency": pl.Float64}
    return pl.DataFrame(rows, schema=kinds)


def router_throughput(
    scenario: Scenario | str | Path, stream: str, highest: str, *, resolution: float = 1e-3
) -> tuple[float, float | None]:
    """Throughput and latency of a link in RFC 1242's sense: the largest rate at which nothing is lost, and the delay at that rate.

    Parameters
    ----------
    scenario, stream
        As for `frame_loss`.
    highest
        The largest rate that is tried, such as ``"20Mbit/s"``.
    resolution
        The search ends when the rate is known to this share of `highest`.

    Returns
    -------
    tuple of float
        Throughput, bit/s on the wire, 0 if every rate that was tried lost something; mean one-way delay at that rate, s.

    Notes
    -----
    RFC 1242 sections 3.17 and 3.8; RFC 2544 sections 26.1 and 26.2. The search halves the range in which the rate must be, with one run of
    the scenario's length each: a queue that would overflow later than the run ends is not seen.
    """
    from ackclock.scenario.quantities import rate_bps

    scenario = _loaded(scenario)
    _check_entry(scenario, stream)
    low, high = 0, rate_bps(highest)
    step = max(int(resolution * high), 1)
    latency: float | None = None
    rate = high
    while True:
        _, lost, delay = _datagrams(scenario, stream, {"app.rate": f"{rate}bit/s"})
        if lost == 0:
            low, latency = rate, delay
        else:
            high = rate
        if high - low <= step or low == high:
            return float(low), latency
        rate = (low + high) // 2


def back_to_back(scenario: Scenario | str | Path, stream: str, rate: str, *, most: int = 100_000) -> int:
    """Longest burst of packets at a rate of which a link loses none (RFC 1242 section 3.1, RFC 2544 section 26.4).

    Parameters
    ----------
    scenario, stream
        As for `frame_loss`; the scenario lasts longer than the burst takes.
    rate
        Rate within the burst, on the wire: that of the line in front of the link under test.
    most
        Longer bursts are not tried, packets.

    Returns
    -------
    int
        Packets; `most` if even that burst is not too long, 0 if a single packet is.
    """
    from ackclock.scenario.quantities import rate_bps

    scenario = _loaded(scenario)
    _check_entry(scenario, stream)
    plan = scenario.replace({f"flows.{stream}.app.rate": rate}).plan()
    one = next(one for one in plan["streams"] if one["name"] == stream)
    per_packet_ps = 8 * (one["app"]["payload_bytes"] + one["header_bytes"]) * 10**12 // rate_bps(rate)

    def fits(packets: int) -> bool:
        # Stopped between its last packet and the next.
        stop = one["start_ps"] + packets * per_packet_ps - per_packet_ps // 2
        sent, lost, _ = _datagrams(scenario, stream, {"app.rate": rate, "stop": f"{stop // 1000}ns"})
        return sent == packets and lost == 0

    low, high = 0, 1
    while high <= most and fits(high):
        low, high = high, 2 * high
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
