"""Symbol graphs: extraction from the modules that are built, and the names by which links reach symbols."""
import collections
import json
import platform
import subprocess

import package


def extract(module, repository, folder):
    """Extracts a module's public symbols, without those that it re-exports and without copies of inherited ones."""
    module.graphs = folder / module.name
    module.graphs.mkdir(parents=True)
    for name in [module.name, *module.parts]:
        extract_one(name, repository, module.graphs)
    join(module, package.OWNERS)


def extract_one(name, repository, folder):
    """Extracts the symbols of one module: `M.symbols.json`, and `M@N.symbols.json` with its extensions of module N."""
    roots = ["Sources", "Plugins", ".build/debug/CWideHash.build"]
    maps = [path for root in roots for path in (repository / root).rglob("module.modulemap")]
    command = [
        "swift", "symbolgraph-extract", "-module-name", name, "-I", repository / ".build/debug/Modules",
        "-target", target(), "-output-dir", folder, "-skip-synthesized-members",
        "-minimum-access-level", "public", "-emit-extension-block-symbols",
    ]
    for path in maps:
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    for flag in c_flags(repository):
        command += ["-Xcc", flag]
    result = subprocess.run(command, cwd=repository, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"no symbol graph of {name}: {result.stderr}")


def join(module, owners):
    """Makes one graph of those of a product and of its parts: users know the types of a part as the product's."""
    graphs = {}
    for path in sorted(module.graphs.glob("*.symbols.json")):
        text = path.read_text()
        for part, owner in owners.items():
            text = text.replace(f'"{part}"', f'"{owner}"')
        graph = json.loads(text)
        names = path.name.removesuffix(".symbols.json").split("@")
        names = list(dict.fromkeys(owners.get(name, name) for name in names))
        if len(names) == 1:
            unfold(graph)
        known = graphs.setdefault("@".join(names), graph)
        if known is not graph:
            known["symbols"] += graph["symbols"]
            known["relationships"] += graph["relationships"]
        path.unlink()
    for name, graph in graphs.items():
        (module.graphs / f"{name}.symbols.json").write_text(json.dumps(graph))


def unfold(graph):
    """Makes the members of extensions members of the extended types, which belong to the same product."""
    extended = {
        link["source"]: link["target"] for link in graph["relationships"] if link["kind"] == "extensionTo"}
    graph["symbols"] = [
        symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in extended]
    graph["relationships"] = [
        {key: extended.get(value, value) if key in ("source", "target") else value for key, value in link.items()}
        for link in graph["relationships"] if link["kind"] != "extensionTo"]


def target():
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    if platform.system() == "Darwin":
        return f"{platform.machine()}-apple-macosx15.0"
    return f"{machine}-unknown-linux-gnu"


_flags = None


def c_flags(repository):
    """The flags of the C libraries that the package names."""
    global _flags
    if _flags is None:
        manifest = (repository / "Package.swift").read_text()
        libraries = [part.split('"')[0] for part in manifest.split('pkgConfig: "')[1:]]
        _flags = []
        for library in libraries:
            result = subprocess.run(["pkg-config", "--cflags", library], capture_output=True, text=True)
            _flags += [flag for flag in result.stdout.split() if flag not in _flags]
    return _flags


class Symbols:
    """The public symbols of a module: its top-level types, and the members of each type."""

    def __init__(self, module):
        self.types = []
        self.members = collections.defaultdict(list)  # "Storage" → ["object(forKey:)-1ab2c", …]
        graph = json.loads((module.graphs / f"{module.name}.symbols.json").read_text())
        members = {
            link["source"] for link in graph["relationships"]
            if link["kind"] in ("memberOf", "requirementOf", "optionalRequirementOf")}
        names = collections.Counter(tuple(symbol["pathComponents"]) for symbol in graph["symbols"])
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            kind = symbol["kind"]["identifier"]
            if len(path) == 1 and not kind.startswith("swift.func"):
                self.types.append(path[0])
            link = path[-1]
            if names[tuple(path)] > 1:
                link += "-" + suffix(symbol["identifier"]["precise"])
            if len(path) > 1 and symbol["identifier"]["precise"] in members:
                self.members["/".join(path[:-1])].append(link)


def suffix(identifier):
    """What DocC appends to the name of a symbol that shares it with others: a hash of its identifier."""
    value = 2166136261
    for byte in identifier.encode():
        value = (value * 16777619 & 0xFFFFFFFF) ^ byte
    value = (value >> 24) ^ (value & 0xFFFFFF)
    digits = ""
    while value:
        value, rest = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits or "0"
