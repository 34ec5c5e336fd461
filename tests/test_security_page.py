"""The page about security names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_test_that_is_named_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    assert len(named) > 20
    for file, function in named:
        path = ROOT / file
        assert path.exists(), file
        assert not function or f"def {function}(" in path.read_text(encoding="utf-8"), f"{file}::{function}"
