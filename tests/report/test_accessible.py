"""Pages for everybody: axe finds nothing, in either scheme of colours."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ackclock.pages.run.run import run_page
from ackclock.pages.run.sweep.page import sweep_page
from ackclock.results import Result
from ackclock.studies.running import run_study
from ackclock.studies.tools.finding import find
from browser import CHROMIUM, browse
from fake_core import FakeCore, FakeScenario, make_plan
from small_study import write_study
from sweep_frames import CC, DELAY, LIMIT, PATH, UTILISATION, fake_sweep


def _axe() -> Path | None:
    """axe-core's script: the file that AXE_CORE names, or that of `npm install -g axe-core`."""
    if named := os.environ.get("AXE_CORE"):
        return Path(named)
    if (npm := shutil.which("npm")) is None:
        return None
    root = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False)
    script = Path(root.stdout.strip()) / "axe-core" / "axe.min.js"
    return script if root.stdout.strip() and script.is_file() else None


AXE = _axe()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: accessibility is not checked"),
    pytest.mark.skipif(
        AXE is None,
        reason="no axe-core here (npm install -g axe-core, or AXE_CORE=axe.min.js): "
        "accessibility is not checked",
    ),
]

_RUN = """
<script>
addEventListener("load", async () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const found = await axe.run();
  const told = found.violations.map((one) => [one.id, one.nodes.length, one.nodes[0].html]);
  document.body.textContent = "FOUND" + JSON.stringify(told) + "END";
});
</script>
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("study")
    run_study(find(str(write_study(folder))), out=folder / "out")
    (study,) = (folder / "out").rglob("report.html")

    def run(flows: int) -> str:
        return run_page(Result(FakeScenario(), make_plan(flows), FakeCore(flows), {}))

    return {
        "run of 2": run(2),
        "run of 50": run(50),
        "sweep": sweep_page(
            fake_sweep((LIMIT, CC, PATH), UTILISATION | DELAY, replications=5, compared="cc")
        ),
        "study": study.read_text(encoding="utf-8"),
        "studies": (folder / "out" / "index.html").read_text(encoding="utf-8"),
    }


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", ["run of 2", "run of 50", "sweep", "study", "studies"])
def test_axe_finds_nothing(kind: str, dark: bool, pages: dict[str, str], tmp_path: Path) -> None:
    assert AXE is not None
    script = f"<script>{AXE.read_text(encoding='utf-8')}</script>{_RUN}"
    (tmp_path / "page.html").write_text(
        pages[kind].replace("</body>", f"{script}</body>"), encoding="utf-8"
    )
    assert json.loads(browse(tmp_path, "page.html", dark=dark)) == []
