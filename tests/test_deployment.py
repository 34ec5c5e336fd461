"""What deploy/ says fits the program that it runs."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from shopfloor.cli import app
from shopfloor.web.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))


def test_settings_are_those_that_there_are(monkeypatch) -> None:
    known = {f"SHOPFLOOR_{field.name.upper()}" for field in fields(Settings)} | {"FORWARDED_ALLOW_IPS"}
    for name in ("web", "bots"):
        environment = COMPOSE["services"][name]["environment"]
        assert set(environment) <= known
        for variable, value in environment.items():
            filled = value.replace("${DATABASE_PASSWORD:?}", "x").replace("${DOMAIN:?}", "example.org")
            monkeypatch.setenv(variable, re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", filled))
        settings = Settings.from_environment()
        assert settings.shared
        assert settings.secure


def test_commands_are_those_that_there_are() -> None:
    for name in ("web", "bots"):
        command, *options = COMPOSE["services"][name]["command"]
        shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
        for option in options:
            assert not option.startswith("--") or option in shown


def test_every_variable_is_in_the_example() -> None:
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    example = (DEPLOY / "example.env").read_text(encoding="utf-8")
    for variable in ("DOMAIN", "DATABASE_PASSWORD", "METRICS_TOKEN"):
        assert f"${{{variable}" in text
        assert f"\n{variable}=" in example


def test_the_image_is_made_of_files_that_there_are() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source


def test_what_the_physics_needs_is_installed_with_it() -> None:
    # It does not say itself that it needs NumPy, and without it no site opens.
    locked = (Path(__file__).parents[1] / "requirements" / "run.txt").read_text()
    assert "\nrapier3d==" in locked
    assert "\nnumpy==" in locked
