"""Conservation in each UDP stream, and the ranges of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.oracles.flows import _SHORTENED
from fuzz.oracles.near import below, ordered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["stream_figures"]


def stream_figures(trial: Trial) -> Iterator[str]:
    """Judge every stream."""
    for row, plan in zip(trial.streams, trial.plan["streams"], strict=True):
        for sentence in _one(trial, row, plan):
            yield f"{row['name']}: {sentence}"
    if trial.plan["streams"] and trial.number % 4 == 0:
        for voice in trial.result.streams.to_dicts():
            # G.107 gives R below 0 for speech that nobody understands; its opinion score is 1.
            if voice["r_factor"] is not None and voice["r_factor"] > 120:
                yield f"{voice['name']}: R is {voice['r_factor']}"
            if voice["mos"] is not None and not 1 <= voice["mos"] <= 4.5:
                yield f"{voice['name']}: the mean opinion score is {voice['mos']}"


def _one(trial: Trial, row: dict[str, Any], plan: dict[str, Any]) -> Iterator[str]:
    links = [trial.plan["links"][index] for index in plan["path"]]
    kinds = {one["kind"] for link in links for one in link.get("impairments", ())}
    if trial.counts_all and "duplicate" not in kinds:
        received, lost = row["received_packets"], row["lost_packets"]
        if received + lost > row["sent_packets"]:
            yield f"{row['sent_packets']} sent, {received} received, {lost} lost"
        if row["duplicate_packets"]:
            yield f"{row['duplicate_packets']} copies, and no wire makes any"
        if row["received_bytes"] > row["sent_bytes"]:
            yield f"{row['received_bytes']} bytes received, {row['sent_bytes']} sent"
    if trial.counts_all and row["received_packets"] > row["sent_packets"]:
        yield f"{row['received_packets']} received, each once, and {row['sent_packets']} sent"
    if row["late_packets"] > row["received_packets"] and trial.counts_all:
        yield f"{row['late_packets']} of {row['received_packets']} late"
    if row["unplayed_bursts"] > row["unplayed_packets"]:
        yield f"{row['unplayed_bursts']} bursts of {row['unplayed_packets']} that were not played"
    if below(row["jitter_max"], row["jitter"]):
        yield f"jitter {row['jitter']} s, at most {row['jitter_max']} s"
    wrong = ordered(row, "delay", trial.core.end_time)
    if wrong:
        yield f"delay {wrong}"
    least = sum(link["delay_ps"] for link in links) / 1e12
    if row["delay_count"] and not kinds & set(_SHORTENED) and below(row["delay_min"], least):
        yield f"a delay of {row['delay_min']} s over links of {least} s"
    if row["frames_sent"] is not None:
        parts = row["frames_complete"] + row["frames_late"] + row["frames_lost"]
        if parts > row["frames_sent"]:
            yield f"{row['frames_sent']} frames, and {parts} complete, late or lost"
        if row["frames_decodable"] > row["frames_complete"]:
            yield f"{row['frames_decodable']} of {row['frames_complete']} frames decodable"
