"""Single decisions of a sender, in sentences and in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ackclock.tables.quantities import quantity
from ackclock.tools.explain.source import ExplainError, mss_of, rows_of

if TYPE_CHECKING:
    from ackclock.results import Result

__all__ = ["HELD_BY", "Decision", "decisions_at"]

Row = Mapping[str, Any]

_CAUSES: Mapping[str, str] = {
    "start": "opened its connection",
    "ack": "took in an ACK",
    "timeout": "met a retransmission timeout",
    "tail_probe": "met the timer of its tail loss probe",
    "reordering_timer": "met RACK's reordering timer",
    "pacing_timer": "was let go by its pacer",
    "window_probe": "probed the receiver's shut window",
    "application": "got data from its application",
}
_TOLD: Mapping[str, str] = {
    "handshake": "of the handshake's RTT",
    "transmit_start": "that sending begins with nothing in flight",
    "ack": "of the ACK",
    "interval": "of a monitor interval",
    "loss_window": "of the window after a timeout",
    "recovery_exit": "that recovery is over",
    "recovery_in_reduced_window": "that a recovery begins in a window which a mark has reduced",
    "rtt": "of an RTT sample",
    "idle_restart": "that the window was unused",
    "window_kept": "that the episode ends with the present window",
    "lost_syn": "that the SYN was lost",
    "undo": "that its reaction was a mistake",
    "repeated_timeout": "of another timeout",
    "ecn": "of marks",
    "loss": "of losses",
    "timeout": "of a timeout",
}
HELD_BY: Mapping[str, str] = {
    "cwnd": "the congestion window",
    "receive_window": "the receiver's window",
    "application": "the application, which had nothing more to send",
    "pacing": "the pacer, which spaces packets out",
    "clamp": "the configured maximum of cwnd",
    "closed": "the connection, which is not open",
}
"""Limits of a sender, in words."""
_UNITS: Mapping[str, str] = {
    "delivery_rate": "bit/s",
    "sample_interval": "s",
    "rtt_sample": "s",
    "srtt": "s",
    "rttvar": "s",
    "min_rtt": "s",
    "rto": "s",
    "pacing_before": "bit/s",
    "pacing_rate": "bit/s",
}
_WINDOWS = ("cwnd_before", "cwnd", "target_cwnd", "ssthresh_before", "ssthresh", "inflight")


@dataclass(frozen=True)
class Decision:
    """One decision: sentences for a reader, and the numbers of the row.

    Examples
    --------
    >>> one = Decision(1.5, "mine", ["It did nothing."], {"cwnd": 10.0})
    >>> str(one)
    'It did nothing.'
    """

    time: float
    """When it was made, s."""
    flow: str
    sentences: list[str]
    numbers: dict[str, Any]
    """The row of `Result.decisions`, in base units."""
    mss: int = 1
    """Payload of a full segment, bytes."""

    def __str__(self) -> str:
        """Return the sentences, a line each."""
        return "\n".join(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)

    def lines(self) -> list[tuple[str, str]]:
        """Return name and value of each number, with units, as the terminal shows them."""
        shown = []
        for name, value in self.numbers.items():
            if name in ("time", "flow", "calls", "rule", "transport_rule") or value is None:
                continue
            if name in _WINDOWS:
                text = f"{_packets(value, self.mss)} ({value:.0f} bytes)"
            elif name in _UNITS:
                text = quantity(value, _UNITS[name])
            else:
                text = str(value)
            shown.append((name, text))
        return shown


def decisions_at(result: Result, flow: str, at: float, *, count: int = 1) -> list[Decision]:
    """Return the decision of a flow at or before a moment, and those before it.

    Parameters
    ----------
    result : Result
        A run with the flow's decisions.
    flow : str
        Name of the flow.
    at : float
        The moment, s.
    count : int
        Number of decisions, the last one at or before `at`.

    Raises
    ------
    ExplainError
        If the flow decided nothing until then, or the run had ended.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno", name="mine")],
    ...     duration="1s", record={"decisions": ["mine"], "samples": "off"})
    >>> [one] = decisions_at(ac.run(scenario), "mine", 0.05)
    >>> one.sentences[0]
    "At 0.0418 s 'mine' took in an ACK, which acknowledged 1448 bytes."
    """
    rows = rows_of(result, flow)
    if at > result.end_time:
        raise ExplainError(
            f"--at: the run ends at {quantity(result.end_time, 's')}, before {quantity(at, 's')}"
        )
    before = int((rows["time"] <= at).sum())
    if before == 0:
        raise ExplainError(
            f"--at: '{flow}' has decided nothing until {quantity(at, 's')}; its first decision is "
            f"at {quantity(rows['time'][0], 's', 6)}"
        )
    chosen = rows.slice(max(0, before - count), min(count, before))
    mss = mss_of(result, flow)
    return [_explain(row, mss) for row in chosen.iter_rows(named=True)]


def _explain(row: Row, mss: int) -> Decision:
    sentences = [_event(row), *_found(row), *_decided(row, mss), _sent(row, mss)]
    return Decision(row["time"], str(row["flow"]), sentences, dict(row), mss)


def _bytes(count: float) -> str:
    return f"{count:.0f} bytes"


def _packets(size: float, mss: int) -> str:
    count = size / mss
    text = f"{count:.0f}" if abs(count - round(count)) < 0.005 else f"{count:.2f}"
    return f"{text} packet{'' if text == '1' else 's'}"


def _event(row: Row) -> str:
    parts = []
    if row["acked_bytes"]:
        parts.append(f"acknowledged {_bytes(row['acked_bytes'])}")
    if row["sacked_bytes"]:
        parts.append(f"selectively acknowledged {_bytes(row['sacked_bytes'])} more")
    if row["cause"] == "ack":
        if row["has_ece"]:
            parts.append("reported marks")
        if row["is_duplicate"]:
            parts.append("was a duplicate")
        if not parts:
            parts.append("acknowledged nothing new")
    if row["lost_bytes"]:
        parts.append(f"made it declare {_bytes(row['lost_bytes'])} lost")
    clause = f", which {_listed(parts)}" if parts else ""
    return f"At {row['time']:.6g} s '{row['flow']}' {_CAUSES[row['cause']]}{clause}."


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _found(row: Row) -> list[str]:
    sentences = []
    if row["rtt_sample"] is not None:
        text = f"It measured an RTT of {quantity(row['rtt_sample'], 's')}"
        if row["delivery_rate"] is not None:
            limited = ", limited by the application" if row["is_app_limited"] else ""
            text += f" and a delivery rate of {quantity(row['delivery_rate'], 'bit/s')}{limited}"
        sentences.append(f"{text}.")
    rule = row["transport_rule"]
    if rule is not None:
        sentences.append(f"The transport's rule: {rule}.")
    return sentences


def _decided(row: Row, mss: int) -> list[str]:
    sentences = []
    signal, rule = row["told"], row["rule"]
    heard = f"The algorithm was told {_TOLD[signal]}" if signal != "nothing" else ""
    if rule is not None and rule != row["transport_rule"]:
        sentences.append(f"{heard or 'The algorithm decided'}; its rule: {rule}.")
    elif heard:
        sentences.append(f"{heard}, and left the window to the transport.")
    changes = [_change("cwnd", row["cwnd_before"], row["cwnd"], mss)]
    if row["target_cwnd"] != row["cwnd"]:
        changes.append(f"the algorithm's own window is {_packets(row['target_cwnd'], mss)}")
    if row["ssthresh"] is not None and row["ssthresh"] != row["ssthresh_before"]:
        changes.append(f"ssthresh is now {_packets(row['ssthresh'], mss)}")
    if row["pacing_rate"] is not None and row["pacing_rate"] != row["pacing_before"]:
        changes.append(f"the pacing rate is now {quantity(row['pacing_rate'], 'bit/s')}")
    text = _listed(changes)
    sentences.append(f"{text[0].upper() if text[0] != 'c' else 'c'}{text[1:]}.")
    return sentences


def _change(name: str, before: float, after: float, mss: int) -> str:
    if before == after:
        return f"{name} stayed at {_packets(after, mss)}"
    word = "grew" if after > before else "fell"
    return f"{name} {word} from {_packets(before, mss)} to {_packets(after, mss)}"


def _sent(row: Row, mss: int) -> str:
    again = f", {row['retransmitted']} of them again" if row["retransmitted"] else ""
    sent = row["sent"]
    what = f"sent {sent} packet{'' if sent == 1 else 's'}{again}" if sent else "sent nothing"
    held = HELD_BY[row["held_by"]]
    pause = "," if "," in held else ""
    return (
        f"It {what}; then {_packets(row['inflight'], mss)} were in flight, and {held}{pause} held "
        "the rest back."
    )
