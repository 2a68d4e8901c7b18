"""Figures as SVG: shorter text of the same drawing, alone or many in one packet."""

import base64
import gzip
import json
import re

from markupsafe import Markup

__all__ = ["Bundle", "compact", "quoted"]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_COORDINATES = re.compile(
    r'\b(d|x|y|x1|x2|y1|y2|points|width|height|transform|style)="([^"]*)"', re.DOTALL
)
_BETWEEN = re.compile(r">\s+<")
_SPACES = re.compile(r"\s+")
_POLYLINE = re.compile(r"(?:[ML] -?[0-9.]+ -?[0-9.]+ ?)+z?")
_LONG = 400
"""Length of a path's text from which on the path is thinned."""
_FINE = 10
"""Steps of a thinned path's coordinates per point of print; a pixel has six or more."""
_NEAR = 2
"""Largest distance, in steps, to the last point that is kept at which a point is left out."""


class Bundle:
    """The figures of a page in one packet, which a script unpacks.

    A page with thirty figures of matplotlib is 3 MB without it.
    """

    def __init__(self) -> None:
        """Start without figures."""
        self._all: list[str] = []

    def add(self, svg: str) -> int:
        """Add a figure; return its number."""
        self._all.append(compact(svg))
        return len(self._all) - 1

    def text(self) -> str:
        """The figures' SVG texts as a JSON list, by gzip and base64; "" without figures."""
        if not self._all:
            return ""
        packed = gzip.compress(json.dumps(self._all).encode(), mtime=0)
        return base64.b64encode(packed).decode("ascii")


def compact(svg: str) -> str:
    """Drop comments and metadata, round coordinates, and thin long lines.

    Coordinates keep 0.01 points, those of long lines 0.1 points. Glyphs are left alone: their
    coordinates are whole units of a font.
    """
    text = _METADATA.sub("", _COMMENT.sub("", svg))
    text = text[text.index("<svg") :]
    text = _COORDINATES.sub(_rounded, text)
    return _BETWEEN.sub("><", text).strip()


def _rounded(match: re.Match[str]) -> str:
    name, value = match[1], _SPACES.sub(" ", match[2]).strip()
    # A scale, as of glyphs, needs all its digits.
    if "scale" in value:
        return f'{name}="{value}"'
    if name == "d" and len(value) > _LONG and _POLYLINE.fullmatch(value):
        return f'd="{_thinned(value)}"'
    short = _NUMBER.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), value)
    return f'{name}="{short}"'


def _thinned(path: str) -> str:
    """A path of straight lines in steps of 0.1 points, without points that change nothing."""
    closed = path.endswith("z")
    parts = path.rstrip("z ").split(" ")
    points = [
        (command, round(float(x) * _FINE), round(float(y) * _FINE))
        for command, x, y in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
    written, last = [], (0, 0)
    for command, x, y in _corners(points):
        dx, dy = x - last[0], y - last[1]
        written.append(f"{command.lower()}{_tenths(dx)} {_tenths(dy)}")
        last = (x, y)
    # The first point of a path counts from the origin.
    return "".join(written) + ("z" if closed else "")


def _corners(points: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Leave out points beside the last one, and points on a straight way between two others."""
    kept: list[tuple[str, int, int]] = []
    for at, point in enumerate(points):
        if point[0] == "L" and kept:
            ends = at + 1 == len(points) or points[at + 1][0] == "M"
            near = max(abs(point[1] - kept[-1][1]), abs(point[2] - kept[-1][2])) <= _NEAR
            if near and not ends:
                continue
            if len(kept) > 1 and kept[-1][0] == "L" and _straight(kept[-2], kept[-1], point):
                kept.pop()
        kept.append(point)
    return kept


def _straight(a: tuple[str, int, int], b: tuple[str, int, int], c: tuple[str, int, int]) -> bool:
    first, second = (b[1] - a[1], b[2] - a[2]), (c[1] - b[1], c[2] - b[2])
    cross = first[0] * second[1] - first[1] * second[0]
    return cross == 0 and first[0] * second[0] + first[1] * second[1] >= 0


def _tenths(steps: int) -> str:
    return f"{steps / _FINE:g}"


_ESCAPES = {"%": "%25", "#": "%23", "<": "%3C", ">": "%3E", "&": "%26", "\n": " ", '"': "'"}


def quoted(svg: str) -> Markup:
    """SVG text for a data address in an attribute, with as few escapes as browsers need."""
    text = svg.replace("'", "%27")
    return Markup(re.sub(r'[%#<>&\n"]', lambda match: _ESCAPES[match[0]], text))
