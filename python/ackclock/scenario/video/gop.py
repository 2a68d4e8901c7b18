"""Dependencies of frames, by the usual structure of a group of pictures."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["first_kept", "gop_rule"]

# H.264 and H.265 keep at most 16 pictures to refer to.
_KEPT = 16


def gop_rule(
    kinds: Sequence[str], shown: Sequence[int], referenced: Sequence[bool]
) -> list[tuple[int, ...]]:
    """The frames that each frame needs directly, counted from 0.

    An I frame needs none; a P frame the last I or P frame; a B frame the nearest one shown before
    it and the nearest one shown after it, of those already sent. Only those count that are
    `referenced`: I and P frames, B frames where they are known to be. So all that follows an I
    frame needs it through a chain. A frame of unknown kind (-) needs none.

    Examples
    --------
    >>> gop_rule("IPBB", [1, 4, 2, 3], [True, True, False, False])
    [(), (0,), (0, 1), (0, 1)]
    """
    needs: list[tuple[int, ...]] = []
    anchor: int | None = None
    kept: deque[int] = deque(maxlen=_KEPT)
    for number, kind in enumerate(kinds):
        if kind == "P" and anchor is not None:
            needs.append((anchor,))
        elif kind == "B":
            before = max(
                (other for other in kept if shown[other] < shown[number]),
                key=shown.__getitem__,
                default=None,
            )
            behind = min(
                (other for other in kept if shown[other] > shown[number]),
                key=shown.__getitem__,
                default=None,
            )
            needs.append(tuple(sorted(other for other in (before, behind) if other is not None)))
        else:
            needs.append(())
        if referenced[number]:
            kept.append(number)
            if kind != "B":
                anchor = number
    return needs


def first_kept(kinds: Sequence[str], times: Sequence[int], start: int) -> int:
    """The first frame from `start` on that a decoder can begin with, or the number of frames."""
    if start <= times[0]:
        return 0
    known = any(kind != "-" for kind in kinds)
    return next(
        (
            number
            for number, time in enumerate(times)
            if time >= start and (not known or kinds[number] == "I")
        ),
        len(times),
    )
