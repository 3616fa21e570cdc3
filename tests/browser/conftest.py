"""A browser, the built documentation and the notebooks, as HTML, served to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "docs" / "_build" / "html"
EXPORTED = ROOT / "docs" / "_build" / "notebooks"
"""The notebooks as HTML, in a folder a theme; screenshots of them lie beside."""

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.py"))


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "these tests need Chromium, the package chromium of Debian"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-background-networking", "--disable-sync"],
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Return where docs/_build is served."""
    assert BUILT.is_dir(), "build the documentation first, as the session browser does"
    handler = partial(Quiet, directory=str(BUILT.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def exported() -> Path:
    """Export all notebooks, executed, once a theme."""

    # Where no backend is named, a kernel shows its pictures.
    environment = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, "-m", *arguments], check=True, env=environment)

    executed = EXPORTED / "executed"
    executed.mkdir(parents=True, exist_ok=True)
    for script in NOTEBOOKS:
        notebook = executed / f"{script.stem}.ipynb"
        run("jupytext", "--to", "ipynb", "--execute", "-o", str(notebook), str(script))
        for theme in ("light", "dark"):
            to = ("--output-dir", str(EXPORTED / theme), str(notebook))
            run("nbconvert", "--to", "html", "--theme", theme, *to)
    return EXPORTED
