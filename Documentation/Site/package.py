"""The library products of the package: their names and where their sources are."""
import dataclasses
import json
import pathlib
import subprocess

# Modules that are no products: a product re-exports them, and its pages have their types.
OWNERS = {"StrataValues": "StrataCore", "StrataOrder": "StrataCore", "StrataStreams": "StrataCore",
          "StrataCompression": "StrataZlib"}


@dataclasses.dataclass
class Module:
    name: str
    folder: pathlib.Path  # the folder of its README
    graphs: pathlib.Path = None  # the folder of its symbol graphs, when they have been extracted

    @property
    def parts(self):
        return [part for part, owner in OWNERS.items() if owner == self.name]


def libraries(repository):
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=repository, check=True, capture_output=True, text=True).stdout
    manifest = json.loads(text)
    paths = {target["name"]: target.get("path") for target in manifest["targets"]}
    found = []
    for product in manifest["products"]:
        if "library" in product["type"]:
            name = product["name"]
            path = repository / (paths.get(name) or f"Sources/{name}")
            found.append(Module(name, path.parent if path.name == "Sources" else path))
    return found
