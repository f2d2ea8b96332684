"""Coverage: what of a source a summary holds; whatever would be lost keeps the source in recall."""

import pytest

from remanence.lifecycle.coverage import lost, new_words, points, sentences

# --- what no summary may lose, whoever wrote it

LOST = {
    "a hedge": ("It might ship on Friday", "It ships on Friday"),
    "a certainty": ("It ships on Friday", "It might ship on Friday"),
    "a hedge on another": ("Ann might leave. Bob stays.", "Ann leaves. Bob might stay."),
    "a negation": ("The server does not cache images", "The server does cache images"),
    "an affirmation": ("The server does cache images", "The server does not cache images"),
    "a prohibition": ("Ann must not merge on Friday", "Ann must merge on Friday"),
    "without": ("It fails without the flag", "It fails with the flag"),
    "nobody": ("Nobody reviews the docs", "Ann reviews the docs"),
    "a number": ("Backups are kept for 30 days", "Backups are kept for 20 days"),
    "a number left out": ("Backups are kept for 30 days", "Backups are kept for days"),
    "a sign": ("The freezer is at -5 degrees", "The freezer is at 5 degrees"),
    "a currency": ("The seat costs $5", "The seat costs €5"),
    "a date": ("The audit is on 2026-03-01", "The audit is on 2026-03-02"),
    "a month": ("The party is in March", "The party is in April"),
    "a weekday": ("The party is on monday", "The party is on tuesday"),
    "a name": ("Ann owns the billing job", "Bob owns the billing job"),
    "who said it": ("Ann says that the API is slow", "The API is slow"),
    "a path": ("The key is in src/app/keys.py", "The key is in src/app/main.py"),
    "a version": ("The old API was removed in v2", "The old API was removed"),
    "a decision": ("We decided to use Postgres for orders", "We use Postgres for orders"),
    "before and after": ("The deploy is before the standup", "The deploy is after the standup"),
    "a sentence": ("Ann owns the billing job. Bob helps.", "Ann owns the billing job."),
    "all of it": ("Ann owns the billing job", "Nothing of the kind was ever heard"),
    "nothing said": ("Ann owns the billing job", ""),
    "a German negation": ("Der Server wird nicht neu gestartet", "Der Server wird neu gestartet"),
    "a German hedge": ("Vielleicht kommt Anna am Freitag", "Anna kommt am Freitag"),
    "a German decision": ("Wir haben Postgres beschlossen", "Wir haben Postgres"),
    "a Japanese name": ("東京は日本の首都です", "京都は日本の首都です"),
    "a Japanese hedge": ("彼は来ないと思う", "彼は来る"),
    "a Chinese weekday": ("会议在星期五", "会议在星期一"),
    "a Chinese hedge": ("明天可能下雨", "明天下雨"),
}


@pytest.mark.parametrize(("source", "summary"), LOST.values(), ids=LOST.keys())
def test_what_is_lost_is_said(source: str, summary: str) -> None:
    assert lost(source, summary)


def test_what_is_lost_is_named() -> None:
    assert lost("It might ship on Friday", "It ships on Friday") == ["that it is not certain"]
    assert lost("It ships on Friday", "It might ship on Friday") == ["that it is certain"]
    assert "30" in lost("Backups are kept for 30 days", "Backups are kept for 20 days")
    assert "ann" in lost("Ann owns the billing job", "Bob owns the billing job")
    assert "src/app/keys.py" in lost("The key is in src/app/keys.py", "The key is in src/app/main.py")
    assert "that it was decided" in lost("We decided to use Postgres", "We use Postgres")


# --- one thing in the place of another

SWAPPED = {
    "tea for coffee": ("She drinks tea in the morning at work", "She drinks coffee in the morning at work"),
    "tea for coffee, named": ("Anna drinks tea in the morning", "Anna drinks coffee in the morning"),
    "colours": ("Die Lampe ist blau", "Die Lampe ist rot"),
    "who did it": ("Tom paid Anna", "Anna paid Tom"),
    "who calls": ("The client calls the server", "The server calls the client"),
    "an exception": ("All tests except login pass", "All tests pass"),
    "the only one": ("Only Ann may deploy", "Ann may deploy"),
    "until": ("The limit was 10 until May", "The limit was 10 from May"),
    "to avoid": ("The user wants to avoid meetings", "The user wants meetings"),
    "a condition": ("If it rains, the picnic is off", "The picnic is off"),
}


@pytest.mark.parametrize(("source", "summary"), SWAPPED.values(), ids=SWAPPED.keys())
def test_sentences_never_stand_for_each_other_where_something_is_swapped(source: str, summary: str) -> None:
    assert lost(source, summary)


# --- one sentence that holds all the words, and says something else

RECOMBINED = {
    "a store": ("Ann uses Redis for orders", "Ann uses Postgres for orders and Redis for sessions"),
    "a day": ("The api deploys on Monday", "The api deploys on Friday and the web deploys on Monday"),
    "an hour": ("Backups run at 3", "Backups run at 2 and reports run at 3"),
    "a taste": ("Ann likes tea", "Ann likes coffee but Bob likes tea"),
    "a port": ("Staging uses port 8080", "Staging uses port 9090 while production uses port 8080"),
    "a pet": ("The dog eats fish", "The dog eats meat, the cat eats fish"),
    "a condition": ("Ann likes tea", "If it is cold, Ann likes tea"),
    "an opinion": ("Ann likes tea", "Bob thinks that Ann likes tea"),
}


@pytest.mark.parametrize(("source", "summary"), RECOMBINED.values(), ids=RECOMBINED.keys())
def test_words_of_two_statements_make_no_third(source: str, summary: str) -> None:
    assert lost(source, summary)


# --- what is covered

COVERED = {
    "the same": ("Ann owns the billing job", "Ann owns the billing job"),
    "among others": ("Ann owns the billing job", "Bob helps. Ann owns the billing job. It pays."),
    "more said": ("The user is vegetarian", "The user is vegetarian and lives in Oslo"),
    "a list": ("- Ann owns the billing job", "* Ann owns the billing job"),
    "in two places": ("Ann owns the job. Bob helps.", "Bob helps.\nAnn owns the job."),
    "other fillers": ("The backup runs on Fridays", "The backup happens each Friday"),
    "the hedge with it": ("Ann might leave. Bob stays.", "Bob stays. Ann might leave."),
    "German": ("Der Server wird nicht neu gestartet", "Ja. Der Server wird nicht neu gestartet."),
    "Japanese": ("東京は日本の首都です。", "東京は日本の首都です。彼は来ない。"),
    "nothing to say": ("… - 👍", "Ann left"),
    "empty": ("", "Ann left"),
}


@pytest.mark.parametrize(("source", "summary"), COVERED.values(), ids=COVERED.keys())
def test_what_is_covered(source: str, summary: str) -> None:
    assert lost(source, summary) == []


LISTED = {
    "the first of a list": ("Ann likes green tea", "Ann likes green and black tea", True),
    "the last of a list": ("Ann likes black tea", "Ann likes green and black tea", True),
    "one of several": ("Carl likes tea", "Anna, Bob and Carl like tea", True),
    "a second deed": ("Anna sells coffee", "Anna buys tea and sells coffee", True),
    "a second store": ("Ann uses Redis for sessions", "Ann uses Postgres for orders and Redis for sessions", True),
    "a clause more": ("It is deployed on Fridays", "It is deployed on Fridays and tested on Mondays", True),
    "a time of its own": ("User prefers light mode", "User prefers light mode at night", False),
    "a choice": ("The tests must pass", "The tests must pass or be skipped", False),
    "a choice of numbers": ("Port is 80", "Port is 80 or 443", False),
    "several numbers": ("The price is 30", "The price is 30, 40 or 50", False),
    "a place in a place": ("Ann works in Rome", "Ann works in Rome, Georgia", False),
    "not alone any more": ("Only Ann deploys", "Only Ann and Bob deploy", False),
    "some days": ("The door is open", "The door is open on Mondays", False),
    "another deed": ("Anna buys coffee", "Anna buys tea and sells coffee", False),
    "another verb in the list": ("Anna likes black tea", "Anna likes milk, and hates black tea", False),
    "a narrower thing": ("Ann likes tea", "Ann likes green tea", False),
    "a thing of the thing": ("Ann likes tea", "Ann likes tea shops", False),
    "there and back": ("She moved from Berlin to Paris", "She moved to Berlin from Paris", False),
    "the past": ("Ann lived in Bern", "Ann lives in Bern", False),
    "how many": ("All tests pass", "Some tests pass", False),
    "one denied": ("Tom trusts Anna and Bob", "Tom trusts Anna and not Bob", False),
}


@pytest.mark.parametrize(("source", "summary", "covered"), LISTED.values(), ids=LISTED.keys())
def test_a_list_covers_each_of_its_parts_and_nothing_else(source: str, summary: str, covered: bool) -> None:
    assert (lost(source, summary) == []) == covered


def test_beside_its_source_a_text_must_hold_the_specifics_alone() -> None:
    source = "Anna moved billing to PostgreSQL 16 on Friday"
    told = "On Friday billing went over to PostgreSQL 16, thanks to Anna"
    assert lost(source, told) and lost(source, told, in_full=False) == []
    assert lost(source, told.replace("16", "15"), in_full=False)
    assert lost(source, told.replace("went", "never went"), in_full=False)


def test_words_that_nobody_said_are_found() -> None:
    assert new_words("Ann likes tea and tulips", ["Ann likes tea", "Ann likes lamps"]) == ["tulip"]
    assert new_words("Deployments are done on Fridays", ["Deploying is done on Friday"]) == []


# --- sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann left. Bob stayed! Did he?", ["Ann left.", "Bob stayed!", "Did he?"]),
        ("Dr. Novak left. It is v1.2 now", ["Dr. Novak left.", "It is v1.2 now"]),
        ("- one thing\n* another thing\n\n• a third", ["one thing", "another thing", "a third"]),
        ("彼は来ない。東京は首都です", ["彼は来ない。", "東京は首都です"]),
        ("it is red; it is blue", ["it is red;", "it is blue"]),
        ('He said "stop." Then he left', ['He said "stop."', "Then he left"]),
        ("", []),
        (" \n - \n … ", []),
    ],
)
def test_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found
    assert [point.text for point in points(text)] == found


def test_a_huge_text_is_read_in_time() -> None:
    text = "Ann owns the billing job number 7. " * 20_000
    assert len(sentences(text)) == 20_000
    assert sentences("a" * 1_000_000 + "." * 1_000_000)
