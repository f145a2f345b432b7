"""Joins the modules of the page into few files, so that a browser needs few requests.

Each module becomes a function that is called once, in the order in which a browser would evaluate the modules, and
returns what the module exports. This is correct only for a subset of JavaScript, and everything else is refused:
modules do not import each other in circles, have their static imports and exports at the beginning of a line, export
no variable that changes later, and do not use `await` outside of functions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from posixpath import dirname, join, normpath, relpath
from typing import NamedTuple

# A statement starts a line, or follows another one in the minified files of libraries.
START = r"(?:^|(?<=[;}]))"
IMPORT = re.compile(START + r'import\s*(?:(\{[^}]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*)?"([^"]+)";?', re.MULTILINE)
EXPORT_FROM = re.compile(START + r'export\s*(\{[^}]*\})\s*from\s*"([^"]+)";?', re.MULTILINE)
EXPORT_NAMES = re.compile(START + r"export\s*(\{[^}]*\});?", re.MULTILINE)
EXPORT_DEFAULT = re.compile(START + r"export default(?=\W)", re.MULTILINE)
EXPORT_DECLARED = re.compile(r"^export ((?:async )?function\*?|const|class) ([\w$]+)", re.MULTILINE)
NOT_LINKED = re.compile(r"^\s*(?:export\b|import\b(?!\s*[(.])).*", re.MULTILINE)
DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')
DOC_COMMENT = re.compile(r"^[ \t]*/\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)  # a tenth of what is sent
STYLE_IMPORT = re.compile(r'^@import url\("/([^"]+)"\);$', re.MULTILINE)

Read = Callable[[str], str]


class LinkError(ValueError):
    """A module that cannot be joined with others; the text names it and the reason."""


class Module(NamedTuple):
    """A module as a function body, with the modules that it imports at once and later, and what it exports."""

    body: str
    imports: tuple[str, ...]
    later: tuple[str, ...]
    exports: tuple[str, ...]


class Linker:
    """Reads modules once, and joins them. `libraries` are the paths of the modules that are imported by a bare name."""

    def __init__(self, read: Read, libraries: Mapping[str, str]) -> None:
        self._read = read
        self._libraries = tuple(libraries.items())
        self._modules: dict[str, Module] = {}  # as many as there are files

    def order(self, *paths: str) -> list[str]:
        """These modules and all that they import, each after what it imports itself."""
        found: dict[str, None] = {}

        def visit(path: str, above: tuple[str, ...]) -> None:
            if path in above:
                raise LinkError(f"modules import each other in a circle: {' -> '.join((*above, path))}")
            if path not in found:
                for name in self.module(path).imports:
                    visit(name, (*above, path))
                found[path] = None

        for path in paths:
            visit(path, ())
        return list(found)

    def module(self, path: str) -> Module:
        """The module in this file."""
        if path not in self._modules:
            self._modules[path] = parse(path, self._read(path), self._libraries)
        return self._modules[path]

    def link(self, entry: str, later: list[str]) -> dict[str, str]:
        """Join a module and all that it imports to one, and each of those that are loaded later to another one.

        Loaded later are also the modules that are named in an `import("./name.js")`. What several files need is in the
        first one.
        """
        named = [name for path in self.order(entry) for name in self.module(path).later]
        parts = {path: self.order(path) for path in (*later, *named)}
        needed = Counter(name for names in parts.values() for name in names)
        main = self.order(entry, *(name for name, count in needed.items() if count > 1))
        files = {entry: self.main(main)}
        for path, names in parts.items():
            files[path] = self.part([name for name in names if name not in main], relpath(entry, dirname(path)))
        return files

    def main(self, paths: list[str]) -> str:
        """One module of all these, which exports them as `modules`, by their paths."""
        return "\n".join(("export const modules = {};", *map(self._call, paths)))

    def part(self, paths: list[str], main: str) -> str:
        """One module of all these that uses the modules in `main`, and exports what the last one of them exports."""
        names = ", ".join(self.module(paths[-1]).exports)
        return "\n".join(
            (
                f'import {{ modules as shared }} from "./{main}";',
                "const modules = Object.create(shared);",
                *map(self._call, paths),
                f'export const {{ {names} }} = modules["{paths[-1]}"];',
            )
        )

    def _call(self, path: str) -> str:
        module = self.module(path)
        if not module.exports and not module.imports:  # a script, which sets a global variable
            return f"(function () {{ // {path}\n{module.body}\n}}).call(globalThis);"
        return f'modules["{path}"] = (() => {{ // {path}\n{module.body}\n}})();'


@lru_cache(maxsize=1000)
def parse(path: str, source: str, libraries: tuple[tuple[str, str], ...]) -> Module:
    """The module with this source. Results are kept: pages in other languages have most modules in common."""
    statements = _Statements(path, dict(libraries))
    text = statements.rewrite(DOC_COMMENT.sub("", source))
    rest = NOT_LINKED.search(text)
    if rest:
        raise LinkError(f"{path} has a statement that cannot be joined with other modules: {rest[0].strip()[:80]}")
    imports, exports = statements.imports, statements.exports
    returned = ", ".join(f"{name}: {own}" for name, own in exports.items())
    body = f"{text}\nreturn {{ {returned} }};" if imports or exports else text
    later = (normpath(join(dirname(path), name)) for name in DYNAMIC_IMPORT.findall(text))
    return Module(body, tuple(dict.fromkeys(imports)), tuple(later), tuple(exports))


class _Statements:
    """Rewrites the imports and exports of one module, and collects them.

    `imports` are the paths of the modules that it imports. `exports` has the expression for each exported name.
    """

    def __init__(self, path: str, libraries: Mapping[str, str]) -> None:
        self._path = path
        self._libraries = libraries
        self.imports: list[str] = []
        self.exports: dict[str, str] = {}

    def rewrite(self, text: str) -> str:
        """The text with statements of a function's body in place of imports and exports."""
        for pattern, rewritten in (
            (EXPORT_FROM, self._exported_from),
            (IMPORT, self._imported),
            (EXPORT_NAMES, self._exported),
            (EXPORT_DEFAULT, self._default),
            (EXPORT_DECLARED, self._declared),
        ):
            text = pattern.sub(rewritten, text)
        return text

    def _source(self, name: str) -> str:
        """The expression for a module that is imported by this name."""
        found = normpath(join(dirname(self._path), name)) if name.startswith(".") else self._libraries.get(name)
        if found is None:
            raise LinkError(f"{self._path} imports {name}, which is neither a library nor a relative path")
        self.imports.append(found)
        return f'modules["{found}"]'

    def _imported(self, statement: re.Match[str]) -> str:
        what, module = statement[1], self._source(statement[2])
        if what is None:
            return ""
        if what.startswith("{"):
            return f"const {what.replace(' as ', ': ')} = {module};"
        return f"const {what.split()[-1]} = {module};" if "*" in what else f"const {what} = {module}.default;"

    def _exported_from(self, statement: re.Match[str]) -> str:
        module = self._source(statement[2])
        self.exports.update((name, f"{module}.{own}") for own, name in _names(statement[1]))
        return ""

    def _exported(self, statement: re.Match[str]) -> str:
        self.exports.update((name, own) for own, name in _names(statement[1]))
        return ""

    def _declared(self, statement: re.Match[str]) -> str:
        self.exports[statement[2]] = statement[2]
        return f"{statement[1]} {statement[2]}"

    def _default(self, statement: re.Match[str]) -> str:
        self.exports["default"] = "$default"
        return "const $default ="


def _names(braces: str) -> list[tuple[str, str]]:
    """The pairs of `{own as name, other}`."""
    found = []
    for part in braces.strip("{}").split(","):
        if words := part.split():
            found.append((words[0], words[-1]))
    return found


def link_style(path: str, read: Read) -> str:
    """A style sheet with the sheets that it imports in their places."""
    return STYLE_IMPORT.sub(lambda statement: link_style(statement[1], read), read(path))
