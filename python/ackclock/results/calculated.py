"""Columns that are calculated from a row of counters: name, unit, meaning and formula of each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ackclock.formulas.losses import loss_rate, retransmit_rate
from ackclock.formulas.rates import goodput, throughput, utilisation
from ackclock.formulas.voice import voice_figures

Row = Mapping[str, Any]


class Calculated(NamedTuple):
    """A column that is calculated from the row, and from the plan of the row's flow or link."""

    name: str
    unit: str
    meaning: str
    formula: Callable[[Row, Row], float | None]


class Place(NamedTuple):
    """Calculated columns of a table, and the column of the core that they follow."""

    after: str
    columns: Sequence[Calculated]

    def calculate(self, row: Row, plan: Row) -> dict[str, Any]:
        """Return the row with the calculated columns."""
        calculated = dict(row)
        for column in self.columns:
            calculated[column.name] = column.formula(row, plan)
        return calculated


FLOWS = Place(
    "active_time",
    (
        Calculated(
            "goodput",
            "bit/s",
            "Payload in order at the receiver, read or not, over active_time (RFC 5166 section "
            "2.1.1).",
            lambda row, _: goodput(row["goodput_bytes"], row["active_time"]),
        ),
        Calculated(
            "throughput",
            "bit/s",
            "Wire bytes of data packets at the receiver over active_time (RFC 5166 section 2.1.1).",
            lambda row, _: throughput(row["received_bytes"], row["active_time"]),
        ),
        Calculated(
            "loss_rate",
            "1",
            "lost_packets over sent_packets (RFC 5166 section 2.1.3); null if more was lost than "
            "sent.",
            lambda row, _: loss_rate(row["lost_packets"], row["sent_packets"]),
        ),
        Calculated(
            "retransmit_rate",
            "1",
            "retransmitted_packets over sent_packets.",
            lambda row, _: retransmit_rate(row["retransmitted_packets"], row["sent_packets"]),
        ),
    ),
)

LINKS = Place(
    "rate",
    (
        Calculated(
            "utilisation",
            "1",
            "Bits sent over those that could have been sent (RFC 5136): busy_time over "
            "measured_time.",
            lambda row, _: (
                None if row["rate"] is None else utilisation(row["busy_time"], row["measured_time"])
            ),
        ),
    ),
)

STREAMS = Place(
    "frames_decodable",
    (
        Calculated(
            "r_factor",
            "1",
            "Rating R of a voice stream (ITU-T G.107); null for others.",
            lambda row, plan: _voice(row, plan, "r_factor"),
        ),
        Calculated(
            "mos",
            "1",
            "Mean opinion score of a voice stream (ITU-T G.107 annex B); null for others.",
            lambda row, plan: _voice(row, plan, "mos"),
        ),
    ),
)


def _voice(row: Row, plan: Row, figure: str) -> float | None:
    app = plan["app"]
    return voice_figures(row, app)[figure] if app["kind"] == "voice" else None
