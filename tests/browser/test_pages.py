"""The documentation in a browser: without a network, on a screen and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, ViewportSize

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
    for page in (ROOT / "docs").rglob("*.rst")
    if not page.relative_to(ROOT / "docs").as_posix().startswith("_")
    # Pages of the reference are all alike: some of them will do.
    and (page.parent.name != "generated" or page.stem.endswith((".value", ".solve")))
) + [f"notebooks/{p.stem}.html" for p in (ROOT / "examples/notebooks").glob("*.py")]

SCREEN: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


def opened(
    browser: Browser,
    site: str,
    page: str,
    size: ViewportSize,
    scheme: Literal["light", "dark"] = "light",
) -> tuple[Page, list[str]]:
    """Return a page, set in type, and what went wrong; no request leaves the site."""
    troubles: list[str] = []

    def local_only(route: Route) -> None:
        if route.request.url.startswith((site, "data:", "blob:")):
            route.continue_()
        else:
            troubles.append(f"asked for {route.request.url}")
            route.abort()

    def heard(said: ConsoleMessage) -> None:
        # MathJax tells that a font has come by holding it against an empty one.
        blank = "about:blank" in said.text + said.location["url"]
        if said.type == "error" and not blank:
            troubles.append(said.text)

    tab = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    tab.route("**/*", local_only)
    tab.on("console", heard)
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    answer = tab.goto(f"{site}/html/{page}")
    assert answer is not None
    assert answer.ok
    if tab.evaluate("typeof MathJax !== 'undefined'"):
        tab.evaluate("new Promise(done => MathJax.Hub.Queue(done))")
    return tab, troubles


@pytest.mark.parametrize("page", SOURCES)
def test_page_needs_no_network_and_sets_its_mathematics(
    browser: Browser, site: str, page: str
) -> None:
    tab, troubles = opened(browser, site, page, SCREEN)
    formulas = tab.evaluate("document.querySelectorAll('.math.notranslate').length")
    typeset = tab.evaluate(
        "[...document.querySelectorAll('.math.notranslate')]"
        ".filter(m => m.querySelector('.MathJax, .MathJax_SVG')).length"
    )
    errors = tab.evaluate("document.querySelectorAll('.MathJax_Error, .merror').length")
    broken = tab.evaluate(
        "[...document.images].filter(i => !i.naturalWidth || !i.alt).map(i => i.src)"
    )
    tab.context.close()
    assert troubles == []
    assert typeset == formulas
    assert errors == 0
    assert broken == []


def test_theory_has_mathematics(browser: Browser, site: str) -> None:
    # Else the test above would hold for pages without any.
    tab, _ = opened(browser, site, "theory/growth.html", SCREEN)
    assert tab.locator(".math .MathJax").count() > 100
    tab.context.close()


@pytest.mark.parametrize("page", SOURCES)
def test_page_fits_a_phone(browser: Browser, site: str, page: str) -> None:
    tab, _ = opened(browser, site, page, PHONE, "dark")
    width = tab.evaluate("document.documentElement.scrollWidth")
    tab.context.close()
    assert width <= PHONE["width"]


CUT_OFF = """
() => [...document.querySelectorAll('.highlight pre')].flatMap(block => {
  const ruler = block.appendChild(document.createElement('span'));
  ruler.textContent = '0'.repeat(100);
  const character = ruler.getBoundingClientRect().width / 100;
  ruler.remove();
  const style = getComputedStyle(block);
  const room = block.clientWidth - parseFloat(style.paddingLeft);
  return block.innerText.split('\\n').filter(
    line => /^(>>>|[.]{3}|[$]) /.test(line) && line.length * character > room);
})
"""
"""Lines of code to type that a reader would have to scroll; output may be as it is."""

UNDERLINED = """
() => [...document.querySelectorAll('.highlight span')]
  .filter(e => getComputedStyle(e).textDecorationLine.includes('underline'))
  .filter(e => !e.closest('a')).map(e => e.textContent)
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", SOURCES)
def test_code_is_neither_cut_off_nor_looks_like_links(
    browser: Browser, site: str, page: str, scheme: Literal["light", "dark"]
) -> None:
    tab, _ = opened(browser, site, page, SCREEN, scheme)
    cut_off, underlined = tab.evaluate(CUT_OFF), tab.evaluate(UNDERLINED)
    tab.context.close()
    assert cut_off == []
    assert underlined == []


@pytest.mark.parametrize(
    ("scheme", "size"),
    [("light", SCREEN), ("dark", SCREEN), ("dark", PHONE)],
    ids=["light", "dark", "phone"],
)
@pytest.mark.parametrize("page", SOURCES)
def test_axe_finds_no_barrier(
    browser: Browser,
    site: str,
    page: str,
    scheme: Literal["light", "dark"],
    size: ViewportSize,
) -> None:
    """Deque's rules of accessibility."""
    tab, _ = opened(browser, site, page, size, scheme)
    result = Axe().run(tab).response["violations"]
    tab.context.close()
    barriers = {
        rule["id"]: [node["target"] for node in rule["nodes"]] for rule in result
    }
    assert barriers == {}


FINISHED = """
() => document.querySelector('#search-results h2')?.textContent === 'Search Results'
"""
"""The heading is "Searching" while results are still being found."""


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("distribution", "Find the function"),
        ("expected value", "Find the function"),
        ("optimal stopping", "Red/black"),
        ("secretary", "Recipes"),
        ("reflection principle", "How the staircase works"),
        ("certainty equivalent", "Recipes"),
        ("best_response", "cardgames_dp.play"),
    ],
)
def test_search_finds(browser: Browser, site: str, words: str, title: str) -> None:
    tab, troubles = opened(browser, site, f"search.html?q={words}", SCREEN)
    tab.wait_for_selector("#search-results li a")
    tab.wait_for_function(FINISHED)
    result = tab.locator("#search-results").inner_text()
    tab.context.close()
    assert title in result
    assert troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_shows_the_pictures_that_are_for_it(
    browser: Browser, site: str, scheme: Literal["light", "dark"]
) -> None:
    """Every drawn picture stands there twice, and one of the two is seen."""
    pages = {"gallery.html": 12, "index.html": 5, "notebooks/stop_or_draw.html": 3}
    for page, pictures in pages.items():
        tab, _ = opened(browser, site, page, SCREEN, scheme)
        drawn = tab.locator("article img[src$='.svg']").all()
        seen = [
            str(image.get_attribute("src")) for image in drawn if image.is_visible()
        ]
        assert len(seen) == len(drawn) / 2 == pictures  # a slider has pixels
        assert {name.endswith(".dark.svg") for name in seen} == {scheme == "dark"}
        tab.context.close()
