"""The base of every table of a scenario, and short forms of tables."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticUndefined

from ackclock.messages import allowed_names, did_you_mean, shown
from ackclock.scenario.errors import problem
from ackclock.scenario.synonyms import other_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Table", "pair", "read_kind", "short_form"]


class Table(BaseModel):
    """A table whose keys are exactly its fields; unknown and missing keys are reported first."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        validate_default=False,
        # The core schema of a scenario contains those of its tables: one is built, at first use.
        defer_build=True,
    )

    @classmethod
    def meanings(cls) -> dict[str, str]:
        """The docstring of each field that has one, by the field's key in a file.

        It is read from the source when somebody asks. Pydantic's `use_attribute_docstrings` reads
        the source of all tables whenever they are imported, which takes as long as a short run.
        """
        docstrings: dict[str, str] = {}
        for base in reversed(cls.__mro__):
            if issubclass(base, Table) and base is not Table:
                docstrings |= _docstrings(base.__module__).get(base.__qualname__, {})
        return {
            field.alias or name: field.description or docstrings[name]
            for name, field in cls.model_fields.items()
            if field.description or name in docstrings
        }

    @classmethod
    def described_schema(cls) -> dict[str, Any]:
        """JSON Schema of the table and the tables in it, with the meaning of each key."""
        schema = cls.model_json_schema(by_alias=True)
        tables = {table.__name__: table for table in _below(Table)}
        for name, definition in {cls.__name__: schema, **schema.get("$defs", {})}.items():
            meanings = tables[name].meanings() if name in tables else {}
            properties = definition.get("properties", {})
            for key in properties.keys() & meanings.keys():
                described = {**properties[key], "description": meanings[key]}
                # As pydantic sorts the keys of a schema.
                properties[key] = dict(sorted(described.items()))
        return schema

    @model_validator(mode="before")
    @classmethod
    def _only_known_keys(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        if not isinstance(data, dict):
            raise problem(
                f"{shown(data)} is not a table: write {{ key = value, ... }} with keys from: "
                f"{allowed_names('', fields)}"
            )
        for key, value in data.items():
            if key not in fields:
                raise problem(
                    f"unknown key{_hint(cls, key, value, fields)}", key=str(key), kind="unknown-key"
                )
        for name, field in fields.items():
            if field.is_required() and name not in data:
                meaning = cls.meanings().get(name, "").split("\n")[0].rstrip(".")
                raise problem(f"missing; it is needed: {meaning}", key=name, kind="missing")
        return data


def _below(table: type[Table]) -> Iterator[type[Table]]:
    """Every table that is derived from a table."""
    for subclass in table.__subclasses__():
        yield subclass
        yield from _below(subclass)


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The docstrings of the fields of each class of a module, by the class's name."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (KeyError, OSError, TypeError):
        return {}
    docstrings: dict[str, dict[str, str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            docstrings[node.name] = {
                field.target.id: inspect.cleandoc(text.value.value)
                for field, text in pairwise(node.body)
                if isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            }
    return docstrings


def _hint(table: type[Table], key: object, value: object, fields: Iterable[str]) -> str:
    """The remedy for an unknown key: its name here, the nearest name, or all names."""
    if way := other_name(table.__name__, key, value):
        return f"; {way}"
    return f"{did_you_mean(key, fields)} (the keys here are: {allowed_names(key, fields)})"


def read_kind(value: Any, noun: str, kinds: Iterable[str]) -> Any:
    """Read ``"red"`` as ``{ kind = "red" }``, the short form of a table without options."""
    if isinstance(value, str):
        return {"kind": value}
    if not isinstance(value, dict | Table):
        raise problem(
            f"{shown(value)} is not {noun}: write one of {', '.join(kinds)}, or a table with that "
            "as its kind"
        )
    return value


def short_form(key: str, *types: type, schema: Any = PydanticUndefined) -> BeforeValidator:
    """Read a value of these types as a table with nothing but this key.

    `schema` is the type that the JSON Schema shows.
    """

    def expand(value: Any) -> Any:
        return {key: value} if isinstance(value, types) and not isinstance(value, bool) else value

    return BeforeValidator(expand, json_schema_input_type=schema)


def pair(form: str) -> BeforeValidator:
    """Accept only a list of two; `form` ends the message, "a step: write a time and a rate"."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise problem(f"{shown(value)} is not {form}")
        return list(value)

    return BeforeValidator(check)
