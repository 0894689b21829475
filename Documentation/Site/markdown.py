"""The Markdown of this repository, rewritten for DocC: links to other pages, names of types, pictures, fences."""
import pathlib
import re
import shutil
from dataclasses import dataclass

LINK = re.compile(r"(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(?<!`)`([A-Za-z][A-Za-z0-9]*)`(?!`)")
FENCE = re.compile(r"^(\s*)```(\S*).*$")


@dataclass
class Context:
    pages: object  # which module shows which file, and which declares which type
    module: str  # whose catalogue is written
    reachable: set  # the modules that it can link to
    catalogue: pathlib.Path


def page(path, context):
    """The text of a file for a catalogue."""
    paragraphs, isCode = [], False
    lines = []
    for line in path.read_text().splitlines():
        fence = FENCE.match(line)
        if fence:
            isCode = not isCode
            line = f"{fence[1]}```{fence[2]}"
        if fence or isCode:
            paragraphs.append(prose(lines, path, context))
            paragraphs.append([line])
            lines = []
        else:
            lines.append(line)
    paragraphs.append(prose(lines, path, context))
    return "\n".join(line for paragraph in paragraphs for line in paragraph) + "\n"


def prose(lines, path, context):
    """Rewrites text without code blocks. A link may be broken between lines; a heading has no links."""
    text = "\n".join(lines)
    parts, end = [], 0
    for link in LINK.finditer(text):
        parts += [names(text[end:link.start()], context), rewritten(link, path, context)]
        end = link.end()
    text = "".join(parts) + names(text[end:], context)
    return re.sub(r"^@", r"\\@", text, flags=re.M).split("\n") if lines else []


def names(text, context):
    """Makes links of the names of types, but not in headings."""
    def link(match):
        name = match[1]
        module = context.pages.types.get(name)
        if module not in context.reachable:
            return match[0]
        return f"``{name}``" if module == context.module else f"``/{module}/{name}``"
    lines = text.split("\n")
    return "\n".join(line if line.startswith("#") else CODE.sub(link, line) for line in lines)


def rewritten(link, path, context):
    isPicture, text, target = link.groups()
    if re.match(r"[a-z]+:", target):
        return link[0]
    file, _, anchor = target.partition("#")
    file = (path.parent / file).resolve() if file else path
    if isPicture:
        for variant in file.parent.glob(file.stem + "*" + file.suffix):
            shutil.copy(variant, context.catalogue)
        return f"![{text}]({file.name})"
    module, name = context.pages.homes.get(file, (None, None))
    if module not in context.reachable:
        return text
    if module == context.module:
        where = f"doc:{name or module}"
    else:
        where = f"doc:/{module}/{name}" if name else f"doc:/{module}"
    if anchor and module == context.module and name:
        where += "#" + fragment(file, anchor)
    return f"[{text}]({where})"


def fragment(file, anchor):
    """DocC's fragment of the heading that has this anchor on a code host."""
    for line in file.read_text().splitlines():
        if line.startswith("#"):
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip())
            if re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") == anchor:
                return re.sub(r"['\"`]", "", heading).replace(" ", "-")
    raise SystemExit(f"{file} has no heading {anchor}")
