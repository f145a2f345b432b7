"""The linker: joined modules behave as they do apart, and what cannot be joined is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from server.web.client import CLIENT, LIBRARIES
from server.web.linker import Linker, LinkError, link_style

FOLDERS = ("", "games", "messages/en")
MODULES = {
    "app.js": """/** A comment
 * of two lines. */
import { one, two as second } from "./lib.js";
import * as all from "./lib.js";
import first from "./first.js";
import "script";
export { kept } from "./reexport.js";
export const lines = [one, second(), all.Three.name, first(2), globalThis.fromScript, await1()];
function await1() {
  return `import.meta ${typeof import.meta.url}`;
}
console.log(lines.join(" "));
setTimeout(() => import("./later.js").then(({ say }) => say()), 0);
""",
    "lib.js": """export const one = 1;
const hidden = 2;
export function two() {
  return hidden;
}
export class Three {}
console.log("lib is evaluated once");
""",
    "first.js": "const own = (n) => n * 10;export default own;\n",
    "reexport.js": 'const a = "kept";export{a as kept};\n',
    "script.js": "!function (root) { root.fromScript = 'script'; }(this);\n",
    "games/part.js": """import { one } from "../lib.js";
import { kept } from "./near.js";
export { kept };
export const sum = one + 1;
""",
    "games/near.js": 'import { kept } from "../reexport.js";\nexport { kept };\nconst NEAR = 1;\n',
    "later.js": """import { one } from "./lib.js";
import { kept } from "./games/near.js";
export const say = () => console.log("later", one, kept);
""",
}


def linker(**modules: str) -> Linker:
    return Linker({**MODULES, **modules}.__getitem__, {"script": "script.js"})


def run(folder: Path, name: str) -> str:
    """What Node prints when it runs this module."""
    node = shutil.which("node")
    assert node, "the tests need Node"
    return subprocess.run([node, name], cwd=folder, capture_output=True, text=True, check=True, timeout=30).stdout


def test_joined_modules_do_what_they_do_apart(tmp_path: Path) -> None:
    files = linker().link("app.js", ["games/part.js"])
    assert set(files) == {"app.js", "games/part.js", "later.js"}
    (tmp_path / "games").mkdir()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "run.js").write_text('import { kept, sum } from "./games/part.js"; console.log(kept, sum);')
    lines = ["lib is evaluated once", "1 2 Three 20 script import.meta string", "kept 2", "later 1 kept"]
    assert run(tmp_path, "run.js").splitlines() == lines


def test_what_several_files_need_is_only_in_the_first_one() -> None:
    files = linker().link("app.js", ["games/part.js"])
    assert [name for name, text in files.items() if "NEAR" in text] == ["app.js"]
    assert [name for name, text in files.items() if '"later"' in text] == ["later.js"]


def test_comments_before_declarations_are_not_sent() -> None:
    assert "of two lines" not in linker().link("app.js", [])["app.js"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("export let changing = 1;\n", "export let changing"),
        ("export const { a, b } = {};\n", "export const { a, b }"),
        ('export * from "./lib.js";\n', "export \\*"),
        ('import one, { two } from "./lib.js";\n', "import one, "),
        ('import x from "unknown";\n', "neither a library"),
        ('import { x } from "./lib.js";\nimport "./bad.js";\n', "bad.js -> bad.js"),
    ],
)
def test_what_cannot_be_joined_is_refused(text: str, reason: str) -> None:
    with pytest.raises(LinkError, match=reason):
        linker(**{"bad.js": text}).order("bad.js")


def test_all_modules_of_the_client_can_be_joined() -> None:
    own = [str(path.relative_to(CLIENT)) for folder in FOLDERS for path in (CLIENT / folder).glob("*.js")]
    link = Linker(lambda name: (CLIENT / name).read_text(encoding="utf-8"), LIBRARIES)
    assert set(link.order(*own)) == {*own, *LIBRARIES.values()}


def test_imported_style_sheets_are_put_in_place() -> None:
    sheets = {"a.css": 'a {}\n@import url("/b.css");\nc {}\n', "b.css": "b {}"}
    assert link_style("a.css", sheets.__getitem__) == "a {}\nb {}\nc {}\n"


def test_every_module_of_the_page_can_be_parsed() -> None:
    """A module that cannot, such as one that declares a name twice, would leave the page empty."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    parse = """import { readFileSync } from "node:fs"; import { SourceTextModule } from "node:vm";
for (const path of process.argv.slice(1)) new SourceTextModule(readFileSync(path, "utf8"), { identifier: path });"""
    modules = [
        str(path)
        for folder in ("", "games", "messages/*")
        for path in sorted(CLIENT.glob(f"{folder}/*.js".lstrip("/")))
    ]
    assert len(modules) > 50
    command = [node, "--no-warnings", "--experimental-vm-modules", "--input-type=module", "-e", parse, *modules]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
