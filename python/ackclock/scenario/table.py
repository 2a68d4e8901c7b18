"""The base of every table of a scenario, and short forms of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticUndefined

from ackclock.scenario.errors import problem
from ackclock.scenario.synonyms import other_name
from ackclock.wording import allowed_names, did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Table", "pair", "read_kind", "short_form"]


class Table(BaseModel):
    """A table whose keys are exactly its fields; unknown and missing keys are reported first."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        validate_default=False,
    )

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
                meaning = (field.description or "").split("\n")[0].rstrip(".")
                raise problem(f"missing; it is needed: {meaning}", key=name, kind="missing")
        return data


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
