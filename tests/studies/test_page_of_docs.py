"""Does the study that docs/studies.md writes run, and say what stands there?"""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "studies.md"


def test_the_study_of_the_page_runs_as_it_is_written(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    (scenario,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (study,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "vegas.toml").write_text(scenario, encoding="utf-8")
    (tmp_path / "vegas.py").write_text(study, encoding="utf-8")
    done = subprocess.run([sys.executable, "vegas.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    said = [line.strip() for line in text.splitlines() if line.startswith("    V-")]
    assert done.stdout.splitlines() == said
    assert (tmp_path / "runs/vegas/index.html").is_file()
    assert "V-F1" in (tmp_path / "runs/vegas/vegas/report.html").read_text(encoding="utf-8")
