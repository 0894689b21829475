#!/usr/bin/env python3
"""check.py FOLDER PICTURES: opens every page of the documentation site in headless Chromium.

Each page must have a heading and text, report no error, fail no request, and have no link that leads nowhere, also
without JavaScript. The first page must show code, and the sidebar the titles of all guides in full. The filter of the
sidebar must find `transform(to:)`, and the full-text search what is only in the text of a page. Pictures of some
pages, light and dark, are written to the folder PICTURES.
"""
import asyncio
import base64
import functools
import html
import http.server
import json
import pathlib
import re
import sys
import threading
import time
import urllib.parse

from browser import Browser

TABS = 3

# Waits until the page is rendered with this title, 20 seconds at most, and tells what is on it.
RENDERED = """(title => new Promise(done => {
  const end = Date.now() + 20000
  const look = () => {
    const heading = document.querySelector('h1')
    const isShown = heading && heading.innerText.replace(/\\s/g, '').includes(title.replace(/\\s/g, ''))
    if (isShown || Date.now() > end) {
      const links = [...document.querySelectorAll('main a[href], .content a[href]')].map(a => a.href)
      const ids = [...document.querySelectorAll('[id]')].map(e => e.id)
      const text = (document.querySelector('main') || document.body).innerText.length
      done({ isShown, links: [...new Set(links)], ids, text })
    } else setTimeout(look, 10)
  }
  look()
}))"""

# Goes to another page as a click on a link does, and waits until its data have arrived.
FOLLOWED = """(path => new Promise(done => {
  if (!window.arrived) {
    window.arrived = new Set()
    const fetching = window.fetch
    window.fetch = async (...request) => {
      const response = await fetching(...request)
      const url = new URL(request[0].url || request[0], location)
      response.clone().text().then(() => setTimeout(() => window.arrived.add(decodeURI(url.pathname)), 0))
      return response
    }
  }
  const end = Date.now() + 20000
  const data = '/data/' + path + '.json'
  window.arrived.delete(data)
  document.querySelector('#app').__vue__.$router.push('/' + path).catch(() => {})
  const look = () => window.arrived.has(data) || Date.now() > end ? setTimeout(done, 5) : setTimeout(look, 5)
  look()
}))"""

# Waits for the pictures, and tells of each whether it could be drawn.
PICTURES = """Promise.all([...document.querySelectorAll('main img')].map(async image => {
  image.loading = 'eager'
  try { await image.decode() } catch { return image.currentSrc + ' is broken' }
  return image.naturalWidth > 0 ? image.currentSrc : image.currentSrc + ' is broken'
}))"""

FIELD = """new Promise(done => {
  const end = Date.now() + 20000
  const look = () => {
    const field = document.querySelector('.navigator-filter input')
    if (field) { field.focus(); done(true) }
    else if (Date.now() > end) done(false)
    else setTimeout(look, 20)
  }
  look()
})"""

# Waits until the sidebar lists a symbol, 20 seconds at most.
FOUND = """(name => new Promise(done => {
  const end = Date.now() + 20000
  const look = () => {
    const items = [...document.querySelectorAll('.navigator-card-item')].map(item => item.innerText.trim())
    if (items.length && items.some(item => item.endsWith(name))) done(items)
    else if (Date.now() > end) done([])
    else setTimeout(look, 20)
  }
  look()
}))"""


# The titles in the sidebar that do not fit.
CUT = """[...document.querySelectorAll('.navigator-card-item .leaf-link')]
  .filter(title => title.scrollWidth > title.clientWidth).map(title => title.innerText)"""

# Where the first code of a page ends, in parts of the window's height.
CODE_END = "(document.querySelector('main pre')?.getBoundingClientRect().bottom ?? Infinity) / innerHeight"

# What the search has found, if it has answered.
ANSWER = """location.pathname === '/search/' && document.querySelector('#status')?.textContent && {
  status: document.querySelector('#status').textContent,
  paths: [...document.querySelectorAll('#results a')].map(a => decodeURIComponent(new URL(a.href).pathname)) }"""

# What to search for, and the beginning of the path of a page that must be among the first three.
SEARCHES = {
    "transform(to:)": "documentation/stratacore/typewrapperstorage/transform(to:)",
    "servedStale": "documentation/strataloading/loadevent/kind-swift.enum/servedstale",
    "write a backend": "documentation/strata/yourownstorage",
    "values while the source is down": "documentation/strata/loading",
    "fence waits for turns": "documentation/strata/architecture",
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def title_of(site, path):
    data = json.loads((site / "data" / f"{path}.json").read_text())
    return data.get("metadata", {}).get("title", "")


async def rendered(tab, title):
    return await tab.value(f"{RENDERED}({json.dumps(title)})")


async def open_all(site, address, paths, seen, faults):
    """Opens guides and products by their address, and the pages of symbols by the site's own router, which is faster."""
    queue = list(paths)
    async with Browser() as browser:
        async def work():
            tab, isOpen = await browser.tab(), False
            while queue:
                path = queue.pop()
                tab.faults.clear()
                if isOpen and path.count("/") > 2:
                    await tab.value(f"{FOLLOWED}({json.dumps(path)})")
                else:
                    await tab.call("Page.navigate", url=f"{address}/{path}/")
                    isOpen = path.startswith("documentation/")
                title = title_of(site, path)
                page = seen[path] = await rendered(tab, title)
                if not page["isShown"]:
                    faults.append(f"{path}: no heading {title}")
                elif page["text"] < len(title):
                    faults.append(f"{path}: no text")
                faults.extend(f"{path}: {fault}" for fault in tab.faults)
        await asyncio.gather(*[work() for _ in range(TABS)])


async def front_of(address, faults):
    """The first page and its sidebar, which renders only the titles that are in the window."""
    async with Browser() as browser:
        tab = await browser.tab()
        await tab.call("Page.navigate", url=f"{address}/documentation/strata/")
        await rendered(tab, "Strata")
        end = await tab.value(CODE_END)
        if end is None or end > 1:
            faults.append(f"the first page shows no code in its first screen: it ends at {end} of its height")
        await tab.call(
            "Emulation.setDeviceMetricsOverride", width=1400, height=3000, deviceScaleFactor=1, mobile=False)
        if not await tab.value(f"{FOUND}('Coming from other languages')"):
            faults.append("the sidebar does not list all guides")
        faults.extend(f"the sidebar cuts the title: {title}" for title in await tab.value(CUT))


async def answer(tab):
    """Waits until the search has answered, 20 seconds at most. The page may still be loading."""
    for _ in range(400):
        try:
            found = await tab.value(ANSWER)
        except RuntimeError:
            found = None
        if found:
            return found
        await asyncio.sleep(0.05)
    return {"status": "no answer", "paths": []}


async def search_of(address, faults):
    async with Browser() as browser:
        tab = await browser.tab()
        for query, path in SEARCHES.items():
            await tab.call("Page.navigate", url=f"{address}/search/?q={urllib.parse.quote(query)}")
            found = (await answer(tab))["paths"][:3]
            if not any(other.startswith(f"/{path}") for other in found):
                faults.append(f"the search for {query} does not find {path}, but {found}")
        await tab.call("Page.navigate", url=f"{address}/search/?q=nowhereatall")
        found = await answer(tab)
        if found["paths"] or not found["status"].startswith("No page"):
            faults.append(f"the search finds a word that no page has: {found}")

        # From the field of a page that was reached without loading, and back by a link.
        await tab.call("Page.navigate", url=f"{address}/documentation/strata/")
        await rendered(tab, "Strata")
        await tab.value(f"{FOLLOWED}('documentation/strata/loading')")
        await rendered(tab, "Loading")
        await tab.value("document.querySelector('form.search input').focus()")
        await tab.call("Input.insertText", text="expiry and limits")
        await tab.value("setTimeout(() => document.querySelector('form.search').requestSubmit())")
        found = (await answer(tab))["paths"]
        if found[:1] != ["/documentation/strata/expiryandlimits/"]:
            faults.append(f"the field of a page does not lead to the page that is searched for, but to {found[:1]}")
        else:
            await tab.call("Page.navigate", url=address + found[0])
            if not (await rendered(tab, "Expiry and limits"))["isShown"]:
                faults.append("the first result of a search does not open")
        faults.extend(f"search: {fault}" for fault in tab.faults)


async def pictures_of(site, address, folder, faults):
    shown = ["documentation/strata/chainsandtypes", "documentation/strata", "documentation/strata/storage",
             "documentation/strata/recipes", "documentation/stratacore/storageaware",
             "tutorials/strata/yourfirstchain", "documentation/strata/benchmarkresults", "documentation/strataredis"]
    folder.mkdir(parents=True, exist_ok=True)
    async with Browser() as browser:
        tab = await browser.tab()
        for scheme in ("light", "dark"):
            feature = [{"name": "prefers-color-scheme", "value": scheme}]
            await tab.call("Emulation.setEmulatedMedia", features=feature)
            for path in shown:
                await tab.call("Page.navigate", url=f"{address}/{path}/")
                await rendered(tab, title_of(site, path))
                pictures = await tab.value(PICTURES)
                faults.extend(f"{path}: {picture}" for picture in pictures if picture.endswith(" is broken"))
                if path == shown[0] and not any(("~dark" in picture) == (scheme == "dark") for picture in pictures):
                    faults.append(f"{path}: no picture for the {scheme} scheme: {pictures}")
                image = await tab.call("Page.captureScreenshot", format="png")
                name = f"{path.replace('/', '-')}-{scheme}.png"
                (folder / name).write_bytes(base64.b64decode(image["data"]))
        await tab.call("Page.navigate", url=f"{address}/documentation/strata/")
        await rendered(tab, "Strata")
        if await tab.value(FIELD):
            await tab.call("Input.insertText", text="transform(to:)")
        if not await tab.value(f"{FOUND}('transform(to:)')"):
            faults.append("the search does not find transform(to:)")
        image = await tab.call("Page.captureScreenshot", format="png")
        (folder / "search.png").write_bytes(base64.b64decode(image["data"]))


def dead_links(address, seen):
    known = {path.lower(): page for path, page in seen.items()}
    for path, page in seen.items():
        for link in page["links"]:
            if not link.startswith(address):
                continue
            target = urllib.parse.urlparse(link)
            other = known.get(target.path.strip("/").lower())
            if other is None:
                if target.path.strip("/") not in ("", "index.html"):
                    yield f"{path}: {target.path} leads nowhere"
            elif target.fragment and not {target.fragment, urllib.parse.unquote(target.fragment)} & set(other["ids"]):
                yield f"{path}: {target.path} has no #{target.fragment}"


def dead_plain_links(site, paths):
    """The links of pages as they are shown without JavaScript."""
    for path in paths:
        text = re.search("<noscript>(.*?)</noscript>", (site / path / "index.html").read_text(), re.S)[1]
        for link in re.findall('href="([^"#]*)', text):
            if not (site / path / html.unescape(link) / "index.html").resolve().exists():
                yield f"{path}: without JavaScript {link} leads nowhere"


def main(site, pictures):
    handler = functools.partial(Quiet, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    roots = [site / "documentation", site / "tutorials"]
    paths = sorted(str(page.parent.relative_to(site)) for root in roots for page in root.rglob("index.html"))
    count, start, seen, faults = len(paths), time.monotonic(), {}, []
    asyncio.run(open_all(site, address, paths, seen, faults))
    asyncio.run(pictures_of(site, address, pictures, faults))
    asyncio.run(front_of(address, faults))
    asyncio.run(search_of(address, faults))
    faults += [*dead_links(address, seen), *dead_plain_links(site, paths)]
    for fault in sorted(faults):
        print(fault)
    print(f"{count} pages in {time.monotonic() - start:.0f} s, {len(faults)} faults; pictures in {pictures}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
