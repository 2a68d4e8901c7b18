"""Films: the clip's own code makes short ones, which are read back."""

import os
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ackclock.runtime.extras import MissingExtraError
from ackclock.scenario.video import Trace, TraceError, read
from ackclock.scenario.video.trace import Part
from scripts import ROOT, script

av = pytest.importorskip("av")


def clip_maker() -> ModuleType:
    return script("scenarios/video/make_clip.py")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1.6 s of the clip: 40 frames in four scenes of ten, each begun by an I frame."""
    path = tmp_path_factory.mktemp("film") / "short.mp4"
    clip_maker().encode(path, 1.6)
    return path


@pytest.fixture(scope="module")
def trace(film: Path) -> Trace:
    return read(film)


def packets(film: Path) -> list[int]:
    with av.open(str(film)) as container:
        return [packet.size for packet in container.demux(video=0) if packet.size]


def test_the_sizes_are_the_packets_of_the_stream(film: Path, trace: Trace) -> None:
    assert [frame.size for frame in trace.frames] == packets(film)
    assert trace.size <= film.stat().st_size


def test_the_times_are_the_frame_rate_s(trace: Trace) -> None:
    assert [frame.time for frame in trace.frames] == [number * 40_000 for number in range(40)]
    assert trace.duration == 1_600_000


def test_the_kinds_are_the_decoder_s(film: Path, trace: Trace) -> None:
    with av.open(str(film)) as container:
        shown = ["NIPB"[frame.pict_type] for frame in container.decode(video=0)]
    ours = [frame.kind for frame in sorted(trace.frames, key=lambda frame: frame.presentation)]
    assert ours == shown
    assert [number for number, kind in enumerate(shown) if kind == "I"] == [0, 10, 20, 30]
    assert {"P", "B"} <= set(shown)


def test_b_frames_are_sent_after_both_that_they_need(trace: Trace) -> None:
    anchors: list[int] = []
    for number, frame in enumerate(trace.frames):
        if frame.kind == "B":
            assert frame.after == tuple(anchors[-2:])
            assert (
                trace.frames[anchors[-2]].presentation
                < frame.presentation
                < trace.frames[anchors[-1]].presentation
            )
            continue
        assert frame.after == (() if frame.kind == "I" else (anchors[-1],))
        anchors.append(number)
    assert all(frame.presentation >= frame.time for frame in trace.frames)
    assert sorted(frame.presentation for frame in trace.frames) == [
        40_000 * (1 + number) for number in range(40)
    ]


def test_a_part_begins_with_an_i_frame_and_is_what_the_whole_has_there(
    film: Path, trace: Trace
) -> None:
    part = read(film, part=Part(start=500_000, frames=15))
    begin = next(
        number
        for number, frame in enumerate(trace.frames)
        if frame.kind == "I" and frame.time >= 500_000
    )
    assert [(frame.kind, frame.size) for frame in part.frames] == [
        (frame.kind, frame.size) for frame in trace.frames[begin : begin + 15]
    ]
    assert part.frames[0].time == 0
    assert part.duration == 600_000
    assert read(film, part=Part(start=500_000, duration=600_000)).frames == part.frames


@pytest.mark.parametrize("name", ["film.mkv", "film.ts", "film.h264"])
def test_another_container_holds_the_same_film(
    name: str, film: Path, trace: Trace, tmp_path: Path
) -> None:
    # A transport stream gives no length, a bare stream no times at all.
    other = tmp_path / name
    with av.open(str(film)) as source, av.open(str(other), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    copied = read(other)
    assert [frame.kind for frame in copied.frames] == [frame.kind for frame in trace.frames]
    assert [frame.after for frame in copied.frames] == [frame.after for frame in trace.frames]
    assert [frame.presentation for frame in copied.frames] == [
        frame.presentation for frame in trace.frames
    ]
    assert [frame.time for frame in copied.frames] == [frame.time for frame in trace.frames]
    # Containers differ in whether parameter sets and delimiters travel in the packets: less than 1
    # kB a frame.
    for ours, theirs in zip(trace.frames, copied.frames, strict=True):
        assert abs(ours.size - theirs.size) < 1000


@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_b_frames_that_others_need_are_known_by_their_headers(codec: str, tmp_path: Path) -> None:
    # With a pyramid the middle B frame of three is a reference for its neighbours.
    path = tmp_path / "pyramid.mp4"
    options = {
        "libx264": {"x264-params": "bframes=3:b-adapt=0:b-pyramid=strict:scenecut=0:log-level=none"}
    }
    options["libx265"] = {
        "x265-params": "bframes=3:b-adapt=0:b-pyramid=1:scenecut=0:log-level=none"
    }
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25, options=options[codec])
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for number in range(9):
            picture = np.tile(np.arange(320, dtype=np.uint8) + np.uint8(3 * number), (180, 1))
            container.mux(
                stream.encode(
                    av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
                )
            )
        container.mux(stream.encode())
    frames = read(path).frames
    assert "".join(frame.kind for frame in frames) == "IPBBBPBBB"
    assert [frame.after for frame in frames[:5]] == [(), (0,), (0, 1), (0, 2), (1, 2)]


def test_the_shipped_trace_is_a_film_of_1_5_mbit_s() -> None:
    shipped = read(ROOT / "scenarios" / "video" / "clip.trace")
    assert len(shipped.frames) == 1500
    assert shipped.duration == 60_000_000
    assert 8 * shipped.size / 60 == pytest.approx(1.5e6, rel=0.03)
    assert {frame.kind for frame in shipped.frames} == {"I", "P", "B"}
    assert (
        shipped.about["command"] == "ackclock video-trace clip.mp4 --out scenarios/video/clip.trace"
    )


def test_a_film_that_was_cut_off_is_told(film: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    with pytest.raises(TraceError, match=r"cut\.mp4: .*FFmpeg"):
        read(cut)


def test_sound_alone_is_no_film(tmp_path: Path) -> None:
    path = tmp_path / "sound.mov"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame(format="s16", layout="mono", samples=800)
        frame.rate = 8000
        container.mux(stream.encode(frame))
    with pytest.raises(TraceError, match="without video: it holds audio"):
        read(path)


@pytest.fixture
def secret(film: Path, tmp_path: Path) -> Path:
    """A film that lists beside it name."""
    path = tmp_path / "private" / "secret.mp4"
    path.parent.mkdir()
    path.write_bytes(film.read_bytes())
    return path


PLAYLISTS = {
    "hls": "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#{nul}\n#EXTINF:5,\n{url}\n#EXT-X-ENDLIST\n",
    "live hls": "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#{nul}\n#EXTINF:5,\n{url}\n",
    "ffconcat": "ffconcat version 1.0\n#{nul}\nfile '{path}'\n",
    "dash": (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        'profiles="urn:mpeg:dash:profile:isoff-main:2011" mediaPresentationDuration="PT1S">'
        '<Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">'
        "<BaseURL>{url}</BaseURL></Representation></AdaptationSet></Period></MPD><!--{nul}-->"
    ),
    "sdp": (
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x{nul}\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        "m=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
    ),
    "rtsp text": "[Reference]\r\nRef1={url}{nul}\r\n",
}


@pytest.mark.parametrize("named", ["film", "pipe", "missing"])
@pytest.mark.parametrize("kind", list(PLAYLISTS))
def test_a_list_that_names_other_files_is_refused_and_opens_none(
    kind: str, named: str, secret: Path, tmp_path: Path
) -> None:
    target = {"film": secret, "pipe": tmp_path / "pipe.mp4", "missing": tmp_path / "none.mp4"}
    if named == "pipe":
        # To open it is to wait for good.
        os.mkfifo(target["pipe"])
    path = target[named]
    text = PLAYLISTS[kind].format(nul="\0", url=path.as_uri(), path=path)
    for suffix in (".m3u8", ".ffconcat", ".mpd", ".sdp", ".mp4"):
        playlist = tmp_path / f"list{suffix}"
        # A NUL byte makes it no text.
        playlist.write_bytes(text.encode())
        with pytest.raises(TraceError, match=r"no playlist or other list that names files"):
            read(playlist)


def test_a_picture_whose_number_stands_in_the_name_is_no_film(tmp_path: Path) -> None:
    (tmp_path / "picture1.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "picture%d.png").write_bytes(bytes(100))
    with pytest.raises(TraceError, match="FFmpeg"):
        read(tmp_path / "picture%d.png", source="film")


def test_ffmpeg_s_own_requests_for_files_are_refused(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, object]] = []

    def opening(file: object, **given: object) -> object:
        asked.append(given)
        return original(file, **given)

    original = av.open
    monkeypatch.setattr(av, "open", opening)
    read(film)
    refuse = asked[0]["io_open"]
    assert callable(refuse)
    with pytest.raises(PermissionError, match=r"names another file: 'other\.mov'"):
        refuse("other.mov", 1, {})


def test_without_pyav_it_is_said_how_to_install_it(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ackclock\[video\]'"):
        read(film)
