"""Plain data as TOML that people read: short tables and lists on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["toml_text"]

_WIDTH = 98
_MARGIN = "    "


def toml_text(data: Mapping[str, Any]) -> str:
    r"""The tables as TOML.

    Tables and lists of tables get headers. Tables inside of them stand on one line if they are
    short enough, else they get headers, too.

    Parameters
    ----------
    data
        Plain data, as `tomllib.loads` gives it.

    Examples
    --------
    >>> print(toml_text({"name": "one", "flows": [{"cc": "reno", "app": {"kind": "bulk"}}]}))
    name = "one"
    <BLANKLINE>
    [[flows]]
    cc = "reno"
    app = { kind = "bulk" }
    <BLANKLINE>
    """
    lines: list[str] = []
    below: list[str] = []
    for key, value in data.items():
        if isinstance(value, dict):
            below += _section(key, value, "[{}]")
        elif _has_only_tables(value):
            for element in value:
                below += _section(key, element, "[[{}]]")
        else:
            lines += _entry(key, value) or ()
    return "".join(f"{line}\n" for line in [*lines, *below])


def _has_only_tables(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(element, dict) for element in value)
    )


def _section(path: str, table: Mapping[str, Any], header: str) -> Iterator[str]:
    below: list[str] = []
    yield ""
    yield header.format(path)
    for key, value in table.items():
        entry = _entry(key, value)
        if entry is not None:
            yield from entry
        elif isinstance(value, dict):
            below += _section(f"{path}.{_key(key)}", value, "[{}]")
        else:
            for element in value:
                below += _section(f"{path}.{_key(key)}", element, "[[{}]]")
    yield from below


def _entry(key: str, value: object) -> Sequence[str] | None:
    """The lines of `key = value`; None if tables in it are too long for a line."""
    line = f"{_key(key)} = {_inline(value)}"
    if len(line) <= _WIDTH:
        return [line]
    if isinstance(value, dict):
        return None
    if not isinstance(value, list):
        return [line]
    items = [f"{_MARGIN}{_inline(element)}," for element in value]
    if _has_only_tables(value) and any(len(item) > _WIDTH for item in items):
        return None
    return [f"{_key(key)} = [", *items, "]"]


def _inline(value: object) -> str:
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {_inline(entry)}" for key, entry in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_inline(element) for element in value)}]"
    return _pair("k", value).partition(" = ")[2]


def _key(key: str) -> str:
    return _pair(key, 0).removesuffix(" = 0")


def _pair(key: str, value: object) -> str:
    import tomli_w

    return tomli_w.dumps({key: value}).rstrip("\n")
