"""DocC catalogues, made of the Markdown of this repository: one a product, with the guides in that of Strata."""
import shutil

import graphs
import markdown

# The fewest members with which the page of a type groups them by task.
FEWEST_GROUPED = 6


class Pages:
    def __init__(self, repository, modules):
        self.repository = repository
        self.site = repository / "Documentation/Site"
        self.groups = read_groups(self.site / "Members.txt")
        self.symbols = {module.name: graphs.Symbols(module) for module in modules}
        self.homes = {}  # the file of a page → the module that shows it, and the page's name there
        for module in modules:
            self.homes[module.folder / "README.md"] = (module.name, "")
        for path in sorted((repository / "Documentation").glob("*.md")):
            self.homes[path] = ("Strata", path.stem)
        self.homes[repository / "README.md"] = ("Strata", "")
        self.homes[repository / "Documentation/README.md"] = ("Strata", "")
        self.homes[repository / "Plugins/README.md"] = ("Strata", "ChoosingABackend")
        self.homes[repository / "Benchmarks/Results.md"] = ("Strata", "BenchmarkResults")
        declared = [(name, module) for module, symbols in self.symbols.items() for name in symbols.types]
        names = [name for name, _ in declared]
        self.types = {name: module for name, module in declared if names.count(name) == 1}

    def write(self, module, catalogue, reachable):
        """Writes the catalogue of a product. Only products of `reachable`, and the product itself, are linked to."""
        shutil.rmtree(catalogue, ignore_errors=True)
        catalogue.mkdir(parents=True)
        context = markdown.Context(self, module.name, reachable | {module.name}, catalogue)
        (catalogue / f"{module.name}.md").write_text(self.landing(module, context))
        for path, (home, name) in self.homes.items():
            if home == module.name and name and path.exists():
                (catalogue / f"{name}.md").write_text(markdown.page(path, context))
        members = catalogue / "Members"
        members.mkdir()
        for owner, links in self.symbols[module.name].members.items():
            if len(links) >= FEWEST_GROUPED:
                text = self.topics(owner.split("/")[-1], links)
                if text:
                    file = members / (owner.replace("/", "-") + ".md")
                    file.write_text(f"# ``{module.name}/{owner}``\n\n## Topics\n{text}")
        if module.name == "Strata":
            shutil.copytree(self.site / "Tutorials", catalogue / "Tutorials")
            for picture in (self.repository / "Documentation/Images").iterdir():
                shutil.copy(picture, catalogue)

    def landing(self, module, context):
        """The page of a product: its README, and its symbols in the groups of Modules/<product>.md.

        That of Strata is where readers arrive. It has the beginning of the repository's README, with its program.
        """
        text = f"# ``{module.name}``\n\n"
        isFront = module.name == "Strata"
        readme = (self.repository if isFront else module.folder) / "README.md"
        own = self.site / f"Modules/{module.name}.md"
        if readme.exists():
            shown = markdown.page(readme, context).split("\n", 1)[1].lstrip()
            text += shown.split("\n## ")[0] + "\n" if isFront else shown
        if own.exists():
            text += "\n" + markdown.page(own, context)
        if isFront:
            for home, name in self.homes.values():
                if home == module.name and name and f"- <doc:{name}>\n" not in text:
                    raise SystemExit(f"{own.relative_to(self.repository)} has no line `- <doc:{name}>` for that guide")
        return text

    def topics(self, owner, links):
        """The members of a type, in groups by task. DocC groups by kind what is in no group."""
        text = ""
        qualified = {name for _, names in self.groups for name in names if "." in name}

        def name(link):
            plain = link.split("(")[0].split("-")[0]
            return f"{owner}.{plain}" if f"{owner}.{plain}" in qualified else plain

        for title, names in self.groups:
            found = [link for link in links if name(link) in names]
            found.sort(key=lambda link: names.index(name(link)))
            if found:
                text += f"\n### {title}\n\n" + "".join(f"- ``{link}``\n" for link in found)
        return text


def read_groups(path):
    """The groups of members.txt: a title, a colon, and the names of members, in the order of their pages."""
    groups = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            title, names = line.split(":")
            groups.append((title, names.split()))
    return groups
