"""Whether other frames refer to a frame, from the headers of H.264 and H.265."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["is_referenced"]

_START_CODE = b"\x00\x00\x01"


def _unit_heads(data: bytes, extradata: bytes | None, codec: str) -> Iterator[int]:
    """The first byte of each NAL unit, after start codes or lengths (ISO/IEC 14496-15)."""
    if extradata and extradata[0] == 1:
        # lengthSizeMinusOne: of the avcC box in its fifth byte, of the hvcC box in its 22nd.
        place = 4 if codec == "h264" else 21
        if len(extradata) <= place:
            return
        width = (extradata[place] & 3) + 1
        at = 0
        while at + width < len(data):
            length = int.from_bytes(data[at : at + width], "big")
            yield data[at + width]
            at += width + length
    else:
        at = data.find(_START_CODE)
        while 0 <= at < len(data) - 3:
            yield data[at + 3]
            at = data.find(_START_CODE, at + 3)


def is_referenced(codec: str, data: bytes, extradata: bytes | None) -> bool | None:
    """Return whether the frame's first slice is marked as a reference; None for other codecs."""
    if codec == "h264":
        for head in _unit_heads(data, extradata, codec):
            # Rec. ITU-T H.264 section 7.4.1: slices have the types 1 to 5; nal_ref_idc is 0 in all
            # of a picture that nobody refers to.
            if 1 <= head & 0x1F <= 5:
                return bool(head & 0x60)
    elif codec == "hevc":
        for head in _unit_heads(data, extradata, codec):
            # Rec. ITU-T H.265 table 7-1: of the types below 16 the even ones are not referred to
            # within their sub-layer.
            kind = head >> 1 & 0x3F
            if kind < 32:
                return kind >= 16 or kind % 2 == 1
    return None
