// Boxes that scroll sideways, as code does on a phone, can be scrolled by the keyboard.
function reachScrollingBoxes() {
  for (const box of document.querySelectorAll("article pre, article div")) {
    if (box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === "auto") {
      box.tabIndex = 0;
    }
  }
}
addEventListener("load", reachScrollingBoxes);
addEventListener("resize", reachScrollingBoxes);
