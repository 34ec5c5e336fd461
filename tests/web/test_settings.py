"""Settings and where they come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shopfloor.web.identity import secret
from shopfloor.web.settings import BadSetting, Settings, data_folder


def test_a_file_or_a_url(tmp_path: Path) -> None:
    assert Settings().file == data_folder() / "shopfloor.db"
    assert Settings(database=str(tmp_path / "a.db")).url == f"sqlite:///{(tmp_path / 'a.db').as_posix()}"
    assert Settings(database=f"sqlite:///{(tmp_path / 'a.db').as_posix()}").file == tmp_path / "a.db"
    elsewhere = Settings(database="postgresql+psycopg://host/name")
    assert elsewhere.file is None
    assert elsewhere.url == "postgresql+psycopg://host/name"


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOPFLOOR_PORT", "9000")
    monkeypatch.setenv("SHOPFLOOR_PACE", "0.5")
    monkeypatch.setenv("SHOPFLOOR_DATABASE", "/tmp/x.db")
    found = Settings.from_environment(host="0.0.0.0", pace=None)
    assert (found.port, found.pace, found.database, found.host) == (9000, 0.5, "/tmp/x.db", "0.0.0.0")
    assert Settings.from_environment(port=1).port == 1
    monkeypatch.setenv("SHOPFLOOR_PORT", "many")
    with pytest.raises(BadSetting, match="SHOPFLOOR_PORT"):
        Settings.from_environment()


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"port": 70_000}, "port"),
        ({"workers": -1}, "workers"),
        ({"workers": 0}, "workers"),
        ({"pace": -1.0}, "pace"),
        ({"budget": 0.0}, "budget"),
        ({"base_url": "play.example"}, "base_url"),
    ],
)
def test_what_cannot_be(wrong: dict[str, Any], names: str) -> None:
    with pytest.raises(BadSetting, match=names):
        Settings(**wrong)


def test_the_secret_is_kept(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "data" / "t.db"))
    first = secret(settings)
    assert len(first) == 64
    assert secret(settings) == first
    file = tmp_path / "data" / "shopfloor.secret"
    assert file.stat().st_mode & 0o077 == 0, "for nobody else's eyes"
    assert secret(Settings(secret="given")) == "given"
