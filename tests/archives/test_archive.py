"""Are archives that anybody may have made refused in one line before they take room?"""

import hashlib
import io
import json
import stat
import struct
import tempfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ackclock.tools.archives import archive as archives
from ackclock.tools.archives.archive import (
    MANIFEST,
    OF_STUDIES,
    ArchiveError,
    check_members,
    read_archive,
)
from ackclock.tools.archives.packing import is_archive, opened, pack

ABOUT = {
    "kind": "ackclock study",
    "name": "small",
    "title": "Small",
    "quick": False,
    "versions": {"ackclock": "0.1.0", "results_version": 1},
    "own_files": {"folder": "study", "left_out": []},
}
FILES = {"report.html": b"<p>", "claims.json": b"[]", "study.json": json.dumps(ABOUT).encode()}

LINK = stat.S_IFLNK | 0o777

Change = Callable[[zipfile.ZipFile], object]


def manifest(files: dict[str, bytes]) -> bytes:
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return json.dumps({"kind": OF_STUDIES.kinds[0], "layout": 1, "files": digests}).encode()


def made(
    where: Path, files: dict[str, bytes] | None = None, change: Change = lambda _: None
) -> Path:
    """An archive of these files, sound but for the change."""
    files = FILES if files is None else files
    target = where / "their.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(f"small/{name}", content)
        zipped.writestr(f"small/{MANIFEST}", manifest(files))
        change(zipped)
    return target


def refusal(file: Path) -> str:
    """The line in which an archive is refused; no temporary folder is left."""
    before = set(Path(tempfile.gettempdir()).glob("ackclock-*"))
    with pytest.raises(ArchiveError) as caught, opened(file, OF_STUDIES):
        pass
    assert not set(Path(tempfile.gettempdir()).glob("ackclock-*")) - before
    text = str(caught.value)
    assert text.startswith(f"{file}: ")
    assert tempfile.gettempdir() not in text.removeprefix(str(file))
    assert "\n" not in text
    return text


def member(name: str, content: bytes = b"", **attributes: int) -> Change:
    """Adds a member to an archive."""

    def change(zipped: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo("small/x")
        entry.filename = name
        for key, value in attributes.items():
            setattr(entry, key, value)
        zipped.writestr(entry, content)

    return change


def test_a_sound_archive_is_unpacked(tmp_path: Path) -> None:
    with opened(made(tmp_path)) as folder:
        assert (folder / "claims.json").read_bytes() == b"[]"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil", "would be unpacked elsewhere"),
        ("small/../../evil", "would be unpacked elsewhere"),
        ("/evil", "would be unpacked elsewhere"),
        ("small/a\\b", "would be unpacked elsewhere"),
        ("C:/evil", "would be unpacked elsewhere"),
        ("small/a:stream", "would be unpacked elsewhere"),
        ("small/a\x1b[31m", "has no name for a file"),
        ("small/a\u202egnp", "has no name for a file"),
        ("small/a\nb", "has no name for a file"),
        ("small//a", "has no name for a file"),
        ("small/./a", "has no name for a file"),
        ("small/a.", "has no name for a file"),
        ("small/a ", "has no name for a file"),
        (f"small/{'d/' * 40}a", "has no name for a file"),
        (f"small/{'a' * 600}", "has no name for a file"),
        ("small/CON", "has a name that Windows keeps for a device"),
        ("small/figures/nul.svg", "has a name that Windows keeps for a device"),
        ("other/a", "is outside of its folder 'small'"),
        ("evil", "is outside of its folder 'small'"),
        ("small/Report.HTML", "where letters have no case"),
        ("small/report.html", "is there twice"),
        ("small/report.html/a", "where letters have no case"),
        ("small/extra", "is not in its manifest.json"),
    ],
)
def test_names_are_checked_before_anything_is_unpacked(
    tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.warns(UserWarning, match="Duplicate") if "twice" in reason else no_warning():
        file = made(tmp_path, change=member(name))
    assert reason in refusal(file)


def no_warning():  # type: ignore[no-untyped-def]
    from contextlib import nullcontext

    return nullcontext()


def test_nul_in_a_name_does_not_hide_its_end(tmp_path: Path) -> None:
    file = made(tmp_path, change=member("small/report.htmlQ"))
    file.write_bytes(file.read_bytes().replace(b"report.htmlQ", b"report.html\0"))
    assert "has no name for a file" in refusal(file)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            member("small/a", b"/etc", external_attr=(stat.S_IFLNK | 0o777) << 16),
            "link or a device",
        ),
        (member("small/a", external_attr=(stat.S_IFIFO | 0o666) << 16), "link or a device"),
        (member("small/a", external_attr=(stat.S_IFBLK | 0o666) << 16), "link or a device"),
        (member("small/a", b"x", compress_type=zipfile.ZIP_BZIP2), "packed in a way"),
        (member("small/a", b"x", compress_type=zipfile.ZIP_LZMA), "packed in a way"),
        (
            member("small/a", bytes(3_000_000), compress_type=zipfile.ZIP_DEFLATED),
            "packed to less than 1/200 of its size",
        ),
        (
            lambda zipped: setattr(zipped, "comment", b"x" * 60_000),
            "no archive of a study: its end",
        ),
    ],
)
def test_kinds_of_members_are_checked(tmp_path: Path, change: Change, reason: str) -> None:
    assert reason in refusal(made(tmp_path, change=change))


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    file = made(tmp_path, change=member("small/a"))
    content = bytearray(file.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)
    assert "is encrypted" in refusal(file)


@pytest.mark.parametrize("announced", [10, 1_000_000])
def test_a_size_that_lies_is_found_while_unpacking(tmp_path: Path, announced: int) -> None:
    content = bytes(range(256)) * 400
    file = made(tmp_path, {**FILES, "figures/a": content})
    old = struct.pack("<LL", zlib.crc32(content), 0)[:4]
    data = bytearray(file.read_bytes())
    at = -1
    while (at := data.find(old, at + 1)) >= 0:
        data[at + 8 : at + 12] = struct.pack("<L", announced)
    file.write_bytes(data)
    assert "figures/a" in refusal(file)


def test_members_that_share_bytes_are_refused(tmp_path: Path) -> None:
    content = bytes(range(256)) * 400
    names = ["a", "b"]
    file = made(tmp_path, {**FILES, **{f"figures/{name}": content for name in names}})
    data = bytearray(file.read_bytes())
    entries = []
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        entries.append(at)
    first, second = (
        next(
            entry
            for entry in entries
            if data[entry + 46 :].startswith(f"small/figures/{name}".encode())
        )
        for name in names
    )
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    file.write_bytes(data)
    assert "overlaps another file" in refusal(file)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no archive of a study: no zip file"),
        (b"not a zip file", "no archive of a study: no zip file"),
        (b"PK\x05\x06" + bytes(18), "no archive of a study: it has no manifest.json"),
        (b"PK\x03\x04" + bytes(100), "no archive of a study: its end is missing"),
        (b"PK\x05\x06" + b"\xff" * 16 + b"\0\0", "a zip file of 64 bit"),
        (b"PK\x05\x06" + b"\0\0" * 2 + b"\x01\x80" * 2 + bytes(10), "members with a directory of"),
    ],
)
def test_what_is_no_zip_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "their.zip"
    file.write_bytes(content)
    assert reason in refusal(file)
    if "no archive" in reason:
        assert not is_archive(file)


def test_other_data_around_an_archive_is_refused(tmp_path: Path) -> None:
    file = made(tmp_path)
    content = file.read_bytes()
    file.write_bytes(b"#!/bin/sh\n" + content)
    assert "other data before or in it" in refusal(file)
    file.write_bytes(content + b"more")
    assert "something stands behind it" in refusal(file)
    file.write_bytes(content[: len(content) // 2])
    assert "no archive of a study" in refusal(file)


def test_a_zip_file_of_a_million_members_takes_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "their.zip"
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a"
    directory = entry * 1_000_000
    with file.open("wb") as sink:
        sink.write(directory)
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, len(directory), 0, 0)
        sink.write(end)
    del directory
    tracemalloc.start()
    assert "a directory of 47.0 MB" in refusal(file)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_a_locator_of_64_bit_cannot_lead_elsewhere(tmp_path: Path) -> None:
    file = made(tmp_path)
    content = file.read_bytes()
    end = bytearray(content[-22:])
    locator = b"PK\x06\x07" + bytes(16)
    # The directory's size covers the locator, so that nothing seems to stand between.
    struct.pack_into("<L", end, 12, struct.unpack_from("<L", end, 12)[0] + len(locator))
    file.write_bytes(content[:-22] + locator + bytes(end))
    assert "a zip file of 64 bit" in refusal(file)


def test_the_size_of_all_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = made(tmp_path)
    for limits, reason in (
        ({"total": 100}, "0 MB in it, unpacked"),
        ({"member": 100}, "'study.json' in it has 0 MB"),
        ({"members": 3}, "4 files in it; the most are 3"),
        ({"manifest": 10}, "'manifest.json' in it has more than"),
    ):
        monkeypatch.setattr(archives, "MOST", archives.Limits(9, 10**6, 10**6, 200, 10**6, 10**6))
        monkeypatch.setattr(archives, "MOST", archives.MOST._replace(**limits))
        assert reason in refusal(file)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"layout": 1, "files": []}',
        b'{"layout": 1, "files": {"a": 1}, "kind": "ackclock study archive"}',
        b'{"layout": 2, "files": {}, "kind": "ackclock study archive"}',
    ],
)
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "their.zip"
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr(f"small/{MANIFEST}", content)
    assert "manifest" in refusal(file) or "layout" in refusal(file)


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 50_000 + b"]" * 50_000,
        b'{"name": "\\ud800"}',
        b"\xff",
        b"[" + b"[]," * 1_100_000 + b"[]]",
        b" " * 20_000_001,
    ],
    ids=["deep", "half a character", "no text", "many lists", "long"],
)
def test_json_that_asks_for_memory_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "small").mkdir()
    for name, other in {**FILES, "study.json": content}.items():
        (tmp_path / "small" / name).write_bytes(other)
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match=r"study\.json"):
            pack(tmp_path / "small", tmp_path / "small.zip")
        assert tracemalloc.get_traced_memory()[1] < 4 * len(content) + 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "about",
    [
        {},
        [],
        {**ABOUT, "name": "../../evil"},
        {**ABOUT, "name": None},
        {**ABOUT, "versions": {}},
        {**ABOUT, "own_files": {"folder": "study", "left_out": [1]}},
    ],
)
def test_what_a_study_says_of_itself_is_checked(tmp_path: Path, about: object) -> None:
    content = json.dumps(about).encode()
    assert "study.json" in refusal(made(tmp_path, {**FILES, "study.json": content}))
    folder = tmp_path / "small"
    folder.mkdir()
    for name, other in {**FILES, "study.json": content}.items():
        (folder / name).write_bytes(other)
    with pytest.raises(ArchiveError, match=r"study\.json"):
        pack(folder, tmp_path / "packed.zip")


def test_pack_refuses_what_verify_would_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "small"
    (folder / "figures").mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    target = tmp_path / "packed.zip"
    link = folder / "figures/a.svg"
    link.symlink_to("/etc/passwd")
    with pytest.raises(ArchiveError, match=r"figures/a\.svg: a symbolic link"):
        pack(folder, target)
    link.unlink()
    (folder / "figures/a.").write_bytes(b"")
    with pytest.raises(ArchiveError, match="has no name for a file"):
        pack(folder, target)
    (folder / "figures/a.").unlink()
    monkeypatch.setattr(archives, "MOST", archives.MOST._replace(total=50))
    with pytest.raises(ArchiveError, match="MB in it, unpacked"):
        pack(folder, target)
    monkeypatch.undo()
    pack(folder, target)
    with read_archive(target) as archive:
        assert archive.digests.keys() == FILES.keys()


def test_names_that_differ_in_case_or_accents_alone_are_refused() -> None:
    with pytest.raises(ArchiveError, match="where letters have no case"):
        check_members({"é": 1, "E\u0301": 1})
    check_members({"a/b": 1, "a/c": 1, "b": 1})


def test_no_room_to_unpack_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = made(tmp_path)

    def full(*_: object, **__: object) -> io.BytesIO:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with read_archive(file) as archive, pytest.raises(ArchiveError, match="No space left"):
        archive.unpack(tmp_path / "there")
