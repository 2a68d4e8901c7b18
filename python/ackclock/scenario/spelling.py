"""The one pass of spelling: a scenario becomes canonical before anything else reads it.

Other spellings are keys of a dumbbell's bottleneck in ``[network]`` itself (``rate``, ``rtt``,
``buffer``, ``qdisc``, ``loss``, as parameters of `ackclock.dumbbell`), a graph's ``[[nodes]]`` and
``[[links]]`` at the top, and both in the dotted keys of ``--set``. The pass keeps the keys as they
were written, by canonical key, for errors; what comes after it knows one spelling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from ackclock import _core
from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.overrides import put
from ackclock.scenario.quantities import check_time, time_ps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["add_spellings", "dotted", "kinds_alone", "one_way", "override", "renamed", "spelled"]

_SHORT_KEYS: Mapping[str, str] = {
    "rate": "rate",
    "rtt": "delay",
    "buffer": "limit",
    "qdisc": "qdisc",
    "loss": "loss",
}
"""Keys of a dumbbell in ``[network]``, with the key of the bottleneck that each stands for."""
_GRAPH_TABLES = ("nodes", "links")
"""Tables of a graph that may stand at the top of a scenario, [[nodes]], instead of in [network]."""

_NETWORK = "network"
_BOTTLENECK = "network.bottleneck"
_DEEPEST = 50
"""Names in a key; a scenario has five at most."""
_MEANINGS: Mapping[str, str] = {
    "rate": "Line rate of the bottleneck: short for bottleneck.rate.",
    "rtt": "Base RTT of the bottleneck link, both directions, without access links: twice "
    "bottleneck.delay.",
    "buffer": "Most that may wait at the bottleneck: short for bottleneck.limit.",
    "qdisc": "Queue discipline of the bottleneck: short for bottleneck.qdisc.",
    "loss": "Loss on the bottleneck's wire: short for bottleneck.loss.",
}


def one_way(rtt: Any, key: str) -> str:
    """Half of a base RTT as text: the delay of a link in each direction.

    Raises
    ------
    ScenarioError
        If `rtt` is no time; it names `key`.
    """
    try:
        text = check_time(rtt)
    except PydanticCustomError as error:
        context = error.context or {}
        raise ScenarioError(
            str(context["message"]), key=key, value=rtt, kind=context["kind"]
        ) from None
    return _core.format_time(time_ps(text) // 2)


def spelled(
    data: Mapping[str, Any], changes: Iterable[tuple[str, Any]], written: dict[str, str]
) -> dict[str, Any]:
    """A scenario's data in canonical spelling, with changes laid over.

    Parameters
    ----------
    data
        Plain data; without changes it is left as it is.
    changes
        Dotted keys, in any spelling, and their values.
    written
        Gets, for each key that has another spelling, the key as the user wrote it.

    Raises
    ------
    ScenarioError
        If a value is given twice, `rtt` is no time, or a key cannot be set.
    """
    canonical = _dumbbell(_graph(data), written)
    for key, value in changes:
        override(canonical, key, value, written)
    return canonical


def _graph(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data with top-level ``[[nodes]]`` and ``[[links]]`` moved to ``[network]``."""
    gathered = dict(data)
    for part in _GRAPH_TABLES:
        if part not in gathered:
            continue
        value = gathered.pop(part)
        network = gathered.get(_NETWORK, {})
        if not isinstance(network, dict) or part in network:
            raise ScenarioError(
                f"'{part}' is there twice, here and in network", key=part, value=value
            )
        if network.get("kind", "graph") != "graph":
            raise ScenarioError(
                f"{part} describe a graph, but network.kind is {shown(network['kind'])}: write "
                'kind = "graph" in [network], or leave '
                f"[[{part}]] out",
                key=part,
                value=value,
            )
        gathered[_NETWORK] = {**network, "kind": "graph", part: value}
    return gathered


def _dumbbell(data: dict[str, Any], written: dict[str, str]) -> dict[str, Any]:
    """The data with the short keys of a dumbbell moved into its bottleneck."""
    if not _is_dumbbell(data):
        return data
    network = data[_NETWORK]
    given = network.get("bottleneck", {})
    short = {key: network[key] for key in _SHORT_KEYS if key in network}
    if not short or not isinstance(given, dict):
        return data
    moved = {}
    for key, value in short.items():
        meant = _SHORT_KEYS[key]
        if meant in given:
            raise ScenarioError(
                f"{shown(value)} is given here and {shown(given[meant])} in {_BOTTLENECK}.{meant}: "
                "leave one out",
                key=f"{_NETWORK}.{key}",
                value=value,
            )
        moved[meant] = one_way(value, f"{_NETWORK}.{key}") if key == "rtt" else value
        written[f"{_BOTTLENECK}.{meant}"] = f"{_NETWORK}.{key}"
    if "bottleneck" not in network:
        written.setdefault(_BOTTLENECK, _NETWORK)
    kept = {key: value for key, value in network.items() if key not in short}
    return {**data, _NETWORK: {**kept, "bottleneck": {**given, **moved}}}


def _is_dumbbell(data: Mapping[str, Any]) -> bool:
    network = data.get(_NETWORK)
    return isinstance(network, dict) and network.get("kind") == "dumbbell"


def override(data: dict[str, Any], key: str, value: Any, written: dict[str, str]) -> None:
    """Set a dotted key, in any spelling, in canonical data, making the tables on the way.

    In a list, a number or the name of an element chooses it; any other word is a key inside every
    element. `written` then names the key as it was given, and no longer an earlier short form.

    Examples
    --------
    >>> data = {"network": {"kind": "dumbbell"}}
    >>> override(data, "network.rtt", "60ms", {})
    >>> data["network"]["bottleneck"]
    {'delay': '30ms'}
    """
    parts = key.split(".")
    if not all(parts) or len(parts) > _DEEPEST:
        raise ScenarioError(
            f"{shown(key)} is not a key: write names with dots between them", key=key, value=value
        )
    if parts[0] in _GRAPH_TABLES:
        parts = [_NETWORK, *parts]
    if parts[0] == _NETWORK and len(parts) > 1 and _is_dumbbell(data):
        first, inside = parts[1], parts[2:]
        if first == "bottleneck" and inside:
            named = f"{_BOTTLENECK}.{inside[0]}"
            written[named] = named
        elif first in _SHORT_KEYS and not (first == "rtt" and inside):
            if first == "rtt":
                value = one_way(value, key)
            written[f"{_BOTTLENECK}.{_SHORT_KEYS[first]}"] = f"{_NETWORK}.{first}"
            parts = [_NETWORK, "bottleneck", _SHORT_KEYS[first], *inside]
    put(data, parts, value, key)
    if parts[0] == _NETWORK and parts[1:2] in ([], ["kind"], ["rtt"]):
        data.update(_dumbbell(data, written))


def dotted(
    table: Mapping[str, Any],
    *,
    before: str = "",
    is_value: Callable[[dict[str, Any]], bool] = lambda _: False,
) -> dict[str, Any]:
    """Dotted keys for keys written without quotes, which TOML reads as tables in tables.

    A table for which `is_value` holds is the value of its key.

    Examples
    --------
    >>> dotted({"network": {"bottleneck": {"rate": "5Mbit/s"}}})
    {'network.bottleneck.rate': '5Mbit/s'}
    """
    keys: dict[str, Any] = {}
    for part, value in table.items():
        key = f"{before}{part}"
        if isinstance(value, dict) and not is_value(value):
            keys |= dotted(value, before=f"{key}.", is_value=is_value)
        else:
            keys[key] = value
    return keys


def renamed(error: ScenarioError, written: Mapping[str, str]) -> ScenarioError:
    """The error with its key as the user wrote it."""
    full = error.key
    while full and full not in written:
        full = full.rpartition(".")[0]
    if not full:
        return error
    key = written[full] + error.key[len(full) :]
    message, value = error.message, error.value
    if key == f"{_NETWORK}.rtt" and error.value is not None:
        message = f"{message} (the delay is half of the RTT)"
    if key == f"{_NETWORK}.delay" and error.kind == "missing":
        key = f"{_NETWORK}.rtt"
        message = 'missing; it is needed: Base RTT of the bottleneck link, such as "60ms"'
    return ScenarioError(message, key=key, value=value, file=error.file, kind=error.kind)


def add_spellings(schema: dict[str, Any]) -> None:
    """Add the other spellings to the JSON Schema of a scenario."""
    graph = schema["$defs"]["Graph"]
    for table in _GRAPH_TABLES:
        schema["properties"][table] = graph["properties"][table]
    # With these tables at the top, [network] may say no more than its kind, or nothing.
    schema["required"].remove(_NETWORK)
    graph["required"] = [key for key in graph["required"] if key not in _GRAPH_TABLES]
    tables = schema["$defs"]
    dumbbell, bottleneck = tables["Dumbbell"], tables["Bottleneck"]["properties"]
    for key, meant in _SHORT_KEYS.items():
        part = dict(bottleneck[meant])
        part.pop("default", None)
        dumbbell["properties"][key] = {**part, "description": _MEANINGS[key]}
    # Rate and delay are given in either place, or one in each.
    needed = tables["Bottleneck"].pop("required")
    lots = tables["ParkingLot"]["properties"]["bottlenecks"]
    lots["items"] = {**lots["items"], "required": needed}
    dumbbell["required"] = [key for key in dumbbell["required"] if key != "bottleneck"]
    in_table = {
        places: {
            "required": ["bottleneck"],
            "properties": {"bottleneck": {"required": list(places)}},
        }
        for places in (("rate", "delay"), ("delay",), ("rate",))
    }
    dumbbell["anyOf"] = [
        {"required": ["rate", "rtt"]},
        in_table["rate", "delay"],
        {**in_table["delay",], "required": ["rate", "bottleneck"]},
        {**in_table["rate",], "required": ["rtt", "bottleneck"]},
    ]


def kinds_alone(value: Any) -> Any:
    """The data with the kind alone where a discipline or an application has no options.

    Examples
    --------
    >>> kinds_alone({"cc": "reno", "app": {"kind": "bulk"}})
    {'cc': 'reno', 'app': 'bulk'}
    """
    if isinstance(value, list):
        return [kinds_alone(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        key: entry["kind"]
        if key in ("app", "qdisc") and isinstance(entry, dict) and entry.keys() == {"kind"}
        else kinds_alone(entry)
        for key, entry in value.items()
    }
