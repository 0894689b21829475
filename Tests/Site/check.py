#!/usr/bin/env python3
"""check.py FOLDER PICTURES: opens every page of the documentation site in headless Chromium.

Each page must have a heading and text, report no error, fail no request, and have no link that leads nowhere. The
search must find `transform(to:)`. Pictures of some pages, light and dark, are written to the folder PICTURES.
"""
import asyncio
import base64
import functools
import http.server
import json
import pathlib
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


async def pictures_of(site, address, folder, faults):
    shown = ["documentation/strata", "documentation/strata/storage", "documentation/strata/recipes",
             "documentation/stratacore/storageaware", "tutorials/strata/yourfirstchain",
             "documentation/strata/benchmarkresults", "documentation/strataredis"]
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
    faults += dead_links(address, seen)
    for fault in sorted(faults):
        print(fault)
    print(f"{count} pages in {time.monotonic() - start:.0f} s, {len(faults)} faults; pictures in {pictures}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
