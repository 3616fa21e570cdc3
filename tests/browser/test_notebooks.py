"""Notebooks in a browser: executed ones can be read, their pages move and download."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .test_pages import PHONE, opened

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.py"))

LEAST_CONTRAST = 4.5
"""Of text, by the Web Content Accessibility Guidelines 2.2, level AA."""

CONTRASTS = """
() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const over = (top, below) => {
    const a = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map(i => a * top[i] + (1 - a) * below[i]);
  };
  const background = e => {
    const behind = e.parentElement ? background(e.parentElement) : [255, 255, 255];
    return over(parse(getComputedStyle(e).backgroundColor), behind);
  };
  const luminance = c => {
    const [r, g, b] = c.map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll('.jp-RenderedHTML :is(td, th, caption)')]
    .filter(e => e.textContent.trim())
    .map(e => {
      const below = background(e);
      const ink = over(parse(getComputedStyle(e).color), below);
      const [dark, light] = [luminance(below), luminance(ink)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    });
}
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda path: path.stem)
def test_tables_can_be_read(
    browser: Browser, site: str, exported: Path, script: Path, theme: str
) -> None:
    tab = browser.new_context(viewport={"width": 1000, "height": 900}).new_page()
    # The exported page would load MathJax from a network; it is not what is tested.
    tab.route(
        "**/*",
        lambda route: (
            route.continue_() if route.request.url.startswith(site) else route.abort()
        ),
    )
    tab.goto(f"{site}/notebooks/{theme}/{script.stem}.html")
    contrasts = tab.evaluate(CONTRASTS)
    errors = tab.locator(".jp-RenderedText[data-mime-type*='stderr']").count()
    pictures = tab.locator(".jp-RenderedImage img").count()
    tab.screenshot(path=exported / f"{script.stem}_{theme}.png", full_page=True)
    tab.context.close()
    assert contrasts, "a notebook without a single table"
    assert min(contrasts) >= LEAST_CONTRAST
    assert errors == 0
    assert pictures == script.read_text(encoding="utf-8").count('"image": {"alt"')


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_downloads_its_notebook(
    browser: Browser, site: str, script: Path
) -> None:
    tab, _ = opened(browser, site, f"notebooks/{script.stem}.html", PHONE)
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="Download this notebook").click()
    name = waiting.value.suggested_filename
    cells = json.loads(Path(waiting.value.path()).read_text("utf-8"))["cells"]
    tab.context.close()
    assert name == f"{script.stem}.ipynb"
    text = "".join("".join(cell["source"]) for cell in cells)
    assert "## Exercises" in text
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda path: path.stem)
def test_sliders_move_without_a_kernel(
    browser: Browser, site: str, script: Path
) -> None:
    tab, troubles = opened(browser, site, f"notebooks/{script.stem}.html", PHONE)
    sliders = tab.locator(".slider input")
    assert sliders.count() == script.read_text("utf-8").count("import interact\n")
    if sliders.count():
        seen = []
        for key in ("Home", "ArrowRight", "End"):
            sliders.press(key)
            pictures = tab.locator(".slider img")
            shown = pictures.evaluate_all("all => all.map(i => [i.src, i.alt])")
            seen += [(tab.locator(".slider output").inner_text(), *shown[0])]
            assert tab.locator(".slider img:visible").count() == 1
        values, sources, texts = zip(*seen, strict=True)
        assert len(set(values)) == len(set(sources)) == len(set(texts)) == 3
        assert all(
            text.endswith(f": {v}") for text, v in zip(texts, values, strict=True)
        )
    tab.context.close()
    assert troubles == []
