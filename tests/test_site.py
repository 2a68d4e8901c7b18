"""The pages that the site adds to docs/: commands, API, navigation; `make site` does the rest."""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ackclock
from ackclock.cli.group import LazyGroup

ROOT = Path(__file__).parents[1]
SITE = ROOT / "docs/site"


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(SITE))
    by_name = {
        name: __import__(name)
        for name in ("api", "commands", "copying", "full", "gallery", "keys", "staging")
    }
    for name in by_name:
        monkeypatch.delitem(sys.modules, name)
    return by_name


def test_every_command_has_a_page_with_its_options(modules: dict[str, Any], tmp_path: Path) -> None:
    staged = modules["copying"].Stage(ROOT, tmp_path)
    modules["commands"].write(staged)
    names = LazyGroup("ackclock").list_commands(None)  # type: ignore[arg-type]
    assert staged.pages == {"commands/README.md", *(f"commands/{name}.md" for name in names)}
    run = staged.text("commands/run.md")
    assert "```sh\nackclock run scenarios/reno-one-flow.toml --set flows.cc=cubic" in run
    assert "| `--set KEY=VALUE` |" in run
    assert all("\b" not in staged.text(page) for page in staged.pages)
    assert "## ackclock study verify" in staged.text("commands/study.md")
    assert "`--quick`" in staged.text("commands/study.md")
    assert "## ackclock sweep status" in staged.text("commands/sweep.md")


def test_every_public_name_is_on_a_page(modules: dict[str, Any], tmp_path: Path) -> None:
    staged = modules["copying"].Stage(ROOT, tmp_path)
    modules["api"].write(staged)
    text = staged.text("api/ackclock.md")
    for name in ackclock.__all__:
        value = getattr(ackclock, name)
        if isinstance(value, type) or callable(value):
            assert f":: ackclock.{name}\n" in text, name
    assert ":: ackclock.theory.pftk_rate\n" in staged.text("api/ackclock.theory.md")


def test_every_key_of_a_scenario_is_on_a_page(modules: dict[str, Any], tmp_path: Path) -> None:
    staged = modules["copying"].Stage(ROOT, tmp_path)
    modules["keys"].write(staged)
    text = staged.text("scenario/README.md")
    assert "| `duration` | `60s`, `10ms` | needed |" in text
    assert re.search(r"^\| `receive_buffer` \|", text, re.MULTILINE)
    headings = {line[3:].lower() for line in text.splitlines() if line.startswith("## ")}
    assert headings >= set(re.findall(r"\]\(#([^)]+)\)", text))


def test_links_to_folders_lead_to_their_first_pages(
    modules: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "in/docs/qdisc").mkdir(parents=True)
    (tmp_path / "in/scenarios").mkdir()
    (tmp_path / "in/docs/qdisc/README.md").write_text("# Queues\n")
    (tmp_path / "in/scenarios/one.toml").write_text("# A scenario: one.\nname = 'one'\n")
    page = tmp_path / "in/README.md"
    page.write_text(
        "[q](docs/qdisc) [s](scenarios/) [f](scenarios/one.toml)\n```md\n[q](docs/qdisc)\n```\n"
    )
    staged = modules["copying"].Stage(tmp_path / "in", tmp_path / "out")
    staged.page(page)
    staged.finish()
    assert staged.text("README.md") == (
        "[q](docs/qdisc/README.md) [s](scenarios/files.md) [f](scenarios/one.toml)\n"
        "```md\n[q](docs/qdisc)\n```\n"
    )
    assert "- [one.toml](one.toml): A scenario:" in staged.text("scenarios/files.md")
    assert (tmp_path / "out/docs/qdisc/README.md").is_file()


def test_a_short_page_leads_to_its_page_in_full(modules: dict[str, Any], tmp_path: Path) -> None:
    staged = modules["copying"].Stage(ROOT, tmp_path)
    for folder in ("dossiers", "studies"):
        for path in sorted((ROOT / "docs" / folder).glob("*.md")):
            staged.page(path)
    staged.page(ROOT / "docs/validation.md")
    modules["full"].write(staged)
    for name in ("dossiers/cos+reno", "studies/bbr-latency"):
        assert f"]({name.partition('/')[2]}-full.md)" in staged.text(f"docs/{name}.md")
        assert "(../full.md)" not in staged.text(f"docs/{name}.md")
        text = staged.text(f"docs/{name}-full.md")
        assert text.startswith("---\norphan: true\n---\n\n# ")
        for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
            assert (tmp_path / "docs" / name).parent.joinpath(picture).is_file()


def test_pages_of_the_navigation_and_scenarios_of_the_gallery_exist(
    modules: dict[str, Any],
) -> None:
    navigation = tomllib.loads((SITE / "navigation.toml").read_text(encoding="utf-8"))
    for section in navigation["section"]:
        for entry in section["pages"]:
            page = re.sub(r".*<(.*)>", r"\1", entry)
            made = page.split("/")[0] in {"commands", "api", "gallery", "scenario"}
            assert made or (ROOT / f"{page}.md").is_file(), page
    for entry in modules["gallery"].read(SITE / "gallery.toml"):
        for word in " ".join(entry["commands"]).split():
            assert not word.startswith("scenarios/") or (ROOT / word).is_file(), word


def test_the_home_page_leads_to_the_playground_if_it_is_built(
    modules: dict[str, Any], tmp_path: Path
) -> None:
    staging = modules["staging"]
    assert staging._PLACE in (SITE / "home.md").read_text(encoding="utf-8")
    assert staging._playground(tmp_path) == ""
    staging.built_page(tmp_path).mkdir(parents=True)
    assert 'href="playground/index.html"' in staging._playground(tmp_path)
    assert staging.built_page(ROOT) == ROOT / "web/dist"
