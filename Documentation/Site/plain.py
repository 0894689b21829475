"""The text of each page, for readers without JavaScript and for search engines."""
import html
import json
import re

LINK = re.compile(r"\[([^\]]*)\]\((/documentation/[^)]*|/tutorials/[^)]*)\)")


def add_text(site):
    """Writes the Markdown of each page into its HTML, within `noscript`. Returns the number of pages."""
    count = 0
    for page in list(site.glob("documentation/**/index.html")) + list(site.glob("tutorials/**/index.html")):
        path = page.parent.relative_to(site)
        source = site / "data" / path.with_name(path.name + ".md")
        if source.exists():
            text = linked(source.read_text(), len(path.parts))
            source.unlink()
        else:
            text = outline(site / "data" / path.with_name(path.name + ".json"))
        shell = page.read_text()
        body = re.sub(r"<noscript>.*?</noscript>", "", shell, flags=re.S)
        note = f"<noscript><pre style=\"white-space: pre-wrap\">{text}</pre></noscript>"
        page.write_text(re.sub(r"(<body[^>]*>)", lambda match: match[1] + note, body, count=1))
        count += 1
    front = site / "index.html"
    front.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Strata</title>'
        '<meta http-equiv="refresh" content="0; url=documentation/strata/"></head>'
        '<body><a href="documentation/strata/">Strata</a></body></html>\n')
    # The site asks for its theme, and takes its own if this names none.
    (site / "theme-settings.json").write_text("{}\n")
    return count


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


def linked(text, depth):
    """Escapes the text, and keeps its links to pages of the site, relative to a page in a folder of that depth."""
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    text = re.sub(r"`doc://[^`]*?/documentation/(?:[^`]*/)?([^`/]+)`", r"`\1`", text)
    text = re.sub(r"\]\(doc://[^/]+(/documentation/[^)]*)\)", lambda match: f"]({match[1].lower()})", text)
    return LINK.sub(lambda match: f'<a href="{"../" * depth}{match[2][1:]}/">{match[1]}</a>',
                    html.escape(text, quote=False))


def outline(data):
    """The title and abstract of a page that has no Markdown."""
    page = json.loads(data.read_text())
    abstract = "".join(part.get("text", part.get("code", "")) for part in page.get("abstract", []))
    title = page.get("metadata", {}).get("title", "")
    return html.escape(f"{title}\n\n{abstract}", quote=False)
