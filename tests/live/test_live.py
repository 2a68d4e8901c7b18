"""``ackclock live``: a page in one file, and a server that only its own page may ask."""

import http.client
import json
import re
import threading
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ackclock.cli.live_command import command
from ackclock.core_types.sharing import plan_text
from ackclock.pages.live import LiveError, LiveServer, interpreter, live_page, page, write_live
from ackclock.pages.live.asking import answer
from ackclock.pages.playground import NotInAPageError
from ackclock.scenario import Scenario, load

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "scenarios/reno-one-flow.toml"
PACKED = bytes(range(256)) * 300
TEMPLATE = (ROOT / "web/live.html").read_text(encoding="utf-8")


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page without code and engine: what is put into it is looked at here."""
    file = tmp_path / "template.html"
    file.write_text(TEMPLATE, encoding="utf-8")
    monkeypatch.setattr(page, "TEMPLATE", file)
    monkeypatch.setattr(interpreter, "FOLDER", tmp_path)
    for name in interpreter.FILES:
        (tmp_path / f"{name}.gz").write_bytes(PACKED + name.encode())
    (tmp_path / "licences.txt").write_text("</script><!-- a licence", encoding="utf-8")
    return file


def files(text: str) -> dict[str, Any]:
    """The files of the page's server that stand in the page itself."""
    matches = re.findall(r'<script type="application/json" data-path="(.*?)">(.*?)</script>', text)
    return {path: json.loads(content) for path, content in matches}


@pytest.mark.usefixtures("template")
def test_the_page_holds_the_scenario_and_its_plan(tmp_path: Path) -> None:
    text = write_live(SCENARIO, tmp_path / "live.html").read_text(encoding="utf-8")
    contents = files(text)
    preset = contents["presets/reno-one-flow.json"]
    assert preset["plan"] == plan_text(load(SCENARIO).plan())
    assert plan_text(Scenario.parse(preset["scenario"]).plan()) == preset["plan"]
    assert contents["presets/index.json"] == [
        {"name": "reno-one-flow", "title": preset["title"], "isLesson": False}
    ]
    assert contents["live.json"] == {"resolver": "python"}
    served = live_page(load(SCENARIO), "served")
    assert files(served)["live.json"] == {"resolver": "served"}
    small = write_live(SCENARIO, tmp_path / "small.html", python=False).read_text(encoding="utf-8")
    assert files(small)["live.json"] == {"resolver": "none"}
    for without in (served, small):
        assert "data-python" not in without
        assert "a licence" not in without


@pytest.mark.usefixtures("template")
def test_python_is_the_end_of_the_page() -> None:
    text = live_page(load(SCENARIO))
    code = text.rindex("<script></script>")
    parts = re.findall(r'<script type="text/plain" data-python="(.*?)">(.*?)</script>', text[code:])
    contents: dict[str, str] = {}
    for name, part in parts:
        assert len(part) < 65_536
        contents[name] = contents.get(name, "") + part
    assert {name: b64decode(content) for name, content in contents.items()} == {
        name: PACKED + name.encode() for name in interpreter.FILES
    }
    assert '"licences.txt"><\\/script><\\!-- a licence</script>' in text[code:]
    assert text.endswith("</script>\n</body>\n</html>\n")


@pytest.mark.usefixtures("template")
def test_what_the_user_named_ends_no_element(tmp_path: Path) -> None:
    scenario = load(SCENARIO, changes={"description": "</script><script>alert(1)</script>"})
    text = write_live(scenario, tmp_path / "live.html").read_text(encoding="utf-8")
    assert "</script><script>alert" not in text
    assert files(text)["presets/reno-one-flow.json"]["title"].startswith("</script>")


@pytest.mark.usefixtures("template")
def test_the_command_writes_the_page_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or True)
    done = CliRunner().invoke(command, [str(SCENARIO), "--set", "flows.cc=cubic", "--seed", "7"])
    assert (done.exit_code, done.output) == (0, "live.html\n")
    assert opened == [(tmp_path / "live.html").resolve().as_uri()]
    preset = files((tmp_path / "live.html").read_text())["presets/reno-one-flow.json"]
    assert preset["scenario"]["flows"][0]["cc"] == "cubic"
    assert preset["scenario"]["seed"] == 7
    assert CliRunner().invoke(command, [str(SCENARIO), "-o", "a.html", "--no-open"]).exit_code == 0
    assert len(opened) == 1
    assert (tmp_path / "a.html").is_file()


def test_wrong_input_is_one_line_and_writes_nothing(
    tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotInAPageError, match="is a class of your own, which cannot run in a page"):
        write_live(ROOT / "scenarios/your-own.toml", tmp_path / "live.html")
    absent = tmp_path / "python_stdlib.zip.gz"
    absent.unlink()
    with pytest.raises(LiveError, match="Python for the page was not built here: in a clone, make"):
        write_live(SCENARIO, tmp_path / "live.html")
    template.write_text("<html></html>")
    with pytest.raises(LiveError, match="of another version of ackclock: make web builds it anew"):
        write_live(SCENARIO, tmp_path / "live.html")
    monkeypatch.setattr(page, "TEMPLATE", tmp_path / "absent.html")
    with pytest.raises(LiveError, match="the page was not built here: in a clone, make web"):
        write_live(SCENARIO, tmp_path / "live.html")
    assert not (tmp_path / "live.html").exists()
    for other in (["--out", "x.html"], ["--no-python"]):
        done = CliRunner().invoke(command, [str(SCENARIO), "--serve", *other])
        assert done.exit_code != 0
        assert f"leave out {other[0]}" in str(done.exception)


@pytest.fixture
def server(template: Path) -> Iterator[LiveServer]:  # noqa: ARG001
    with LiveServer(live_page(load(SCENARIO), "served"), answer) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(
    server: LiveServer,
    body: Any,
    *,
    method: str = "POST",
    path: str = "ask",
    token: str | None = None,
    **headers: str,
) -> tuple[int, Any]:
    """Status and content of the server's answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    base = "/" + server.address.split("/", 3)[3] if token is None else token
    sent = {"Content-Type": "application/json"} | {
        key.replace("_", "-"): value for key, value in headers.items()
    }
    connection.request(method, base + path, content, sent)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def question(name: str, **arguments: Any) -> dict[str, Any]:
    return {"question": name, "arguments": arguments}


def test_the_server_shows_the_page_and_answers_as_the_command_line_does(server: LiveServer) -> None:
    status, text = ask(server, b"", method="GET", path="")
    assert status == 200
    assert files(text)["live.json"] == {"resolver": "served"}
    scenario = files(text)["presets/reno-one-flow.json"]["scenario"]
    status, reply = ask(server, question("resolve", scenario=scenario, files={}))
    assert status == 200
    assert json.loads(reply) == {"answer": plan_text(load(SCENARIO).plan())}
    wrong = {**scenario, "duration": 5}
    status, reply = ask(server, question("resolve", scenario=wrong, files={}))
    assert status == 200
    assert "duration" in json.loads(reply)["problem"]
    toml = SCENARIO.read_text(encoding="utf-8")
    status, reply = ask(server, question("parse", toml=toml, files={}, file="a.toml"))
    assert json.loads(reply)["answer"]["flows"][0]["cc"] == "reno"
    status, reply = ask(server, question("toToml", scenario=scenario, files={}))
    assert 'cc = "reno"' in json.loads(reply)["answer"]


def test_the_server_runs_no_code_of_others(server: LiveServer) -> None:
    scenario = {"flows": [{"cc": "python:os:system"}]}
    _, reply = ask(server, question("resolve", scenario=scenario, files={}))
    assert "is a class of your own" in json.loads(reply)["problem"]


def test_only_the_page_of_the_server_may_ask(server: LiveServer) -> None:
    good = question("resolve", scenario={}, files={})
    port = server.server_port
    assert ask(server, good, Origin=f"http://127.0.0.1:{port}")[0] == 200
    assert ask(server, good, Origin="http://evil.example")[0] == 403
    assert ask(server, good, Origin="null")[0] == 403
    assert ask(server, good, Host=f"evil.example:{port}")[0] == 403
    assert ask(server, good, token="/")[0] == 404
    assert ask(server, b"", method="GET", path="", token="/guess/")[0] == 404
    assert ask(server, good, Content_Type="text/plain")[0] == 415
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"question": "eval", "arguments": {}}',
        b'{"question": "resolve", "arguments": {"x": 1}}',
        b'{"question": "resolve", "arguments": []}',
        b'{"question": "resolve", "arguments": {"scenario": 1, "files": 2}}',
        b'{"question": "resolve", "arguments": {"scenario": {}, "files": {"a": 2}}}',
        b'{"question": "resolve", "arguments": {"scenario": {"flows": 1}, "files": {}}}',
    ],
)
def test_garbage_is_refused_and_the_server_goes_on(server: LiveServer, body: bytes) -> None:
    status, text = ask(server, body)
    assert status == 400 or "problem" in json.loads(text)
    assert ask(server, b"", method="GET", path="")[0] == 200


def test_a_defect_is_told_and_the_server_goes_on(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> str:
        raise AttributeError("gone")

    monkeypatch.setattr(server.RequestHandlerClass, "answer", staticmethod(broken))
    status, text = ask(server, question("resolve", scenario={}, files={}))
    assert status == 500
    assert "a defect of ackclock, please report it: AttributeError: gone" in text


def test_a_question_is_at_most_16_mb(server: LiveServer) -> None:
    status, text = ask(server, b"", Content_Length="16000001")
    assert status == 413
    assert "at most 16,000,000 bytes" in text
    assert ask(server, b"", Content_Length="-1")[0] == 411
