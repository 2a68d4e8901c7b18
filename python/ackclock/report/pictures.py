"""Figures as SVG: shorter text of the same drawing."""

import re

__all__ = ["compact", "quoted"]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_COORDINATES = re.compile(
    r'\b(d|x|y|x1|x2|y1|y2|points|width|height|transform|style)="([^"]*)"', re.DOTALL
)
_BETWEEN = re.compile(r">\s+<")
_SPACES = re.compile(r"\s+")


def compact(svg: str) -> str:
    """Drop comments and metadata, and round coordinates to 0.01 points.

    Glyphs keep their coordinates, which are whole units of a font.
    """
    text = _METADATA.sub("", _COMMENT.sub("", svg))
    text = text[text.index("<svg") :]
    text = _COORDINATES.sub(_rounded, text)
    return _BETWEEN.sub("><", text).strip()


def _rounded(found: re.Match[str]) -> str:
    # A scale, as of glyphs, needs all its digits.
    if "scale" in found[2]:
        return f'{found[1]}="{_SPACES.sub(" ", found[2]).strip()}"'
    short = _NUMBER.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), found[2])
    return f'{found[1]}="{_SPACES.sub(" ", short).strip()}"'


_ESCAPES = {"%": "%25", "#": "%23", "<": "%3C", ">": "%3E", "\n": " ", '"': "'"}


def quoted(svg: str) -> str:
    """SVG text for a data address, with as few escapes as browsers need."""
    return re.sub(r'[%#<>\n"]', lambda found: _ESCAPES[found[0]], svg.replace("'", "%27"))
