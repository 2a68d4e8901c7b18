"""The rows of the dossier, in the order of RFC 9743. A new row is one entry in one of these files.

`ROWS` lists them; a module holds the rows of one subject of the RFC.
"""

from ackclock.evaluation.row import Row
from ackclock.evaluation.rows import (
    aqm,
    bufferbloat,
    circuit_breaker,
    collapse,
    constrained,
    data_centre,
    fairness,
    high_delay,
    loss,
    misbehaving,
    mixed_short_flows,
    multipath,
    others,
    parking_lot,
    path_changes,
    principles,
    real_time,
    reordering,
    search,
    short_flows,
    tail_drop,
    transients,
    tunnels,
    varying_delay,
    wired,
    wireless,
)

__all__ = ["ROWS"]

ROWS: tuple[Row, ...] = tuple(
    sorted(
        (
            *collapse.ROWS,
            *bufferbloat.ROWS,
            *loss.ROWS,
            *fairness.ROWS,
            *short_flows.ROWS,
            *others.ROWS,
            *real_time.ROWS,
            *mixed_short_flows.ROWS,
            *principles.ROWS,
            *tail_drop.ROWS,
            *tunnels.ROWS,
            *wired.ROWS,
            *wireless.ROWS,
            *aqm.ROWS,
            *circuit_breaker.ROWS,
            *varying_delay.ROWS,
            *constrained.ROWS,
            *high_delay.ROWS,
            *misbehaving.ROWS,
            *reordering.ROWS,
            *transients.ROWS,
            *path_changes.ROWS,
            *multipath.ROWS,
            *data_centre.ROWS,
            *parking_lot.ROWS,
            *search.ROWS,
        ),
        key=lambda row: row.id,
    )
)
"""All rows, by id."""
