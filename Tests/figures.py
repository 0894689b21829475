#!/usr/bin/env python3
"""figures.py: compares the figures on pages with the data of Benchmarks/Results.json.

A figure is a number with ns, µs, × or "s of a processor", a percentage or a number of MB with decimals, or a fraction
in words of a peer's time: "a quarter of SQLite's". A comment behind a paragraph or table names the cells of the data, one for each figure, in their order:

    <!-- figures
    Chain / Hit in memory / Storage(memory, disk) / ns an operation
    Chain / Hit in memory / NSCache : Storage(memory, disk) / ns an operation
    -->

A line consists of a suite, a section, the first cells of a row, and a column. With `a : b` in place of a part, the
figure is the quotient of two cells. `<!-- not figures: reason -->` says why the figures before it are not in the data.
Doc comments have no figures; they can link to a page.

Prints one line per fault, in the form of compiler messages, and exits with 1 if there are any.
"""
import json
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
WORDS = ["half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth",
         "an eleventh", "a twelfth"]
NUMBER = r"(?<![\w.])\d+(?: \d{3})*(?:\.\d+)?"
FIGURE = re.compile(
    rf"(?P<number>{NUMBER}) ?(?:ns|µs|×|s of a processor)(?!\w)(?! ?\d)"
    rf"|(?P<exact>(?<![\w.])\d+\.\d+) ?(?:%|MB\b)"
    rf"|(?P<word>\b(?:{'|'.join(WORDS)})) of (?=`?[A-Z][\w-]*`?'s)")
COMMENT = re.compile(r"<!-- (?:figures\n(?P<paths>.*?)|not figures: (?P<reason>\S.*?))\s*-->", re.S)
# Changes were measured in the past, and the page of the results is made of the data itself.
SKIPPED = ("CHANGELOG.md", "Benchmarks/Results.md")


class Data:
    def __init__(self, path):
        self.reports = json.loads(path.read_text())["reports"]

    def value(self, path):
        """The number that a line names. Raises LookupError with the reason if there is none."""
        quotient = re.search(r"^(.*/ )?(.*?) : (.*?)( / .*)?$", path)
        if quotient:
            before, one, other, after = (part or "" for part in quotient.groups())
            return self.value(before + one + after) / self.value(before + other + after)
        suite, section, *cells, column = path.split(" / ")
        for report in self.reports:
            for found in report["sections"]:
                if (report["title"], found["title"]) == (suite, section):
                    return self.cell(found["table"], cells, column)
        raise LookupError(f"no section {section} of {suite}")

    def cell(self, table, cells, column):
        names = [each["name"] for each in table["columns"]]
        if column not in names:
            raise LookupError(f"no column {column}, only {', '.join(names)}")
        rows = [row for row in table["rows"] if [str(cell) for cell in row[:len(cells)]] == cells]
        if len(rows) != 1:
            raise LookupError(f"{len(rows)} rows {' / '.join(cells)}")
        value = rows[0][names.index(column)]
        if not isinstance(value, (int, float)):
            raise LookupError("the cell is not a number")
        return value


def agrees(figure, value):
    """Whether a figure on a page is a value of the data, rounded. A unit may be a thousand times the data's."""
    if figure["word"]:
        share = 2 + WORDS.index(figure["word"])
        return round(value) == share or round(1 / value) == share
    text = (figure["number"] or figure["exact"]).replace(" ", "")
    decimals = len(text.partition(".")[2])
    return any(abs(float(text) - scaled) <= 0.5 * 10 ** -decimals + 1e-9
               for scaled in (value, value * 1000, value / 1000))


def check_page(path, text, data):
    """The faults of a page, as pairs of a line and a text. Code has no figures."""
    text = re.sub(r"^ *```.*?^ *```$", lambda code: "\n" * code[0].count("\n"), text, flags=re.S | re.M)
    pending, end = [], 0

    def line(offset):
        return text.count("\n", 0, offset) + 1

    def untied():
        return [(line(figure.start()), f"the figure {figure[0].strip()} is tied to no cell of Benchmarks/Results.json")
                for figure in pending]

    for mark in re.finditer(rf"{COMMENT.pattern}|^#[^\n]*$", text, re.S | re.M):
        pending += FIGURE.finditer(text, end, mark.start())
        end = mark.end()
        if mark["paths"]:
            paths = [each.strip() for each in mark["paths"].strip().split("\n")]
            if len(paths) != len(pending):
                yield line(mark.start()), f"{len(paths)} lines for {len(pending)} figures: " + \
                    ", ".join(figure[0].strip() for figure in pending)
            for figure, each in zip(pending, paths):
                try:
                    value = data.value(each)
                    if not agrees(figure, value):
                        yield line(figure.start()), f"{figure[0].strip()} is {value:.4g} in the data: {each}"
                except LookupError as error:
                    yield line(mark.start()), f"{each}: {error.args[0]}"
        elif not mark["reason"]:
            yield from untied()
        pending = []
    pending += FIGURE.finditer(text, end)
    yield from untied()


def check_comments(text):
    for number, each in enumerate(text.split("\n"), 1):
        figure = re.search(rf"///.*?({NUMBER} ?(?:ns|µs))(?!\w)", each)
        if figure:
            yield number, f"a doc comment with the figure {figure[1]}: link to a page of figures instead"


def main():
    data = Data(REPOSITORY / "Benchmarks/Results.json")
    listed = subprocess.run(["git", "ls-files", "-z", "*.md", "*.swift"], cwd=REPOSITORY, check=True,
                            capture_output=True, text=True).stdout
    count = 0
    for name in filter(None, listed.split("\0")):
        path = REPOSITORY / name
        if name in SKIPPED or not path.is_file():
            continue
        text = path.read_text()
        faults = check_page(path, text, data) if name.endswith(".md") else check_comments(text)
        for number, fault in faults:
            print(f"{name}:{number}: {fault}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
