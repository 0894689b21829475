#!/usr/bin/env python3
"""api.py [--accept]: compares the public declarations of all products with those of the last release.

The package must have been built. Tests/API.txt has a line for each declaration. A line that is gone means that a
program which compiled may not compile any more: the names of such lines are printed, and the exit status is 1. What is
new breaks nothing. If the repository has a tag, the file of the newest one counts. `--accept` writes the file.
"""
import json
import pathlib
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "Documentation/Site"))
import graphs  # noqa: E402
import package  # noqa: E402

RECORD = REPOSITORY / "Tests/API.txt"


def declarations():
    """All public declarations: the product, the path of the symbol, and its declaration."""
    folder = REPOSITORY / ".build/api"
    shutil.rmtree(folder, ignore_errors=True)
    lines = set()
    for module in package.libraries(REPOSITORY):
        graphs.extract(module, REPOSITORY, folder)
        for path in module.graphs.glob("*.symbols.json"):
            for symbol in json.loads(path.read_text())["symbols"]:
                fragments = symbol.get("declarationFragments", [])
                text = " ".join("".join(part["spelling"] for part in fragments).split())
                if symbol["kind"]["identifier"] != "swift.extension":
                    lines.add(f"{module.name} {'.'.join(symbol['pathComponents'])}: {text}")
    return lines


def recorded():
    tags = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"], cwd=REPOSITORY, capture_output=True, text=True)
    if tags.returncode == 0:
        tag = tags.stdout.strip()
        file = subprocess.run(["git", "show", f"{tag}:Tests/API.txt"], cwd=REPOSITORY, capture_output=True, text=True)
        if file.returncode == 0:
            return tag, set(file.stdout.splitlines())
    return "Tests/API.txt", set(RECORD.read_text().splitlines())


def main():
    found = declarations()
    if "--accept" in sys.argv:
        RECORD.write_text("\n".join(sorted(found)) + "\n")
        print(f"{len(found)} declarations: {RECORD.relative_to(REPOSITORY)}")
        return 0
    base, before = recorded()
    for line in sorted(before - found):
        print(f"gone or changed: {line}")
    print(f"{len(found)} declarations; since {base} {len(found - before)} new, {len(before - found)} gone or changed")
    return 1 if before - found else 0


if __name__ == "__main__":
    sys.exit(main())
