"""Makes a scenario from a seed and a number."""

from __future__ import annotations

from typing import Any

from fuzz.generate import transport as options
from fuzz.generate.algorithms import OWN, OWN_FILE, algorithm, implied
from fuzz.generate.applications import STREAMS, application, largest_datagram
from fuzz.generate.case import Case
from fuzz.generate.distributions import times_below
from fuzz.generate.draw import Draw
from fuzz.generate.networks import Shape, access, link_names, network, shape
from fuzz.generate.scale import Scale
from fuzz.generate.short import shorten
from fuzz.generate.variation import compare, sweep

__all__ = ["generate"]

Table = dict[str, Any]


def _is_stream(entry: Table) -> bool:
    app = entry.get("app", "")
    return (app if isinstance(app, str) else app.get("kind")) in STREAMS


# Applications that do not wait for a whole response, which a concealed loss would never complete.
_UNREAD = frozenset({"bulk", "file", "writes", "application-limited", "on-off", "short-flows"})
_HIDDEN = {"loss_detection", "dupack_recovery", "window_approach", "tail_loss_probe", "dsack"}
"""Options that an algorithm's name may contradict; no table then has any of them."""


def _forbidden(names: frozenset[str]) -> set[str]:
    return set(names) | _HIDDEN if names & _HIDDEN else set(names)


class _Maker:
    """One scenario in the making."""

    def __init__(self, seed: int, number: int) -> None:
        self.draw = draw = Draw(seed, number)
        self.short = Draw(seed, number, "short")
        self.number = number
        self.scale = Scale.drawn(draw)
        self.profile = draw.weighted((70, "linux"), (15, "rfc"), (15, "classic"))
        self.data: Table = {}

    def make(self) -> Case:
        draw, scale, data = self.draw, self.scale, self.data
        self._head()
        made = shape(scale)
        entries = self._entries()
        self._transports(entries)
        self._packets(entries)
        for entry in entries:
            self._traffic(entry)
        scale.largest = max(
            scale.largest, *(largest_datagram(entry.get("app")) for entry in entries)
        )
        for index, entry in enumerate(entries):
            self._place(entry, index, made)
        data |= network(scale, made)
        data["flows"] = entries
        self._record(entries, link_names(made, data))
        if draw.chance(0.06):
            data["compare"] = compare(draw, self._names(entries))
        if draw.chance(0.06):
            data["sweep"] = sweep(draw)
        if any("python:" in entry.get("cc", "") for entry in entries) or "python:" in str(
            data.get("compare", "")
        ):
            scale.files[OWN_FILE] = OWN
        shorten(data, self.short)
        return Case(data, scale.files)

    def _head(self) -> None:
        draw, scale, data = self.draw, self.scale, self.data
        if draw.chance(0.3):
            data["name"] = draw.one(["a", "fuzz-1", "A.b_c-9", "0"])
        if draw.chance(0.1):
            data["description"] = draw.one(
                ["", "One of many.", 'Umlaute: äöü, "quotes", \\ and\nlines.']
            )
        data["duration"] = draw.time_text(scale.duration)
        if draw.chance(0.4):
            latest = max(scale.duration - 1, 0)
            warmup = draw.one(
                [0, latest, latest // 2, draw.whole(0, latest), draw.whole(0, latest // 4)]
            )
            data["warmup"] = draw.time_text(warmup)
        if draw.chance(0.6):
            data["seed"] = draw.one([0, 2**63 - 1, draw.whole(0, 2**63 - 1), draw.whole(1, 100)])
        if self.profile != "linux" or draw.chance(0.3):
            data["profile"] = self.profile

    def _entries(self) -> list[Table]:
        """Draw the entries, each with an algorithm and an application of its final kind."""
        draw = self.draw
        count = draw.weighted((45, 1), (35, 2), (15, 3), (5, 5))
        entries: list[Table] = []
        for index in range(count):
            entry: Table = {}
            if draw.chance(0.4):
                entry["name"] = draw.one(["a", "Flow_", "web-"]) + str(index)
            entry["cc"] = algorithm(draw, self.number if index == 0 else None)
            entries.append(entry)
        return entries

    def _transports(self, entries: list[Table]) -> None:
        draw, scale = self.draw, self.scale
        taken = [implied(entry["cc"]) for entry in entries]
        before = options.complete(self.profile)
        shared: Table = {}
        if draw.chance(0.4):
            shared = options.transport(scale, before, _forbidden(frozenset().union(*taken)))
        if not scale.is_rated:
            options.bound(scale, shared)
        if shared:
            self.data["transport"] = shared
        self._full: list[int] = []
        for entry, names in zip(entries, taken, strict=True):
            own: Table = {}
            if draw.chance(0.3):
                own = options.transport(
                    scale, options.complete(self.profile, shared), _forbidden(names)
                )
                if not scale.is_rated:
                    options.bound(scale, own)
            for name, chance in (("ssthresh", 0.1), ("initial_window", 0.1)):
                if name not in own and name not in names and draw.chance(chance):
                    entry[name] = draw.packets(1, max(1, scale.packets // 4))
            if own:
                entry["transport"] = own
            laid = options.complete(self.profile, shared, own)
            self._full.append(options.full_packet(laid))

    def _packets(self, entries: list[Table]) -> None:
        """Draw sizes of packets, from which rates follow; the flows' data is drawn later."""
        del entries
        self.scale.wire = min(self._full)
        # Timestamps that an algorithm implies are not in these options.
        self.scale.largest = max(self._full) + 12

    def _traffic(self, entry: Table) -> None:
        draw, scale = self.draw, self.scale
        app = application(scale)
        kind = app if isinstance(app, str) else app["kind"]
        if app != "bulk" or draw.chance(0.3):
            entry["app"] = app
        if kind in STREAMS:
            for name in ("cc", "transport", "ssthresh", "initial_window"):
                entry.pop(name, None)
        elif kind in ("bulk", "file", "writes", "application-limited", "on-off") and draw.chance(
            0.1
        ):
            entry["parallel"] = draw.weighted((80, draw.whole(2, 4)), (20, draw.whole(2, 12)))
            if draw.chance(0.6):
                entry["chunk"] = draw.size(max(1, scale.packets * scale.wire // 500), 100_000_000)
        if kind in _UNREAD and draw.chance(0.08):
            tables = (self.data.get("transport", {}), entry.get("transport", {}))
            if not any("read_rate" in table for table in tables):
                entry.setdefault("transport", {})["optimistic_ack"] = draw.packets(1, 200)
        if draw.chance(0.25):
            entry["count"] = draw.weighted(
                (80, draw.whole(1, 4)), (19, draw.whole(5, 20)), (1, draw.whole(50, 200))
            )

    def _place(self, entry: Table, index: int, made: Shape) -> None:
        draw, scale = self.draw, self.scale
        self._times(entry, index)
        if draw.chance(0.25):
            entry["access"] = access(scale)
        if draw.chance(0.15):
            entry["priority"] = draw.whole(0, 15)
        if draw.chance(0.4):
            one, other = sorted(draw.random.sample(range(len(made.routers)), 2))
            if made.backward and draw.chance(0.5):
                one, other = other, one
            entry["from"], entry["to"] = made.routers[one], made.routers[other]

    def _times(self, entry: Table, index: int) -> None:
        draw, scale = self.draw, self.scale
        latest = 0
        if draw.chance(0.4):
            # The first entry always starts within the run.
            latest = scale.duration // 2 if index == 0 else scale.duration + scale.duration // 10
            entry["start"] = times_below(scale, max(latest, 1))
            if latest == 0:
                entry["start"] = "0s"
        if draw.chance(0.15):
            entry["stop"] = draw.time(latest + max(1, scale.tick), latest + max(1, scale.duration))

    def _names(self, entries: list[Table]) -> list[str]:
        return [
            entry.get("name") or f"flow{number}" for number, entry in enumerate(entries, start=1)
        ]

    def _windowed(self, entries: list[Table]) -> list[str]:
        """Names of the entries whose flows have a window."""
        names = zip(self._names(entries), entries, strict=True)
        return [name for name, entry in names if not _is_stream(entry)]

    def _record(self, entries: list[Table], links: list[str]) -> None:
        draw, scale = self.draw, self.scale
        record: Table = {}
        kind = draw.weighted((60, "off"), (20, "period"), (10, "changes"), (10, "auto"))
        names = self._names(entries)
        flows = sum(
            entry.get("count", 1)
            * max(entry.get("parallel", 1), 1)
            * (1 if isinstance(entry.get("app", ""), str) else 12)
            for entry in entries
        )
        if kind == "auto" and scale.duration * flows > 3000 * 10**9:
            kind = "off"
        if kind == "changes" and scale.packets * flows > 4000:
            kind = "off"
        if kind == "period":
            record["samples"] = draw.time(
                max(1, scale.duration * flows // 1500), max(1, scale.duration)
            )
        elif kind != "auto" or draw.chance(0.3):
            record["samples"] = kind
        if draw.chance(0.1):
            record["flows"] = draw.random.sample(names, draw.whole(0, len(names)))
        if draw.chance(0.1):
            record["links"] = draw.random.sample(links, draw.whole(0, len(links)))
        if flows < 60:
            if draw.chance(0.12):
                # Every packet event: the books of every flow can then be balanced.
                record["packets"], record["pcap"] = list(links), ["sender", "receiver"]
                record.pop("flows", None)
            elif draw.chance(0.1):
                record["packets"] = draw.random.sample(links, draw.whole(1, len(links)))
            if "pcap" not in record and draw.chance(0.05):
                points = ["sender", "receiver", *links]
                record["pcap"] = draw.random.sample(points, draw.whole(1, min(3, len(points))))
            sending = self._windowed(entries)
            if sending and draw.chance(0.1):
                some = draw.random.sample(sending, draw.whole(1, len(sending)))
                record["decisions"] = "all" if draw.chance(0.5) else some
            if sending and draw.chance(0.04):
                record["qlog"] = draw.random.sample(sending, draw.whole(1, len(sending)))
        if draw.chance(0.06):
            # Small enough to be full, but where a period is refused that cannot fit.
            least = 1_000 if kind in ("off", "changes") else 10_000_000
            record["max_size"] = draw.size(least, 1_000_000_000)
        if not record.get("flows", names) and {"sender", "receiver"} & set(record.get("pcap", [])):
            # No flow would be captured, which is refused.
            del record["flows"]
        if record:
            self.data["record"] = record


def generate(seed: int, number: int) -> Case:
    """Return scenario `number` of a seed; it changes only with the generator."""
    return _Maker(seed, number).make()
