"""Figures that take several runs: harm, friendliness, response curves, buffers, router tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.engine.run import run
from ackclock.messages import did_you_mean
from ackclock.metrics import find_metric, harm, loss_rate, mean_of
from ackclock.metrics import friendliness as friendliness_of
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.sweeps.comparing import compare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from ackclock.sweeps.result import SweepResult

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
    """The flows' tables with names, so that a flow sees equal draws alone and beside others."""
    tables = [dict(table) for table in scenario.data()["flows"]]
    return [
        {**table, "name": name} for table, name in zip(tables, scenario.entry_names(), strict=True)
    ]


def _loaded(scenario: Scenario | str | Path) -> Scenario:
    return scenario if isinstance(scenario, Scenario) else load(scenario)


def _plain(scenario: Scenario | str | Path) -> Scenario:
    """The scenario without its table [compare]."""
    return _loaded(scenario).replace({"compare": {}})


def _check_entry(scenario: Scenario, name: str) -> None:
    known = scenario.entry_names()
    if name not in known:
        raise ScenarioError(
            f"there is no entry '{name}' in flows, only "
            f"{', '.join(known)}{did_you_mean(name, known)}",
            key="victim",
            value=name,
            file=scenario.file,
            kind="unknown-name",
        )


def _value(scenario: Scenario, entry: str, metric: str, seed: int) -> float | None:
    """Mean of a metric over the flows of one entry."""
    result = run(
        scenario.replace({"record": scenario.record_for(find_metric(metric).needs)}), seed=seed
    )
    names = [
        name
        for name in result.flows.filter(result.flows["part_of"].is_null())["name"]
        if name == entry or name.startswith(f"{entry}.")
    ]
    return mean_of(result.value(f"{metric}@{name}") for name in names)


def harm_to(
    scenario: Scenario | str | Path,
    victim: str,
    *,
    metric: str = "goodput",
    more_is_better: bool = True,
    seeds: int = 1,
) -> pl.DataFrame:
    """Measure the harm that the other flows of a scenario do to one of them.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    victim
        Name of the harmed entry of flows; it runs beside the others and alone, with the same draws.
    metric
        A metric of flows; for an entry of several flows their mean counts.
    more_is_better
        True for goodput; False for ``"rtt.p95"``, ``"fct"``, ``"loss_rate"``.
    seeds
        Number of seeds, counted up from the scenario's.

    Returns
    -------
    polars.DataFrame
        Columns seed, solo, together (in the metric's unit), harm (1: all is lost, 0: none, below 0:
        a benefit).

    Notes
    -----
    `ackclock.metrics.harm`; R. Ware, M. Mukerjee, S. Seshan, J. Sherry, Beyond Jain's fairness
    index, HotNets 2019.

    Examples
    --------
    >>> import ackclock as ac
    >>> flows = [ac.flow("reno"), ac.flow("cubic")]
    >>> both = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", buffer="1bdp", flows=flows, duration="10s"
    ... )
    >>> harm_to(both, "flow1").columns
    ['seed', 'solo', 'together', 'harm']
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, victim)
    entries = _entries(scenario)
    together = scenario.replace({"flows": entries})
    solo = scenario.replace({"flows": [entry for entry in entries if entry["name"] == victim]})
    rows = []
    for seed in range(scenario.seed, scenario.seed + seeds):
        alone, beside = (_value(variant, victim, metric, seed) for variant in (solo, together))
        done = (
            None
            if alone is None or beside is None
            else harm(alone, beside, more_is_better=more_is_better)
        )
        rows.append({"seed": seed, "solo": alone, "together": beside, "harm": done})
    columns = ("solo", "together", "harm")
    return pl.DataFrame(rows, schema={"seed": pl.Int64} | dict.fromkeys(columns, pl.Float64))


def friendliness(scenario: Scenario | str | Path, victim: str, *, seeds: int = 1) -> pl.DataFrame:
    """Compare the goodput of standard flows beside another algorithm and among their kind.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    victim
        Name of the entry of flows with the standard algorithm, Reno or CUBIC.
    seeds
        Number of seeds, counted up from the scenario's.

    Returns
    -------
    polars.DataFrame
        Columns seed, beside, among (mean goodput of the victim's flows, bit/s), friendliness (1:
        the other algorithm takes as much as the standard would).

    Notes
    -----
    `ackclock.metrics.friendliness`; RFC 5166 section 2.3, RFC 9743. The metric of that name needs
    one run only: it compares with an equal share.

    Examples
    --------
    >>> import ackclock as ac
    >>> both = ac.dumbbell(
    ...     rate="10Mbit/s",
    ...     rtt="40ms",
    ...     flows=[ac.flow("reno", name="standard"), ac.flow("cubic", name="other")],
    ...     duration="10s",
    ... )
    >>> ac.measuring.friendliness(both, "standard").columns
    ['seed', 'beside', 'among', 'friendliness']
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, victim)
    entries = _entries(scenario)
    standard = next(entry["cc"] for entry in entries if entry["name"] == victim)
    among = scenario.replace({"flows": [{**entry, "cc": standard} for entry in entries]})
    rows = []
    for seed in range(scenario.seed, scenario.seed + seeds):
        got, due = (
            _value(variant, victim, "goodput", seed)
            for variant in (scenario.replace({"flows": entries}), among)
        )
        share = friendliness_of([got], [due])
        rows.append({"seed": seed, "beside": got, "among": due, "friendliness": share})
    columns = ("beside", "among", "friendliness")
    return pl.DataFrame(rows, schema={"seed": pl.Int64} | dict.fromkeys(columns, pl.Float64))


def by_setting(result: SweepResult, metrics: Sequence[str]) -> pl.DataFrame:
    """Several metrics of a comparison or a sweep side by side: means over its seeds.

    Parameters
    ----------
    result
        Result of ``ackclock.compare``, ``ackclock.sweep`` or ``ackclock.open_sweep``.
    metrics
        Names of responses, or of other metrics that the results keep.

    Returns
    -------
    polars.DataFrame
        A row per setting: the axes, a column per metric.

    Examples
    --------
    >>> import ackclock as ac
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> comparison = ac.compare(base, cc=["reno", "cubic"], seeds=2)
    >>> ac.measuring.by_setting(comparison, ["utilisation"]).columns
    ['variant', 'utilisation']
    """
    import polars as pl

    settings = result.design.settings
    columns: dict[str, list[Any]] = {
        axis.name: [setting.labels[at] for setting in settings]
        for at, axis in enumerate(result.design.axes)
    }
    for metric in metrics:
        values: dict[int, list[float]] = {setting.index: [] for setting in settings}
        for setting, value in result.runs.select("setting", metric).drop_nulls().iter_rows():
            values[setting].append(value)
        columns[metric] = [mean_of(numbers) for numbers in values.values()]
    return pl.DataFrame(columns, schema_overrides=dict.fromkeys(metrics, pl.Float64), strict=False)


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
        Key of the size in the scenario.
    seeds, workers
        See `ackclock.compare`.

    Returns
    -------
    polars.DataFrame
        A row per size: buffer, utilisation, queue_delay.mean (s), loss_rate; means over the seeds.

    Notes
    -----
    Buffers are sized by this curve: C. Villamizar, C. Song, 1994; G. Appenzeller et al., 2004
    (`ackclock.theory.buffers`).

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.tools.measuring import utilisation_by_buffer
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> utilisation_by_buffer(base, ["5 packets", "20 packets"])["buffer"].to_list()
    ['5 packets', '20 packets']
    """
    comparison = compare(
        _plain(scenario),
        along={key: list(buffers)},
        seeds=seeds,
        metric="utilisation",
        workers=workers,
    )
    table = by_setting(comparison, ["utilisation", "queue_delay.mean", "loss_rate"])
    return table.rename({key: "buffer"})


def response_curve(
    scenario: Scenario | str | Path,
    losses: Sequence[float],
    *,
    key: str = "network.bottleneck.loss",
    seeds: int = 1,
    workers: int | None = None,
) -> pl.DataFrame:
    """Mean window over the measured loss rate, with random losses on the bottleneck's wire.

    Parameters
    ----------
    scenario
        A scenario whose link is never full, or the path of its file.
    losses
        Probabilities that a packet is lost.
    key
        Key of the loss in the scenario.
    seeds, workers
        See `ackclock.compare`.

    Returns
    -------
    polars.DataFrame
        A row per probability: p, loss_rate (measured), window (packets), goodput (bit/s); means
        over flows and seeds.

    Notes
    -----
    H. Pham, L. Le, Improving the performance of TCP, 2005, figure 1; `ackclock.theory` has the
    curves of many algorithms in closed form.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.tools.measuring import response_curve
    >>> wide = ac.dumbbell(rate="1Gbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="5s")
    >>> curve = response_curve(wide, [0.001, 0.01])
    >>> curve["window"][0] > curve["window"][1]
    True
    """
    import polars as pl

    along = {key: [{"kind": "bernoulli", "p": p} for p in losses]}
    comparison = compare(
        _plain(scenario), along=along, seeds=seeds, metric="window.mean", workers=workers
    )
    table = by_setting(comparison, ["loss_rate", "window.mean", "goodput.mean"])
    curve = table.select("loss_rate", "window.mean", "goodput.mean").rename(
        {"window.mean": "window", "goodput.mean": "goodput"}
    )
    return curve.insert_column(0, pl.Series("p", losses, dtype=pl.Float64))


def _datagrams(
    scenario: Scenario, stream: str, changes: Mapping[str, Any]
) -> tuple[int, int, float | None]:
    """Numbers of a stream's sent and lost datagrams, and the mean delay, s."""
    setting = {f"flows.{stream}.{key}": value for key, value in changes.items()}
    result = run(scenario.replace({**setting, "record": {"samples": "off"}}))
    row = next(row for row in result.streams.iter_rows(named=True) if row["name"] == stream)
    return row["sent_packets"], row["lost_packets"], row["delay_mean"]


def frame_loss(scenario: Scenario | str | Path, stream: str, rates: Sequence[str]) -> pl.DataFrame:
    """Frame loss rate of a link at several offered rates.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file, with a stream of constant rate and nothing else on the
        link under test.
    stream
        Name of the stream, whose application is ``cbr``.
    rates
        Offered rates, on the wire, such as ``["10Mbit/s", "9Mbit/s"]``.

    Returns
    -------
    polars.DataFrame
        A row per rate: offered (as given), sent, lost (packets), loss_rate, latency (mean one-way
        delay of the packets that arrived, s).

    Notes
    -----
    RFC 1242 section 3.6; RFC 2544 section 26.3.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.tools.measuring import frame_loss
    >>> app = {"kind": "cbr", "rate": "12Mbit/s", "packet": "1500 bytes"}
    >>> stream = ac.flow(name="test", app=app)
    >>> link = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="2ms", buffer="10 packets", flows=[stream], duration="1s"
    ... )
    >>> [loss > 0 for loss in frame_loss(link, "test", ["12Mbit/s", "9Mbit/s"])["loss_rate"]]
    [True, False]
    """
    import polars as pl

    scenario = _loaded(scenario)
    _check_entry(scenario, stream)
    rows = []
    for rate in rates:
        sent, lost, latency = _datagrams(scenario, stream, {"app.rate": rate})
        rows.append((rate, sent, lost, loss_rate(lost, sent), latency))
    kinds = {
        "offered": pl.String,
        "sent": pl.Int64,
        "lost": pl.Int64,
        "loss_rate": pl.Float64,
        "latency": pl.Float64,
    }
    return pl.DataFrame(rows, schema=kinds, orient="row")


def router_throughput(
    scenario: Scenario | str | Path, stream: str, highest: str, *, resolution: float = 1e-3
) -> tuple[float, float | None]:
    """Throughput and latency of a link: the largest rate without losses, and the delay at it.

    Parameters
    ----------
    scenario, stream
        See `frame_loss`.
    highest
        Largest rate to try, such as ``"20Mbit/s"``.
    resolution
        Precision of the search, as a share of `highest`.

    Returns
    -------
    tuple of float
        Throughput, bit/s on the wire, 0 if every tried rate lost packets; mean one-way delay at
        this rate, s.

    Notes
    -----
    RFC 1242 sections 3.17 and 3.8; RFC 2544 sections 26.1 and 26.2. The search is a bisection with
    runs of the scenario's length: it misses a queue that would overflow after the end of a run.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.tools.measuring import router_throughput
    >>> app = {"kind": "cbr", "rate": "12Mbit/s", "packet": "1500 bytes"}
    >>> stream = ac.flow(name="test", app=app)
    >>> link = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="2ms", buffer="10 packets", flows=[stream], duration="1s"
    ... )
    >>> rate, latency = router_throughput(link, "test", "20Mbit/s", resolution=0.02)
    >>> round(rate / 1e6)
    10
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


def back_to_back(
    scenario: Scenario | str | Path, stream: str, rate: str, *, most: int = 100_000
) -> int:
    """Longest burst of packets at a rate that a link forwards without losses.

    Parameters
    ----------
    scenario, stream
        See `frame_loss`; the scenario must last longer than the burst.
    rate
        Rate within the burst, on the wire: the rate of the line in front of the link under test.
    most
        Longest burst to try, packets.

    Returns
    -------
    int
        Length of the burst, packets; `most` if even this burst loses none, 0 if one packet is lost.

    Notes
    -----
    RFC 1242 section 3.1; RFC 2544 section 26.4.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.tools.measuring import back_to_back
    >>> app = {"kind": "cbr", "rate": "12Mbit/s", "packet": "1500 bytes"}
    >>> stream = ac.flow(name="test", app=app)
    >>> link = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="2ms", buffer="10 packets", flows=[stream], duration="1s"
    ... )
    >>> back_to_back(link, "test", "100Mbit/s", most=50)
    12
    """
    from ackclock.scenario.quantities import rate_bps

    scenario = _loaded(scenario)
    _check_entry(scenario, stream)
    plan = scenario.replace({f"flows.{stream}.app.rate": rate}).plan()
    entry = next(candidate for candidate in plan["streams"] if candidate["name"] == stream)
    app = entry["app"]
    # The entry has been checked: it sends at a constant rate.
    assert app["kind"] == "cbr"
    per_packet_ps = 8 * (app["payload_bytes"] + entry["header_bytes"]) * 10**12 // rate_bps(rate)

    def fits(packets: int) -> bool:
        # The stream stops between its last packet and the next.
        stop = entry["start_ps"] + packets * per_packet_ps - per_packet_ps // 2
        sent, lost, _ = _datagrams(
            scenario, stream, {"app.rate": rate, "stop": f"{stop // 1000}ns"}
        )
        return sent == packets and lost == 0

    low, high = 0, 1
    while high <= most and fits(high):
        low, high = high, 2 * high
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
