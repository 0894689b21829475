"""The full-text search: a static index of all pages, and the page that reads it, `Search/index.html`."""
import collections
import json
import math
import pathlib
import re
import shutil

WORD = re.compile(r"[A-Za-z0-9_]+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # of `removeObject`: remove, Object

# A word in a title counts as often as this many in the text.
TITLE, ABSTRACT = 40, 5
# A guide explains what the pages of symbols mention.
GUIDE = 3


def words(text):
    """The words of a text in lower case. A name counts as a whole, and so does each of its parts."""
    for word in WORD.findall(text):
        yield word.lower()
        parts = PART.findall(word)
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


def build(site, folder, texts):
    """Writes the search into a site. `texts` has the text of each page by its path.

    The index has the path, title and abstract of each page, with the titles of the pages above it, and for each word
    the pages that contain it, each followed by its score.
    """
    pages, index, titles = [], collections.defaultdict(list), {}
    for number, (path, text) in enumerate(sorted(texts.items())):
        data = json.loads((site / "data" / f"{path}.json").read_text())
        metadata = data.get("metadata", {})
        title = titles[path] = metadata.get("title", "")
        above = [titles[str(parent)] for parent in pathlib.PurePath(path).parents if str(parent) in titles]
        abstract = "".join(part.get("text", part.get("code", "")) for part in data.get("abstract", []))
        pages.append([path, title, " · ".join(reversed(above[:-1] or above)), abstract])
        counts = collections.Counter(words(text))
        for part, weight in [(title, TITLE), (abstract, ABSTRACT)]:
            for word in set(words(part)):
                counts[word] += weight
        # A long page contains more words: each counts less.
        factor = (GUIDE if metadata.get("role") == "article" else 1) / math.sqrt(10 + len(counts))
        for word, count in counts.items():
            index[word] += [number, round(1000 * factor * math.log1p(count))]
    shutil.copytree(folder, site / "search")
    content = {"pages": pages, "words": sorted(index), "postings": [index[word] for word in sorted(index)]}
    (site / "search/index.json").write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False))
