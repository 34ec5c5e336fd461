"""Views leave the engine as plain data: one conversion for the site, the API, bots' features and tests."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass


class View:
    """What a seat (or a spectator) may know. Each game derives a frozen dataclass from it."""

    __slots__ = ()


def plain(value: object) -> object:
    """A view, or any value in one, as dicts, lists, strings, numbers, bools and None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"a view cannot hold {type(value).__name__}")


def canonical(value: object) -> bytes:
    """The one byte string of a view: equal for equal views, whatever made them."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
