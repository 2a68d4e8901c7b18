"""Draws the clip behind `clip.trace` and encodes it; nothing in it was filmed.

    python scenarios/video/make_clip.py clip.mp4
    ackclock video-trace clip.mp4 --out scenarios/video/clip.trace

Four scenes of 15 s: a slow pan over a texture, balls that bounce, a fast pan, and a head that nods
before a still wall, as in a call. Grain lies over all of it, so that frames differ in size as a
camera's do.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDTH, HEIGHT, RATE = 640, 360, 25
SECONDS = 60
BIT_RATE = 1_500_000
# A closed GOP of 2 s with up to two B frames between anchors. No B frame is a reference, and each P
# refers to the anchor before it: the frames need exactly what their kinds say. One thread, so that
# every machine encodes alike.
ENCODER = (
    "keyint=50:min-keyint=10:bframes=2:b-adapt=2:b-pyramid=none:ref=1:open-gop=0:"
    "vbv-maxrate=2500:vbv-bufsize=3000:threads=1"
)

Picture = NDArray[np.float32]


def _texture(random: np.random.Generator, height: int, width: int) -> Picture:
    """Noise at all scales, as in landscapes: each octave is twice as fine and less strong."""
    texture = np.zeros((height, width), np.float32)
    for octave in range(1, 8):
        rows, columns = 2**octave + 1, 2**octave * 2 + 1
        coarse = random.standard_normal((rows, columns)).astype(np.float32)
        y, x = np.linspace(0, rows - 1, height), np.linspace(0, columns - 1, width)
        along = np.array([np.interp(x, np.arange(columns), row) for row in coarse])
        texture += (
            np.array([np.interp(y, np.arange(rows), column) for column in along.T]).T.astype(
                np.float32
            )
            / 1.5**octave
        )
    return 128 + 60 * texture / texture.std()


def _disc(picture: Picture, x: float, y: float, radius: float, shade: float) -> None:
    rows, columns = np.ogrid[:HEIGHT, :WIDTH]
    inside = (columns - x) ** 2 + (rows - y) ** 2 < radius**2
    picture[inside] = shade + 0.25 * (picture[inside] - 128)


def _pan(random: np.random.Generator, speed: float) -> Callable[[float], Picture]:
    wide = _texture(random, HEIGHT * 2, WIDTH * 3)

    def at(time: float) -> Picture:
        x = int(abs(speed * time) % (2 * WIDTH))
        y = int(HEIGHT * (0.5 + 0.5 * np.sin(0.4 * time)))
        return wide[y : y + HEIGHT, x : x + WIDTH].copy()

    return at


def _balls(random: np.random.Generator) -> Callable[[float], Picture]:
    wall = _texture(random, HEIGHT, WIDTH)
    balls = [
        (
            random.uniform(20, 60),
            random.uniform(40, 160, 2),
            random.uniform(0, 600, 2),
            random.uniform(20, 230),
        )
        for _ in range(12)
    ]

    def bounced(way: float, room: float) -> float:
        return room - abs(way % (2 * room) - room)

    def at(time: float) -> Picture:
        picture = wall.copy()
        for radius, speed, start, shade in balls:
            _disc(
                picture,
                bounced(start[0] + speed[0] * time, WIDTH),
                bounced(start[1] + speed[1] * time, HEIGHT),
                radius,
                shade,
            )
        return picture

    return at


def _head(random: np.random.Generator) -> Callable[[float], Picture]:
    wall = 0.3 * _texture(random, HEIGHT, WIDTH) + 90

    def at(time: float) -> Picture:
        picture = wall.copy()
        x, y = WIDTH / 2 + 12 * np.sin(0.7 * time), HEIGHT / 2 + 8 * np.sin(2.1 * time)
        _disc(picture, x, HEIGHT * 1.15, 170, 60)
        _disc(picture, x, y, 85, 200)
        for side in (-30, 30):
            _disc(picture, x + side, y - 20, 9, 40)
        _disc(picture, x, y + 38, 6 + 8 * abs(np.sin(6 * time)), 70)
        return picture

    return at


def pictures(seconds: float = SECONDS) -> Iterator[NDArray[np.uint8]]:
    """The frames, in shades of grey; the scenes share the time evenly."""
    random = np.random.default_rng(1)
    scenes = [_pan(random, 40), _balls(random), _pan(random, 420), _head(random)]
    total = round(seconds * RATE)
    for number in range(total):
        picture = scenes[number * len(scenes) // total](number / RATE)
        grain = random.standard_normal((HEIGHT, WIDTH), dtype=np.float32)
        yield np.clip(picture + 4 * grain, 0, 255).astype(np.uint8)


def encode(path: Path, seconds: float = SECONDS) -> None:
    """Write the clip as H.264, in the container that the file's name asks for."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.bit_rate = BIT_RATE
        stream.options = {"preset": "faster", "x264-params": ENCODER}
        for picture in pictures(seconds):
            container.mux(
                stream.encode(
                    av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
                )
            )
        container.mux(stream.encode())


if __name__ == "__main__":
    encode(Path(sys.argv[1]))
