"""Read JSON, TOML and Parquet that others wrote: bounded in memory, and wrong in one way only.

A few kilobytes can ask the usual readers for gigabytes, and a wrong byte can end them in a dozen
kinds of exception. Each format has one reader here, which looks before it builds anything, and
raises `DamagedError`.
"""

from ackclock.atomic_io.reading.errors import DamagedError, decoding
from ackclock.atomic_io.reading.json import JSON, PLAN, parse_json
from ackclock.atomic_io.reading.parquet import parse_parquet
from ackclock.atomic_io.reading.shape import shaped
from ackclock.atomic_io.reading.toml import parse_toml

__all__ = [
    "JSON",
    "PLAN",
    "DamagedError",
    "decoding",
    "parse_json",
    "parse_parquet",
    "parse_toml",
    "shaped",
]
