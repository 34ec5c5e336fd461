"""What the documentation site does beyond mkdocs: folders in the navigation, and tables made from the code.

- In the navigation of mkdocs.yml, `folder/*` stands for all pages of a folder; pages not named there come last.
- In a page, `{{ observations GAME }}` stands for the table of a game's observation at its most players, and
  `{{ columns }}` for the columns of a table of simulated games.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from shopfloor.games import REGISTRY
from shopfloor.lab.observations import Observer
from shopfloor.lab.parquet import COLUMNS


def _expanded(entry: Any, folder: Path) -> list[Any]:
    """A navigation entry with its folders' pages."""
    if isinstance(entry, str):
        if not entry.endswith("/*"):
            return [entry]
        return [page.relative_to(folder).as_posix() for page in sorted((folder / entry[:-2]).glob("*.md"))]
    made: list[Any] = []
    for title, inner in entry.items():
        if isinstance(inner, str) and not inner.endswith("/*"):
            made.append({title: inner})
        else:
            parts = inner if isinstance(inner, list) else [inner]
            made.append({title: [one for part in parts for one in _expanded(part, folder)]})
    return made


def on_config(config: Any) -> Any:
    """Called by mkdocs with its configuration."""
    folder = Path(config["docs_dir"])
    nav = [one for entry in config["nav"] for one in _expanded(entry, folder)]
    pages = sorted(page.relative_to(folder).as_posix() for page in folder.rglob("*.md"))
    rest = [page for page in pages if f"'{page}'" not in repr(nav)]
    config["nav"] = [*nav, {"More": rest}] if rest else nav
    return config


def _observations(match: re.Match[str]) -> str:
    game = REGISTRY.get(match[1])
    players = max(game.player_counts)
    observer = Observer(game, players)
    return f"With {players} players an observation has {observer.size} numbers.\n\n{observer.describe()}"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs with the text of each page."""
    columns = "\n".join(["| column | meaning |", "| --- | --- |", *(f"| `{k}` | {v} |" for k, v in COLUMNS.items())])
    markdown = markdown.replace("{{ columns }}", columns)
    return re.sub(r"\{\{ observations (\w+) \}\}", _observations, markdown)
