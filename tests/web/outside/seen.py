"""A run of another simulator with the tables that the lessons' measures read."""

from dataclasses import dataclass
from types import SimpleNamespace

import polars as pl


@dataclass(frozen=True)
class Setting:
    """A lesson's path and flows, in the units of other simulators."""

    rate: float
    """Rate of the bottleneck, bit/s."""
    delay: float
    """Delay of the bottleneck, one way, s."""
    limit: int
    """Packets that may wait."""
    qdisc: str
    loss: float
    later: tuple[float, float] | None
    """Time, s, and rate, bit/s, of a change."""
    flows: tuple["Flow", ...]
    calls: bool
    end: float
    warmup: float
    period: float


@dataclass(frozen=True)
class Flow:
    """A TCP flow."""

    name: str
    cc: str
    start: float
    extra: float
    """Round-trip time beside the bottleneck's, s."""
    ssthresh: int
    """Packets; 0 for none."""
    window: int


class Seen:
    """A run elsewhere: `samples`, `flows`, `links` and `streams`, as far as it has them."""

    def __init__(
        self,
        setting: Setting,
        flows: pl.DataFrame,
        links: pl.DataFrame,
        call: pl.DataFrame | None = None,
        sent: int = 0,
    ) -> None:
        # A packet of 1500 bytes waits as long as all before it are sent.
        delay = pl.col("queue_packets") * (1500 * 8 / setting.rate)
        links = links.with_columns(pl.lit("bottleneck").alias("link"), delay.alias("queue_delay"))
        self.samples = SimpleNamespace(flows=flows, links=links)
        self.flows = pl.DataFrame([self._row(setting, flow) for flow in setting.flows])
        steady = links.filter(pl.col("time") >= setting.warmup)["queue_delay"]
        self.links = {"queue_delay_mean": [steady.mean()], "queue_delay_max": [steady.max()]}
        self.streams = {}
        if call is not None:
            delays = call["delay"]
            self.streams = {
                "delay_mean": [delays.mean()],
                "delay_p95": [delays.quantile(0.95)],
                "lost_packets": [sent - call.height],
            }

    def _row(self, setting: Setting, flow: Flow) -> dict[str, object]:
        rows = self.samples.flows.filter(pl.col("flow") == flow.name)
        begin = max(setting.warmup, flow.start)
        before = rows.filter(pl.col("time") <= begin + 1e-9)["delivered"].max() or 0
        bits = (rows["delivered"].max() - before) * 8
        dropped = self.samples.links["dropped"]
        return {
            "name": flow.name,
            "goodput": bits / (setting.end - begin),
            "lost_packets": int(dropped.max()) if len(setting.flows) == 1 else None,
        }
