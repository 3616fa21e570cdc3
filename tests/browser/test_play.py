"""The game of the front page is played by keys, and says what it does."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from .test_pages import PHONE, SCREEN, opened


def test_the_game_is_played_by_keys(browser: Browser, site: str) -> None:
    tab, troubles = opened(browser, site, "index.html", SCREEN)
    box, status = tab.locator("#play"), tab.locator("#play [role=status]")
    cells = box.locator("#map")
    assert cells.locator("rect").count() == 27 * 27
    assert cells.get_attribute("visibility") == "hidden"
    assert {"black cards left", "red cards left"} <= {
        *box.locator("text").all_text_contents()
    }
    tab.locator("#play button").first.focus()
    tab.keyboard.press("h")
    assert status.inner_text().startswith("Draw: drawing is worth 2.62, stopping 0.")
    assert cells.get_attribute("visibility") == "visible"
    for _ in range(52):
        tab.keyboard.press("d")
    said = status.inner_text()
    assert "No card is left." in said
    assert "You have 0." in said
    assert "Your mean in 1 game: 0.00; the map's: 2.62." in said
    assert box.get_by_role("button", name="Draw").is_disabled()
    tab.keyboard.press("n")
    assert box.locator(".left").inner_text() == "26 red and 26 black cards"
    assert cells.get_attribute("visibility") == "hidden"
    tab.keyboard.press("s")
    assert cells.get_attribute("visibility") == "visible"
    tab.context.close()
    assert troubles == []


def test_hints_win_on_a_phone(browser: Browser, site: str) -> None:
    """Who does as the hints say never loses."""
    tab, troubles = opened(browser, site, "index.html", PHONE, "dark")
    box, status = tab.locator("#play"), tab.locator("#play [role=status]")
    while not box.get_by_role("button", name="Hint").is_disabled():
        box.get_by_role("button", name="Hint").click()
        action = "Draw" if status.inner_text().startswith("Draw") else "Stop"
        box.get_by_role("button", name=action).click()
    (won,) = re.findall(r"You have (\d+)\.", status.inner_text())
    tab.context.close()
    assert 0 <= int(won) <= 6
    assert troubles == []
