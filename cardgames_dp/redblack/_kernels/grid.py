"""Sheets of cells with formulas, written as files of spreadsheet programs.

A sheet is a list of rows of cells. Formulas are in the notation of .xlsx, with their
current result, for programs that do not compute. The format .ods (OpenDocument 1.3,
part 4 for its formulas) is a zip archive of a few short texts, which are written here;
XlsxWriter writes .xlsx.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple, TypeAlias

from cardgames_dp._extras import require

_REFERENCE = re.compile(r"(?:(\w+)!)?(\$?[A-Z]{1,3}\$?[0-9]+)\b")

_MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = "".join(
    f' xmlns:{short}="{_OPEN}{short}:{version}"'
    for short, version in (("office", 1.0), ("table", 1.0), ("text", 1.0), ("of", 1.2))
)
_MANIFEST = (
    f'<manifest:manifest xmlns:manifest="{_OPEN}manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MIMETYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" '
    'manifest:media-type="text/xml"/></manifest:manifest>'
)
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Formula(NamedTuple):
    """A formula, without its ``=``, and its current result."""

    text: str
    result: float | str


Cell: TypeAlias = float | str | Formula
"""A number, a text or a formula; an empty text is an empty cell."""

Sheet: TypeAlias = Iterable[Iterable[Cell]]


def column(index: int) -> str:
    """Return the letters of a column, counted from 0."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def xlsx(sheets: Mapping[str, Sheet]) -> bytes:
    """Return a file .xlsx with these sheets.

    Raises
    ------
    ModuleNotFoundError
        If XlsxWriter is not installed.
    """
    writer = require("xlsxwriter", extra="spreadsheet", purpose="a spreadsheet .xlsx")
    file = io.BytesIO()
    with writer.Workbook(file, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    if isinstance(cell, Formula):
                        sheet.write_formula(i, j, f"={cell.text}", None, cell.result)
                    elif cell != "":
                        sheet.write(i, j, cell)
    return file.getvalue()


def ods(sheets: Mapping[str, Sheet]) -> bytes:
    """Return a file .ods with these sheets."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        # The first file, not compressed, identifies the archive.
        archive.writestr("mimetype", _MIMETYPE, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", _XML + _MANIFEST)
        with archive.open("content.xml", "w", force_zip64=True) as content:
            content.write((_XML + f"<office:document-content{_SPACES} ").encode())
            content.write(b'office:version="1.3"><office:body><office:spreadsheet>')
            for name, rows in sheets.items():
                content.write(f'<table:table table:name="{escape(name)}">'.encode())
                for row in rows:
                    cells = "".join(map(_ods_cell, row)) or _ods_cell("")
                    line = f"<table:table-row>{cells}</table:table-row>"
                    content.write(line.encode())
                content.write(b"</table:table>")
            content.write(b"</office:spreadsheet></office:body>")
            content.write(b"</office:document-content>")
    return file.getvalue()


def _ods_cell(cell: Cell) -> str:
    if cell == "":
        return "<table:table-cell/>"
    formula, result = "", cell.result if isinstance(cell, Formula) else cell
    if isinstance(cell, Formula):
        there = _REFERENCE.sub(_open_reference, cell.text).replace(",", ";")
        formula = f' table:formula="{escape(f"of:={there}")}"'
    if isinstance(result, str):
        kind, shown = 'office:value-type="string"', escape(result)
    else:
        shown = repr(float(result))
        kind = f'office:value-type="float" office:value="{shown}"'
    return (
        f"<table:table-cell{formula} {kind}><text:p>{shown}</text:p></table:table-cell>"
    )


def _open_reference(found: re.Match[str]) -> str:
    """Return a reference to a cell in the notation of OpenDocument."""
    sheet, cell = found.groups()
    return f"[${sheet}.{cell}]" if sheet else f"[.{cell}]"
