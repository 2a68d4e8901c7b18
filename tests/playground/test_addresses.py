"""Addresses of the playground hold the scenario that a run was made of."""

import base64
import json
import re
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ackclock
from ackclock.cli.report_command import command
from ackclock.core_types.sharing import plan_text
from ackclock.pages.playground import (
    PLAYGROUND,
    VARIABLE,
    NotInAPageError,
    PlaygroundError,
    address_of,
    link,
    named_files,
    playground,
    sharable,
)
from ackclock.pages.run import write_report
from ackclock.scenario import Scenario, load

ROOT = Path(__file__).parents[2]


def unpacked(address: str) -> dict[str, Any]:
    """The data of an address, as the page reads it."""
    text = address.partition("#s=")[2]
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    data = json.loads(zlib.decompress(packed, wbits=-15))
    assert isinstance(data, dict)
    return data


def small(**changes: Any) -> Scenario:
    made = ackclock.dumbbell(
        rate="5Mbit/s", rtt="20ms", flows=[ackclock.flow("reno")], duration="1s", name="small"
    )
    return made.replace(changes) if changes else made


def test_the_address_in_a_report_opens_the_scenario_of_the_run(tmp_path: Path) -> None:
    result = ackclock.run(small())
    page = write_report(result, tmp_path / "report.html").read_text(encoding="utf-8")
    (address,) = re.findall(rf'href="({re.escape(PLAYGROUND)}#s=[\w-]+)"', page)
    data = unpacked(address)
    assert data["files"] == {}
    again = Scenario.parse(data["scenario"])
    assert plan_text(again.plan()) == plan_text(small().plan())


def test_no_report_links_where_a_page_cannot_run_it(tmp_path: Path) -> None:
    trace = load(ROOT / "scenarios/cellular.toml").replace({"duration": "1s", "warmup": "0s"})
    page = write_report(ackclock.run(trace), tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Open in the playground" not in page
    assert "it uses links/cellular.trace: ackclock live FILE opens it" in page
    scenario = {"flows": [{"cc": "python:own:Mine"}]}
    assert link(scenario, PLAYGROUND).instead.startswith("python:own:Mine is a class of your own")
    long = {"description": "x" * 40_000}
    assert link(long, PLAYGROUND).address is None
    assert "too long" in link(long, PLAYGROUND).instead


def test_the_page_can_be_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert playground() == PLAYGROUND
    monkeypatch.setenv(VARIABLE, "https://example.org/tcp/")
    assert playground() == "https://example.org/tcp/"
    assert playground("http://localhost:8000/") == "http://localhost:8000/"
    result = ackclock.run(small())
    result.write(tmp_path / "run")
    assert 'href="https://example.org/tcp/#s=' in (tmp_path / "run/report.html").read_text()
    options = [str(tmp_path / "run"), "--quiet", "--playground", "http://other.example/p/"]
    assert CliRunner().invoke(command, options).exit_code == 0
    assert 'href="http://other.example/p/#s=' in (tmp_path / "run/report.html").read_text()
    for wrong in ("example.org", "javascript:alert(1)", "https://a/#s=", "http://[", " "):
        with pytest.raises(PlaygroundError, match="is no address of a page"):
            playground(wrong)


def test_the_public_page_is_that_of_the_repository() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    owner, name = re.findall(r'repository-code: "https://github.com/(.*)/(.*)"', citation)[0]
    assert f"https://{owner}.github.io/{name}/playground/" == PLAYGROUND


def test_large_integers_and_other_letters_cross_exactly() -> None:
    data = {"seed": 2**64 - 1, "name": "Übung", "flows": [{"count": 2**53}], "flag": True}
    crossed = unpacked(address_of(sharable(data, None)))["scenario"]
    assert crossed == {
        "seed": {"$integer": "18446744073709551615"},
        "name": "Übung",
        "flows": [{"count": 2**53}],
        "flag": True,
    }


def test_an_address_of_many_blocks_is_read_back() -> None:
    data = {"description": "x" * 200_000}
    assert unpacked(address_of(sharable(data, None)))["scenario"] == data


def test_files_that_a_scenario_names_go_with_it(tmp_path: Path) -> None:
    for file in (ROOT / "scenarios").glob("*.toml"):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        for name in named_files(data):
            assert (file.parent / name).is_file(), (file, name)
    data = tomllib.loads((ROOT / "scenarios/cellular.toml").read_text(encoding="utf-8"))
    shared = sharable(data, ROOT / "scenarios")
    trace = (ROOT / "scenarios/links/cellular.trace").read_text(encoding="utf-8")
    assert shared.files == {"links/cellular.trace": trace}
    with pytest.raises(NotInAPageError, match=r"links/cellular\.trace: there is no such file"):
        sharable(data, tmp_path)
    assert named_files({"size": "cdf(mine.cdf)"}) == ["mine.cdf"]


def test_a_file_outside_of_the_folder_goes_into_a_page_only_if_it_is_an_input(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (tmp_path / "key").write_text("the user's key\n", encoding="utf-8")
    (tmp_path / "link.trace").write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "sizes.cdf").write_text("1000 0.5\n2000 1\n", encoding="utf-8")
    clip = (ROOT / "scenarios/video/clip.trace").read_text(encoding="utf-8")
    (tmp_path / "clip.trace").write_text(clip, encoding="utf-8")
    axis = {"network.bottleneck.rate": ["1Mbit/s", {"trace": "../key"}]}
    assert sharable({"description": "cdf(../key)"}, folder).files == {}
    for data in ({"sweep": {"axes": [axis]}}, {"size": "cdf(../key)"}):
        with pytest.raises(NotInAPageError, match=r"\.\./key: no trace and no distribution"):
            sharable(data, folder)
    names = ["../link.trace", "../sizes.cdf", "../clip.trace"]
    named = {"trace": names[0], "size": f"cdf({names[1]})", "app": {"trace": names[2]}}
    assert list(sharable(named, folder).files) == names
