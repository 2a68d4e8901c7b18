"""Reference of a scenario's keys, made from its JSON Schema: a new key appears by itself."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from copying import Stage

from ackclock.scenario import Scenario

_GROUPS = {
    "Network": ("Dumbbell", "ParkingLot", "Graph", "Node", "Link", "Bottleneck", "Reverse"),
    "Flows": ("Flow", "Access", "Transport"),
    "Results": ("Record", "PacketList", "Compare", "Sweep", "Stop"),
}


def write(staged: Stage) -> None:
    """Write scenario/README.md."""
    schema: Mapping[str, Any] = Scenario.json_schema()
    tables: Mapping[str, Any] = schema["$defs"]
    parts = [
        (
            "# Keys of a scenario\n\nThis page lists every key that a scenario (TOML) can have, "
            "with its default and meaning. `ackclock schema` prints the same as JSON Schema for "
            "editors. Quantities carry their unit: `10Mbit/s`, `60ms`, `30kB`.\n"
        ),
        "## Scenario\n",
        *_table(schema, tables),
    ]
    grouped = {name for names in _GROUPS.values() for name in names}
    rest = [name for name in tables if name not in grouped]
    for names in [*_GROUPS.values(), rest]:
        for name in names:
            if name in tables:
                about = str(tables[name].get("description", "")).split("\n\n")[0]
                parts += [f"## {name}\n", f"{_text(about)}\n", *_table(tables[name], tables)]
    staged.write("scenario/README.md", "\n".join(parts))


def _table(table: Mapping[str, Any], tables: Mapping[str, Any]) -> Iterator[str]:
    # A scenario has flows, or a [sweep] table that names the scenario that has them.
    needed = {*table.get("required", []), *table.get("anyOf", [{}])[0].get("required", [])}
    rows = [
        f"| `{key}` | {_values(value, tables)} | {_default(key, value, needed)} "
        f"| {_text(str(value.get('description', '')))} |"
        for key, value in table.get("properties", {}).items()
    ]
    if rows:
        head = "| key | value, or examples | default | meaning |\n|---|---|---|---|\n"
        yield head + "\n".join(rows) + "\n"


def _values(value: Mapping[str, Any], tables: Mapping[str, Any]) -> str:
    """The allowed values, in a word or two each, with links to tables."""
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})" if name in tables else name
    for several in ("anyOf", "oneOf"):
        if several in value:
            choices = [
                _values(schema, tables) for schema in value[several] if schema.get("type") != "null"
            ]
            return ", ".join(dict.fromkeys(choice for choice in choices if choice))
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if value.get("type") == "array":
        items = value.get("items", {})
        return f"list of {_values(items, tables)}" if items else "list"
    if value.get("examples"):
        return ", ".join(f"`{example}`" for example in value["examples"])
    kind = {"string": "text", "boolean": "`true`, `false`", "object": "table"}
    return kind.get(str(value.get("type")), str(value.get("type", "")))


def _default(key: str, value: Mapping[str, Any], needed: set[str]) -> str:
    if key in needed:
        return "needed"
    default = value.get("default")
    if default is None or isinstance(default, (dict, list)):
        return ""
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def _text(text: str) -> str:
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[\]|])", r"\\\1", part) for part in parts
    )
