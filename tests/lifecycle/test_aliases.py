"""Which names mean the same, and above all which do not."""

from __future__ import annotations

import random
import time

from remanence.lifecycle.aliases import Name, groups


def names(*keys: str, scopes: tuple[str, ...] = ("/",), persons: bool = False) -> list[Name]:
    return [Name(key, frozenset(scopes), persons) for key in keys]


def people(*keys: str, scopes: tuple[str, ...] = ("/",)) -> list[Name]:
    return names(*keys, scopes=scopes, persons=True)


def test_a_short_form_goes_with_the_one_long_form_it_is_defined_by() -> None:
    known = names("mcp", "model context protocol", "jwt")
    assert groups(known, [("mcp", "model context protocol", 1)]) == [("mcp", "model context protocol")]
    assert groups(known) == []
    assert groups(known, [("mcp", "unheard of", 1), ("jwt", "json web token", 3)]) == []


def test_a_short_form_with_two_long_forms_stays_alone() -> None:
    known = names("mcp", "model context protocol", "microsoft certified professional")
    defined = [("mcp", "model context protocol", 9), ("mcp", "microsoft certified professional", 1)]
    assert groups(known, defined) == []


def test_two_short_forms_of_one_long_form_are_the_same() -> None:
    known = names("kubernetes", "k8s", "kube")
    assert groups(known, [("kube", "kubernetes", 1)]) == [("k8s", "kube", "kubernetes")]


def test_known_spellings_of_products() -> None:
    assert groups(names("postgres", "postgresql", "mysql", "mariadb")) == [("postgres", "postgresql")]
    assert groups(names("react", "redis")) == []


def test_a_first_name_or_surname_goes_with_the_only_full_name() -> None:
    schmidt = people("anna schmidt")
    assert groups([*schmidt, *people("anna")]) == [("anna", "anna schmidt")]
    assert groups([*schmidt, *names("schmidt")]) == [("anna schmidt", "schmidt")]
    assert groups([*schmidt, *people("dr. schmidt", "dr. anna schmidt")]) == [
        ("anna schmidt", "dr. anna schmidt", "dr. schmidt")
    ]


def test_with_two_full_names_the_short_one_stays_alone() -> None:
    assert groups(people("anna schmidt", "anna weber", "anna")) == []
    assert groups([*people("anna schmidt", "ben schmidt"), *names("schmidt")]) == []
    assert groups([*people("anna schmidt", "ben schmidt"), *people("dr. schmidt")]) == []


def test_two_full_names_never_meet_also_not_by_way_of_others() -> None:
    known = [*people("anna schmidt", "anna weber"), *names("as")]
    assert groups(known, [("as", "anna schmidt", 1)]) == [("anna schmidt", "as")]
    chained = [("as", "anna schmidt", 1), ("anna schmidt", "anna weber", 1)]
    assert groups(known, chained) == [("anna schmidt", "as")]


def test_a_short_name_used_where_the_full_one_is_not_stays_alone() -> None:
    full = people("anna schmidt", scopes=("/office/api",))
    assert groups([*full, *people("anna", scopes=("/office/api",))])
    assert groups([*full, *people("anna", scopes=("/office",))]), "above it"
    assert groups([*full, *people("anna", scopes=("/home",))]) == []
    assert groups([*full, *people("anna", scopes=("/office/api", "/home"))]) == []
    assert groups([*full, *people("anna", scopes=("/office/apiary",))]) == []


def test_what_may_be_a_place_or_no_person_stays_alone() -> None:
    assert groups([*people("jack london"), *names("london")]) == []
    assert groups(people("charlotte weber", "charlotte")) == []
    assert groups(names("york", "new york", "san francisco", "francisco")) == []
    assert groups([*people("anna paul"), *people("paul")]) == [], "a first name is no surname"
    assert groups([*people("paul weber"), *people("mr. paul")]) == [], "behind a title stands a surname"


def test_the_order_of_names_makes_no_difference() -> None:
    known = [*people("anna schmidt", "anna", "dr. anna schmidt", "ben weber", "mel", "melanie"), *names("weber", "mcp")]
    known += names("model context protocol", "postgres", "postgresql")
    defined = [("mcp", "model context protocol", 1), ("mel", "melanie", 2)]
    expected = groups(known, defined)
    assert len(expected) == 5
    for seed in range(20):
        random.Random(seed).shuffle(known)
        random.Random(seed).shuffle(defined)
        assert groups(known, defined) == expected


def test_many_names_take_little_time() -> None:
    many = people(*(f"anna name{number}" for number in range(10_000)), "anna")
    many += names(*(f"name{number}" for number in range(10_000)), *(f"x{number}" for number in range(10_000)))
    began = time.perf_counter()
    found = groups(many, [(f"x{number}", f"name{number}", 1) for number in range(10_000)])
    assert time.perf_counter() - began < 5
    assert len(found) == 10_000 and ("anna name7", "name7", "x7") in found
