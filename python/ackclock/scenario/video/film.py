"""Frames of a film, read with PyAV (FFmpeg's libraries)."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.runtime.extras import importing
from ackclock.scenario.video.references import is_referenced
from ackclock.scenario.video.trace import MOST_FRAMES, US_PER_S, Draft, Part, Trace, TraceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from av.packet import Packet
    from av.video.codeccontext import VideoCodecContext
    from av.video.stream import VideoStream

__all__ = ["read_film"]

# By FFmpeg's AVPictureType: none, I, P, B, S (sprite), SI, SP, BI (intra-coded, in the place of a B
# frame).
_KINDS = ("", "I", "P", "B", "P", "I", "P", "B")
# Formats that hold the film itself, by FFmpeg's names. Playlists, descriptions of sessions and rows
# of pictures name other files or hosts: FFmpeg would open those.
_FORMATS = (
    "mov", "matroska", "avi", "mpegts", "mpeg", "mpegvideo", "m4v", "h264", "hevc", "vvc", "av1",
    "obu", "ivf", "flv", "ogg", "asf", "nut", "mxf", "mjpeg", "yuv4mpegpipe",
)  # fmt: skip
_TOLD = (
    "MP4, QuickTime, Matroska, WebM, AVI, MPEG, FLV, Ogg, ASF, MXF, NUT, IVF, MJPEG, YUV4MPEG and "
    "streams of H.264 to H.266 and AV1 are"
)
_BUFFER = 1 << 18
# A file's header may promise that much more than its packets hold: sound that ends early, rounding.
_SLACK = 2 * US_PER_S


class _Packet(NamedTuple):
    decoded: int | None
    """Time of decoding, us."""
    shown: int | None
    """Time of showing, us."""
    size: int
    is_key: bool
    referenced: bool | None


class _Kinds:
    """The kinds of frames, which only a decoder tells, some frames later."""

    def __init__(self, context: VideoCodecContext) -> None:
        from av.codec.context import Flags

        context.flags |= Flags.copy_opaque
        context.thread_type = "AUTO"
        # Nobody looks at the pictures.
        context.options = {"skip_loop_filter": "all", "skip_idct": "all"}
        self._context = context
        self._kinds: dict[int, str] = {}

    def decode(self, number: int, packet: Packet[VideoStream] | None) -> None:
        """Decode the packet of frame `number`; None flushes the decoder."""
        if packet is not None:
            packet.opaque = number
        for frame in self._context.decode(packet):
            if isinstance(frame.opaque, int):
                self._kinds[frame.opaque] = _KINDS[int(frame.pict_type)]

    def of(self, number: int, *, is_key: bool) -> str:
        """The kind of a frame, from its packet if it is not shown."""
        return self._kinds.get(number) or ("I" if is_key else "P")


def _video(container: Any, file: str) -> VideoStream:
    from av.stream import Disposition

    stream: VideoStream
    for stream in container.streams.video:
        # The cover of an album is a video stream of one picture.
        if not stream.disposition & Disposition.attached_pic:
            return stream
    others = ", ".join(sorted({stream.type for stream in container.streams})) or "nothing at all"
    raise TraceError(file, f"a film without video: it holds {others}")


def _us(ticks: int | None, base: Fraction | None) -> int | None:
    return None if ticks is None or base is None else round(ticks * base * US_PER_S)


def _times(packets: Sequence[_Packet], rate: Fraction) -> tuple[list[int], list[int] | None]:
    """Times at which each frame is decoded and shown, from the file or else at `rate`."""
    decoded = [packet.decoded for packet in packets if packet.decoded is not None]
    shown = [packet.shown for packet in packets if packet.shown is not None]
    whole = len(shown) == len(packets)
    if len(decoded) == len(packets) and decoded == sorted(decoded):
        return decoded, shown if whole else None
    if whole:
        return sorted(shown), shown
    return [round(number * US_PER_S / rate) for number in range(len(packets))], None


class _Film:
    """The packets of a film's video that the wanted part needs."""

    def __init__(self, file: str, container: Any, part: Part, size: int) -> None:
        self.file = file
        self._size = size
        self.stream = _video(container, file)
        self.rate = Fraction(self.stream.guessed_rate or 25)
        self.packets: list[_Packet] = []
        self._container = container
        self._part = part
        self._kinds = _Kinds(self.stream.codec_context)
        self._origin: _Packet | None = None
        self._before = 0

    def read(self, progress: Callable[[float], None]) -> None:
        """Read to the end of the part."""
        promised = self._container.duration
        total = self._size
        begin = end = 0
        counted = 0
        for packet in self._container.demux():
            end = max(end, _us(_latest(packet), packet.time_base) or 0)
            if packet.stream is not self.stream and packet.stream.index != self.stream.index:
                continue
            if packet.dts is None and packet.pts is None and packet.size == 0:
                continue
            counted += 1
            # AVI repeats a picture with an empty packet.
            if packet.size and not self._take(packet):
                break
            if total and packet.pos and counted % 100 == 0:
                progress(min(1.0, packet.pos / total))
        else:
            begin = _us(self._container.start_time, Fraction(1, US_PER_S)) or 0
            if self.stream.frames > counted:
                raise TraceError(
                    self.file, f"{counted} of {self.stream.frames} frames: the film is not complete"
                )
            if promised and end - begin < promised - _SLACK - promised // 50:
                raise TraceError(
                    self.file,
                    f"{(end - begin) / US_PER_S:.1f} of {promised / US_PER_S:.1f} s: the film is "
                    "not complete",
                )
        self._decode(len(self.packets), None)

    def _take(self, packet: Packet[VideoStream]) -> bool:
        """Keep a packet of the part, and return whether more are needed."""
        number = len(self.packets)
        if number > MOST_FRAMES:
            return False
        context = self.stream.codec_context
        known = is_referenced(context.codec.canonical_name, bytes(packet), context.extradata)
        referenced = False if known is None and packet.is_disposable else known
        kept = _Packet(
            _us(packet.dts, packet.time_base),
            _us(packet.pts, packet.time_base),
            packet.size,
            packet.is_keyframe,
            referenced,
        )
        part = self._part
        self._origin = self._origin or kept
        if not self.packets and (
            not packet.is_keyframe or self._between(self._origin, kept, self._before) < part.start
        ):
            self._before += 1
            return True
        self.packets.append(kept)
        self._decode(number, packet)
        # One more than wanted: it tells how long the last one is shown.
        enough = part.frames is not None and number >= part.frames
        return not enough and (
            part.duration is None
            or self._between(self.packets[0], kept, number) <= part.duration + US_PER_S
        )

    def _between(self, first: _Packet, last: _Packet, frames: int) -> int:
        """Return the time from `first` to `last`, so many frames later, us."""
        for a, b in ((first.decoded, last.decoded), (first.shown, last.shown)):
            if a is not None and b is not None:
                return b - a
        return round(frames * US_PER_S / self.rate)

    def _decode(self, number: int, packet: Packet[VideoStream] | None) -> None:
        from av import FFmpegError

        try:
            self._kinds.decode(number, packet)
        except FFmpegError as error:
            raise TraceError(
                self.file,
                f"cannot be decoded ({error.strerror}): the film is damaged there",
                f"frame {number + 1}",
            ) from None

    def trace(self, rate: float | None) -> Trace:
        """Return the frames that were read as a trace."""
        if not self.packets:
            raise TraceError(
                self.file,
                "no frame that a decoder can begin with in the part asked for"
                if self._before
                else "no frame: no film",
            )
        draft = Draft(self.file)
        times, shown = _times(self.packets, self.rate if rate is None else Fraction(rate))
        for number, packet in enumerate(self.packets):
            draft.add(
                f"frame {number + 1}",
                times[number],
                None if shown is None else shown[number],
                self._kinds.of(number, is_key=packet.is_key),
                packet.size,
                referenced=packet.referenced,
            )
        context = self.stream.codec_context
        about = {
            "codec": context.codec.canonical_name,
            "picture": f"{context.width}x{context.height}",
        }
        return draft.finish(part=Part(0, self._part.duration, self._part.frames), about=about)


def _latest(packet: Packet[VideoStream]) -> int | None:
    at = packet.pts if packet.pts is not None else packet.dts
    return None if at is None else at + (packet.duration or 0)


def _refuse(url: str, _flags: int, _options: dict[str, str]) -> BinaryIO:
    # FFmpeg asks for it where a film, such as a QuickTime reference, names another file.
    raise PermissionError(f"the film names another file: {url!r}")


def read_film(
    file: str,
    stream: BinaryIO,
    *,
    rate: float | None = None,
    part: Part | None = None,
    progress: Callable[[float], None] | None = None,
) -> Trace:
    """Read the frames of a film: sizes and times from the file, kinds from the decoder.

    Parameters
    ----------
    file
        Name of the film, for messages.
    stream
        The open file. Files that the film names are not opened.
    rate
        Frames per second, for streams without times.
    part
        Which part of it.
    progress
        Called with the share of the file that was read.
    """
    with importing("video"):
        import av
    try:
        with av.open(
            stream,
            metadata_errors="replace",
            container_options={"format_whitelist": ",".join(_FORMATS)},
            buffer_size=_BUFFER,
            io_open=_refuse,
        ) as container:
            size = os.fstat(stream.fileno()).st_size
            film = _Film(file, container, part or Part(), size)
            film.read(progress or (lambda _share: None))
            return film.trace(rate)
    except av.FFmpegError as error:
        raise TraceError(
            file,
            f"no film that FFmpeg can read ({error.strerror}): {_TOLD}, no playlist or other list "
            "that names files; a list of frames or an ns-2 trace will do too",
        ) from None
