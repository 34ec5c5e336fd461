"""Our games beside other programs' in one run: `python -m bench.peers [--rounds N] [--seconds S] [--only NAME ...]`.

The peers are installed into an environment in a cache folder, as requirements/bench.txt pins them, and the measuring
goes on there; with --here it uses what this Python has, and tells what is missing. With --page it writes the page and,
beside it, the picture.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from pathlib import Path

from bench.compiled import CannotCompile, can_compile
from bench.peers.environment import cache, compiled, prepared
from bench.peers.page import Run, markdown
from bench.peers.running import Worker, measure
from tools.bootstrap import ROOT, hand_over, told_to_people

INTERPRETED = "Shopfloor, interpreted"
COMPILED = "Shopfloor, compiled"
PEERS = {
    "openspiel": "OpenSpiel",
    "pettingzoo": "PettingZoo",
    "rlcard": "RLCard",
    "catanatron": "Catanatron",
    "pgx": "pgx",
}


def say(text: str) -> None:
    end = "" if sys.stderr.isatty() else "\n"
    if end == "" or not text.startswith(("round", "warming")) or ", 1 of " in text:
        print(f"\r\x1b[K{text}" if end == "" else text, end=end, file=sys.stderr, flush=True)


def ours(arguments: argparse.Namespace) -> list[Worker]:
    """Our workers, one a build."""
    workers = [Worker(INTERPRETED, "bench.peers.shopfloor", [ROOT / "src"])]
    if arguments.compiled:
        workers.append(Worker(COMPILED, "bench.peers.shopfloor", [arguments.compiled.resolve()]))
        workers[-1].missing = stale(arguments.compiled)
    elif not arguments.no_compiled:
        workers.append(Worker(COMPILED, "bench.peers.shopfloor"))
        if not can_compile():
            workers[-1].missing = "there is no C compiler here"
            return workers
        try:
            workers[-1].paths.insert(0, compiled(arguments.cache.resolve()))
        except CannotCompile as error:
            workers[-1].missing = f"it could not be compiled: {str(error).strip().splitlines()[-1]}"
    return workers


def stale(folder: Path) -> str:
    """Why a compiled build is not of these sources; empty if it is."""
    sources = ROOT / "src" / "shopfloor"
    for file in sorted(sources.rglob("*.py")):
        made_of = folder / "shopfloor" / file.relative_to(sources)
        if not made_of.is_file() or made_of.read_bytes() != file.read_bytes():
            return f"the build in {folder} was made of another {file.relative_to(sources).as_posix()}"
    return ""


def arguments_of(command: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1, help="processor time of each measurement in a round")
    parser.add_argument("--only", nargs="+", choices=["shopfloor", *PEERS], metavar="NAME", help=", ".join(PEERS))
    parser.add_argument("--page", type=Path, help="also write what is printed to this file, with its picture")
    parser.add_argument("--here", action="store_true", help="install nothing: measure what this Python has")
    parser.add_argument("--cache", type=Path, default=cache(), help="folder for what is made once: peers, our build")
    parser.add_argument("--no-compiled", action="store_true")
    parser.add_argument("--compiled", type=Path, help="folder of a compiled build of these sources to measure")
    return parser.parse_args(command)


def made_by(arguments: argparse.Namespace) -> str:
    """The command that does the same anywhere: it installs and compiles for itself."""
    parts = ["python", "-m", "bench.peers", "--rounds", str(arguments.rounds), "--seconds", f"{arguments.seconds:g}"]
    parts += ["--only", *arguments.only] if arguments.only else []
    parts += ["--no-compiled"] * arguments.no_compiled
    parts += ["--page", arguments.page.as_posix()] if arguments.page else []
    return shlex.join(parts)


def main(command: list[str]) -> int:
    arguments = arguments_of(command)
    if not arguments.here:
        with told_to_people():
            python = prepared(arguments.cache.resolve())
        return hand_over([str(python), "-m", "bench.peers", *command, "--here"])
    chosen = arguments.only or ["shopfloor", *PEERS]
    with contextlib.ExitStack() as stack:
        workers = ours(arguments) if "shopfloor" in chosen else []
        workers += [Worker(title, f"bench.peers.{name}") for name, title in PEERS.items() if name in chosen]
        for worker in workers:
            stack.callback(worker.close)
        run = Run(workers, max(1, arguments.rounds), arguments.seconds)
        measure([worker for worker in workers if not worker.missing], run.rounds, run.seconds, say)
        run.ended()
    page = markdown(run, made_by(arguments), arguments.page)
    print(page)
    if arguments.page is not None:
        arguments.page.write_text(page, encoding="utf-8")
    return 0
