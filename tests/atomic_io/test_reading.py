"""Is what others wrote read within bounds, and is what is wrong in it told in one way?"""

import io
import json
import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ackclock.atomic_io import read_json, read_table, read_text
from ackclock.atomic_io.reading import DamagedError, decoding, parse_json, parse_parquet, parse_toml
from ackclock.atomic_io.reading import parquet as of_parquet
from ackclock.atomic_io.reading.footer import contents_of
from ackclock.atomic_io.reading.json import Most
from ackclock.results.stored_plan import read_plan
from fake_core import make_plan

FRAME = pl.DataFrame(
    {
        "number": pl.Series([1, 2, None], dtype=pl.Int64),
        "small": pl.Series([1, 2, 3], dtype=pl.UInt8),
        "real": [0.5, None, 2.0],
        "truth": [True, None, False],
        "text": ["a", None, "c"],
        "name": pl.Series(["u", "v", "u"], dtype=pl.Enum(["u", "v"])),
        "nothing": pl.Series([None, None, None], dtype=pl.Null),
    }
)


def parquet(frame: pl.DataFrame, **options: Any) -> bytes:
    written = io.BytesIO()
    frame.write_parquet(written, compression="zstd", **options)
    return written.getvalue()


def refused(content: bytes, **options: Any) -> str:
    with pytest.raises(DamagedError) as caught:
        parse_parquet(io.BytesIO(content), **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "options", [{}, {"row_group_size": 2}, {"statistics": False}, {"data_page_size": 8}]
)
def test_every_kind_of_column_that_ackclock_writes_is_read(options: dict[str, Any]) -> None:
    assert parse_parquet(io.BytesIO(parquet(FRAME, **options))).equals(FRAME)
    assert contents_of(io.BytesIO(parquet(FRAME, **options))).rows == 3


def test_a_table_without_rows_is_read() -> None:
    assert parse_parquet(io.BytesIO(parquet(FRAME.clear()))).equals(FRAME.clear())


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("x", [[0] * 1000, None, None], dtype=pl.List(pl.Int64)),
        pl.Series("x", [{"a": 1}, None, None]),
        pl.Series("x", [[1, 2]] * 3, dtype=pl.Array(pl.Int64, 2)),
        pl.Series("x", [b"a", b"b", None], dtype=pl.Binary),
    ],
    ids=["list", "struct", "array", "binary"],
)
def test_columns_of_lists_tables_and_bytes_are_refused(column: pl.Series) -> None:
    assert "lists" in refused(parquet(FRAME.with_columns(column)))


def test_memory_is_bounded_before_anything_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_parquet, "_read", lambda _: pytest.fail("it was read"))
    many = parquet(pl.DataFrame({"x": pl.zeros(100_000, dtype=pl.Int64, eager=True)}))
    assert len(many) < 2_000
    assert "100,000 rows of 1 columns would take 1 MB of memory" in refused(many, most=600_000)
    long = parquet(pl.DataFrame({"x": ["a" * 1_000_000]}))
    assert len(long) < 4_000
    assert "of memory" in refused(long, most=600_000)


def test_one_long_text_in_many_rows_is_refused() -> None:
    shared = pl.DataFrame({"x": ["a" * 100_000] * 100})
    content = parquet(shared)
    assert contents_of(io.BytesIO(content)).memory < 9_000_000
    assert "its texts have 10 MB" in refused(content, most=9_000_000)
    name = "a" * 20_000
    names = pl.DataFrame({"x": pl.Series([name], dtype=pl.Enum([name]))})
    assert "names of 20,000 bytes" in refused(parquet(names))


def test_a_missing_column_is_named() -> None:
    assert refused(parquet(FRAME), columns=("number", "key")) == "it has no column 'key'"


def test_changed_bytes_of_a_parquet_file_are_one_kind_of_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    draw = random.Random(1)
    sound = parquet(FRAME.with_columns(text=pl.Series(["abc" * 9, "b", "c"])))
    ends = 0
    for _ in range(600):
        content = bytearray(sound)
        for _ in range(draw.choice([1, 1, 2, 8])):
            content[draw.randrange(len(content))] = draw.randrange(256)
        if draw.random() < 0.1:
            del content[draw.randrange(len(content)) :]
        try:
            parse_parquet(io.BytesIO(content), most=10_000_000)
        except DamagedError:
            ends += 1
    assert ends > 100
    assert capfd.readouterr() == ("", "")


def test_a_panic_is_an_error_and_its_lines_do_not_reach_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class PanicException(BaseException):
        """As pyo3 raises it."""

    def panics(_: object) -> None:
        os.write(2, b"thread '<unnamed>' panicked")
        raise PanicException("index out of bounds")

    monkeypatch.setattr(pl, "read_parquet", panics)
    assert "polars cannot read it (index out of bounds)" in refused(parquet(FRAME))
    assert capfd.readouterr() == ("", "")


def test_what_others_write_to_the_terminal_while_a_table_is_read_comes_later(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def warns(_: object) -> pl.DataFrame:
        os.write(2, b"a warning\n")
        return FRAME

    monkeypatch.setattr(pl, "read_parquet", warns)
    parse_parquet(io.BytesIO(parquet(FRAME)))
    assert capfd.readouterr().err == "a warning\n"


@pytest.mark.parametrize("error", [MemoryError(), pl.exceptions.ComputeError("wrong\nmore")])
def test_errors_of_the_reader_are_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise error

    monkeypatch.setattr(pl, "read_parquet", fails)
    assert refused(parquet(FRAME)).startswith("damaged: ")


def test_an_interruption_is_none_of_the_files_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pl, "read_parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        parse_parquet(io.BytesIO(parquet(FRAME)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'"\\ud800"', "half a character"),
        (b'{"\\uDFff": 1}', "half a character"),
        (b'"\xed\xa0\x80"', "damaged: 'utf-8' codec"),
        (b'"\xff"', "damaged: 'utf-8' codec"),
        (b"9" * 5000, "damaged: "),
        (b"{", "damaged: "),
        (b"", "damaged: "),
        (b"[" + b"[]," * 600_000 + b"1]", "lists, tables and keys"),
    ],
)
def test_wrong_json_is_one_kind_of_error(content: bytes, said: str) -> None:
    most = Most(2_000_000, 500_000, 500_000)
    with pytest.raises(DamagedError, match=said):
        parse_json(content, most)


def test_json_is_bounded_by_bytes_tables_and_items() -> None:
    assert parse_json(b'{"a": [1, 2]}', Most(13, 3, 1)) == {"a": [1, 2]}
    for most in (Most(12, 3, 1), Most(13, 2, 1), Most(13, 3, 0)):
        with pytest.raises(DamagedError, match="more than"):
            parse_json(b'{"a": [1, 2]}', most)


def test_both_halves_of_a_character_are_sound() -> None:
    assert parse_json(b'"\\ud83d\\ude00"') == "\U0001f600"


def test_errors_name_the_file(tmp_path: Path) -> None:
    for name in ("a.json", "a.parquet"):
        (tmp_path / name).write_bytes(b"\xff")
    with pytest.raises(DamagedError, match=r"a\.json: damaged"):
        read_json(tmp_path, "a.json")
    with pytest.raises(DamagedError, match=r"a\.json: damaged: it is no text"):
        read_text(tmp_path, "a.json")
    with pytest.raises(DamagedError, match=r"a\.parquet: damaged"):
        read_table(tmp_path, "a.parquet")


QUOTED = '","'
DOTTED = ".".join([QUOTED] * 2000)


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTTED} = 1",
        f"[{DOTTED}]",
        f"[[{DOTTED}]]",
        f"x = {{{DOTTED} = 1}}",
        f'a = """x""""\n{DOTTED} = 1',
        f"a = '''x'''''\n{DOTTED} = 1",
        f'a = """\\""""""\n{DOTTED} = 1',
        f'a = "#"\n{DOTTED} = 1',
        f"a = '\\'\n{DOTTED} = 1",
        f'a = "\\\\"\n{DOTTED} = 1',
        " . ".join(["'a b'"] * 2000) + " = 1",
        "\t.\t".join(["a-1"] * 2000) + " = 1",
        "\n".join(f"a{number}" + ".b" * 500 + " = 1" for number in range(200)),
        "[" + "a." * 900 + "a]\n" + "".join(f"x{number}.b = 1\n" for number in range(20_000)),
        "x = [[1], {a = 1}]\n[" + "a." * 900 + "a]\n" + "x.b = 1\n" * 20_000,
        "[" + "a." * 900 + "a]\nx = [\n[1],\n]\n" + "".join(f"x{n}.b = 1\n" for n in range(20_000)),
    ],
)
def test_keys_of_too_many_parts_are_refused_before_they_are_read(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tomllib.loads", lambda _: pytest.fail("it was read"))
    with pytest.raises(DamagedError, match="parts"):
        parse_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{"a." * 5000}"',
        f"x = '{'a.' * 5000}'",
        f'x = """{"a." * 5000}"""',
        f"# {'a.' * 5000}\nx = 1",
        f"x = [{'1.5, ' * 5000}]",
        "".join(f"[a.b{number}]\nc.d = 1.5\n" for number in range(2000)),
        # Only a header's parts stand before each key that follows.
        "a." * 900 + "a = 1\n" + "".join(f"x{number} = 1\n" for number in range(30_000)),
    ],
)
def test_dots_of_texts_comments_and_numbers_are_no_keys(text: str) -> None:
    assert parse_toml(text)


def test_a_plan_of_others_is_held_to_its_shape(tmp_path: Path) -> None:
    sound = json.loads(json.dumps(make_plan()))
    assert read_plan(sound, tmp_path) == sound
    draw = random.Random(1)
    values = [None, -1, 10**30, "", [], {}, [[]], True, 1e308, "\x1b", 2**64]
    places = list(_places(sound))
    for _ in range(500):
        plan = json.loads(json.dumps(sound))
        *above, last = draw.choice(places)
        inner = plan
        for part in above:
            inner = inner[part]
        if draw.random() < 0.3:
            del inner[last]
        else:
            inner[last] = draw.choice(values)
        with suppress(DamagedError):
            read_plan(plan, tmp_path)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Any:
    parts = value.items() if isinstance(value, dict) else []
    parts = enumerate(value) if isinstance(value, list) else parts
    for key, inner in parts:
        yield (*place, key)
        yield from _places(inner, (*place, key))


def test_a_plan_of_too_many_alike_flows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ackclock.core_types.sharing.MOST_ENTRIES", 10)
    plan = make_plan()
    plan["alike_flows"] = [{"model": 0, "name": [f"x{number}" for number in range(9)]}]
    with pytest.raises(DamagedError, match="11 flows; the most that are read are 10"):
        read_plan(plan, tmp_path)


def test_only_errors_of_shape_are_damage() -> None:
    for error in (KeyError("a"), TypeError("a"), IndexError("a"), OverflowError("a")):
        with (
            pytest.raises(DamagedError, match="x: damaged, or not a plan"),
            decoding("x", "a plan"),
        ):
            raise error
    with pytest.raises(OSError, match="a"), decoding("x", "a plan"):
        raise OSError("a")
