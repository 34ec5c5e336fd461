"""The environment in .venv: made, filled from the locks in requirements/, and filled again when they change.

Runs on the bare Python that it finds, so it uses the standard library alone.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "shopfloor.json"

# The locks that a set stands for; a later one contains the earlier ones with the same versions.
SETS = {"run": ("run",), "test": ("run", "test"), "node": ("node",)}


class Problem(Exception):
    """What went wrong and what would help, in words for the person at the keyboard."""


def say(text: str) -> None:
    """Print a line about what is going on, at once."""
    print(text, flush=True)


@contextlib.contextmanager
def told_to_people() -> Iterator[None]:
    """Problems end the program with their message and status 1, an interruption with status 130."""
    try:
        yield
    except Problem as problem:
        sys.exit(f"\n{problem}")
    except KeyboardInterrupt:
        sys.exit(130)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two commands that start together must not install into the same folder at once: one waits."""
    try:
        file = (ROOT / ".lock").open("a+b")
    except OSError as error:
        raise Problem(f"Shopfloor installs into its own folder, but cannot write there: {error}") from None
    with file:
        waiting = False
        while not _lock(file.fileno()):
            if not waiting:
                say("Another Shopfloor command is installing; waiting for it.")
                waiting = True
            time.sleep(0.2)
        yield  # closing the file, or the end of the process, frees the lock


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def run(command: list[str], what: str, *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> None:
    """Run a command in silence; if it fails, raise a Problem that tells what was tried and how it ended."""
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise Problem(f"{what} failed: {error}") from None
    if done.returncode:
        tail = "\n".join(f"    {line}" for line in done.stdout.strip().splitlines()[-30:])
        raise Problem(f"{what} failed (status {done.returncode}).\n  {' '.join(command)}\n{tail}")


def hand_over(command: list[str]) -> int:
    """Let another program take this one's place, terminal and signals included; returns its exit status."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:  # the child got it too, and ends in its own way
            continue


def python() -> str:
    """The path of the environment's Python."""
    return str(BIN / ("python.exe" if os.name == "nt" else "python"))


def program(name: str) -> str:
    """The path of a command that a package put into the environment."""
    return str(BIN / (f"{name}.exe" if os.name == "nt" else name))


def digest(files: Iterable[Path]) -> str:
    """A hash of the files' names and contents; it changes when one of them does."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(f"{file.relative_to(ROOT).as_posix()}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def install(name: str) -> None:
    """Make the environment hold what a set of locks names ("run", "test" or "node") and Shopfloor itself.

    Does nothing when it does already. Raises Problem.
    """
    stamp = _environment()
    for lock in SETS[name]:
        key = digest([_lock_file(lock)])
        if stamp.get(lock) == key:
            continue
        last = SETS[name][-1]  # it contains the others
        say(f"Installing {_WHAT[last]} into .venv (once; about a minute) ...")
        _pip(f"Installing {_WHAT[last]}", "--require-hashes", "-r", str(_lock_file(last)))
        stamp.update({each: digest([_lock_file(each)]) for each in SETS[name]})
        _write(stamp)
        break
    if name == "node":
        return
    key = digest(file for file in (ROOT / "pyproject.toml", ROOT / "setup.py") if file.exists())
    if stamp.get("package") != key or not Path(program("shopfloor")).exists():
        _pip("Installing Shopfloor", "--no-deps", "--no-build-isolation", "-e", str(ROOT))
        stamp["package"] = key
        _write(stamp)


_WHAT = {"run": "what Shopfloor needs", "test": "what Shopfloor and its tests need", "node": "Node.js"}


def _lock_file(name: str) -> Path:
    return ROOT / "requirements" / f"{name}.txt"


def _environment() -> dict[str, str]:
    """The stamp of an environment that works; makes one where there is none, or one that moved or broke."""
    here = {"root": str(ROOT), "python": _version(sys.executable)}
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stamp = {}
    if Path(python()).exists():
        version = _version(python())
        if not stamp and version >= "3.11":  # made by hand: use it
            return {"root": here["root"], "python": version}
        if stamp.get("root") == here["root"] and stamp.get("python") == version != "":
            return stamp
    say("Making a virtual environment in .venv ...")
    if VENV.exists() and Path(sys.prefix).resolve() == VENV.resolve():
        raise Problem("The environment in .venv fits this folder no more.\nDelete .venv, then run this again.")
    try:
        run([sys.executable, "-m", "venv", "--clear", str(VENV)], "Making a virtual environment")
    except Problem as problem:
        shutil.rmtree(VENV, ignore_errors=True)
        raise Problem(f"{problem}\n\nOn Debian and Ubuntu, venv comes separately: apt install python3-venv") from None
    return here


def _version(interpreter: str) -> str:
    """Such as "3.11"; empty if it does not run."""
    try:
        code = "import sys; print('%d.%02d' % sys.version_info[:2])"
        done = subprocess.run([interpreter, "-c", code], capture_output=True, encoding="utf-8", check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _pip(what: str, *arguments: str) -> None:
    if subprocess.run([python(), "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        run([python(), "-m", "ensurepip"], "Installing pip")
    options = ["--quiet", "--disable-pip-version-check", "--no-input"]
    # A compiled build is asked for by hand; here it would only surprise.
    env = {name: value for name, value in os.environ.items() if name != "SHOPFLOOR_COMPILE"}
    run([python(), "-m", "pip", "install", *options, *arguments], what, env=env)


def _write(stamp: dict[str, str]) -> None:
    STAMP.write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")
