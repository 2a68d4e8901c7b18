"""Pages on a phone and on paper, as chromium shows them."""

import json
from pathlib import Path

import pytest

from ackclock.pages.run.sweep.page import sweep_page
from ackclock.results import Result
from ackclock.studies.tools.finding import find
from browser import CHROMIUM, browse
from fake_core import FakeCore, FakeScenario, make_plan
from small_study import write_study
from sweep_frames import CC, COUNT, DELAY, LIMIT, UTILISATION, fake_sweep

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None,
        reason="no chromium here: what pages look like on a phone and on paper is not checked",
    ),
]

PHONE = 390
"""CSS pixels across: a phone of today, held upright."""

_MEASURE = """
<iframe id="page" src="page.html" style="width: WIDTHpx; height: 800px; border: 0"></iframe>
<pre id="found"></pre>
<script>
document.getElementById("page").onload = () => {
  const inside = document.getElementById("page").contentDocument;
  for (const each of inside.querySelectorAll("details")) each.open = true;
  const wide = [...inside.querySelectorAll("*")].filter((one) => {
    if (one.getBoundingClientRect().right <= WIDTH + 1) return false;
    for (let over = one.parentElement; over && over !== inside.body; over = over.parentElement)
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(over).overflowX)) return false;
    return true;
  });
  const told = wide.slice(0, 5).map((one) =>
    one.tagName + "." + one.className + ": " + one.textContent.trim().slice(0, 40));
  document.getElementById("found").textContent =
    "FOUND" + JSON.stringify([inside.documentElement.scrollWidth, told]) + "END";
};
</script>
"""

_PRINTED = """
<script>
addEventListener("load", () => {
  const rules = [...document.styleSheets[0].cssRules].filter(
    (one) => one.media && one.media.mediaText === "print");
  // What print has is put on the screen, where it can be asked for.
  const sheet = document.createElement("style");
  sheet.textContent = rules.map(
    (one) => [...one.cssRules].map((own) => own.cssText).join("")).join("");
  document.head.append(sheet);
  const all = [...document.querySelectorAll(".badge")].map((one) => {
    const own = getComputedStyle(one);
    return [own.color, own.backgroundColor, own.opacity, own.borderTopWidth];
  });
  document.body.textContent = "FOUND" + JSON.stringify(all) + "END";
});
</script>
"""


@pytest.fixture(scope="module")
def study_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    from ackclock.studies.running import run_study

    folder = tmp_path_factory.mktemp("study")
    run_study(find(str(write_study(folder))), out=folder / "out")
    (page,) = (folder / "out").rglob("report.html")
    return page.read_text(encoding="utf-8")


def _run_page(flows: int) -> str:
    from ackclock.pages.run.run import run_page

    return run_page(Result(FakeScenario(), make_plan(flows), FakeCore(flows), {}))


@pytest.fixture(scope="module")
def pages(study_page: str) -> dict[str, str]:
    long = "a-name-of-a-file-that-is-longer-than-any-phone-is-wide-and-has-no-place-to-break-it"
    study = study_page.replace("<dd>", f"<dd>{long} ", 3)
    return {
        "study": study,
        "run of 2": _run_page(2),
        "run of 50": _run_page(50),
        "sweep": sweep_page(
            fake_sweep((LIMIT, CC, COUNT), UTILISATION | DELAY, replications=3, compared="cc")
        ),
    }


@pytest.mark.parametrize("width", [PHONE, 1280])
@pytest.mark.parametrize("kind", ["study", "sweep", "run of 2", "run of 50"])
def test_no_page_is_wider_than_its_screen(
    kind: str, width: int, pages: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(pages[kind], encoding="utf-8")
    (tmp_path / "phone.html").write_text(_MEASURE.replace("WIDTH", str(width)), encoding="utf-8")
    widest, wide = json.loads(browse(tmp_path, "phone.html"))
    assert wide == []
    assert widest <= width


def test_badges_are_dark_on_white_on_paper(study_page: str, tmp_path: Path) -> None:
    badges = "".join(
        f'<span class="badge {mark}">x</span>'
        for mark in ("holds", "in-part", "does-not-hold", "cannot-be-judged", "pale", "holds pale")
    )
    page = study_page.replace("</main>", f"{badges}</main>") + _PRINTED
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    styles = json.loads(browse(tmp_path, "page.html"))
    assert len(styles) >= 6
    for colour, ground, opacity, border in styles:
        # Without grounds, which browsers leave out on paper, white letters would vanish.
        assert (colour, ground, opacity) == ("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "1")
        assert float(border.removesuffix("px")) >= 1.0
