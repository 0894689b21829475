#!/usr/bin/env python3
"""build.py FOLDER: builds the documentation site of all products into FOLDER, as static files.
build.py --check: only converts it, which finds every fault of a comment, a page or a link, and takes half the time.

The library products must have been built. The pages of Documentation/ and the READMEs of modules are the source;
`catalogues.py` turns them into DocC catalogues, and Swift's own `docc` renders them. A warning of `docc` is an error.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

import catalogues
import graphs
import package
import plain
import search

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


# A site has a page for each address, and Markdown. Links and checks need neither.
SITE = ["--transform-for-static-hosting", "--enable-experimental-markdown-output"]
CHECK = ["--no-transform-for-static-hosting"]

# The modules whose types the pages of other modules link to. Each comes after those that it imports.
BASES = ["StrataCore", "StrataAlgebra", "StrataDelegate", "StrataZlib"]


def convert(module, work, archives, pages, options, isDraft=False):
    """Renders one product's catalogue as an archive that links to those in `archives`."""
    name = "draft" if isDraft else "archives"
    archive = work / name / f"{module.name}.doccarchive"
    catalogue = work / name / f"{module.name}.docc"
    archive.parent.mkdir(exist_ok=True)
    pages.write(module, catalogue, {path.stem for path in archives})
    command = [
        "docc", "convert", catalogue, "--additional-symbol-graph-dir", module.graphs, "--output-path", archive,
        "--fallback-display-name", module.name, "--fallback-bundle-identifier", module.name,
        "--enable-experimental-external-link-support", *options,
    ]
    for other in archives:
        command += ["--dependency", other]
    if not isDraft:
        command.append("--warnings-as-errors")
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(f"docc refuses the catalogue of {module.name}:\n{result.stdout}{result.stderr}")
    return archive


def main(output):
    """Builds the site into a folder, or only converts it if that is `None`."""
    options = SITE if output else CHECK
    work = REPOSITORY / ".build/docs-work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    modules = package.libraries(REPOSITORY)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda module: graphs.extract(module, REPOSITORY, work / "graphs"), modules))
    pages = catalogues.Pages(REPOSITORY, modules)

    # Pages of all products link to the guides, which are pages of Strata, and the guides link to all products. So
    # Strata is rendered twice: first as a draft, whose links to others lead nowhere, then with all others to link to.
    strata = next(module for module in modules if module.name == "Strata")
    draft = convert(strata, work, [], pages, CHECK, isDraft=True)
    bases = []
    for name in BASES:
        module = next(module for module in modules if module.name == name)
        bases.append(convert(module, work, [draft, *bases], pages, options))
    others = [module for module in modules if module != strata and module.name not in BASES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        archives = bases + list(
            pool.map(lambda module: convert(module, work, [draft, *bases], pages, options), others))
    archives.insert(0, convert(strata, work, archives, pages, options))
    if not all(archive.exists() for archive in archives):
        sys.exit(1)
    if not output:
        shutil.rmtree(work)
        return

    shutil.rmtree(output, ignore_errors=True)
    subprocess.run(
        ["docc", "merge", *archives, "--synthesized-landing-page-name", "Strata",
         "--synthesized-landing-page-kind", "Products", "--output-path", output], check=True)
    plain.name_symbols(output)
    texts = plain.add_text(output)
    search.build(output, REPOSITORY / "Documentation/Site/Search", texts)
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    print(f"{len(texts)} pages, {size / 1e6:.0f} MB: {output}/index.html")


if __name__ == "__main__":
    main(None if sys.argv[1] == "--check" else pathlib.Path(sys.argv[1]).resolve())
