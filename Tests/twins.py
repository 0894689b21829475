#!/usr/bin/env python3
"""twins.py [--check] [folder]: writes the synchronous variant of each file `X+Async*.swift`, as `X+Sync*.swift`.

A combinator over stores that suspend and over stores that block does the same steps with and without `await`. Only the
asynchronous variant is written by hand. Its twin has no `async` and `await`, and names the protocols of synchronous
stores. Comments in the source say where the twin differs:

    // sync: text          The text, of one line or several, stands in the twin for the next line of code.
    code  // sync: text    The text stands in the twin for the code.

What only one variant has is in another file. `--check` writes nothing: it names the twins that are not what their
sources generate, and exits with 1 if there are any.
"""
import pathlib
import re
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
COMMAND = "make twins"
SOURCES = ["Sources/**/*+Async*.swift", "Plugins/*/Sources/**/*+Async*.swift"]
TWINS = [pattern.replace("+Async", "+Sync") for pattern in SOURCES]

# A protocol, type or property, and its synchronous form.
NAMES = {
    "StorageAware": "SyncStorageAware",
    "StorageLink": "SyncStorageLink",
    "ValueLink": "SyncValueLink",
    "SimpleStorage": "SyncSimpleStorage",
    "SimpleConditionalStorage": "SyncSimpleConditionalStorage",
    "ConditionalStorage": "SyncConditionalStorage",
    "UpdateableStorage": "SyncUpdateableStorage",
    "NonFallibleStorage": "SyncNonFallibleStorage",
    "WrapperTaking": "SyncWrapperTaking",
    "AsyncObservedStorage": "ObservedStorage",
}
NAME = re.compile(rf"\b({'|'.join(NAMES)})\b")
EFFECT = re.compile(r"\b(?:async|await) ")
MARK = re.compile(r"// sync: (.*)$")


class Fault(Exception):
    pass


def synchronous(code):
    return NAME.sub(lambda match: NAMES[match[1]], EFFECT.sub("", code))


def twin(text, path):
    """The text of the twin of a file. `path` is that of the file, for the twin's first line."""
    lines = [f"// Generated from {path.name} by `{COMMAND}`."]
    replacement = []
    for line in text.splitlines():
        indentation = line[:len(line) - len(line.lstrip())]
        code, mark = line, MARK.search(line)
        if mark:
            code = line[:mark.start()].rstrip()
            (lines if code else replacement).append(indentation + mark[1])
        elif replacement:
            lines += replacement
            replacement = []
        else:
            code, slashes, comment = line.partition("//")
            lines.append(synchronous(code) + slashes + comment)
    if replacement:
        raise Fault(f"{path}: the last mark belongs to no line")
    return "\n".join(lines) + "\n"


def faults(repository, writes):
    """Writes the twins or, if `writes` is false, compares them. Returns a line for each that is wrong."""
    found, expected = [], {}
    for source in sorted(source for pattern in SOURCES for source in repository.glob(pattern)):
        path = source.relative_to(repository)
        try:
            expected[source.with_name(source.name.replace("+Async", "+Sync"))] = (path, twin(source.read_text(), path))
        except Fault as fault:
            found.append(str(fault))
    for path, (source, text) in expected.items():
        if path.exists() and path.read_text() == text:
            continue
        if writes:
            path.write_text(text)
        else:
            name = path.relative_to(repository)
            found.append(f"{name}: not what {source} generates; change that file, then run `{COMMAND}`")
    for path in sorted(path for pattern in TWINS for path in repository.glob(pattern)):
        if path not in expected:
            found.append(f"{path.relative_to(repository)}: no file {path.name.replace('+Sync', '+Async')} generates it")
    return found


def main():
    arguments = sys.argv[1:]
    writes = "--check" not in arguments
    folders = [argument for argument in arguments if argument != "--check"]
    found = faults(pathlib.Path(folders[0]).resolve() if folders else REPOSITORY, writes)
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
