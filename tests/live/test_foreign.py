"""Scenarios and files of others in the page are data: they run nothing, and read no other file."""

import ast
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ackclock.core_types.sharing import plan_text
from ackclock.pages import rpc
from ackclock.pages.live import LiveError, LiveServer, live_page, policy
from ackclock.pages.live.asking import answer
from ackclock.pages.rpc import folder
from ackclock.pages.rpc.folder import folder_of_question
from ackclock.pages.run.page import json_in_page
from ackclock.scenario import Scenario, load
from ackclock.scenario.references import named_files, own_classes

ROOT = Path(__file__).parents[2]
CODE = "raise SystemExit('code of a stranger')\n"
BASE: dict[str, Any] = {
    "duration": "1s",
    "network": {"kind": "dumbbell", "bottleneck": {"rate": "1Mbit/s", "delay": "10ms"}},
    "flows": [{"cc": "reno"}],
}


def ask(question: str, **arguments: Any) -> dict[str, Any]:
    text = rpc.answer(json.dumps({"question": question, "arguments": arguments}))
    reply = json.loads(text)
    assert isinstance(reply, dict)
    return reply


def following(trace: str) -> dict[str, Any]:
    bottleneck = {"rate": {"trace": trace}, "delay": "10ms"}
    return {**BASE, "network": {"kind": "dumbbell", "bottleneck": bottleneck}}


@pytest.mark.parametrize("question", ["resolve", "toToml", "toPython", "summary"])
def test_files_that_a_scenario_does_not_name_are_not_written(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    put = folder.put_files

    def seen(place: Path, *rest: Any) -> None:
        put(place, *rest)
        written.extend(str(path.relative_to(place)) for path in place.rglob("*"))

    monkeypatch.setattr("ackclock.pages.rpc.questions.put_files", seen)
    strangers = {"tomli_w.py": CODE, "../../a.py": CODE, "/tmp/a.py": CODE, "a/__init__.py": CODE}
    reply = ask(question, scenario=following("a.trace"), files={"a.trace": "1\n2\n", **strangers})
    assert "answer" in reply
    assert written == ["a.trace"]


@pytest.mark.parametrize(
    "name",
    [
        *("tomli_w.py", "TOMLI_W.PyC", "a.so", "a.pyd", "a.pth", "a.zip", "a.whl", "a/b.py"),
        *("__pycache__/a.trace", "a/__init__/b.trace", "__main__", "py.py/a.trace"),
        *("../a.trace", "a/../../b.trace", "/etc/passwd", "..", "C:/a.trace", "a\\b.trace"),
        *("", ".", "a\0.trace", "a\n.trace", "\ud800.trace", "\u202ea.trace", "x" * 201),
    ],
)
def test_a_name_that_code_could_have_or_that_leads_out_is_refused(name: str) -> None:
    for scenario in (
        following(name),
        {**BASE, "flows": [{"app": {"kind": "video", "trace": name}}]},
        {**BASE, "sweep": {"scenario": name}},
    ):
        reply = ask("resolve", scenario=scenario, files={name: "1\n"})
        assert "a file that the page reads" in reply["problem"], scenario
    toml = f"[network]\nrate = {{ trace = {json.dumps(name)} }}\n"
    if name.isprintable():
        reply = ask("parse", toml=toml, files={}, file="a.toml")
        assert "a file that the page reads" in reply["problem"]


def test_a_file_of_this_machine_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.trace").write_text("a secret\n")
    (tmp_path / "own.toml").write_text("a secret\n")
    monkeypatch.chdir(tmp_path)
    for name in ("own.trace", str(tmp_path / "own.trace")):
        for changes in (
            following(name),
            {"flows": [{"app": {"kind": "short-flows", "size": f"cdf({name}, 1kB)"}}]},
            {"flows": [{"app": {"kind": "video", "trace": name}}]},
        ):
            reply = ask("resolve", scenario={**BASE, **changes}, files={})
            assert "secret" not in reply["problem"]
    for name in ("own.toml", str(tmp_path / "own.toml")):
        toml = f"sweep.scenario = {json.dumps(name)}\n"
        reply = ask("parse", toml=toml, files={}, file="a.toml")
        assert "secret" not in reply["problem"]


def test_no_import_finds_a_file_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    here = Path.cwd()
    with folder_of_question() as place:
        (place / "stranger_of_a_test.py").write_text("mark = 1\n")
        assert Path.cwd() == place
        assert all(Path(entry).is_absolute() for entry in sys.path)
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("stranger_of_a_test")
        # With '' on the path, as Pyodide and notebooks start, it would be found.
        monkeypatch.setattr(sys, "path", ["", *sys.path])
        assert importlib.import_module("stranger_of_a_test").mark == 1
        del sys.modules["stranger_of_a_test"]
    assert (Path.cwd(), place.exists()) == (here, False)


def test_the_folder_is_gone_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[Path] = []

    def broken(place: Path, *_: Any) -> None:
        places.append(place)
        raise AttributeError

    monkeypatch.setattr("ackclock.pages.rpc.questions.put_files", broken)
    here, path = Path.cwd(), sys.path
    with pytest.raises(AttributeError):
        ask("resolve", scenario=BASE, files={})
    assert (Path.cwd(), sys.path is path) == (here, True)
    assert not places[0].exists()


def test_files_are_bounded_and_of_one_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"kind": "short-flows", "rate": "1/s", "size": "cdf(b)"}
    scenario = {**following("a"), "flows": [{"cc": "reno", "app": sizes}]}
    monkeypatch.setattr(folder, "MOST_BYTES", 10)
    reply = ask("resolve", scenario=scenario, files={"a": "1\n" * 3, "b": "1 1\n2 1\n"})
    assert "more than 10 bytes" in reply["problem"]
    monkeypatch.setattr(folder, "MOST_FILES", 1)
    assert "names 2 files" in ask("resolve", scenario=scenario, files={})["problem"]
    monkeypatch.undo()
    within = {**scenario, "flows": [{"cc": "reno", "app": {**sizes, "size": "cdf(a/b)"}}]}
    reply = ask("resolve", scenario=within, files={"a": "1\n", "a/b": "1 1\n"})
    assert reply["problem"].startswith("a/b: cannot be kept: ")
    reply = ask("resolve", scenario=following("a"), files={"a": "\ud800"})
    assert reply["problem"] == "a: this is no text in UTF-8"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.toml", "mine.toml"),
        ("größe 2.toml", "größe 2.toml"),
        ("../../tomli_w.py", "scenario.toml"),
        ("/etc/passwd", "scenario.toml"),
        ("tomli_w.py", "scenario.toml"),
        ("a/b.toml", "scenario.toml"),
        ("", "scenario.toml"),
    ],
)
def test_a_dropped_file_keeps_its_name_if_that_is_harmless(file: str, name: str) -> None:
    reply = ask("parse", toml="duration = ]", files={file: CODE}, file=file)
    assert reply["problem"].startswith(f"{name}: line 1")


OWN = "python:os:system"


@pytest.mark.parametrize(
    "changes",
    [
        {"flows": [{"cc": OWN}]},
        {"flows": [{"cc": f"hystart+{OWN}(x=1)"}]},
        {"compare": {"cc": ["reno", OWN]}},
        {"compare": {"cc": ["reno"], "metric": OWN}},
        {"compare": {"along": {"flows.cc": [OWN]}}},
        {"profile": OWN},
        {"sweep": {"axes": [{"key": "flows.cc", "values": ["reno", OWN]}]}},
        {"sweep": {"axes": [{"key": OWN, "values": [1]}]}},
        {"sweep": {"responses": [OWN]}},
        {"sweep": {OWN: 1}},
        {OWN: {}},
    ],
    ids=str,
)
def test_code_of_the_users_own_is_refused_in_every_place(changes: dict[str, Any]) -> None:
    arguments = {"scenario": {**BASE, **changes}, "files": {}}
    for question in ("resolve", "toToml", "toPython", "summary"):
        reply = ask(question, **arguments)
        assert "a class of your own cannot run in the page" in reply["problem"]
    served = json.loads(answer(json.dumps({"question": "resolve", "arguments": arguments})))
    assert "is a class of your own" in served["problem"]


def test_a_description_may_say_python() -> None:
    scenario = {**BASE, "description": "as python: slow"}
    assert own_classes(scenario) == []
    assert "answer" in ask("resolve", scenario=scenario, files={})


def test_named_files_are_those_that_the_resolver_opens() -> None:
    texts = {
        "cdf(a.cdf)": ["a.cdf"],
        "cdf( a b.cdf , 1kB)": ["a b.cdf"],
        " cdf(a(1).cdf) ": ["a(1).cdf"],
        "cdf(a.cdf) between 1kB and 2kB": ["a.cdf"],
        "cdf(websearch)": [],
        "pareto(1kB, 1.2)": [],
        "words on cdf(a.cdf)": [],
    }
    for text, names in texts.items():
        assert named_files({"size": text}) == names, text
    assert named_files({"rate": {"trace": "a.trace"}, "x": [{"trace": "b"}]}) == ["a.trace", "b"]
    deep: Any = "cdf(a)"
    for _ in range(100_000):
        deep = [deep]
    assert named_files({"x": deep}) == ["a"]


def test_a_scenario_with_files_has_the_plan_of_the_command_line() -> None:
    file = ROOT / "scenarios/cellular.toml"
    files = {"links/cellular.trace": (ROOT / "scenarios/links/cellular.trace").read_text()}
    toml = file.read_text(encoding="utf-8")
    scenario = ask("parse", toml=toml, files=files, file="cellular.toml")["answer"]
    assert ask("resolve", scenario=scenario, files=files) == {
        "answer": plan_text(load(file).plan())
    }


@pytest.mark.parametrize("text", ["'\"", '"""', ")] + [exit(1)] + [(", "{exit}", "# coding: x"])
def test_python_and_toml_of_a_scenario_have_its_texts_as_texts(text: str) -> None:
    arguments = {
        "scenario": {**following(text), "description": f"\n{text}"},
        "files": {text: "1\n"},
    }
    code = ast.parse(ask("toPython", **arguments)["answer"])
    assert text in {node.value for node in ast.walk(code) if isinstance(node, ast.Constant)}
    assert "exit" not in {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
    toml = ask("toToml", **arguments)["answer"]
    again = ask("parse", toml=toml, files={text: "1\n"}, file="a.toml")["answer"]
    assert again["description"] == f"\n{text}"


def test_json_in_a_page_ends_no_element_and_no_line() -> None:
    value = {"</script><!--<script>": "\u2028</SCRIPT>\u2029"}
    text = json_in_page(value)
    assert not {"</", "<!--", "\u2028", "\u2029"} & {
        text[at : at + n] for at in range(len(text)) for n in (1, 2, 4)
    }
    assert json.loads(text) == value


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page without code and engine."""
    file = tmp_path / "template.html"
    file.write_text((ROOT / "web/live.html").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("ackclock.pages.live.page.TEMPLATE", file)
    return file


def policies(header: str) -> dict[str, list[str]]:
    return {name: words for name, *words in (part.split() for part in header.split(";"))}


def test_only_a_served_page_may_ask_and_only_its_server(template: Path) -> None:
    scenario = Scenario.parse(BASE)
    alone = policies(policy.header_of(live_page(scenario, "none")))
    served = policies(policy.header_of(live_page(scenario, "served")))
    assert alone["connect-src"] == ["'none'"]
    assert served["connect-src"] == ["'self'"]
    for directives in (alone, served):
        assert directives["default-src"] == directives["object-src"] == ["'none'"]
        assert (
            directives["base-uri"]
            == directives["form-action"]
            == directives["frame-ancestors"]
            == ["'none'"]
        )
        assert not {"'unsafe-inline'", "'unsafe-eval'", "'self'", "*"} & set(
            directives["script-src"]
        )
    template.write_text("<html></html>")
    with pytest.raises(LiveError, match="has no content security policy"):
        LiveServer("<html></html>", answer)


def test_the_site_and_its_documentation_have_one_policy() -> None:
    index = (ROOT / "web/index.html").read_text(encoding="utf-8")
    directives = policies(policy.header_of(index))
    assert directives["script-src"] == ["'self'", "'wasm-unsafe-eval'"]
    assert directives["connect-src"] == ["'self'"]
    header = policy.header_of(index).replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    docs = (ROOT / "docs/playground.md").read_text(encoding="utf-8")
    written = docs.partition("Content-Security-Policy:")[2].partition("X-")[0]
    assert policies(written.replace("\n", " ")) == policies(header)


def test_the_server_sends_the_policy_with_page_and_answers(template: Path) -> None:  # noqa: ARG001
    import http.client
    import threading

    page = live_page(Scenario.parse(BASE), "served")
    with LiveServer(page, answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        sent = {}
        for path in (server.address.partition(str(server.server_port))[2], "/"):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            sent[response.status] = response.headers["Content-Security-Policy"]
            connection.close()
        server.shutdown()
        thread.join()
    assert sent == {200: policy.header_of(page), 404: policy.OF_DATA}
