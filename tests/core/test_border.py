"""The types of the border are those of the core: a counter or a key of the plan is defined once."""

import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import ackclock as ac
from ackclock import _core
from ackclock.core_types.plan import Plan
from ackclock.results import schema
from core.plans import dumbbell

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "border"))

from made import FILES

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
TABLES = {
    "flows": "flows",
    "links": "links",
    "streams": "streams",
    "transfers": "transfers",
    "frames": "frames",
    "datagrams": "samples/datagrams",
    "flow_samples": "samples/flows",
    "link_samples": "samples/links",
    "internals": "samples/internals",
    "packets": "packets",
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_what_the_core_defines(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == FILES[file](), "run: python tools/border"


@pytest.mark.parametrize(("method", "table"), TABLES.items())
def test_every_column_of_the_core_is_written_with_its_unit_and_meaning(method, table):
    written = {column.name: column for column in schema.TABLES[table][0]}
    for column in _core.columns()[method]:
        assert written[column["name"]].unit == column["unit"]
        assert written[column["name"]].meaning == column["meaning"]
        assert column["meaning"].endswith((".", "discarded it."))


def test_rows_and_arrays_have_the_columns_that_are_defined():
    run = _core.run(dumbbell(record={"samples": {"kind": "changes"}, "packet_links": [0]}))
    for method, columns in _core.columns().items():
        table = getattr(run, method)()
        rows = table if isinstance(table, list) else [table]
        names = [column["name"] for column in columns]
        for row in rows:
            assert [name for name in row if name != "names"] == names


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_plan_of_an_example_has_the_types_of_the_core(file: Path) -> None:
    TypeAdapter(Plan).validate_python(ac.load(file).plan(), strict=True)
