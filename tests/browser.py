"""Chromium without a window: pages as a person would see them."""

import re
import shutil
import subprocess
from pathlib import Path

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


def browse(folder: Path, name: str, *, dark: bool = False) -> str:
    """Open a page of a folder; return the text between FOUND and END that a script left there."""
    assert CHROMIUM is not None
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        # 0 is dark, 1 is light.
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        f"--user-data-dir={folder / 'profile'}",
    ]
    command = [
        CHROMIUM,
        *options,
        "--virtual-time-budget=20000",
        "--dump-dom",
        (folder / name).as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    matches = re.findall("FOUND(.*?)END", _without_scripts(done.stdout), re.DOTALL)
    assert matches, done.stdout[-500:] + done.stderr[-500:]
    return str(matches[-1]).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _without_scripts(page: str) -> str:
    """Scripts name the words too."""
    return re.sub("<script.*?</script>", "", page, flags=re.DOTALL)
