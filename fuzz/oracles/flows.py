"""Conservation in each flow, and the ranges of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.oracles.near import above, below, ordered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["flow_counters"]

_SHORTENED = ("delay-schedule", "reorder")
"""Impairments by which a packet may take less than the propagation delay."""


def _links(trial: Trial, plan: dict[str, Any]) -> list[dict[str, Any]]:
    links = trial.plan["links"]
    return [links[index] for index in (*plan["path"], *plan["reverse_path"])]


def _clock(plan: dict[str, Any]) -> float:
    """Return the step of the clock that times a round trip, s; a sample may be a step off."""
    transport = plan["transport"]
    stamps = transport["timestamp_clock_ps"] if transport["timestamps"] else 0
    single = transport["rtt_clock_ps"] if transport["rtt_timing"] == "one-per-rtt" else 0
    return float(max(stamps, single) / 1e12)


def _kinds(links: list[dict[str, Any]]) -> set[str]:
    return {one["kind"] for link in links for one in link.get("impairments", ())}


def _wraps(trial: Trial, plan: dict[str, Any]) -> bool:
    """Whether timestamps of 32 bits wrapped in a round trip; the run's warnings say so."""
    turn = plan["transport"]["timestamp_clock_ps"] / 1e12 * 2**32
    waited = {row["name"]: row["queue_delay_max"] or 0.0 for row in trial.links}
    bits = 8.0 * (plan["transport"]["mss"] + plan["transport"]["header_bytes"])
    longest = sum(
        link["delay_ps"] / 1e12
        + waited[link["name"]]
        + (bits / link["rate_bps"] if link.get("rate_bps") else 0.0)
        for link in _links(trial, plan)
    )
    return bool(plan["transport"]["timestamps"] and longest >= turn)


def flow_counters(trial: Trial) -> Iterator[str]:
    """Judge every flow and every connection."""
    plans = {plan["name"]: plan for plan in trial.plan["flows"]}
    step = max((_clock(plan) for plan in trial.plan["flows"]), default=0.0)
    for row in trial.flows:
        for sentence in _times(trial, row):
            yield f"{row['name']}: {sentence}"
        if row["cc"] == "udp":
            continue
        for sentence in _counters(trial, row, plans.get(row["name"]), step):
            yield f"{row['name']}: {sentence}"


def _times(trial: Trial, row: dict[str, Any]) -> Iterator[str]:
    end = trial.core.end_time
    if above(row["active_time"], max(end - trial.warmup, 0.0)):
        yield f"active for {row['active_time']} s of a run of {end} s"
    finished, started = row["finish_time"], row["start_time"]
    if finished is not None:
        if finished < started or above(finished, end):
            yield f"began at {started} s and finished at {finished} s of {end} s"
        if row["fct"] is not None and abs(row["fct"] - (finished - started)) > 1e-9 * (
            1 + finished
        ):
            yield f"began at {started} s, finished at {finished} s, completion time {row['fct']} s"
    elif row["fct"] is not None:
        yield f"has a completion time of {row['fct']} s, and did not finish"
    limited = {name: row[name] for name in row if name.startswith("limited_")}
    for cause, seconds in limited.items():
        if above(seconds, row["active_time"]):
            yield f"{cause} for {seconds} s of {row['active_time']} s"
    if above(sum(limited.values()), row["active_time"]):
        yield f"limited for {sum(limited.values())} s of {row['active_time']} s: {limited}"


def _counters(
    trial: Trial, row: dict[str, Any], plan: dict[str, Any] | None, step: float
) -> Iterator[str]:
    if trial.counts_all:
        yield from _conservation(trial, row, plan)
    if row["retransmitted_packets"] > row["sent_packets"]:
        yield f"{row['retransmitted_packets']} of {row['sent_packets']} packets retransmitted"
    if row["spurious_timeouts"] > row["timeouts"] and trial.counts_all:
        yield f"{row['spurious_timeouts']} of {row['timeouts']} timeouts spurious"
    if row["sent_payload_bytes"] > row["sent_bytes"]:
        yield f"{row['sent_payload_bytes']} bytes of payload in {row['sent_bytes']} bytes"
    wrong = ordered(row, "rtt", trial.core.end_time + step)
    if wrong:
        yield f"RTT {wrong}"
    if plan is None or row["rtt_count"] == 0:
        return
    links = _links(trial, plan)
    is_shortened = bool(_kinds(links) & set(_SHORTENED)) or _wraps(trial, plan) or _conceals(plan)
    if not is_shortened and below(row["rtt_min"] + _clock(plan), row["base_rtt"]):
        yield f"an RTT of {row['rtt_min']} s, and propagation takes {row['base_rtt']} s"
    delay = sum(link["delay_ps"] for link in links) / 1e12
    if abs(delay - row["base_rtt"]) > 1e-9 * (delay + 1e-3):
        yield f"a base RTT of {row['base_rtt']} s over links of {delay} s"


def _conceals(plan: dict[str, Any]) -> bool:
    """Whether a flow's receiver acknowledges data that has not arrived."""
    return "optimistic_ack_bytes" in plan["transport"]


def _conservation(trial: Trial, row: dict[str, Any], plan: dict[str, Any] | None) -> Iterator[str]:
    is_honest = not any(_conceals(plan) for plan in trial.plan["flows"])
    if row["acked_bytes"] > row["goodput_bytes"] and is_honest and not _reads_slowly(trial, row):
        yield f"{row['acked_bytes']} bytes acknowledged, {row['goodput_bytes']} delivered"
    if row["goodput_bytes"] > row["sent_payload_bytes"]:
        yield f"{row['goodput_bytes']} bytes delivered, {row['sent_payload_bytes']} sent"
    if row["lost_packets"] > row["sent_packets"]:
        links = _links(trial, plan) if plan else trial.plan["links"]
        if "duplicate" not in _kinds(links):
            yield f"{row['lost_packets']} of {row['sent_packets']} packets lost"
    links = _links(trial, plan) if plan else trial.plan["links"]
    if "duplicate" not in _kinds(links) and row["received_bytes"] > row["sent_bytes"]:
        yield f"{row['received_bytes']} bytes received, {row['sent_bytes']} sent"
    if plan is None:
        return
    app = plan["app"]
    if (
        row["fct"] is not None
        and app["kind"] == "file"
        and row["part_of"] is None
        and plan["stop_ps"] is None
        and is_honest
    ):
        size = app["size_bytes"]
        if not row["goodput_bytes"] == row["acked_bytes"] == size:
            yield (
                f"a file of {size} bytes has finished with {row['goodput_bytes']} bytes "
                f"delivered and {row['acked_bytes']} acknowledged"
            )
    header = plan["transport"]["header_bytes"]
    if row["sent_bytes"] != row["sent_payload_bytes"] + header * row["sent_packets"]:
        yield (
            f"{row['sent_bytes']} bytes sent in {row['sent_packets']} packets of {header} bytes "
            f"of header and {row['sent_payload_bytes']} bytes of payload"
        )
    there = [trial.plan["links"][index] for index in plan["path"]]
    rates = [
        link["rate_bps"] for link in there if link["rate_bps"] is not None and "service" not in link
    ]
    if rates:
        seconds = trial.core.end_time - row["start_time"]
        carried = min(rates) * max(seconds, 0.0) / 8
        if above(row["received_bytes"], carried) and "duplicate" not in _kinds(there):
            yield f"{row['received_bytes']} bytes received in the time for {carried}"


def _reads_slowly(trial: Trial, row: dict[str, Any]) -> bool:
    """Whether the receiving application takes its time over what has arrived."""
    return any(
        plan["transport"]["read_rate_bps"] is not None
        for plan in trial.plan["flows"]
        if row["name"] in (plan["name"], (plan.get("part_of") or {}).get("name"))
    )
