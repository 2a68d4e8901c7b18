"""ackclock's text traces, and any list of frames in text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ackclock.scenario.video.trace import LONGEST, US_PER_S, Draft, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ackclock.scenario.video.trace import Part, Trace

__all__ = ["MAGIC", "looks_like_text", "read_text", "written"]

MAGIC = "# ackclock video trace 1"
_COLUMNS = ("time", "time_ms", "presentation", "presentation_ms", "kind", "size", "after", "number")
# What the columns are where no line names them, by their number.
_USUAL = {
    1: ("size",),
    2: ("time", "size"),
    3: ("time", "kind", "size"),
    4: ("time", "presentation", "kind", "size"),
    5: ("time", "presentation", "kind", "size", "after"),
}
_LONGEST_LINE = 1000
_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
_KINDS = {"I": "I", "IDR": "I", "P": "P", "B": "B", "-": "-"}


def looks_like_text(head: bytes) -> bool:
    """Whether a file is text, by its beginning."""
    if b"\0" in head:
        return False
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        # The end may fall within a letter.
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter in "\t\r\n\f" for letter in text)


class _Columns:
    def __init__(
        self, draft: Draft, place: str, names: tuple[str, ...], rate: float | None
    ) -> None:
        for name in names:
            if name not in _COLUMNS:
                raise draft.error(place, f"'{name}' is no column: {', '.join(_COLUMNS)}")
        if len(set(names)) < len(names):
            raise draft.error(place, "a column stands there twice")
        if "size" not in names:
            raise draft.error(place, "no column 'size'")
        if rate is None and not {"time", "time_ms"} & set(names):
            raise draft.error(place, "no times of the frames: give their rate (--rate 25)")
        self.names = names
        self._rate = rate

    def take(self, draft: Draft, place: str, fields: list[str]) -> None:
        if len(fields) != len(self.names):
            raise draft.error(
                place,
                f"{len(fields)} values, but {len(self.names)} columns ({' '.join(self.names)}): "
                "is the file complete?",
            )
        row = dict(zip(self.names, fields, strict=True))
        kind = row.get("kind", "-").upper()
        if kind not in _KINDS:
            raise draft.error(
                place,
                f"'{row['kind'][:20]}' is no kind of frame: I, P or B, or - if it is not known",
            )
        if not re.fullmatch(r"[0-9]{1,18}", row["size"]):
            raise draft.error(place, f"'{row['size'][:20]}' is no size: a whole number of bytes")
        time = self._time(draft, place, row, "time")
        if time is None:
            assert self._rate is not None
            time = round(len(draft.times) * US_PER_S / self._rate)
        after = row.get("after")
        draft.add(
            place,
            time,
            self._time(draft, place, row, "presentation"),
            _KINDS[kind],
            int(row["size"]),
            after=None if after is None else self._after(draft, place, after),
        )

    @staticmethod
    def _time(draft: Draft, place: str, row: dict[str, str], name: str) -> int | None:
        for column, unit in ((name, US_PER_S), (f"{name}_ms", 1000)):
            if column in row:
                if not _NUMBER.fullmatch(row[column]):
                    raise draft.error(
                        place,
                        f"'{row[column][:20]}' is no time: a number of "
                        f"{'s' if unit == US_PER_S else 'ms'}",
                    )
                value = float(row[column]) * unit
                if not 0 <= value <= 2 * LONGEST:
                    raise draft.error(
                        place,
                        f"{column} is {row[column][:20]}: from 0 to {LONGEST // US_PER_S // 3600} "
                        "hours are allowed",
                    )
                return round(value)
        return None

    @staticmethod
    def _after(draft: Draft, place: str, text: str) -> tuple[int, ...]:
        if text == "-":
            return ()
        if not re.fullmatch(r"[0-9]{1,9}(\+[0-9]{1,9}){0,15}", text):
            raise draft.error(
                place,
                f"'{text[:20]}' are no frames: numbers joined by +, the first frame is 1; or -",
            )
        return tuple(int(part) - 1 for part in text.split("+"))


def _lines(file: str, lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(lines, start=1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise TraceError(file, "not text in UTF-8", f"line {number}") from None
        if len(line) > _LONGEST_LINE:
            raise TraceError(
                file,
                f"more than {_LONGEST_LINE} letters: this is no list of frames",
                f"line {number}",
            )
        if line:
            yield number, line


def read_text(
    file: str, lines: Iterable[bytes], *, rate: float | None = None, part: Part | None = None
) -> Trace:
    """Read a list of frames.

    Parameters
    ----------
    file
        Name of the file, for messages.
    lines
        Lines of the file. ``#`` begins a comment; ``# key: value`` before the first frame tells of
        the source.
    rate
        Frames per second, for lists without times.
    part
        Which part of it.
    """
    draft = Draft(file)
    columns: _Columns | None = None
    about: dict[str, str] = {}
    for number, line in _lines(file, lines):
        place = f"line {number}"
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon and not draft.times:
                about[key.strip()] = value.strip()
            continue
        fields = [value for value in re.split(r"[\s,;]+", line) if value]
        if columns is None:
            named = not any(_NUMBER.fullmatch(value) for value in fields)
            if not named and len(fields) not in _USUAL:
                raise draft.error(
                    place,
                    f"{len(fields)} columns without names: let the first line name them "
                    f"({', '.join(_COLUMNS)})",
                )
            if named and "size" not in (value.lower() for value in fields):
                raise draft.error(
                    place,
                    f"{line[:40]!r} is no frame of a list (time presentation kind size after), "
                    "and text is no film",
                )
            columns = _Columns(
                draft,
                place,
                tuple(value.lower() for value in fields) if named else _USUAL[len(fields)],
                rate,
            )
            if named:
                continue
        columns.take(draft, place, fields)
    declared = about.pop("duration", None)
    duration = None
    if declared is not None:
        match = re.fullmatch(rf"({_NUMBER.pattern}) s", declared)
        if match is None or not 0 < float(match[1]) * US_PER_S <= 2 * LONGEST:
            raise TraceError(file, f"a duration of '{declared[:20]}': write it as 60 s")
        duration = round(float(match[1]) * US_PER_S)
    if about.get("frames", "").split(" ")[0].isdigit() and int(
        about["frames"].split(" ")[0]
    ) != len(draft.times):
        raise TraceError(
            file,
            f"{len(draft.times)} of {about['frames'].split(' ')[0]} frames: the file is not "
            "complete",
        )
    return draft.finish(duration=duration, part=part, about=about)


def written(trace: Trace, about: dict[str, str]) -> str:
    """The text of a trace; `about` precedes the trace's facts."""
    head = {
        **about,
        "frames": str(len(trace.frames)),
        "rate": f"{trace.size * 8 * US_PER_S / trace.duration / 1e6:.3f} Mbit/s",
        "duration": f"{trace.duration / US_PER_S:.6f} s",
    }
    lines = [
        MAGIC,
        *(f"# {key}: {' '.join(value.split())}" for key, value in head.items()),
        "# time presentation kind size after",
    ]
    for frame in trace.frames:
        after = "+".join(str(other + 1) for other in frame.after) or "-"
        lines.append(
            f"{frame.time / US_PER_S:.6f} {frame.presentation / US_PER_S:.6f} {frame.kind} "
            f"{frame.size} {after}"
        )
    return "\n".join(lines) + "\n"
