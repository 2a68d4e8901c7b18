"""Short forms of a dumbbell: keys of its bottleneck written in ``[network]`` itself.

``rate``, ``rtt``, ``buffer``, ``qdisc`` and ``loss`` may stand there, as they are parameters of
`ackclock.dumbbell`. They are moved into ``bottleneck`` before anything else reads a scenario;
errors keep the user's keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from ackclock import _core
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import check_time, time_ps
from ackclock.wording import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "SHORT_KEYS",
    "expand_dumbbell",
    "in_full",
    "kinds_alone",
    "one_way",
    "renamed",
    "short_schema",
]

SHORT_KEYS: Mapping[str, str] = {
    "rate": "rate",
    "rtt": "delay",
    "buffer": "limit",
    "qdisc": "qdisc",
    "loss": "loss",
}
"""Keys of a dumbbell in ``[network]``, with the key of the bottleneck that each stands for."""

_NETWORK = "network"
_BOTTLENECK = "network.bottleneck"
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


def _value(key: str, value: Any, named: str) -> Any:
    return one_way(value, named) if key == "rtt" else value


def expand_dumbbell(data: Mapping[str, Any], written: dict[str, str]) -> dict[str, Any]:
    """A scenario's data with the short keys of a dumbbell moved into its bottleneck.

    Parameters
    ----------
    data
        Plain data; it is left as it is.
    written
        Gets, for each key that is moved, the key as the user wrote it.

    Raises
    ------
    ScenarioError
        If a value is given twice, or `rtt` is no time.
    """
    network = data.get(_NETWORK)
    if not isinstance(network, dict) or network.get("kind") != "dumbbell":
        return dict(data)
    given = network.get("bottleneck", {})
    short = {key: network[key] for key in SHORT_KEYS if key in network}
    if not short or not isinstance(given, dict):
        return dict(data)
    moved = {}
    for key, value in short.items():
        meant = SHORT_KEYS[key]
        if meant in given:
            raise ScenarioError(
                f"{shown(value)} is given here and {shown(given[meant])} in {_BOTTLENECK}.{meant}: "
                "leave one out",
                key=f"{_NETWORK}.{key}",
                value=value,
            )
        moved[meant] = _value(key, value, f"{_NETWORK}.{key}")
        written[f"{_BOTTLENECK}.{meant}"] = f"{_NETWORK}.{key}"
    if "bottleneck" not in network:
        written.setdefault(_BOTTLENECK, _NETWORK)
    kept = {key: value for key, value in network.items() if key not in short}
    return {**data, _NETWORK: {**kept, "bottleneck": {**given, **moved}}}


def in_full(
    data: Mapping[str, Any], key: str, value: Any, written: dict[str, str]
) -> tuple[str, Any]:
    """A dotted key and its value with a dumbbell's short key in full; others as they are.

    `written` then names the key as it was given, and no longer an earlier short form.

    Examples
    --------
    >>> in_full({"network": {"kind": "dumbbell"}}, "network.rtt", "60ms", {})
    ('network.bottleneck.delay', '30ms')
    """
    table, _, rest = key.partition(".")
    network = data.get(_NETWORK)
    if table != _NETWORK or not isinstance(network, dict) or network.get("kind") != "dumbbell":
        return key, value
    first, dot, inside = rest.partition(".")
    if first == "bottleneck":
        if inside:
            named = f"{_BOTTLENECK}.{inside.partition('.')[0]}"
            written[named] = named
        return key, value
    if first not in SHORT_KEYS or (first == "rtt" and dot):
        return key, value
    full = f"{_BOTTLENECK}.{SHORT_KEYS[first]}"
    written[full] = f"{_NETWORK}.{first}"
    return f"{full}{dot}{inside}", _value(first, value, key)


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


def short_schema(schema: dict[str, Any]) -> None:
    """Add the short keys to the JSON Schema of a scenario."""
    tables = schema["$defs"]
    dumbbell, bottleneck = tables["Dumbbell"], tables["Bottleneck"]["properties"]
    for key, meant in SHORT_KEYS.items():
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
        return [kinds_alone(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: each["kind"]
        if key in ("app", "qdisc") and isinstance(each, dict) and each.keys() == {"kind"}
        else kinds_alone(each)
        for key, each in value.items()
    }
