"""A Chromium for the browser tests: the one that is there, or one installed where that is possible."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.bootstrap import Problem, python, run, say

VARIABLE = "SHOPFLOOR_CHROMIUM"
"""The environment variable in which the tests find the browser's path."""

_PACKAGES = ("chromium", "fonts-liberation")
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)

_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def find_or_install() -> str:
    """The path of a Chromium that runs. Raises Problem if there is none and none can be installed."""
    for name in (VARIABLE, "CHROMIUM"):
        if chosen := os.environ.get(name):
            path = shutil.which(chosen)
            if path is None or not _runs(path):
                raise Problem(f"{name} is set to {chosen}, but no browser runs there.")
            return path
    if path := find():
        return path
    failures = []
    for attempt in (_with_apt, _with_playwright):
        try:
            attempt()
        except Problem as problem:
            failures.append(str(problem))
        if path := find():
            return path
    raise Problem(
        "\n\n".join(
            [
                *failures,
                "The browser tests need Chromium. Install it, or set CHROMIUM to its path;\n"
                "`python3 check.py --fast` runs the tests that need none.",
            ]
        )
    )


def find() -> str | None:
    """The path of a Chromium that is on this machine and runs, or None."""
    return next((path for path in _candidates() if _runs(path)), None)


def _candidates() -> Iterator[str]:
    for command in _COMMANDS:
        if path := shutil.which(command):
            yield path
    yield from (place for place in _PLACES if Path(place).exists())
    done = subprocess.run([python(), "-c", _ASK_PLAYWRIGHT], capture_output=True, encoding="utf-8", check=False)
    if done.returncode == 0 and Path(done.stdout.strip()).exists():
        yield done.stdout.strip()


def _runs(path: str) -> bool:
    """Some systems put a note on how to install the browser in its place, so ask it."""
    if os.name == "nt":  # there, asking for the version opens a window
        return True
    try:
        done = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and b"Chrom" in done.stdout


def _with_apt() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.name == "nt" or os.geteuid() != 0:
        return
    say("Installing Chromium for the browser tests with apt-get (once) ...")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run([apt, "update", "-q"], "Reading the list of packages", env=env)
    run([apt, "install", "-q", "-y", "--no-install-recommends", *_PACKAGES], "Installing Chromium", env=env)


def _with_playwright() -> None:
    say("Installing Playwright's Chromium for the browser tests (once) ...")
    run([python(), "-m", "playwright", "install", "chromium"], "Installing Playwright's Chromium")
