"""Reads archives of results that anybody may have made: all is bounded before one is unpacked.

A zip file says how large its members are, and may lie. So its directory is held to the form that
`ackclock.tools.archives.packing.pack` gives it, and what is unpacked is counted.
"""

from __future__ import annotations

import hashlib
import re
import stat
import unicodedata
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ackclock.atomic_io.reading import parse_json
from ackclock.errors import Error
from ackclock.messages import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = [
    "LAYOUT",
    "MANIFEST",
    "MOST",
    "OF_RESULTS",
    "OF_STUDIES",
    "Archive",
    "ArchiveError",
    "Limits",
    "NotAnArchiveError",
    "Words",
    "check_members",
    "read_archive",
]

MANIFEST = "manifest.json"
"""File in an archive that has the checksum of every other."""
LAYOUT = 1


class Words(NamedTuple):
    """The kinds of archives that a command takes, and its words for them."""

    thing: str
    """The content of an archive: a study."""
    command: str
    """Command that packs one."""
    kinds: tuple[str, ...]
    """Kinds of its manifest."""

    @property
    def other(self) -> str:
        """The reason why an archive is not sound."""
        return f"not written by {self.command}"


OF_STUDIES = Words("a study", "ackclock study pack", ("ackclock study archive",))
OF_RESULTS = Words("a result", "ackclock pack", ("ackclock archive", *OF_STUDIES.kinds))


class Limits(NamedTuple):
    """The largest archive that is read or written."""

    members: int
    member: int
    """Size of one member, bytes."""
    total: int
    """Size of all members, bytes."""
    ratio: int
    """Size of a member over its size in the archive."""
    manifest: int
    """Size of the manifest, bytes."""
    directory: int
    """Size of the zip file's directory, bytes."""


MOST = Limits(
    members=20_000,
    member=500_000_000,
    total=2_000_000_000,
    ratio=200,
    manifest=20_000_000,
    directory=4_000_000,
)

_LONGEST_PATH = 500
_DEEPEST = 20
_BLOCK = 1 << 20
# Small members may be packed better: a page of equal letters.
_FREE_OF_RATIO = 100_000
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_NOT_IN_NAMES = frozenset('\\:*?"<>|')
# The end of a zip file's directory, without a comment (APPNOTE.TXT 6.3.10, section 4.3.16).
_END = b"PK\x05\x06"
_END_SIZE = 22
_LOCATOR = b"PK\x06\x07"
_LOCATOR_SIZE = 20
_HEADER_SIZE = 30
_DIGEST = re.compile(r"[0-9a-f]{64}")


class ArchiveError(Error, ValueError):
    """A folder or file is no result, or a damaged one; the message is one line."""

    kind = "unreadable"


class NotAnArchiveError(ArchiveError):
    """A file is no archive."""


def check_members(sizes: Mapping[str, int]) -> None:
    """Check the names and sizes of the files of an archive, relative to its top folder.

    Raises
    ------
    ArchiveError
        If a name could not be unpacked everywhere, or there is too much; the text names the file.
    """
    if len(sizes) > MOST.members:
        raise ArchiveError(f"{len(sizes):,} files in it; the most are {MOST.members:,}")
    for name, size in sizes.items():
        reason = _wrong_name(name)
        if reason:
            raise ArchiveError(f"{shown(name)} in it {reason}")
        if size > MOST.member:
            raise ArchiveError(
                f"{shown(name)} in it has {size / 1e6:,.0f} MB; the most are "
                f"{MOST.member / 1e6:,.0f} MB"
            )
    total = sum(sizes.values())
    if total > MOST.total:
        raise ArchiveError(
            f"{total / 1e6:,.0f} MB in it, unpacked; the most are {MOST.total / 1e6:,.0f} MB"
        )
    seen: dict[str, str] = {}
    for name in sizes:
        for at in range(1, name.count("/") + 1):
            seen.setdefault(_folded("/".join(name.split("/")[:at])), "a folder")
    for name in sizes:
        other = seen.get(_folded(name))
        if other is not None:
            raise ArchiveError(
                f"{shown(name)} in it is {other if other == 'a folder' else shown(other)}, too, "
                "where letters have no case"
            )
        seen[_folded(name)] = name


def _folded(name: str) -> str:
    """The name as systems see it that ignore case or compose accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _wrong_name(name: str) -> str:
    """Describe why a name must not be unpacked; "" if it may."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or _NOT_IN_NAMES & set(name):
        return "would be unpacked elsewhere"
    if not name.isprintable() or len(name) > _LONGEST_PATH or len(parts) > _DEEPEST:
        return "has no name for a file"
    if any(part in ("", ".") or part.endswith((".", " ")) for part in parts):
        return "has no name for a file"
    if any(_RESERVED.fullmatch(part) for part in parts):
        return "has a name that Windows keeps for a device"
    return ""


class Archive:
    """An archive whose directory and manifest are sound.

    Attributes
    ----------
    file : Path
        The archive.
    top : str
        Name of the folder in it.
    manifest : dict
        Content of manifest.json.
    digests : dict
        SHA-256 of each file by its name relative to the folder.
    """

    def __init__(self, file: Path, zipped: zipfile.ZipFile, end: int, words: Words) -> None:
        self.file = file
        self._words = words
        self._zipped = zipped
        members = zipped.infolist()
        if not any(member.filename.count("/") == 1 and _is_manifest(member) for member in members):
            raise NotAnArchiveError(
                f"no archive of {words.thing}: it has no {MANIFEST}; give one that {words.command} "
                "wrote"
            )
        self.top = next(member for member in members if _is_manifest(member)).filename.split("/")[0]
        self._members = {name: member for name, member in self._named(members) if name}
        check_members({name: member.file_size for name, member in self._members.items()})
        _check_places(members, end, words)
        self.manifest, self.digests = self._read_manifest()
        for name in self._members:
            if name != MANIFEST and name not in self.digests:
                raise ArchiveError(f"{shown(name)} in it is not in its {MANIFEST}: {words.other}")
        for name in self.digests:
            if name not in self._members:
                raise ArchiveError(f"{shown(name)} in it is missing: take another copy")

    def _named(self, members: list[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
        """Yield each file with its name relative to the folder; a folder's name is empty."""
        seen = set()
        for member in members:
            name = member.orig_filename
            top, _, inner = name.partition("/")
            is_folder = name.endswith("/")
            reason = _wrong_name(name.rstrip("/") if is_folder else name)
            if not reason and (top != self.top or name != member.filename):
                reason = f"is outside of its folder {shown(self.top)}"
            if not reason:
                reason = _wrong_member(member, is_folder=is_folder)
            if not reason and name in seen:
                reason = "is there twice"
            if reason:
                raise ArchiveError(f"{shown(name)} in it {reason}: {self._words.other}")
            seen.add(name)
            yield "" if is_folder else inner, member

    def _read_manifest(self) -> tuple[dict[str, Any], dict[str, str]]:
        text = self.read(MANIFEST, MOST.manifest)
        try:
            manifest = parse_json(text)
            layout, digests = manifest["layout"], dict(manifest["files"])
        except (ValueError, KeyError, TypeError):
            raise ArchiveError(f"damaged: {MANIFEST} cannot be read") from None
        if manifest.get("kind") not in self._words.kinds or layout != LAYOUT:
            raise ArchiveError(
                f"an archive of layout {shown(layout)}, and this ackclock reads {LAYOUT}: take the "
                "ackclock that packed it"
            )
        if not all(
            isinstance(digest, str) and _DIGEST.fullmatch(digest) for digest in digests.values()
        ):
            raise ArchiveError(f"damaged: {MANIFEST} has a checksum that is none")
        return manifest, digests

    def read(self, name: str, most: int) -> bytes:
        """Return the content of a file.

        Raises
        ------
        ArchiveError
            If there is no such file, it is damaged, or it has more than `most` bytes.
        """
        member = self._members.get(name)
        if member is None:
            raise ArchiveError(f"{shown(name)} in it is missing: take another copy")
        if member.file_size > most:
            raise ArchiveError(
                f"{shown(name)} in it has more than {most / 1e6:,.0f} MB: {self._words.other}"
            )
        return b"".join(self._blocks(name))

    def _blocks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file in blocks, never more than its announced size."""
        member, size = self._members[name], 0
        try:
            with self._zipped.open(member) as source:
                while block := source.read(_BLOCK):
                    size += len(block)
                    if size > member.file_size:
                        break
                    yield block
        except (zipfile.BadZipFile, EOFError, NotImplementedError, zlib.error) as error:
            raise ArchiveError(f"damaged: {shown(name)} in it: {error}") from None
        if size != member.file_size:
            raise ArchiveError(
                f"{shown(name)} in it has another size than it says: {self._words.other}"
            )

    def unpack(self, where: Path) -> Path:
        """Unpack all files into a folder, and return the folder of the result in it.

        Raises
        ------
        ArchiveError
            If a file is damaged, or not the one that was packed, or there is no room.
        """
        home = where / self.top
        try:
            for name in self._members:
                target = home / name
                target.parent.mkdir(parents=True, exist_ok=True)
                digest = hashlib.sha256()
                with target.open("xb") as sink:
                    for block in self._blocks(name):
                        digest.update(block)
                        sink.write(block)
                if name != MANIFEST and digest.hexdigest() != self.digests[name]:
                    raise ArchiveError(
                        f"{shown(name)} in it is not what was packed: take another copy"
                    )
        except OSError as error:
            total = sum(member.file_size for member in self._members.values())
            raise ArchiveError(
                f"cannot be unpacked into '{where.parent}', which takes {total / 1e6:,.0f} MB: "
                f"{error.strerror or error}"
            ) from None
        return home


def _is_manifest(member: zipfile.ZipInfo) -> bool:
    top, _, name = member.filename.partition("/")
    return bool(top) and name == MANIFEST


def _wrong_member(member: zipfile.ZipInfo, *, is_folder: bool) -> str:
    """Describe why a member must not be unpacked; "" if it may."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFDIR if is_folder else stat.S_IFREG):
        return "is a link or a device"
    if member.flag_bits & 0x2041:
        return "is encrypted"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in a way that is not known"
    if is_folder and member.file_size:
        return "is a folder with content"
    is_stored = member.compress_type == zipfile.ZIP_STORED
    if is_stored and member.file_size != member.compress_size:
        return "has another size than it says"
    if member.file_size > max(_FREE_OF_RATIO, MOST.ratio * member.compress_size):
        return f"is packed to less than 1/{MOST.ratio} of its size"
    return ""


def _check_places(members: list[zipfile.ZipInfo], end: int, words: Words) -> None:
    """Check that no two members share bytes, as in a bomb of overlapping members."""
    ordered = sorted(members, key=lambda member: member.header_offset)
    starts = [*(member.header_offset for member in ordered[1:]), end]
    for member, following in zip(ordered, starts, strict=True):
        least = _HEADER_SIZE + len(member.orig_filename.encode()) + member.compress_size
        if member.header_offset < 0 or member.header_offset + least > following:
            raise ArchiveError(
                f"{shown(member.filename)} in it overlaps another file: {words.other}"
            )


def _directory_of(source: BinaryIO, words: Words) -> int:
    """Return where the directory of a zip file begins; check its size before it is read.

    Raises
    ------
    NotAnArchiveError
        If it is no zip file.
    ArchiveError
        If its end is not as `pack` writes it.
    """
    size = source.seek(0, 2)
    tail_size = min(size, _END_SIZE + _LOCATOR_SIZE)
    source.seek(size - tail_size)
    tail = source.read(tail_size)
    end = tail[-_END_SIZE:]
    if len(end) < _END_SIZE or not end.startswith(_END):
        source.seek(0)
        begins = source.read(4)
        if begins != b"PK\x03\x04":
            raise NotAnArchiveError(
                f"no archive of {words.thing}: no zip file; give one that {words.command} wrote"
            )
        raise NotAnArchiveError(
            f"no archive of {words.thing}: its end is missing, or something stands behind it; "
            "take another copy"
        )
    numbers = [int.from_bytes(end[at : at + 2], "little") for at in range(4, 12, 2)]
    length, start = (int.from_bytes(end[at : at + 4], "little") for at in (12, 16))
    if tail[:-_END_SIZE].startswith(_LOCATOR) or numbers[2] == 0xFFFF:
        raise ArchiveError(f"a zip file of 64 bit: {words.other}")
    if numbers[0] or numbers[1] or numbers[2] != numbers[3] or end[20:22] != b"\0\0":
        raise ArchiveError(f"a zip file of several parts, or with a comment: {words.other}")
    if numbers[3] > MOST.members + 1 or length > MOST.directory:
        raise ArchiveError(
            f"a zip file of {numbers[3]:,} members with a directory of {length / 1e6:,.1f} MB; "
            f"the most are {MOST.members:,} and {MOST.directory / 1e6:,.0f} MB"
        )
    if start + length + _END_SIZE != size:
        raise ArchiveError(f"a zip file with other data before or in it: {words.other}")
    return start


@contextmanager
def read_archive(file: Path, words: Words = OF_RESULTS) -> Iterator[Archive]:
    """Yield an archive whose directory and manifest are sound; nothing is unpacked yet.

    Raises
    ------
    NotAnArchiveError
        If the file is no archive.
    ArchiveError
        If it is one, but unsound; the text names the archive and the file in it.
    """
    try:
        with file.open("rb") as source:
            end = _directory_of(source, words)
            source.seek(0)
            with zipfile.ZipFile(source) as zipped:
                yield Archive(file, zipped, end, words)
    except ArchiveError as error:
        raise type(error)(f"{file}: {error}") from None
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{file}: damaged: {error}") from None
    except OSError as error:
        raise ArchiveError(f"{file}: cannot be read: {error.strerror or error}") from None
