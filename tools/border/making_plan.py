"""Source of the types of plans, from the core's JSON Schema of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from source import Key, docstring, exported, typed_dict

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["linux_plan_source", "plan_source"]

_Schema = dict[str, Any]
_HEAD = '''"""{title} Made by ``python tools/border``."""

from __future__ import annotations

from typing import {typing}

from typing_extensions import TypedDict

'''
_PLAIN = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}


def plan_source() -> str:
    """The text of plan.py."""
    return _source(
        "Plan", json.loads(_core.plan_schema()), "Types of a plan, as the simulator takes it.", {}
    )


def linux_plan_source() -> str:
    """The text of linux_plan.py."""
    schema = json.loads(_core.linux_plan_schema())
    known = _definitions("Plan", json.loads(_core.plan_schema()))
    return _source("LinuxPlan", schema, "Types of a plan, as the kernel's run takes it.", known)


def _definitions(root: str, schema: _Schema) -> dict[str, _Schema]:
    """The root and what it refers to, by name."""
    return {root: schema, **schema.get("$defs", {})}


def _source(root: str, schema: _Schema, title: str, known: Mapping[str, _Schema]) -> str:
    classes: dict[str, str] = {}
    aliases: dict[str, str] = {}
    for name, definition in _definitions(root, schema).items():
        if name in known:
            continue
        variants = definition.get("oneOf", [])
        if definition.get("type") == "object":
            classes[name] = _class(name, definition)
        elif variants and all("properties" in variant for variant in variants):
            kinds = {_variant(name, variant, schema): variant for variant in variants}
            classes |= {variant: _class(variant, fields) for variant, fields in kinds.items()}
            aliases[name] = _alias(name, " | ".join(kinds), definition)
        else:
            aliases[name] = _alias(name, f"Literal[{', '.join(_words(definition))}]", definition)
    body = "\n\n".join(classes.values())
    if aliases:
        body += "\n\n" + "\n".join(aliases.values())
    typing = [word for word in ("Literal", "NotRequired") if f"{word}[" in body]
    head = _HEAD.format(title=title, typing=", ".join(typing))
    imported = sorted(name for name in known if f": {name}\n" in body)
    if imported:
        names = ", ".join(imported)
        head += f"from ackclock.core_types.plan import {names}  # noqa: TC001 pydantic reads it\n\n"
    return head + exported([*classes, *aliases]) + "\n\n" + body


def _alias(name: str, value: str, definition: _Schema) -> str:
    text = f"{name} = {value}\n"
    if len(text) > 101:
        opening, closing = ("[", "]") if value.startswith("Literal") else ("(", ")")
        inner = value.removeprefix("Literal[").removesuffix("]")
        separator = ", " if opening == "[" else " | "
        parts = inner.split(separator)
        if opening == "[":
            lines = "".join(f"    {part},\n" for part in parts)
        elif len(inner) <= 96:
            lines = f"    {inner}\n"
        else:
            lines = "".join(
                f"    {'' if at == 0 else '| '}{part}\n" for at, part in enumerate(parts)
            )
        text = f"{name} = {'Literal' if opening == '[' else ''}{opening}\n{lines}{closing}\n"
    return text + docstring(_words_of(definition), "")


def _variant(name: str, variant: _Schema, schema: _Schema) -> str:
    """Name of the class of a variant of the enumeration `name`."""
    words = str(variant["properties"]["kind"]["const"]).replace("_", "-").split("-")
    kind = "".join(word.capitalize() for word in words)
    return name + kind if kind + name in schema["$defs"] else kind + name


def _words(definition: _Schema) -> Iterator[str]:
    """The strings that an enumeration allows, quoted."""
    for variant in definition.get("oneOf", [definition]):
        values = variant["enum"] if "enum" in variant else [variant["const"]]
        yield from (f'"{value}"' for value in values)


def _class(name: str, definition: _Schema) -> str:
    required = set(definition.get("required", ()))
    keys = []
    for key, value in definition.get("properties", {}).items():
        kind = _type(value)
        keys.append(Key(key, kind if key in required else f"NotRequired[{kind}]", _words_of(value)))
    return typed_dict(name, _words_of(definition), keys)


def _words_of(definition: _Schema) -> str:
    return " ".join(str(definition.get("description", "")).split())


def _type(value: _Schema) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rsplit("/", 1)[-1]
    if "const" in value:
        return f'Literal["{value["const"]}"]'
    if "anyOf" in value:
        return " | ".join(map(_type, value["anyOf"]))
    if "allOf" in value:
        return _type(value["allOf"][0])
    kinds = value["type"] if isinstance(value["type"], list) else [value["type"]]
    return " | ".join(_of_kind(str(kind), value) for kind in kinds)


def _of_kind(kind: str, value: _Schema) -> str:
    if kind == "array":
        items = [value["items"]] if "items" in value else value["prefixItems"]
        return f"list[{' | '.join(dict.fromkeys(map(_type, items)))}]"
    if kind == "object":
        return f"dict[str, {_type(value['additionalProperties'])}]"
    return _PLAIN[kind]
