"""Writes the golden playthroughs anew: `python -m tests.golden`. Then look at the difference."""

from tests.golden.traces import FOLDER, TRACES, write

for trace in TRACES:
    path = FOLDER / f"{trace.name}.txt"
    path.write_text(write(trace), encoding="utf-8")
    print(path.relative_to(FOLDER.parent.parent))
