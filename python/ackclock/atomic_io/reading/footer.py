"""The size that a Parquet file has in memory, by its footer and the heads of its pages.

A Parquet file of a few kilobytes can hold gigabytes: a page says how large it is unpacked, a column
how many values it has, and a list may have any number of them. The reader of polars trusts both.
Here the footer and the head of every page are read before, without unpacking anything. They are
written in Thrift's compact protocol; numbers of fields and kinds are those of ``parquet.thrift``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.atomic_io.reading.errors import DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = ["Contents", "FooterError", "contents_of"]

_MAGIC = b"PAR1"
_MOST_FOOTER = 16_000_000
"""Largest footer that is read, bytes: a table of 1e8 rows has 0.5 MB."""
_MOST_HEAD = 16_384
"""Largest head of a page that is read, bytes; smallest and largest texts stand in it."""
_MOST_VALUES = 2_000_000
"""Most values in a footer: each takes up to 60 bytes of memory."""
_MOST_PAGES = 1_000_000
_DEEPEST = 16
# Bytes that a value takes in memory, by the physical type: a text is a view and its letters.
_WIDTHS = {0: 1, 1: 4, 2: 8, 4: 4, 5: 8, 6: 16}
_REPEATED = 2
_DATA, _INDEX, _DICTIONARY, _DATA_2 = 0, 1, 2, 3
# DELTA_BYTE_ARRAY gives each text as an end of the one before it: n bytes become n² letters.
_ENCODINGS = frozenset({0, 2, 3, 4, 5, 6, 8, 9})


class FooterError(DamagedError):
    """The file is no Parquet file as ackclock writes them; the text says why."""


class Contents(NamedTuple):
    """Size of a table."""

    rows: int
    columns: tuple[str, ...]
    memory: int
    """Most bytes that the table and the pages, unpacked, take."""


class _Reader:
    """Values of Thrift's compact protocol; a struct is a dict by the fields' numbers."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.at = 0
        self._left = _MOST_VALUES

    def _byte(self) -> int:
        try:
            byte = self._content[self.at]
        except IndexError:
            raise FooterError("it ends too early") from None
        self.at += 1
        return byte

    def _unsigned(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise FooterError("a number in it has no end")

    def _signed(self) -> int:
        zigzag = self._unsigned()
        return (zigzag >> 1) ^ -(zigzag & 1)

    def _bytes(self, count: int) -> bytes:
        content = self._content[self.at : self.at + count]
        if len(content) < count:
            raise FooterError("it ends too early")
        self.at += count
        return content

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            # A truth value is in its kind.
            fields[number] = kind == 1 if kind in {1, 2} else self._value(kind, depth + 1)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            raise FooterError("its footer is nested too deeply, or too large")
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._unsigned())
            case 9 | 10:
                head = self._byte()
                count = head >> 4 if head >> 4 < 15 else self._unsigned()
                # Each value has a byte at least, so that the end bounds their number.
                return [self._value(head & 15, depth + 1) for _ in range(count)]
            case 12:
                return self.struct(depth)
        raise FooterError("a value in it is of no kind that it can have")


def contents_of(stream: BinaryIO) -> Contents:
    """Size of the table in a Parquet file; the stream is left somewhere in it.

    Raises
    ------
    FooterError
        If it is damaged, or holds what ackclock never writes: columns of lists or tables, texts in
        an encoding that expands without bound, or pages that the footer does not count.
    """
    try:
        return _contents(stream)
    except (KeyError, TypeError, AttributeError, IndexError, UnicodeDecodeError):
        raise FooterError("its footer is damaged") from None


def _contents(stream: BinaryIO) -> Contents:
    size = stream.seek(0, os.SEEK_END)
    if size < 3 * len(_MAGIC):
        raise FooterError("it is no Parquet file")
    stream.seek(size - 8)
    tail = stream.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or length > size - 12:
        raise FooterError("it is no Parquet file, or its end is missing")
    if length > _MOST_FOOTER:
        raise FooterError(f"its footer has {length:,} bytes; the most are {_MOST_FOOTER:,}")
    end = size - 8 - length
    stream.seek(end)
    footer = _Reader(stream.read(length)).struct()
    columns = _columns(footer[2])
    rows, counted, memory = footer[3], 0, 0
    for group in footer[4]:
        chunks, here = group[1], group[3]
        if len(chunks) != len(columns) or here < 0:
            raise FooterError("its columns differ in length")
        counted += here
        for chunk, (_, kind) in zip(chunks, columns, strict=True):
            about = chunk[3]
            if about[1] != kind or about[5] != here:
                raise FooterError("its columns differ in length")
            memory += here * _WIDTHS[kind]
            memory += _unpacked(stream, about, here, end)
    if rows != counted:
        raise FooterError("its rows are not as many as it says")
    return Contents(rows, tuple(name for name, _ in columns), memory)


def _columns(schema: list[dict[int, Any]]) -> list[tuple[str, int]]:
    """Name and physical type of each column."""
    root, *rest = schema
    if root.get(5, 0) != len(rest):
        raise FooterError("a column of it holds lists or tables")
    columns = []
    for column in rest:
        name = column[4].decode()
        if column.get(5) or column.get(3) == _REPEATED or column.get(1) not in _WIDTHS:
            raise FooterError(f"column {name[:40]!r} holds lists, tables or other objects")
        columns.append((name, column[1]))
    if len({name for name, _ in columns}) < len(columns):
        raise FooterError("two of its columns have one name")
    return columns


def _unpacked(stream: BinaryIO, about: dict[int, Any], rows: int, end: int) -> int:
    """Bytes of a column's pages in one group of rows, unpacked.

    Raises
    ------
    FooterError
        If the pages have other numbers of values than the footer says.
    """
    start = min(about[9], about.get(11) or about[9])
    size = values = 0
    for kind, unpacked, count in _pages(stream, start, start + about[7], end):
        size += unpacked
        values += count if kind != _DICTIONARY else 0
    if values != rows:
        raise FooterError("its columns differ in length")
    return size


def _pages(stream: BinaryIO, at: int, stop: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Kind, bytes unpacked and number of values of each page from `at` to `stop`."""
    if not 0 < at <= stop <= end:
        raise FooterError("a column lies outside of it")
    seen = 0
    while at < stop:
        seen += 1
        if seen > _MOST_PAGES:
            raise FooterError("it has too many pages")
        stream.seek(at)
        reader = _Reader(stream.read(min(_MOST_HEAD, stop - at)))
        head = reader.struct()
        kind, unpacked, packed = head[1], head[2], head[3]
        if unpacked < 0 or packed < 0 or at + reader.at + packed > stop:
            raise FooterError("a page of it has an impossible size")
        count = 0
        if kind in {_DATA, _DATA_2}:
            page = head[5] if kind == _DATA else head[8]
            count, encoding = page[1], page[2 if kind == _DATA else 4]
            if count < 0 or encoding not in _ENCODINGS:
                raise FooterError("a page of it is written in a way that ackclock does not read")
        elif kind == _DICTIONARY:
            # Each text takes a view of 16 bytes besides its letters, and 4 bytes or more here.
            unpacked *= 5
        elif kind != _INDEX:
            raise FooterError("a page of it is of no kind that it can have")
        yield kind, unpacked, count
        at += reader.at + packed
