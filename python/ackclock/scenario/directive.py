"""The first line of a scenario's file, by which editors find the JSON Schema of its keys."""

from __future__ import annotations

from ackclock import _core

__all__ = ["SCHEMA_FILE", "SCHEMA_ID", "directive"]

SCHEMA_FILE = "scenario.schema.json"
"""Name of the schema's file in `scenarios/`."""

SCHEMA_ID = (
    "https://raw.githubusercontent.com/ackclock/ackclock/"
    f"v{_core.__version__}/scenarios/{SCHEMA_FILE}"
)
"""Address of the schema of this version."""


def directive(schema: str = SCHEMA_ID) -> str:
    r"""The first line of a TOML file whose keys `schema` describes.

    Parameters
    ----------
    schema
        Address of the schema, or its path relative to the file.

    Examples
    --------
    >>> directive("./scenario.schema.json")
    '#:schema ./scenario.schema.json\n'
    """
    return f"#:schema {schema}\n"
