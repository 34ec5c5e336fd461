"""Are there known weaknesses in what Shopfloor is built on? Asks the public databases about every pinned version.

    python3 -m tools.audit [--where-possible]

To be run every day, and when a lock changes: what is sound today may be known as weak tomorrow. Exit status: 0 where
all were asked about and none is known as weak; 1 where one is; 2 where something could not be asked about, so that
silence is never taken for a good answer. --where-possible: 0 then too, with a line that says so, for machines that
reach no database. Runs on the bare Python that it finds.
"""

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools import bootstrap, frontend
from tools.bootstrap import ROOT

TOOL = "pip-audit>=2.10,<3"  # not pinned: an old one may not know how to ask any more
SECONDS = 60.0  # for one list of packages: who cannot answer by then counts as silent
LOCKS = ("run", "test", "node", "bench")


@dataclass
class Answer:
    """What a database knows. weak: a line for each known weakness; unasked: what could not be asked about."""

    asked: int = 0
    weak: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)


def of_python(told: Mapping[str, Any]) -> Answer:
    """What pip-audit's JSON says."""
    answer = Answer()
    for one in told["dependencies"]:
        if "skip_reason" in one:
            answer.unasked.append(one["name"])
            continue
        answer.asked += 1
        for known in one["vulns"]:
            better = ", ".join(known["fix_versions"]) or "no version yet"
            answer.weak.append(f"{one['name']} {one['version']}: {known['id']}, mended in {better}")
    return answer


def of_browser(told: Mapping[str, Any]) -> Answer:
    """What npm's JSON says."""
    if "vulnerabilities" not in told:
        return Answer(unasked=[f"all packages ({told.get('message', 'no answer')})"])
    weak = [f"{name}: {one['severity']}" for name, one in sorted(told["vulnerabilities"].items())]
    return Answer(told["metadata"]["dependencies"]["total"], weak)


def status(answers: Sequence[Answer], where_possible: bool) -> int:
    """The exit status for these answers."""
    if any(answer.weak for answer in answers):
        return 1
    return 2 if not where_possible and any(answer.unasked for answer in answers) else 0


def main() -> int:
    where_possible = "--where-possible" in sys.argv[1:]
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        command = _pip_audit(Path(folder))
        for name in LOCKS:
            lock = f"requirements/{name}.txt"
            told = _json([*command, "-r", lock], ROOT) if command else None
            answers.append(_say(lock, of_python(told) if told else Answer(unasked=["all packages (no answer)"])))
    told = _npm_audit()
    answers.append(_say("frontend/package-lock.json", of_browser(told or {})))
    return status(answers, where_possible)


def _say(lock: str, answer: Answer) -> Answer:
    unasked = f", not asked about {len(answer.unasked)}, such as {answer.unasked[0]}" if answer.unasked else ""
    print(f"{lock}: asked about {answer.asked}, known as weak {len(answer.weak)}{unasked}", flush=True)
    for line in answer.weak:
        print(f"  {line}")
    return answer


def _pip_audit(folder: Path) -> list[str]:
    """pip-audit in an environment of its own; nothing where it cannot be had."""
    try:
        venv.create(folder, with_pip=True)
        place = folder / ("Scripts" if sys.platform == "win32" else "bin")
        install = [str(place / "python"), "-m", "pip", "install", "--disable-pip-version-check", TOOL]
        bootstrap.run(install, "Installing pip-audit")
    except (OSError, subprocess.SubprocessError, bootstrap.Problem):
        return []
    return [str(place / "pip-audit"), "--require-hashes", "--disable-pip", "--progress-spinner=off", "-f", "json"]


def _npm_audit() -> Mapping[str, Any] | None:
    try:
        command, env = frontend.npm_command()
    except bootstrap.Problem:
        return None
    return _json([command, "audit", "--json"], frontend.SOURCE, env)


def _json(command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None) -> Mapping[str, Any] | None:
    """What a program writes as JSON, whatever its status; nothing where it writes none."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
            timeout=SECONDS,
        )
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return found if isinstance(found, dict) else None


if __name__ == "__main__":
    sys.exit(main())
