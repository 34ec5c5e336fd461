"""What all clicked games have in common: which moments to look for, and when a page asks and has been answered."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.e2e.stage import Wanted


def in_phase(phase: str, also: Wanted = lambda v, s: True) -> Wanted:
    return lambda v, s: v.phase == phase and s in v.deciders and also(v, s)


def asks(page: Page, seconds: float = 60) -> str:
    """Wait until the page asks its viewer for something; the number of that decision, or `over`."""
    page.locator("#act, .ph-game_over, #over").first.wait_for(state="attached", timeout=seconds * 1000)
    decision = page.locator("#act")
    return decision.get_attribute("data-decision") or "" if decision.count() else "over"


def answered(page: Page, decision: str) -> None:
    """Wait until a decision is behind us."""
    page.locator(f"#act[data-decision='{decision}']").wait_for(state="detached", timeout=30_000)


def phase(page: Page) -> str:
    """The phase that the board shows, in small letters."""
    found = re.search(r"ph-(\w+)", page.locator(".board").get_attribute("class") or "")
    assert found
    return found[1]
