"""What is given to a client as it travels, and how the client is let in."""

from __future__ import annotations

import inspect
import json
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.aio import FACETS
from remanence.client import Client
from remanence.client.address import address_of
from remanence.client.arguments import travelling
from remanence.client.requests import request_of
from remanence.errors import InvalidInput
from remanence.interfaces.calls import CALLS
from remanence.interfaces.tokens import first_token
from remanence.model.session import Session
from remanence.policies import reading
from remanence.settings import Settings

WHEN = datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=2)))


def sent(name: str, *positional: Any, **named: Any) -> Any:
    """The arguments of a call, as they are sent."""
    facet, _, verb = name.rpartition(".")
    function = getattr(FACETS[facet] if facet else Mind, verb)
    bound = inspect.signature(function).bind(None, *positional, **named)
    return travelling(CALLS[name], bound)


def test_what_is_as_it_would_be_is_not_sent() -> None:
    assert sent("recall", "x", limit=10, scope=None, reinforce=True, least=0.0) == {"query": "x"}
    assert sent("recall", "x", limit=True, reinforce=False) == {"query": "x", "limit": True, "reinforce": False}
    assert sent("sweep", progress=print) == {}
    assert sent("context", "x", like=None, kinds=("a",)) == {"query": "x", "kinds": ["a"]}


def test_values_as_json() -> None:
    given = sent(
        "remember",
        "x",
        created_at=WHEN,
        ttl=timedelta(days=30),
        categories={"b", "a"},
        files=(name for name in ("one", "two")),
        metadata={"n": [1, None, {"x": "ü"}]},
    )
    assert given == {
        "text": "x",
        "created_at": "2026-03-01T09:00:00+02:00",
        "ttl": "720h",
        "categories": ["a", "b"],
        "files": ["one", "two"],
        "metadata": {"n": [1, None, {"x": "ü"}]},
    }
    assert sent("forget", older_than=timedelta(days=365_000)) == {"older_than": "365000d"}
    assert sent("dream", steps="cluster, prune") == {"steps": ["cluster", "prune"]}
    session = Session(id="s1", project="/", agent="a", started_at=WHEN, last_at=WHEN)
    assert sent("sessions.show", session) == {"id": "s1"}
    assert sent("sessions.run", only=[session, "s2"]) == {"only": ["s1", "s2"]}
    said = {"role": "assistant", "content": "hello"}
    assert sent("sessions.observe", session, said) == {"session": "s1", "said": "hello", "role": "assistant"}
    assert sent("memory_tool", "add", content="x", ttl="30d") == {
        "action": "add",
        "arguments": {"content": "x", "ttl": "30d"},
    }
    assert sent("list", after="1~x") == {"cursor": "1~x"}


def test_what_cannot_travel_is_told_at_once() -> None:
    with pytest.raises(InvalidInput) as raised:
        sent(
            "remember",
            "x",
            created_at=datetime(2026, 1, 1),
            ttl=timedelta(minutes=90),
            importance=math.nan,
            metadata={"at": WHEN},
            files=[Path("a")],
        )
    assert len(raised.value.problems) == 5
    with pytest.raises(InvalidInput, match="longer than nothing"):
        sent("forget", older_than=timedelta(0))
    with pytest.raises(InvalidInput, match="rem scan PATH"):
        sent("scan", "notes.txt")


def test_policies_travel_as_their_values(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yml"
    mine.write_text(
        "extends: halflife\nhalf_life_days: 40\ntargets:\n  - {name: few, action: archive, memories: .inf}\n"
    )
    mine.write_text("extends: halflife\nhalf_life_days: 40\n")
    values = {"name": "mine", "extends": "halflife", "half_life_days": 40}
    for given in (mine, str(mine), reading.named(mine)):
        assert sent("policies.use", given) == {"name": values}
    assert sent("forecast", "tiered") == {"policy": "tiered"}
    assert sent("forecast", reading.preset("tiered")) == {"policy": "tiered"}
    assert reading.from_values(values, "x", "mine") == reading.named(mine)
    with pytest.raises(InvalidInput, match="there is no file"):
        sent("policies.use", tmp_path / "none.yml")
    with pytest.raises(InvalidInput, match="no policy 'tired'"):
        sent("forecast", "tired")


def test_a_folder_is_looked_at_here(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    expected = {"project": "/project/shop"}
    assert sent("guidance", "shop") == sent("guidance", "/project/shop") == expected
    assert sent("sessions.start", tmp_path / "shop")["project"].endswith("shop")


def test_requests() -> None:
    id = "01900000-0000-7000-8000-000000000000"
    request = request_of(CALLS["why_not"], {"query": "x", "id": id})
    assert (request.method, request.path) == ("POST", f"/v1/memories/{id}/why_not")
    assert json.loads(request.body or b"") == {"query": "x"}
    assert "Idempotency-Key" not in request.headers
    assert request_of(CALLS["review.list"], {"limit": 5, "scope": ["/a"]}).path == "/v1/review?limit=5&scope=%2Fa"
    # Half a character is the server's to refuse, in its words; in an address it cannot stand.
    assert request_of(CALLS["extract"], {"text": "\ud800"}).body == b'{"text": "\\ud800"}'
    with pytest.raises(InvalidInput, match="lone surrogate"):
        request_of(CALLS["entities.show"], {"name": "\ud800"})


URL = "http://127.0.0.1:7411"


def let_in(url: str = URL, settings: Settings | None = None, **options: Any) -> Any:
    given = {"token": None, "namespace": None, "timeout_seconds": None, **options}
    return address_of(url, settings or Settings(), **given)


def test_the_token_of_a_server_on_this_machine_is_found(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    secret = first_token(store, URL).token
    settings = Settings(db=str(store))
    assert let_in(settings=settings).token == secret
    assert let_in(URL + "/", settings).token == secret
    # "localhost" may lead to another user's server on ::1; the token goes to the address it was left for.
    local = let_in("http://localhost:7411", settings)
    assert (local.url, local.token) == (URL, secret)
    for other in (
        "http://127.0.0.1:7412",
        "https://127.0.0.1:7411",
        "http://localhost:7412",
        "http://example.com:7411",
    ):
        assert let_in(other, settings).token is None
    assert let_in(settings=Settings(db=str(store), client__token="set")).token == "set"
    assert let_in(settings=Settings(db=str(store), client__token="set"), token="given").token == "given"
    assert secret not in repr(let_in(settings=settings))


def test_namespaces_are_sent_when_somebody_named_one() -> None:
    assert let_in().namespace is None
    assert let_in(settings=Settings(namespace="work")).namespace == "work"
    assert let_in(settings=Settings(namespace="work"), namespace="default").namespace == "default"


def test_nothing_to_choose_by_never_asks_for_everything() -> None:
    for name in ("ids", "scope"):
        with pytest.raises(InvalidInput, match=f"^{name} is empty$"):
            request_of(CALLS["list"], {name: []})
    assert request_of(CALLS["list"], {}).path == "/v1/memories"


@pytest.mark.parametrize(
    ("url", "options", "problem"),
    [
        ("http://", {}, "name a host"),
        ("http://a:b@c", {}, "no user or password"),
        ("http://host:99999", {}, "no web address"),
        ("http://host/?q=1", {}, "must end with the path"),
        ("http://hößt", {}, "name a host"),
        (URL, {"token": "a\nb"}, "token must be printable"),
        (URL, {"token": ""}, "token must be printable"),
        (URL, {"namespace": "größe"}, "cannot stand in a request"),
        (URL, {"namespace": ""}, "namespace is blank"),
        (URL, {"timeout_seconds": "5"}, "timeout_seconds must be a number"),
        (URL, {"policy": "tiered", "clock": lambda: WHEN.astimezone(UTC)}, "policy cannot be given.*clock cannot"),
    ],
)
def test_bad_addresses(url: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        Client(url, **options)


def test_minds_by_address_are_clients() -> None:
    mind = Mind(URL, namespace="work", settings={"client.token": "t"})
    assert isinstance(mind, Client) and mind.namespace == "work"
    assert type(Mind(location="HTTPS://example.com")) is Client
    mind.close()
    with Mind(":memory:", settings={"upkeep.on_open": False}) as other:
        assert type(other) is Mind
