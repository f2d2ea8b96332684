"""Whatever a model sends, a tool answers: it never raises, and writes nothing outside its place."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.tools import FileMemory, run
from remanence.tools.arguments import ACTIONS, ARGUMENTS
from tests.conftest import new_mind

TEXTS = st.one_of(
    st.text(max_size=30),
    st.text("a\ud800\udfff", max_size=3),
    st.text(alphabet="ab /.%\\\u2024\uff0f\u0301\n\0", max_size=12).map(lambda text: "/memories/" + text),
    st.sampled_from(["/memories/a", "/memories/a/b", "/memories", "a", "a\nb", "30d", "r1", "live", "/", "7d", "file"]),
)
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.floats(),
    st.lists(st.one_of(TEXTS, st.integers(-1, 3)), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
COMMANDS = ["view", "create", "str_replace", "insert", "delete", "rename"]
NAMES = ["path", "old_path", "new_path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"]


def calls(key: str, verbs: list[str], names: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    verb = st.fixed_dictionaries({key: st.one_of(st.sampled_from(verbs), VALUES)})
    rest = st.dictionaries(st.one_of(st.sampled_from(names), st.text(max_size=5)), VALUES, max_size=5)
    return st.lists(st.builds(lambda a, b: b | a, verb, rest), max_size=6)


@settings(max_examples=60, deadline=None)
@given(calls("action", list(ACTIONS), list(ARGUMENTS)))
def test_the_memory_tool_answers_with_an_object(made: list[dict[str, Any]]) -> None:
    with new_mind() as mind:
        assert all(isinstance(run(mind, one), dict) for one in made)
        assert not any(memory.source == "human" for memory in mind.list(state="all"))


@settings(max_examples=60, deadline=None)
@given(calls("command", COMMANDS, NAMES))
def test_a_file_memory_answers_with_a_text_and_stays_below_its_root(made: list[dict[str, Any]]) -> None:
    with new_mind() as mind:
        files = FileMemory(mind)
        assert all(isinstance(files.run(one).encode(), bytes) for one in made)
        for memory in mind.list(state="all"):
            assert memory.scope.startswith("/memories/")
            assert not set(memory.scope.split("/")[1:]) & {"", ".", ".."}


def shown(path: str, text: str) -> str:
    """What a view of this text must say."""
    if not text:
        return f"{path} is an empty file."
    lines = text.removesuffix("\n").split("\n")
    many, size = len(lines), len(text)
    head = f"{path}, {many} {'line' if many == 1 else 'lines'}, {size} {'byte' if size == 1 else 'bytes'}:"
    return "\n".join([head, *(f"{number:6}\t{line}" for number, line in enumerate(lines, 1))])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["create", "insert", "str_replace", "delete"]), st.text("ab\n", max_size=6)),
        max_size=9,
    )
)
def test_a_file_memory_agrees_with_a_dictionary(steps: list[tuple[str, str]]) -> None:
    with new_mind() as mind:
        files, plain = FileMemory(mind), dict[str, str]()
        for command, text in steps:
            path = f"/memories/{text[:1].strip() or 'x'}"
            if command == "create":
                files.run(command, path=path, file_text=text)
                plain[path] = text
            elif command == "insert" and path in plain:
                files.run(command, path=path, insert_line=0, insert_text=text + "\n")
                plain[path] = text + "\n" + plain[path]
            elif command == "str_replace" and plain.get(path, "").count("a") == 1:
                files.run(command, path=path, old_str="a", new_str=text)
                plain[path] = plain[path].replace("a", text)
            elif command == "delete" and path in plain:
                files.run(command, path=path)
                del plain[path]
        assert {path: files.run("view", path=path) for path in plain} == {p: shown(p, t) for p, t in plain.items()}
        assert mind.count() == len(plain)
