"""Signals: corrections, decisions, preferences and constraints in what people say to agents; requests are none."""

import pytest

from remanence.extraction.signals import correction_of, is_passing, is_request, is_working_talk, signal_of


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("No, use pnpm instead of npm.", "Use pnpm instead of npm."),
        ("no. don't touch the lockfile", "Don't touch the lockfile"),
        ("Nope, the port must be 5433", "The port must be 5433"),
        ("That's wrong, use the staging key file", "Use the staging key file"),
        ("Stop, never edit generated files", "Never edit generated files"),
        ("Don't add comments to every line.", "Don't add comments to every line."),
        ("Nein, nimm pnpm statt npm.", "Nimm pnpm statt npm."),
        ("Non, utilise pnpm au lieu de npm", "Utilise pnpm au lieu de npm"),
        ("No, usa pnpm en vez de npm", "Usa pnpm en vez de npm"),
        ("不对，不要用 npm，用 pnpm", "不要用 npm，用 pnpm"),
    ],
)
def test_corrections(turn: str, said: str) -> None:
    assert correction_of(turn) == said


@pytest.mark.parametrize(
    "turn",
    [
        "no",
        "No, thanks",
        "No problem, go on",
        "Notice that the port is 5433",
        "Now add a test",
        "Nobody uses this any more",
        "Why don't we use pnpm?",
        "no worries, that was my mistake and it works now",
        "No, " + "x " * 400,
        "",
    ],
)
def test_no_corrections(turn: str) -> None:
    assert correction_of(turn) is None


@pytest.mark.parametrize(
    ("statement", "signal"),
    [
        ("We decided to keep prices in integer cents.", "decision"),
        ("Let's go with PostgreSQL for the orders.", "decision"),
        ("Wir haben uns für Postgres entschieden.", "decision"),
        ("我们决定使用 PostgreSQL。", "decision"),
        ("Always run the linter before you commit.", "preference"),
        ("Never push straight to main.", "preference"),
        ("I prefer small commits.", "preference"),
        ("Please make sure to squash before merging.", "preference"),
        ("Make sure to squash before merging.", "preference"),
        ("All user data must stay in the EU.", "constraint"),
        ("The API only supports TLS 1.3.", "constraint"),
        ("The staging database is in Dublin.", None),
        ("I need to buy milk.", None),
        ("I have to leave early today.", None),
    ],
)
def test_what_users_state(statement: str, signal: str | None) -> None:
    assert signal_of(statement, by_user=True) == signal


@pytest.mark.parametrize(
    ("statement", "signal"),
    [
        ("The tests need the database container.", "constraint"),
        ("The cause is a missing await in `service.ts`.", "finding"),
        ("I'll fix it because it is wrong.", None),
        ("Always a pleasure to help.", None),
        ("You must be tired.", None),
    ],
)
def test_what_agents_state(statement: str, signal: str | None) -> None:
    assert signal_of(statement, by_user=False) == signal


@pytest.mark.parametrize(
    "text",
    [
        "Add a test for the cart",
        "please have a look",
        "Can you rename it?",
        "thanks! now the same for login",
        "ok, continue with stock",
        "Why does it return 500",
        "Bitte schreib einen Test",
        "请帮我写一个测试",
    ],
)
def test_requests(text: str) -> None:
    assert is_request(text)


@pytest.mark.parametrize(
    "text", ["Always add a test", "The cart is slow", "I moved to Berlin", "Testing is done by CI"]
)
def test_no_requests(text: str) -> None:
    assert not is_request(text)


@pytest.mark.parametrize("text", ["I'll look at it first.", "Let me run the tests.", "Done.", "Great! I've added it."])
def test_talk_about_the_work(text: str) -> None:
    assert is_working_talk(text)


@pytest.mark.parametrize("text", ["The handler loads every row.", "Islands are small.", "Lettuce is green."])
def test_no_talk_about_the_work(text: str) -> None:
    assert not is_working_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "Use ruff, not flake8.",
        "use conventional commits",
        "Stop adding comments that restate the code.",
        "and please keep your answers short",
        "Make sure every endpoint has a description.",
        "The legacy folder is off limits.",
        "Non usare mai jQuery.",
        "Никогда не пушь прямо в main.",
        "절대 main에 직접 푸시하지 마세요.",
    ],
)
def test_standing_orders_are_rules_and_no_requests(text: str) -> None:
    assert signal_of(text, by_user=True) == "preference"
    assert not is_request(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ok never mind",
        "so this never happens again",
        "Das geht immer noch nicht.",
        "Ça ne marche toujours pas.",
        "Always.",
        "Use this file instead",
        "use the other one",
    ],
)
def test_words_of_rules_that_make_none(text: str) -> None:
    assert signal_of(text, by_user=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "Ajoute un test pour le panier",
        "Añade una prueba",
        "直してください。",
        "继续",
        "Schreib einen Test",
        "Исправь форму",
    ],
)
def test_requests_in_other_languages(text: str) -> None:
    assert is_request(text)


@pytest.mark.parametrize("turn", ["No module named polars, you need to install it", "Wait, what does this need?"])
def test_a_no_that_corrects_nothing(turn: str) -> None:
    assert correction_of(turn) is None


@pytest.mark.parametrize("text", ["It still fails.", "Ok push it.", "That's more believable.", "The tests."])
def test_how_things_stand_passes(text: str) -> None:
    assert is_passing(text)


@pytest.mark.parametrize(
    "text", ["The importer runs nightly at 02:30.", "I work as a nurse in Utrecht.", "会計年度は4月から始まります。"]
)
def test_what_lasts_does_not_pass(text: str) -> None:
    assert not is_passing(text)
