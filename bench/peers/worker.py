"""One maker's programs in a process of its own: `python worker.py MODULE`, with the module's full name.

Answers each line of JSON on its input with a line on its output: to `{}` what there is to measure, to
`{"row": i, "measure": name, "seconds": s}` what was done (with the measure "look", how large the game is).
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import Any


def described(module: Any, programs: list[Any]) -> dict[str, Any]:
    rows = [
        {
            "game": program.game,
            "players": program.players,
            "kind": program.kind,
            "note": program.note,
            "measures": list(program.measures),
        }
        for program in programs
    ]
    return {"version": module.version(), "rows": rows}


def reason(error: BaseException) -> str:
    """In one line, what went wrong."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ImportError):
        return f"not installed ({text})"
    return text if len(text) <= 160 else f"{text[:157]}..."


def main() -> None:
    # What the peers print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    programs: list[Any] = []
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if not asked:
                module = import_module(sys.argv[1])
                programs = module.programs()
                answer = described(module, programs)
            elif asked["measure"] == "look":
                length, choices = programs[asked["row"]].look()
                answer = {"length": length, "choices": choices}
            else:
                answer = programs[asked["row"]].measure(asked["measure"], asked["seconds"])
        except Exception as error:  # whatever it is, the page has to tell
            answer = {"error": reason(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
