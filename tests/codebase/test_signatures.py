"""What source files define: Python exactly, others line by line; hostile files cost no more than their size."""

from __future__ import annotations

import time

import pytest

from remanence.codebase.signatures import OUTLINE_CHARACTERS, definitions, is_cut, outline, outlined, top_names

PYTHON = '''
"""Doc with def fake(): inside."""
LIMIT = 3
lower = 4
try:
    from fast import go
except ImportError:
    def go(a, /, b: int = 3, *rest: str, key="s3cret", **more) -> list[int]:
        def inner(): ...
class Server(Base, meta=M):
    PORT: int = 80
    def __init__(self, host: str | None = None): ...
    async def start(self): ...
    class Inner:
        def deep(self): ...
@decorated
async def main(): ...
'''


def told(path: str, text: str) -> list[str]:
    return [str(definition) for definition in definitions(path, text)]


def test_python_exactly() -> None:
    assert told("a.py", PYTHON) == [
        "constant LIMIT",
        "function go(a, /, b: int = 3, *rest: str, key=…, **more) -> list[int]",
        "class Server(Base)",
        "constant Server.PORT",
        "method Server.__init__(self, host: str | None = None)",
        "method Server.start(self), async",
        "class Server.Inner",
        "method Server.Inner.deep(self)",
        "function main(), async",
    ]
    assert [definition.line for definition in definitions("a.py", PYTHON)][:3] == [3, 8, 10]


def test_python_that_does_not_parse_is_read_line_by_line() -> None:
    assert told("a.py", "def good(a):\n    pass\nclass Half(\nprint 'old'\n") == ["function good(a):", "class Half"]


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "a.ts",
            "export class Server extends Base {\n  constructor(a: string) {\n  async start(port: number): Promise"
            "<void> {\n    if (port) {\n    each(() => {\n  }\n}\nexport const go = async (x: number) => {\n"
            "export function run<T>(a: T): void {\ninterface Foo {}\nexport type Bar = string;\n"
            "describe('x', () => {\n",
            ["Server", "Server.constructor", "Server.start", "go", "run", "Foo", "Bar"],
        ),
        (
            "b.go",
            "func (s *Server) Start(port int) error {\nfunc New[T any](a T) *Server {\ntype Server struct {\n"
            "const Limit = 3\n// func no() {\n",
            ["Server.Start", "New", "Server", "Limit"],
        ),
        (
            "c.rs",
            "pub struct Foo {\nimpl Foo {\n    pub async fn run(&self) {\n    }\n}\nimpl<T> Display for Bar<T> {\n"
            "    fn fmt(&self) {\n}\npub const LIMIT: u8 = 3;\nfn main() {\n",
            ["Foo", "Foo.run", "Bar.fmt", "LIMIT", "main"],
        ),
        (
            "D.java",
            "public class D {\n    public static void main(String[] a) {\n        return foo(x);\n"
            "        int y = bar(3);\n    }\n    List<String> names(int a) {\n/* void no() {\n*/\n}\n",
            ["D", "D.main", "D.names"],
        ),
        ("k.kt", "class A(val x: Int) {\n    fun run(a: Int): String {\n}\nfun top() {\n", ["A", "A.run", "top"]),
        (
            "e.h",
            "#define MAX(a) a\nstruct point {\nint add(int a, int b);\nstatic inline char *dup(const char *s) {\n",
            ["MAX", "point", "add", "dup"],
        ),
        ("f.cs", "public class A : B\n{\n    public async Task<int> Run(int a)\n    {\n", ["A", "A.Run"]),
        ("g.rb", "class A\n  def run!(x)\n  end\nend\n", ["A", "A.run!"]),
        ("h.php", "<?php\nclass A {\n    public function run($x) {\n", ["A", "A.run"]),
        ("i.sh", "build() {\nfunction deploy {\n# no() {\n", ["build", "deploy"]),
        ("j.sql", "CREATE TABLE IF NOT EXISTS users (\ncreate unique index i on users(a);\n", ["users", "i"]),
        ("sub/Makefile", ".PHONY: all\nall: build\nX := 3\nY = a:b\ntest:\n\tpytest a: b\n", ["all", "test"]),
        ("note.md", "def no(): ...", []),
    ],
)
def test_other_languages(path: str, text: str, names: list[str]) -> None:
    assert [definition.name for definition in definitions(path, text)] == names


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("a.rs", "pub fn compute_hash(a: &str) -> u64 { 0 }", "function compute_hash(a: &str) -> u64"),
        ("a.rs", "fn run<F>(f: F) where F: Fn() { f() }", "function run<F>(f: F) where F: Fn()"),
        (
            "a.go",
            "func F(a interface{}) map[string]struct{} { return nil }",
            "function F(a interface{}) map[string]struct{}",
        ),
        ("a.go", "func New() *Server { return &Server{} }", "function New() *Server"),
        ("a.ts", "function f({ a, b }: P): { a: string } { return x; }", "function f({ a, b }: P): { a: string }"),
        ("a.ts", "function f(): Promise<{ a: string }> {", "function f(): Promise<{ a: string }>"),
        ("a.js", "function f(a = {}) { return { a } }", "function f(a = {})"),
        ("a.php", "function f($a) { return 1; }", "function f($a)"),
        ("a.kt", "fun f(a: Int = 3): Int { return a }", "function f(a: Int = 3): Int"),
        ("a.kt", "fun f(a: Int) = a + 1", "function f(a: Int)"),
        ("a.c", "int f(int a) { return a; }", "function f(int a)"),
    ],
)
def test_a_signature_holds_no_body(path: str, line: str, expected: str) -> None:
    assert told(path, line + "\n") == [expected]


def test_an_outline_is_bounded_and_read_back() -> None:
    many = "".join(f"def function_{n}(argument: int) -> None: ...\n" for n in range(900)) + "def test_x(): ...\n"
    text = outline("src/many.py", definitions("src/many.py", many))
    assert len(text) <= OUTLINE_CHARACTERS
    assert text.startswith("src/many.py\nfunction function_0(")
    shown = text.count("function function_")
    assert shown > 250
    assert text.endswith(f"\n1 tests\n… and {900 - shown} more")
    assert is_cut(text)
    assert not is_cut(outline("a.py", definitions("a.py", PYTHON)))
    assert "function_3" in outlined(text)
    assert "argument" not in outlined(text)
    assert {"Server.start", "start", "LIMIT"} <= outlined(outline("a.py", definitions("a.py", PYTHON)))
    assert top_names(definitions("a.py", PYTHON)) == ("go", "Server", "main", "LIMIT")


@pytest.mark.parametrize(
    "path", ["a.py", "a.ts", "a.go", "a.rs", "a.java", "a.cpp", "a.rb", "a.sh", "a.sql", "Makefile"]
)
@pytest.mark.parametrize(
    "line",
    ["a" * 100_000, "(" * 100_000, "def " * 25_000, "<" * 399, "x<" * 199, "a: " * 130, "[" * 100_000, "a." * 50_000],
)
def test_hostile_lines_cost_no_more_than_their_size(path: str, line: str) -> None:
    began = time.process_time()
    found = definitions(path, f"{line}\n" * 3)
    assert time.process_time() - began < 5
    assert len(outline(path, found)) <= OUTLINE_CHARACTERS
