"""Lists of frames in text: what is written is read back; what is no list is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario.video import Frame, Trace, TraceError, read
from ackclock.scenario.video.text import read_text, written
from ackclock.scenario.video.trace import LARGEST_FRAME


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    gaps = draw(st.lists(st.integers(0, 10**7), min_size=1, max_size=30).filter(any))
    times = [0, *(sum(gaps[: number + 1]) for number in range(len(gaps)))]
    frames = [
        Frame(
            time,
            time + draw(st.integers(0, 10**6)),
            draw(st.sampled_from("IPB-")),
            draw(st.integers(1, LARGEST_FRAME)),
            tuple(sorted(draw(st.sets(st.integers(0, number - 1), max_size=3)))) if number else (),
        )
        for number, time in enumerate(times)
    ]
    return Trace(frames, times[-1] + draw(st.integers(0, 10**7)), {})


@given(traces())
def test_what_is_written_is_read_back(trace: Trace) -> None:
    read_back = read_text("t", written(trace, {"source": "x"}).encode().splitlines(keepends=True))
    assert read_back.frames == trace.frames
    assert read_back.duration == trace.duration


@given(traces(), st.integers(0, 400))
def test_a_trace_that_was_cut_off_is_never_taken_for_whole(trace: Trace, cut: int) -> None:
    text = written(trace, {}).encode()
    body = text.index(b"after\n") + 6
    lines = text[body:].splitlines(keepends=True)
    kept = b"".join(lines[: cut % len(lines)])
    with pytest.raises(TraceError):
        read_text("t", (text[:body] + kept).splitlines(keepends=True))


@given(st.binary(max_size=300))
def test_whatever_a_file_holds_it_is_a_trace_or_one_clear_line(data: bytes) -> None:
    try:
        trace = read_text("t", data.splitlines(keepends=True), rate=25)
    except TraceError as error:
        said = str(error)
    else:
        assert len(trace.frames) >= 2
        return
    assert said.startswith("t: ")
    assert "\n" not in said


def lines(*rows: str) -> list[bytes]:
    return [row.encode() + b"\n" for row in rows]


def test_sizes_alone_come_at_the_rate() -> None:
    trace = read_text("t", lines("100", "200", "300"), rate=25)
    assert trace.frames == [
        Frame(0, 0, "-", 100),
        Frame(40_000, 40_000, "-", 200),
        Frame(80_000, 80_000, "-", 300),
    ]
    assert trace.duration == 120_000


def test_names_put_the_columns_in_any_order_and_milliseconds() -> None:
    trace = read_text(
        "t", lines("Number, Time_ms, Kind, Size", "1, 100, I, 500", "2, 133.5, P, 50")
    )
    assert trace.frames == [Frame(0, 0, "I", 500), Frame(33_500, 33_500, "P", 50, (0,))]


def test_without_presentation_times_an_anchor_is_shown_after_the_b_frames_that_follow_it() -> None:
    # Sent I P B B P B B at 25 frames/s: shown I B B P B B P; P is sent before its two B frames, so
    # all are shown one frame late.
    trace = read_text("t", lines("kind size", *(f"{kind} 10" for kind in "IPBBPBB")), rate=25)
    assert [frame.presentation // 40_000 for frame in trace.frames] == [1, 4, 2, 3, 7, 5, 6]
    assert [frame.after for frame in trace.frames] == [
        (),
        (0,),
        (0, 1),
        (0, 1),
        (1,),
        (1, 4),
        (1, 4),
    ]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (["0 100", "0.04 0"], "line 2: a frame of 0 bytes"),
        (["0 100", "0.04 10000000000"], "line 2: a frame of 10000000000 bytes"),
        (["0 100", "0.04 100", "0.02 100"], "line 3: sent at 0.02 s, before the frame"),
        (["0 100", "1e9 100"], "line 2: time is 1e9"),
        (["0 100", "604801 100"], "line 2: sent at 604801 s"),
        (["0 100", "-1 100"], "line 2: time is -1"),
        (["0 100", "nan 100"], "line 2: 'nan' is no time"),
        (["0 100", "0.04"], "line 2: 1 values, but 2 columns"),
        (["0 100", "0.04 12.5"], "line 2: '12.5' is no size"),
        (["0 I 100", "0.04 Q 100"], "line 2: 'Q' is no kind"),
        (["0 0 I 100 -", "1 1 P 100 2"], "line 2: frame 2 cannot need frame 2"),
        (["0 0 I 100 -", "1 1 P 100 1,1"], "line 2: 6 values, but 5 columns"),
        (["0 0 I 100 -", "1 1 P 100 x"], "line 2: 'x' are no frames"),
        (["1 2 3 4 5 6"], "line 1: 6 columns without names"),
        (["time size colour", "0 1 2"], "line 1: 'colour' is no column"),
        (["time size size", "0 1 2"], "line 1: a column stands there twice"),
        (["100", "200"], "give their rate"),
        (["0 100"], "a single frame"),
        (["# nothing"], "no frame"),
        (["0 100", "0 100"], "all frames are sent at one time"),
        (["# duration: 1 s", "0 100", "2 100"], "a duration of 1 s, but frames until 2 s"),
        (["# duration: soon", "0 100", "2 100"], "a duration of 'soon'"),
        (["# frames: 3", "0 100", "2 100"], "2 of 3 frames"),
        (["To be, or not to be"], "text is no film"),
        (["0 1" + " " * 10 + "0" * 1000], "line 1: more than 1000 letters"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(rows: list[str], problem: str) -> None:
    with pytest.raises(TraceError) as error:
        read_text("t", lines(*rows))
    assert problem in str(error.value)


def test_a_billion_frames_are_given_up_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> object:
        while True:
            yield b"100\n"

    monkeypatch.setattr("ackclock.scenario.video.trace.MOST_FRAMES", 1000)
    with pytest.raises(TraceError, match="line 1001: more than 1000 frames"):
        read_text("t", endless(), rate=25)  # type: ignore[arg-type]


def test_a_file_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text("0 I 100\n0.04 P 50\n", encoding="utf-8")
    assert [frame.kind for frame in read(path).frames] == ["I", "P"]
