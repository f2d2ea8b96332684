"""What is learned without a model: the signals of a coding session, what people tell in a chat, and no junk."""

import random

import pytest

from remanence.model.session import SYSTEM, Observation
from remanence.sessions.learning import BUDGET_SHARE, LEAST_BUDGET, learned
from tests.lifecycle.observed import START, agent, edit, ran, session, user
from tests.sessions import transcripts

PROJECT = "/project/shop-api"


def texts(observations: list[Observation], signal: str | None = None) -> list[str]:
    found = learned(observations, PROJECT).statements
    return [one.fact.text for one in found if signal is None or one.signal == signal]


def coding() -> list[Observation]:
    """The opening of the recorded session, as its importer would give it."""
    steps = []
    for step in transcripts.opening():
        given = step.input or {}
        call = given.get("command") or given.get("file_path") or ""
        if step.kind == "user":
            steps.append(user(step.text))
        elif step.kind == "assistant":
            steps.append(agent(step.text))
        elif step.kind == "tool":
            steps.append(
                Observation(role="tool", text=step.text, at=START, tool=step.tool, call=call, failed=step.failed)
            )
    return session(*steps)


def test_a_coding_session_gives_its_signals() -> None:
    found = coding()
    assert texts(found, "correction") == [
        "Use pnpm instead of npm. This repository has a pnpm lockfile.",
        "Don't edit the generated client by hand. Run `pnpm codegen` and it is written anew.",
    ]
    assert texts(found, "preference") == list(transcripts.PREFERENCES)
    assert texts(found, "decision") == list(transcripts.DECISIONS)
    assert texts(found, "fix") == [
        "`pnpm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5433`; fixed by `docker compose up -d db`."
    ]
    assert "Code is checked with `pnpm lint --fix`." in texts(found, "command")
    assert any("database container" in text for text in texts(found, "constraint"))


def test_what_an_agent_says_of_its_work_is_not_learned() -> None:
    said = " ".join(texts(coding()))
    for junk in ("I'll", "Hello", "Understood", "Noted", "All green"):
        assert junk not in said


def test_its_synopsis_says_what_was_asked_and_changed() -> None:
    synopsis = learned(coding(), PROJECT).synopsis
    assert "totals in checkout are off by a cent" in synopsis
    assert "src/checkout/total.ts" in synopsis
    assert "/home/ana" not in synopsis


def test_requests_are_no_knowledge() -> None:
    found = session(
        user("Add a test for the cart."),
        ran("pytest"),
        agent("Done."),
        user("thanks! now the same for login"),
        ran("pytest"),
        agent("I've added it."),
    )
    assert texts(found) == []
    assert "Add a test for the cart" in learned(found, PROJECT).synopsis


def test_a_chat_gives_what_the_user_told_and_short_answers() -> None:
    found = session(
        user(
            "Can you recommend a gaming mouse for Apex Legends? By the way, I'm determined to reach level 100 "
            "before the end of the year."
        ),
        agent(
            "Great goal! Here are some options:\n\n1. **Logitech G Pro X Superlight**: very light, only 63 grams, "
            "and a popular choice among professional players all over the world.\n2. **SteelSeries Rival 600**: "
            "a 12,000 CPI sensor and a weight system that can be changed to your liking in many small steps."
        ),
    )
    assert texts(found, "told") == ["I'm determined to reach level 100 before the end of the year."]
    (answer,) = texts(found, "answer")
    assert answer.endswith("Logitech G Pro X Superlight; SteelSeries Rival 600")
    assert "Apex Legends" in answer


def test_an_aside_stands_for_itself() -> None:
    found = session(user("I'm planning a dinner party. We are twelve. By the way, my cousin Emma graduated last week."))
    assert texts(found, "told") == [
        "I'm planning a dinner party. We are twelve.",
        "My cousin Emma graduated last week.",
    ]


def test_a_summary_of_a_compaction_is_taken_apart() -> None:
    summary = Observation(role=SYSTEM, text="Prices moved to integer cents. The cart rounds at the end.", at=START)
    assert texts(session(summary)) == ["Prices moved to integer cents. The cart rounds at the end."]


def test_code_in_a_turn_is_not_told() -> None:
    found = session(user("The handler is slow.\n```\nconst secretly = await fetch(everything);\n```"))
    assert texts(found) == ["The handler is slow."]


def test_it_stays_within_its_budget() -> None:
    chance = random.Random(5)
    names = ("Utrecht", "Lisbon", "Porto", "Riga", "Turin", "Ghent")
    turns = []
    for number in range(60):
        turns.append(user(f"I moved {number} crates to {chance.choice(names)} on day {number}. What next?"))
        turns.append(agent(f"Day {number} went well in {chance.choice(names)}, with {number * 3} crates. " * 12))
    found = session(*turns)
    read = sum(len(one.text) for one in found)
    lesson = learned(found, PROJECT)
    kept = len(lesson.synopsis) + sum(len(one.fact.text) for one in lesson.statements)
    assert LEAST_BUDGET < kept <= BUDGET_SHARE * read


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "?" * 5_000, "🎉" * 300, "你好" * 500, "a" * 50_000, "- " * 3_000, "```", "<b>" * 900]
)
def test_nothing_is_fatal(text: str) -> None:
    learned(session(user(text), agent(text), ran(text, text, failed=True), edit(text), user(text)), "/")


def test_an_empty_session_tells_nothing() -> None:
    lesson = learned([], "/")
    assert (lesson.statements, lesson.synopsis) == ((), "")


def test_what_was_pasted_into_a_turn_is_not_told() -> None:
    pasted = (
        "This is what it says:\n2026-03-01T10:00:03Z INFO decided to use leader node-3\n"
        "    raise ValueError('must not be None')\n> We must never deploy on Fridays.\nDATABASE_POOL=always-5\n"
        "The depot in Utrecht keeps the crates."
    )
    said = " ".join(texts(session(user(pasted))))
    assert "depot in Utrecht" in said
    for line in ("leader", "ValueError", "Fridays", "POOL"):
        assert line not in said


def test_paths_inside_the_project_stay_as_they_are() -> None:
    found = session(edit("src/shop-api/tax.py"), edit("/home/ana/shop-api/src/tax.py"))
    assert learned(found, PROJECT).synopsis == "Changed: src/shop-api/tax.py, src/tax.py."


def test_a_session_in_which_nothing_was_asked_is_known_by_what_was_told() -> None:
    found = session(
        user("Remember that our API is versioned by date, such as 2026-01-01."),
        edit("a.go"),
        agent("The file is noted."),
    )
    synopsis = learned(found, PROJECT).synopsis
    assert synopsis.startswith("Told: ") and "versioned by date" in synopsis
    assert synopsis.endswith("Changed: a.go. It ended with: The file is noted.")
