"""The base of every table of a scenario: unknown and missing keys are told before anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, model_validator

from ackclock.scenario.errors import did_you_mean, problem, shown
from ackclock.scenario.synonyms import other_name
from ackclock.wording import allowed_names

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Table", "kind_of"]


class Table(BaseModel):
    """A table whose keys are exactly its fields."""

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
            raise problem(f"{shown(data)} is not a table: write {{ key = value, ... }} with keys from: {allowed_names('', fields)}")
        for key, value in data.items():
            if key not in fields:
                raise problem(f"unknown key{_hint(cls, key, value, fields)}", key=str(key))
        for name, field in fields.items():
            if field.is_required() and name not in data:
                meaning = (field.description or "").split("\n")[0].rstrip(".")
                raise problem(f"missing; it is needed: {meaning}", key=name)
        return data


def _hint(table: type[Table], key: object, value: object, fields: Iterable[str]) -> str:
    """What to write instead of an unknown key: what it is called here, the nearest name, or the names there are."""
    if way := other_name(table.__name__, key, value):
        return f"; {way}"
    return f"{did_you_mean(key, fields)} (the keys here are: {allowed_names(key, fields)})"


def kind_of(value: Any) -> Any:
    """Read ``"red"`` as ``{ kind = "red" }``, the short form of a table without options."""
    return {"kind": value} if isinstance(value, str) else value
