"""Prints a fingerprint of every record in a folder, replayed: `python tests/fingerprint.py FOLDER`.

Run on two builds of Shopfloor, equal fingerprints mean equal games: every state, event, view, refusal and imagined
state of every step goes in. The first line says which modules are compiled.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path

from shopfloor.engine.dice import FastDice
from shopfloor.engine.records import load, replay
from shopfloor.engine.views import canonical
from shopfloor.games import REGISTRY


def fingerprint(text: str) -> str:
    record = load(text)
    game = REGISTRY.get(record.game)
    digest = hashlib.sha256()
    for n, step in enumerate(replay(record, game)):
        s = step.state
        digest.update(s.encode().encode())
        for event in step.events:
            digest.update(canonical(event))
        for seat in (None, *range(s.players)):
            digest.update(canonical(game.view(s, seat)))
        if n % 9 == 0:
            for seat in range(-1, s.players + 1):
                digest.update(repr([s.refusal(seat, action) for action in range(-2, s.space.size + 2)]).encode())
            for seat in range(s.players):
                digest.update(s.imagine(seat, FastDice(n)).encode().encode())
                digest.update(repr(game.judgement.rate(s, seat)).encode())
        if s.over():
            digest.update(repr((s.standing(), s.returns(), repr(s))).encode())
    return digest.hexdigest()


def main() -> None:
    hot = [f"shopfloor.engine.{name}" for name in ("dice", "playout", "refusals", "state")]
    hot.append("shopfloor.bots.search")
    hot += [f"shopfloor.games.{game}.rules" for game in REGISTRY.ids()]
    files = {name: str(importlib.import_module(name).__file__) for name in hot}
    print("compiled:", *sorted(name for name, file in files.items() if not file.endswith(".py")))
    for path in sorted(Path(sys.argv[1]).iterdir()):
        print(path.name, fingerprint(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
