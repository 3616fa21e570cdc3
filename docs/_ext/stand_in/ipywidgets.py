"""What ``interact`` of ipywidgets does, for a page that has no kernel.

The notebooks of these pages run with this module in place of ipywidgets. It draws the
picture for every place of the slider, and shows them with a few lines of script.
"""

from __future__ import annotations

import base64
import inspect
import io
import json
import os
from collections.abc import Callable
from string import Template
from typing import Any
from unittest import mock

import IPython.display
import matplotlib as mpl
import matplotlib.pyplot as plt

DARK = json.loads(os.environ["DARK_COLOURS"])
"""What dark pages have in place of ink and paper, from ``pictures.py``."""

SLIDER = Template("""\
<div class="slider">
<p><label>$name <input type="range" min="0" max="$last" value="$at"></label>
<output>$value</output></p>
$pictures
<script>
(box => {
  const values = $values, shown = $shown;
  const slider = box.querySelector("input");
  slider.oninput = () => {
    const at = slider.value;
    box.querySelector("output").textContent = values[at];
    box.querySelectorAll("img").forEach((img, i) => {
      img.src = "data:image/webp;base64," + shown[i][at];
      img.alt = "$title: " + values[at];
    });
  };
})(document.currentScript.parentElement);
</script>
</div>
""")
PICTURE = '<img class="$theme" alt="$title: $value" src="data:image/webp;base64,$data">'


def drawn(function: Callable[..., None], name: str, value: int, dark: bool) -> str:
    """Return the picture that a function draws, as the text of an address."""
    exchanged = DARK if dark else {}
    given = {key: str(colour) for key, colour in mpl.rcParams.items()}
    ink = {key: exchanged[each] for key, each in given.items() if each in exchanged}
    file, lossless = io.BytesIO(), {"lossless": True}
    with mpl.rc_context(ink), mock.patch.object(plt, "show"):
        function(**{name: value})
        plt.gcf().savefig(file, format="webp", dpi=110, pil_kwargs=lossless)
    plt.close("all")
    return base64.b64encode(file.getvalue()).decode()


def interact(function: Callable[..., None], **ranges: tuple[int, ...]) -> None:
    """Show what a function draws, with a slider for its one parameter."""
    ((name, (first, last, *step)),) = ranges.items()
    values = list(range(first, last + 1, *step))
    default = inspect.signature(function).parameters[name].default
    at = values.index(default)
    title = (inspect.getdoc(function) or "").removeprefix("Draw ").rstrip(".")
    title = title[0].upper() + title[1:]
    shown = [[drawn(function, name, v, dark) for v in values] for dark in (False, True)]
    pictures = "\n".join(
        Template(PICTURE).substitute(
            theme=theme, title=title, value=default, data=data[at]
        )
        for theme, data in zip(("only-light", "only-dark"), shown, strict=True)
    )
    page = SLIDER.substitute(
        name=name.replace("_", " "),
        last=len(values) - 1,
        at=at,
        value=default,
        values=values,
        shown=json.dumps(shown),
        title=title,
        pictures=pictures,
    )
    notebook: Any = IPython.display
    notebook.display(notebook.HTML(page))
