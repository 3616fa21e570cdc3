// Long names break after a dot or a bracket, on a phone after a line as well,
// and not within a word.
function breakNames() {
  for (const part of document.querySelectorAll("article code .pre")) {
    if (part.childElementCount > 0) {
      continue;
    }
    const pieces = part.textContent.split(/(?<=\D[._]|[(=/])(?=[^._()=/])(?!dp\b)/);
    part.replaceChildren(pieces[0]);
    for (const [i, piece] of pieces.slice(1).entries()) {
      const place = document.createElement("wbr");
      place.className = pieces[i].endsWith("_") ? "narrow" : "";
      part.append(place, piece);
    }
  }
}
addEventListener("DOMContentLoaded", breakNames);
