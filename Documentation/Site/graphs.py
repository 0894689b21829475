"""Symbol graphs: extraction from the modules that are built, and the names by which links reach symbols."""
import collections
import json
import platform
import subprocess


def extract(module, repository, folder):
    """Extracts a module's public symbols, without those that it re-exports and without copies of inherited ones."""
    module.graphs = folder / module.name
    module.graphs.mkdir(parents=True)
    roots = ["Sources", "Plugins", ".build/debug/CWideHash.build"]
    maps = [path for root in roots for path in (repository / root).rglob("module.modulemap")]
    command = [
        "swift", "symbolgraph-extract", "-module-name", module.name, "-I", repository / ".build/debug/Modules",
        "-target", target(), "-output-dir", module.graphs, "-skip-synthesized-members",
        "-minimum-access-level", "public", "-emit-extension-block-symbols",
    ]
    for path in maps:
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    for flag in c_flags(repository):
        command += ["-Xcc", flag]
    result = subprocess.run(command, cwd=repository, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"no symbol graph of {module.name}: {result.stderr}")


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
