"""The text of each page, for readers without JavaScript and for search engines."""
import html
import json
import re

# The address of a page: `/documentation/strata/storage/init(front:back:transformer:)`.
ADDRESS = r"/(?:documentation|tutorials)/(?:[^()\s]|\([^()]*\))*"
LINK = re.compile(rf"\[([^\]]*)\]\(({ADDRESS})\)")


# The field at the top of each page. Its address is that of the site's root: the pages change theirs without loading.
SEARCH = """<style>
.search { position: fixed; top: 11px; right: 180px; z-index: 20000; width: 180px }
.search input { font: inherit; font-size: 14px; width: 100%; padding: 3px 8px; color-scheme: light dark }
@media (max-width: 735px) { .search { right: 56px; width: 100px } }
</style>
<form class="search" action="/search/" role="search">
<input type="search" name="q" placeholder="Search" aria-label="Search all pages">
</form>"""


def add_text(site):
    """Writes the Markdown of each page into its HTML, within `noscript`, and a field for the search.

    Returns the text of each page by its path.
    """
    texts = {}
    for page in list(site.glob("documentation/**/index.html")) + list(site.glob("tutorials/**/index.html")):
        path = page.parent.relative_to(site)
        source = site / "data" / path.with_name(path.name + ".md")
        if source.exists():
            text = clean(source.read_text())
            source.unlink()
        else:
            text = outline(site / "data" / path.with_name(path.name + ".json"))
        texts[str(path)] = text
        shell = page.read_text()
        body = re.sub(r"<noscript>.*?</noscript>", "", shell, flags=re.S)
        note = f"<noscript><pre style=\"white-space: pre-wrap\">{linked(text, len(path.parts))}</pre></noscript>"
        page.write_text(re.sub(r"(<body[^>]*>)", lambda match: match[1] + SEARCH + note, body, count=1))
    front = site / "index.html"
    front.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Strata</title>'
        '<meta http-equiv="refresh" content="0; url=documentation/strata/"></head>'
        '<body><a href="documentation/strata/">Strata</a></body></html>\n')
    # The site asks for its theme, and takes its own if this names none.
    (site / "theme-settings.json").write_text("{}\n")
    return texts


def name_symbols(site):
    """Names symbols in the sidebar as they are called: `object(forKey:)`, where DocC has the whole declaration.

    The search looks for these names.
    """
    index = site / "index/index.json"
    content = json.loads(index.read_text())
    waiting = [item for items in content["interfaceLanguages"].values() for item in items]
    while waiting:
        item = waiting.pop()
        waiting += item.get("children", [])
        data = site / "data" / (item.get("path", "").strip("/") + ".json")
        if item.get("type") in ("method", "init", "func", "subscript", "op") and data.exists():
            isAsync = " async" in item["title"]
            item["title"] = json.loads(data.read_text())["metadata"]["title"] + (" async" if isAsync else "")
    index.write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False))


def clean(text):
    """The Markdown of a page, without comments and with the addresses of pages in place of DocC's."""
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    text = re.sub(r"`doc://[^`]*?/documentation/(?:[^`]*/)?([^`/]+)`", r"`\1`", text)
    return re.sub(rf"\]\(doc://[^/]+({ADDRESS})\)", r"](\1)", text)


def linked(text, depth):
    """Escapes the text, and keeps its links to pages of the site, relative to a page in a folder of that depth."""
    def link(match):
        path, mark, heading = match[2].partition("#")
        return f'<a href="{"../" * depth}{path[1:].lower()}/{mark}{heading}">{match[1]}</a>'
    return LINK.sub(link, html.escape(text, quote=False))


def outline(data):
    """The title and abstract of a page that has no Markdown."""
    page = json.loads(data.read_text())
    abstract = "".join(part.get("text", part.get("code", "")) for part in page.get("abstract", []))
    return f"{page.get('metadata', {}).get('title', '')}\n\n{abstract}"
