"""Pages of solved games: clicked through, played against, and without any request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from cardgames_dp import exact, interop
from cardgames_dp.game import TERMINAL, from_function

from .test_pages import PHONE, ROOT, SCREEN

NASTY = "</script><script>window.hacked = 1</script>\n<b>&amp;"
LOOKS = pytest.mark.parametrize(
    ("scheme", "size"),
    [("light", SCREEN), ("dark", SCREEN), ("light", PHONE), ("dark", PHONE)],
    ids=["light", "dark", "phone", "dark phone"],
)
NAMES = ["nasty", "pig", "three_rolls", "tic_tac_toe"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the pages of the documentation, and one of nasty texts."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs" / "_ext")
        import_module("solved").write(folder)

    def rules(state: str) -> Any:
        return (TERMINAL, 1) if state == "end" else (0, {NASTY: "end", "no": "end"})

    solution = exact.solve(from_function(rules, NASTY))
    interop.to_html(solution, folder / "nasty.html", title=NASTY)
    return folder


@contextmanager
def opened(
    browser: Browser,
    page: Path,
    size: ViewportSize = SCREEN,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Page]:
    """Give a page from its file, which asks for nothing and makes no error."""
    troubles: list[str] = []
    tab = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    tab.on("request", lambda request: troubles.append(request.url))
    tab.on("console", lambda said: troubles.append(said.text))
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(page.as_uri())
    yield tab
    tab.context.close()
    assert troubles == [page.as_uri()]


def click(tab: Page, *names: str) -> None:
    for name in names:
        tab.get_by_role("button", name=re.compile(f"^{re.escape(name)}\\b")).click()


def said(tab: Page) -> str:
    return str(tab.get_by_role("status").inner_text())


@LOOKS
@pytest.mark.parametrize("name", NAMES)
def test_a_page_can_be_read(
    browser: Browser,
    pages: Path,
    name: str,
    scheme: Literal["light", "dark"],
    size: ViewportSize,
) -> None:
    with opened(browser, pages / f"{name}.html", size, scheme) as tab:
        moves = tab.locator("#moves button")
        assert moves.first.is_visible()
        if name != "nasty":
            moves.first.click()
        tab.evaluate("document.activeElement.blur()")
        width = tab.evaluate("document.documentElement.scrollWidth")
        paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        barriers = {rule["id"] for rule in Axe().run(tab).response["violations"]}
    dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < 3 * 128
    assert dark == (scheme == "dark")
    assert width == size["width"]
    assert barriers == set()


def test_a_game_is_clicked_through(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "three_rolls.html") as tab:
        assert said(tab) == "Chance moves. Expected result: 4.6667."
        undo = tab.get_by_role("button", name="Undo")
        assert undo.is_disabled()
        click(tab, "left: 2 face: 4")
        assert tab.locator("#state").inner_text() == "left: 2   face: 4"
        assert said(tab) == "The player to move. Expected result: 4.25."
        rows = tab.locator("#moves button").all_inner_texts()
        assert [row.split() for row in rows] == [
            ["keep", "4", "costs", "0.25"],
            ["roll", "4.25", "best"],
        ]
        click(tab, "keep")
        assert said(tab) == "The game is over: 4. Moves cost 0.25 in all."
        past = tab.locator("#past li").all_inner_texts()
        assert past[1] == "the player: keep (costs 0.25)"
        undo.click()
        click(tab, "Best move", "Chance", "Start again")
        assert said(tab) == "Chance moves. Expected result: 4.6667."
        assert undo.is_disabled()


def test_best_moves_draw_tic_tac_toe(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "tic_tac_toe.html", PHONE) as tab:
        tab.get_by_label("You move for").select_option("player 1")
        assert tab.locator("#state").inner_text().count("x") == 1
        assert tab.locator("#moves button").count() == 8
        while "over" not in said(tab):
            tab.locator("#moves .best button").first.click()
        assert said(tab) == "The game is over: player 0: 0, player 1: 0."
        while tab.locator("#past li").count() > 1:
            click(tab, "Undo")
            assert said(tab).startswith("Player 1 to move.")


def test_values_can_be_hidden(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "pig.html") as tab:
        tab.get_by_label("You move for").select_option("player 0")
        click(tab, "roll")
        tab.get_by_label("Hide values").check()
        while "over" not in said(tab):
            assert said(tab) == "Player 0 to move."
            assert {"roll", "hold"} >= {*tab.locator("#moves").inner_text().split()}
            assert tab.locator(".best").count() == 0
            tab.locator("#moves button").last.click()
        assert re.match(
            r"The game is over: player 0: [01], player 1: [01]\.$", said(tab)
        )
        assert "costs" not in tab.locator("#past").inner_text()


def test_what_looks_like_a_script_is_text(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "nasty.html") as tab:
        assert tab.title() == " ".join(NASTY.split())
        assert tab.locator("#state").inner_text() == NASTY
        assert tab.locator("#moves .name").first.inner_text() == " ".join(NASTY.split())
        tab.locator("#moves button").first.click()
        assert NASTY.split("\n", maxsplit=1)[0] in tab.locator("#past").inner_text()
        assert tab.evaluate("window.hacked") is None
        assert tab.locator("b").count() == 0


def test_keys_go_on_from_move_to_move(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "tic_tac_toe.html") as tab:
        tab.locator("#moves button").first.focus()
        for _ in range(7):
            tab.keyboard.press("Enter")
        assert tab.locator("#past li").count() == 7


def test_the_documentation_has_the_pages(browser: Browser, site: str) -> None:
    tab = browser.new_page()
    for name in NAMES[1:]:
        answer = tab.goto(f"{site}/html/solved/{name}.html")
        assert answer is not None
        assert answer.ok
        assert tab.locator("#moves button").first.is_visible()
    tab.close()
