"""ns-2's records: two 32-bit big-endian integers, us until the packet and its bytes."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario.video import TraceError, read
from ackclock.scenario.video.ns2 import packed, read_ns2

RECORDS = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(1, 10**8)), min_size=2, max_size=40
).filter(lambda records: any(wait for wait, _ in records))


def records(rows: list[tuple[int, int]]) -> bytes:
    return b"".join(struct.pack(">II", *row) for row in rows)


@given(RECORDS)
def test_records_come_back_as_they_were(rows: list[tuple[int, int]]) -> None:
    data = records(rows)
    assert packed("t", read_ns2("t", data)) == data


def test_a_record_is_the_wait_and_then_the_packet() -> None:
    trace = read_ns2("t", records([(10, 100), (20, 200), (30, 300)]))
    assert [(frame.time, frame.size, frame.kind, frame.after) for frame in trace.frames] == [
        (0, 100, "-", ()),
        (20, 200, "-", ()),
        (50, 300, "-", ()),
    ]
    # Played in a ring, the first comes 10 us after the last.
    assert trace.duration == 60


def test_the_shipped_trace_keeps_its_sizes_and_times() -> None:
    shipped = read(Path(__file__).parents[2] / "scenarios" / "video" / "clip.trace")
    back = read_ns2("t", packed("t", shipped))
    assert [(frame.time, frame.size) for frame in back.frames] == [
        (frame.time, frame.size) for frame in shipped.frames
    ]
    assert back.duration == shipped.duration


@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_are_a_trace_or_one_clear_line(data: bytes) -> None:
    try:
        trace = read_ns2("t", data)
    except TraceError as error:
        said = str(error)
    else:
        assert packed("t", trace) == data
        return
    assert said.startswith("t: ")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (records([(10, 100), (10, 100)])[:-3], "13 bytes are no whole number of records"),
        (records([(10, 100), (10, 0)]), "record 2: a frame of 0 bytes"),
        (records([(10, 100), (10, 2**32 - 1)]), "record 2: a frame of 4294967295 bytes"),
        (records([(10, 100)] + [(2**32 - 1, 100)] * 200), "hours are no film"),
        (records([(10, 100)]), "a single frame"),
    ],
)
def test_what_is_wrong_is_told(data: bytes, problem: str) -> None:
    with pytest.raises(TraceError) as error:
        read_ns2("t", data)
    assert problem in str(error.value)


def test_a_file_of_records_is_known_by_them(tmp_path: Path) -> None:
    path = tmp_path / "video.dat"
    path.write_bytes(records([(40_000, 1000), (40_000, 2000)]))
    assert [frame.size for frame in read(path).frames] == [1000, 2000]
