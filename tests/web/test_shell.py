"""The frame of the page: coming in, tokens that end, a server that stops and comes back, keys, colours, remembering."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from remanence.interfaces.tokens import Tokens
from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands
from tests.web.going import at, fits
from tests.web.looks import LOOKS
from tests.web.shots import shot

BEGINS = "/"

VIEWS = {
    "o": "Overview",
    "m": "Memories",
    "s": "Sweeps and dreams",
    "p": "Policies",
    "r": "Review",
    "e": "Sessions",
    "t": "Entities",
    "x": "Erase",
}


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


# -- coming in


def test_the_token_leaves_the_address_at_once(page: Page, served: Server) -> None:
    heading(page, "Overview")
    assert page.url == f"{served.url}/#/"
    assert served.token not in page.content()
    page.reload()
    heading(page, "Overview")


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_without_a_token_it_says_how_to_get_one(served: Server, open_page: Callable[..., Page], look: str) -> None:
    page = open_page(served, look, token="")
    heading(page, "This memory is private")
    assert "rem page --open" in check_commands(page)
    axe.check(page)
    fits(page)
    shot(page, f"signin-{look}")
    page.get_by_label("Token").fill(served.token)
    page.get_by_role("button", name="Enter").click()
    heading(page, "Overview")


def test_a_wrong_token_is_told_and_another_can_be_given(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token="rem_00000000_wrong")
    page.expected.append("answered 401")  # type: ignore[attr-defined]
    expect(page.get_by_role("alert")).to_contain_text("no longer good")
    page.get_by_label("Token").fill("rem_11111111_also_wrong")
    with page.expect_response(lambda response: response.status == 401):
        page.get_by_role("button", name="Enter").click()
    expect(page.get_by_label("Token")).to_have_value("")  # the door is drawn anew
    expect(page.get_by_role("alert")).to_contain_text("no longer good")
    page.get_by_label("Token").fill(served.token)
    page.get_by_role("button", name="Enter").click()
    heading(page, "Overview")


def test_a_token_that_ends_meanwhile_leads_to_the_door_and_back(served: Server, open_page: Callable[..., Page]) -> None:
    secret, token = Tokens(served.db).create("short")
    page = open_page(served, token=secret)
    heading(page, "Overview")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Review").click()
    heading(page, "Review")
    page.expected.append("answered 401")  # type: ignore[attr-defined]
    Tokens(served.db).revoke(token.id)
    heading(page, "This memory is private")
    expect(page.get_by_role("alert")).to_contain_text("it has expired, or was revoked")
    page.get_by_label("Token").fill(served.token)
    page.get_by_role("button", name="Enter").click()
    heading(page, "Review")


def test_signing_out_forgets_the_token(page: Page) -> None:
    heading(page, "Overview")
    page.get_by_role("button", name="Settings and keys").click()
    page.get_by_role("button", name="Sign out").click()
    heading(page, "This memory is private")
    page.reload()
    heading(page, "This memory is private")


@pytest.mark.writes
def test_signing_out_leaves_nothing_of_what_was_there(page: Page, served: Server) -> None:
    heading(page, "Overview")
    page.evaluate("sessionStorage.setItem('remanence.namespace', 'side')")
    page.reload()
    expect(page.locator("#banners")).to_contain_text("Namespace side")
    at(page, "memories")
    page.locator("[data-row] input[type=checkbox]").first.check()
    page.locator(".bulk").get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator(".toast")).to_be_visible()
    page.locator("[data-row] input[type=checkbox]").first.check()
    page.get_by_role("button", name="Settings and keys").click()
    page.get_by_role("button", name="Sign out").click()
    heading(page, "This memory is private")
    expect(page.locator(".toast, .banner, [data-row]")).to_have_count(0)
    page.get_by_label("Token").fill(served.token_for("reader", read_only=True))
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("[data-row]").first).to_be_visible()
    expect(page.get_by_text("1 chosen")).to_have_count(0)
    page.keyboard.press("u")
    expect(page.locator(".toast")).to_have_count(0)


def test_a_reading_token_is_offered_no_changes(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token=served.token_for("reader", read_only=True))
    heading(page, "Overview")
    expect(page.get_by_text("it may read and change nothing")).to_be_visible()
    expect(page.get_by_role("button", name="Remember")).to_be_hidden()
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_have_count(0)


# -- a server that is away


def test_a_server_that_stops_and_comes_back(
    store: Path, serve: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    first = serve(store)
    page = open_page(first)
    heading(page, "Overview")
    page.expected += ["failed:", "ERR_", "answered"]  # type: ignore[attr-defined]
    port = first.port
    first.stop()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Review").click()
    expect(page.locator("#banners")).to_contain_text("The server does not answer.")
    axe.check(page)
    shot(page, "silent")
    serve(store, "--port", str(port))
    expect(page.locator("#banners")).not_to_contain_text("The server does not answer.", timeout=30_000)
    heading(page, "Review")
    expect(page.locator("#main .waiting")).to_have_count(0)


def test_no_page_of_that_name(page: Page) -> None:
    heading(page, "Overview")
    page.goto("/#/nothing-of-the-kind")
    expect(page.get_by_role("alert")).to_contain_text("There is no page nothing-of-the-kind")


# -- keys, colours, namespaces


def test_every_page_has_its_keys(page: Page) -> None:
    heading(page, "Overview")
    links = page.get_by_role("navigation", name="Pages")
    for key, name in [*list(VIEWS.items())[1:], ("o", "Overview")]:  # the first is where it begins
        page.keyboard.press("g")
        page.keyboard.press(key)
        heading(page, name)
        expect(page).to_have_title(f"{name} · remanence")
        expect(links.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")


def test_keys_can_be_switched_off(page: Page) -> None:
    heading(page, "Overview")
    page.keyboard.press("?")
    page.get_by_label("Keys work").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_keys_are_letters_in_a_field(page: Page) -> None:
    heading(page, "Overview")
    page.keyboard.press("/")
    page.keyboard.type("n u g m")
    expect(page.get_by_role("searchbox", name="Search memories")).to_have_value("n u g m")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_the_settings(page: Page, look: str) -> None:
    heading(page, "Overview")
    page.get_by_role("button", name="Settings and keys").click()
    dialog = page.get_by_role("dialog", name="Settings and keys")
    axe.check(page)
    dialog.get_by_label("Dark").check()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    dialog.get_by_label("Light").check()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    shot(page, f"settings-{look}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Settings and keys")).to_be_focused()
    page.reload()
    heading(page, "Overview")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_another_namespace(page: Page) -> None:
    heading(page, "Overview")
    page.get_by_role("button", name="Settings and keys").click()
    page.get_by_label("Namespace").fill("side")
    page.get_by_role("button", name="Look there").click()
    expect(page.locator("#banners")).to_contain_text("Namespace side")
    live = page.get_by_role("group", name="In short").get_by_role("link", name="live")
    expect(live.locator("b")).to_have_text("30")
    assert all(one.startswith("rem --namespace side ") for one in check_commands(page))
    page.get_by_role("button", name="Back to the usual one").click()
    expect(page.locator("#banners")).not_to_contain_text("Namespace side")


# -- remembering


@pytest.mark.writes
@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_something_is_remembered_and_taken_back(page: Page, served: Server, look: str) -> None:
    heading(page, "Overview")
    page.get_by_role("button", name="Remember").click()
    dialog = page.get_by_role("dialog", name="Remember something")
    dialog.get_by_label("What").fill("The north gate opens at seven")
    dialog.get_by_label("Scope").fill("/harbour")
    dialog.get_by_label("Kind").fill("decision")
    assert check_commands(page)[-1] == "rem remember --scope /harbour --kind decision 'The north gate opens at seven'"
    axe.check(page)
    shot(page, f"remember-{look}")
    dialog.get_by_role("button", name="Remember").click()
    done = page.get_by_role("status").filter(has_text="Remembered.")
    expect(done).to_be_visible()
    with served.client() as api:
        (made,) = api.get("/v1/memories", params={"scope": "/harbour"}).json()["items"]
        assert (made["text"], made["kind"], made["source"]) == ("The north gate opens at seven", "decision", "human")
        done.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status").filter(has_text="was undone")).to_be_visible()
        assert api.get("/v1/memories", params={"scope": "/harbour"}).json()["items"] == []


def test_what_cannot_be_remembered_is_told(page: Page) -> None:
    heading(page, "Overview")
    page.expected.append("answered 422")  # type: ignore[attr-defined]
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Remember something")
    dialog.get_by_label("What").fill("Something")
    dialog.get_by_label("Scope").fill("/double//slash")
    dialog.get_by_role("button", name="Remember").click()
    expect(page.get_by_role("alert")).to_contain_text("scope")


def test_a_command_is_seen_in_the_order_in_which_it_is_copied(page: Page) -> None:
    heading(page, "Overview")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Remember something")
    dialog.get_by_label("What").fill("photo \u202egpj.exe")
    expect(dialog.locator(".command code")).to_have_text("rem remember --scope / --kind fact 'photo \\u202egpj.exe'")
    assert check_commands(page)[-1].endswith("'photo \u202egpj.exe'")


def test_the_command_of_a_long_text_is_whole_and_shown_in_short(page: Page) -> None:
    heading(page, "Overview")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Remember something")
    text = "The gate's hinge\n" + "needs oil " * 500
    dialog.get_by_label("What").fill(text)
    assert shlex.split(check_commands(page)[-1])[-1] == text
    assert len(dialog.locator("[data-command] code").inner_text()) < 700
    dialog.get_by_label("What").fill("needs oil " * 20_000)
    expect(dialog.get_by_text("too long for a command line")).to_be_visible()


# -- questions, and controls that draw their view anew


def test_a_question_goes_with_the_view_it_was_asked_in(page: Page) -> None:
    at(page, "memories")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("location.hash = '#/review'")
    heading(page, "Review")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_control_that_draws_its_view_anew_keeps_the_focus(page: Page) -> None:
    at(page, "plans/receipts")
    control = page.locator("#main select").first
    control.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#main select").first).to_be_focused()


# -- what is said of what was found, chosen, and taken out


def test_words_that_nobody_wrote_are_said_to_be_in_no_memory(page: Page) -> None:
    at(page, "memories?q=zzqx+flurbl")
    expect(page.get_by_text("No memory has these words.")).to_be_visible()


def test_keys_lead_to_what_can_be_done_with_the_chosen_and_choose_none(page: Page) -> None:
    at(page, "memories")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("b")
    expect(page.locator(".bulk button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".bulk")).to_be_hidden()


@pytest.mark.writes
def test_a_secret_that_was_taken_out_is_told_of_and_not_shown_again(page: Page) -> None:
    heading(page, "Overview")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Remember something")
    key = "AKIA" + "Z7QK3MXW5TRB2NVD"
    dialog.get_by_label("What").fill(f"The depot's access key is {key}")
    dialog.get_by_role("button", name="Remember").click()
    expect(page.locator(".toast")).to_contain_text("1 secret taken out")
    assert key not in page.content()
    page.keyboard.press("u")
    expect(page.locator(".toast").filter(has_text="Remembered.")).to_have_count(0)
