"""Pins the newest versions that pyproject.toml and frontend/package.json allow: `python -m tools.lock`.

Needs uv and npm on the PATH. The pins hold for every system and every Python that Shopfloor runs on.
"""

import subprocess
import sys

from tools.bootstrap import ROOT, Problem, run

_COMPILE = ["uv", "pip", "compile", "--universal", "--python-version=3.11", "--generate-hashes"]

# The extras that every game needs to be played with all that belongs to it.
PLAYED = ("dexterity", "notices")

# The extras whose code the tests run.
TESTED = ("test", "notices", "postgresql", "lab", "exact", "learning", "openspiel", "notebooks", "docs")


# The programs that bench/peers measures, and what it needs itself.
MEASURED = ("bench", "peers")


def main() -> int:
    inputs = ["pyproject.toml", "requirements/build.in"]
    locks = {
        "run": [*inputs, *(f"--extra={name}" for name in PLAYED)],
        "test": [*inputs, *(f"--extra={name}" for name in TESTED), "--constraints=requirements/run.txt"],
        "bench": [*inputs, *(f"--extra={name}" for name in MEASURED), "--constraints=requirements/test.txt"],
        "node": ["requirements/node.in"],
    }
    try:
        for name, sources in locks.items():
            # Without the old pins, so that new versions are found.
            output = f"requirements/{name}.txt"
            run(
                [*_COMPILE, "--upgrade", "--no-header", "--quiet", *sources, "--output-file", output],
                f"Locking {name}",
            )
        (ROOT / "frontend" / "package-lock.json").unlink(missing_ok=True)
        npm = "npm.cmd" if sys.platform == "win32" else "npm"
        run([npm, "install", "--package-lock-only"], "Locking the browser's libraries", cwd=ROOT / "frontend")
    except Problem as problem:
        sys.exit(str(problem))
    return subprocess.run(
        ["git", "--no-pager", "diff", "--stat", "--", "requirements", "frontend"], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
