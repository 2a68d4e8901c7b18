"""Other words for keys of a scenario, for messages that name the key and the line to write.

Only messages use these words: none is accepted as a key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["loss_line", "other_name", "way_on_the_command_line"]

# Key -> other words for it; of several keys of a table the first that fits is meant.
_WORDS: Mapping[str, tuple[str, ...]] = {
    key: tuple(words.split())
    for key, words in {
        "rtt": "rtt base_rtt min_rtt",
        "delay": "delay latency one_way_delay owd propagation propagation_delay prop_delay rtt "
        "base_rtt min_rtt",
        "rate": "rate bandwidth bw capacity speed throughput link_rate data_rate datarate bitrate "
        "rate_bps",
        "limit": "limit buffer buffers buffer_size queue queue_size queue_limit queue_length qlen "
        "bdp",
        "loss": "loss loss_rate lossrate packet_loss random_loss plr drop drop_rate error_rate "
        "loss_probability",
        "qdisc": "qdisc aqm discipline queue_discipline queueing",
        "cc": "cc congestion_control congestion congestion_controller algorithm algo cca tcp "
        "variant flavour",
        "app": "size bytes file_size flow_size transfer_size transfer",
        "duration": "duration time runtime run_time sim_time simtime simulation_time length",
        "count": "count n num number num_flows n_flows number_of_flows nflows",
        "stop": "stop end until stop_time end_time duration",
        "start": "start start_time begin",
        "from": "from src source sender",
        "to": "to dst dest destination receiver target",
        "name": "name id label",
        "p": "p rate probability prob percent loss loss_rate",
        "mss": "mss mtu packet_size segment_size",
        "flows": "flows flow senders",
        "links": "links link",
        "nodes": "nodes node routers hosts",
        "bottleneck": "bottleneck bottle_neck link links",
        "seed": "seed random_seed rng_seed",
    }.items()
}

_LINK_KEYS = ("delay", "rate", "limit", "loss", "qdisc")

# Table -> key -> the table that the key belongs to, "" for this one.
_PLACES: Mapping[str, Mapping[str, str]] = {
    "Scenario": {
        "rtt": "network",
        **dict.fromkeys((*_LINK_KEYS,), "network.bottleneck"),
        **dict.fromkeys(("cc", "app", "count"), "flows"),
        **dict.fromkeys(("duration", "seed", "flows"), ""),
        "mss": "transport",
        "bottleneck": "network",
    },
    "Dumbbell": {
        **dict.fromkeys(("rtt", "rate", "loss", "qdisc"), ""),
        **dict.fromkeys(("delay", "limit"), "network.bottleneck"),
        "bottleneck": "",
        "cc": "flows",
    },
    "ParkingLot": {**dict.fromkeys(_LINK_KEYS, "network.bottlenecks"), "cc": "flows"},
    "Graph": {**dict.fromkeys(_LINK_KEYS, "links"), "links": "", "nodes": "", "cc": "flows"},
    "Bottleneck": {**dict.fromkeys(_LINK_KEYS, ""), "cc": "flows"},
    "Reverse": {**dict.fromkeys(_LINK_KEYS, ""), "cc": "flows"},
    "Link": {**dict.fromkeys((*_LINK_KEYS, "from", "to", "name"), ""), "cc": "flows"},
    "Node": {"name": "", **dict.fromkeys(_LINK_KEYS, "links")},
    "Access": dict.fromkeys(("delay", "rate", "limit"), ""),
    "Flow": {
        **dict.fromkeys(("cc", "app", "count", "stop", "start", "from", "to", "name"), ""),
        **dict.fromkeys(("delay", "rate", "limit"), "access"),
        "mss": "transport",
        **dict.fromkeys(("loss", "qdisc"), "network.bottleneck"),
    },
    "Bernoulli": {"p": ""},
    "GilbertElliott": {"p": ""},
    "Transport": {"cc": "flows", "mss": ""},
}

_EXAMPLES = {
    "rtt": '"60ms"',
    "delay": '"30ms"',
    "rate": '"10Mbit/s"',
    "limit": '"1bdp"',
    "loss": '"1%"',
    "qdisc": '"codel"',
    "cc": '"cubic"',
    "app": '{ kind = "file", size = "1MB" }',
    "duration": '"60s"',
    "count": "2",
    "stop": '"30s"',
    "start": '"10s"',
    "from": '"left"',
    "to": '"right"',
    "name": '"a"',
    "p": "0.01",
    "mss": '"1448 bytes"',
    "seed": "1",
    "bottleneck": '{ rate = "10Mbit/s", delay = "30ms", limit = "1bdp" }',
    "nodes": '["a", "b"]',
}
_ROUND_TRIPS = ("rtt", "base_rtt", "min_rtt")


def _is(parse: Callable[[str], int], value: str) -> bool:
    try:
        return parse(value) > 0
    except (ValueError, OverflowError):
        return False


def _probability(value: Any) -> str | None:
    """A probability as a number in TOML: of 0.05, "0.05" or "5%"."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*(%?)\s*", value)
        if match is None:
            return None
        number = float(match[1]) / (100 if match[2] else 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    else:
        return None
    return f"{number:.6g}" if 0 < number <= 1 else None


def loss_line(value: Any) -> str:
    """The line in place of a loss that is a number, a text or a table without its kind."""
    if isinstance(value, dict):
        value = next((chance for key, chance in value.items() if key in _WORDS["p"]), None)
    if isinstance(value, str) and "%" in value and _probability(value):
        return f'loss = "{"".join(value.split())}"'
    probability = _probability(value)
    return f"loss = {probability}" if probability and probability != "1" else 'loss = "1%"'


def _is_qdisc(value: Any) -> bool:
    # The plan's kinds, as a scenario's tables are read with these words. Its types load slowly.
    from ackclock.core_types.plan import QdiscPlan

    kinds = (get_type_hints(table)["kind"] for table in get_args(QdiscPlan))
    return any(value in get_args(kind) for kind in kinds)


def _line(meant: str, word: str, value: Any, crossed: int = 2) -> str:
    """The line to write, with the user's own value where it fits.

    A round trip crosses a link's delay `crossed` times.
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**12:
        # A bare number means packets of a queue, and bytes of a file.
        value = {"limit": f"{value} packets", "app": f"{value} bytes"}.get(meant, value)
    text = (
        value
        if isinstance(value, str) and len(value) <= 30 and value.isprintable() and '"' not in value
        else ""
    )
    if meant == "loss":
        return loss_line(value)
    if meant == "p" and (p := _probability(value)):
        return f"p = {p}"
    if meant == "rtt" and _is(_core.parse_time, text):
        return f'rtt = "{text}"'
    if meant == "delay" and _is(_core.parse_time, text):
        text = (
            _core.format_time(_core.parse_time(text) // crossed) if word in _ROUND_TRIPS else text
        )
        return f'delay = "{text}"'
    if (meant == "rate" and _is(_core.parse_rate, text)) or (
        meant in ("duration", "stop") and _is(_core.parse_time, text)
    ):
        return f'{meant} = "{text}"'
    if meant == "limit" and (
        _is(_core.parse_size, text) or re.fullmatch(r"[0-9.]+ ?(packets|bdp)", text)
    ):
        return f'limit = "{text}"'
    if meant == "qdisc" and _is_qdisc(text):
        return f'qdisc = "{text}"'
    if meant == "cc" and text in {entry["name"] for entry in _core.list_cc()}:
        return f'cc = "{text}"'
    if meant == "app" and _is(_core.parse_size, text):
        return f'app = {{ kind = "file", size = "{text}" }}'
    if meant == "count" and isinstance(value, int) and 0 < value < 1_000_000:
        return f"count = {value}"
    if meant in ("flows", "links"):
        return f"[[{meant}]]"
    return f"{meant} = {_EXAMPLES[meant]}"


def _meant(table: str, word: str) -> tuple[str, str] | None:
    """The key that a word means in a table, and the table that the key belongs to."""
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    for meant, place in _PLACES.get(table, {}).items():
        if plain in _WORDS[meant]:
            return meant, place
    return None


def other_name(table: str, key: object, value: Any) -> str:
    """The line to write in place of a key that the table does not have, or "" for unknown words.

    Examples
    --------
    >>> other_name("Bottleneck", "rtt", "60ms")
    'here it is called delay: delay = "30ms" (one way)'
    """
    meaning = _meant(table, key) if isinstance(key, str) and len(key) <= 40 else None
    if meaning is None:
        return ""
    meant, place = meaning
    if meant == "limit" and "queue" in str(key) and _is_qdisc(value):
        meant = "qdisc"
    # An access link at each end: a round trip crosses four.
    crossed = 4 if place == "access" else 2
    ends = ", at each end" if place == "access" else ""
    one_way = f" (one way{ends})" if meant == "delay" else ""
    where = f"it belongs into {place}" if place else f"here it is called {meant}"
    return f"{where}: {_line(meant, str(key), value, crossed)}{one_way}"


def way_on_the_command_line(word: str) -> str:
    """The option to write in place of `loss=5%` or `--rtt` on a command line, or ""."""
    key, equals, value = word.lstrip("-").partition("=")
    meaning = _meant("Scenario", key)
    if meaning is None:
        return (
            f"another value for a key is --set {key}={value}"
            if equals and re.fullmatch(r"[\w.-]{1,40}", key)
            else ""
        )
    meant, place = meaning
    line = _line(meant, key, value)
    setting = line.partition(" = ")[2]
    setting = (
        setting[1:-1]
        if re.fullmatch(r'"[\w./%]+"', setting)
        else f"'{setting}'"
        if re.search(r"[\s{\"]", setting)
        else setting
    )
    return f"write --set {place}{place and '.'}{meant}={setting}"
