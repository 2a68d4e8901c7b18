"""Write film.trace: a group of pictures of 2 s at 25 frames/s, with sizes of an H.264 encoder.

One I frame of ten times the mean P frame; P frames differ by a fixed sequence. The scenario scales
the rate.
"""

from pathlib import Path

FRAMES = 50


def main() -> None:
    """Write the file beside this one."""
    lines = ["# ackclock video trace 1", f"# frames: {FRAMES}", "# duration: 2.000000 s"]
    lines.append("time presentation kind size after")
    for at in range(FRAMES):
        time = f"{at / 25:.6f}"
        size = 40000 if at == 0 else 3000 + 40 * ((7919 * at) % 101) - 20 * 50
        kind, after = ("I", "-") if at == 0 else ("P", str(at))
        lines.append(f"{time} {time} {kind} {size} {after}")
    Path(__file__).with_name("film.trace").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
