"""Sentences, clauses and references: one claim a statement, nothing of it lost."""

from __future__ import annotations

import pytest

from remanence.extraction import texts

SENTENCES = [
    "Dr. A. Weiss moved from St. Gallen to Washington, D.C. in Jan. 2018. | It rained.",
    "Version 2.1.3 costs $19.99 per seat, i.e. about $900. | No.4 and e.g. Fedora work.",
    "See https://wiki.example.net/a.html?b=1.2#c for details. | The file is ~/.config/app/env.",
    "Das Büro zieht zum 1. September um. | Frau Dr. Hartmann leitet es.",
    "Le prix est de 3,50 €. | M. Roux paie.",
    "El vuelo cuesta 612,50 euros. | Sale a las 7:40.",
    "张伟于2022年加入公司。 | 李娜接手测试工作！",
    "締め切りは7月です。 | 会議は9月26日です。",
    "He said “Stop. Now.” and left (see fig. 2. It helps). | They went home…",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_end_where_they_end(text: str) -> None:
    from remanence.extraction.language import language_of
    from remanence.extraction.sentences import sentences

    said = text.split(" | ")
    assert sentences(" ".join(said), language_of(text)) == said


CUT = {
    "Anna works at Siemens and lives in Munich.": ["Anna works at Siemens.", "Anna lives in Munich."],
    "The job was tested on CI and deployed to staging.": [
        "The job was tested on CI.",
        "The job was deployed to staging.",
    ],
    "Pods must run offline and support the ARM build.": ["Pods must run offline.", "Pods must support the ARM build."],
    "The cache is fast, but it uses more memory.": ["The cache is fast.", "The cache uses more memory."],
    "Carla wrote the spec, Ben built the prototype, and the customer rejected both because neither worked.": [
        "Carla wrote the spec.",
        "Ben built the prototype.",
        "The customer rejected both because neither worked.",
    ],
    "Traffic doubled in May, so we added two servers.": ["Traffic doubled in May.", "We added two servers."],
    "Lorna manages the budget while Piet looks after the volunteers.": [
        "Lorna manages the budget.",
        "Piet looks after the volunteers.",
    ],
    "The root cause was a bad cable; nobody had checked the plug.": [
        "The root cause was a bad cable.",
        "Nobody had checked the plug.",
    ],
    "The app is free — the sensors cost 35 euros each.": ["The app is free.", "The sensors cost 35 euros each."],
    "He bought milk, eggs and bread and went home.": ["He bought milk, eggs and bread.", "He went home."],
    "Users can upload images, rename them and share links with guests.": [
        "Users can upload images.",
        "Users can rename them.",
        "Users can share links with guests.",
    ],
    "The company was founded in 2003, went public in 2015 and was sold in 2021.": [
        "The company was founded in 2003.",
        "The company went public in 2015.",
        "The company was sold in 2021.",
    ],
    "Sales and marketing share a budget of $40k and report to the COO.": [
        "Sales and marketing share a budget of $40k.",
        "Sales and marketing report to the COO.",
    ],
    "Ich spreche Deutsch und lerne gerade Türkisch.": ["Ich spreche Deutsch.", "Ich lerne gerade Türkisch."],
    "L'équipe a testé le prototype et corrigé deux erreurs.": [
        "L'équipe a testé le prototype.",
        "L'équipe a corrigé deux erreurs.",
    ],
    "La tienda abre a las nueve y cierra a las ocho.": [
        "La tienda abre a las nueve.",
        "La tienda cierra a las ocho.",
    ],
    "Sofía Herrera dirige el laboratorio. Estudió química y habla cuatro idiomas.": [
        "Sofía Herrera dirige el laboratorio.",
        "Sofía Herrera estudió química.",
        "Sofía Herrera habla cuatro idiomas.",
    ],
    "Meike übernimmt die Schulung und erstellt Unterlagen.": [
        "Meike übernimmt die Schulung.",
        "Meike erstellt Unterlagen.",
    ],
    "Claire encadre sept ingénieurs et rend compte au directeur.": [
        "Claire encadre sept ingénieurs.",
        "Claire rend compte au directeur.",
    ],
    "Lucía viaja a Bogotá y se queda dos semanas.": ["Lucía viaja a Bogotá.", "Lucía se queda dos semanas."],
    "赵敏负责联系供应商，并在周五前提交报价。": ["赵敏负责联系供应商。", "赵敏在周五前提交报价。"],
    "新しい版はGoを使っており、旧版は来月止まります。": ["新しい版はGoを使っており", "旧版は来月止まります。"],
}
WHOLE = [
    "The service uses Redis, Kafka and S3.",
    "The vendor reviewed and signed the agreement.",
    "Latency between the API and the database is 40 ms.",
    "Anna thinks Redis and Kafka are slow.",
    "The tests for login and checkout fail on CI.",
    "If the subsidy is granted and the permit arrives, construction starts in March.",
    "The plan failed because the budget was small and the team was new.",
    "Mortality was 8 % in one group and 11 % in the other.",
    "Entries expire after 15 minutes unless the product is flagged as seasonal.",
    "A binary is available for Linux and macOS, but not for Windows.",
    "We should add it to terraform so it doesn't happen again.",
    "The server, which is old and slow, stays.",
    "The gym opens at 6 am on weekdays and 8 am on weekends.",
    "The manual recommends oil changes every 10,000 km and new filters every 20,000 km.",
    "The lawyer said we must keep the records for ten years and may not alter them.",
    "Prices rose by 4 % in May and 2 % in June.",
    "Wir nutzen Ansible, weil Puppet zu teuer und zu langsam war.",
    "服务器迁移推迟到6月，因为机房合同还没有签。",
]


@pytest.mark.parametrize(("sentence", "claims"), CUT.items())
def test_two_verbs_are_two_claims(sentence: str, claims: list[str]) -> None:
    assert texts(sentence) == claims


@pytest.mark.parametrize("sentence", WHOLE)
def test_what_belongs_together_stays(sentence: str) -> None:
    assert texts(sentence) == [sentence]


RESOLVED = {
    "Maria joined in May. She leads the API team.": "Maria leads the API team.",
    "Maria Okafor joined in May. Her brother Chidi plays chess. He sings.": "Chidi sings.",
    "Nadia and Victor share an office. He maintains the cluster.": "Victor maintains the cluster.",
    "We considered Memcached, but it lacks sorted sets.": "Memcached lacks sorted sets.",
    "The gateway is written in Go. It terminates TLS.": "The gateway terminates TLS.",
    "The Rotterdam warehouse is old. Its roof leaks water.": "The Rotterdam warehouse's roof leaks water.",
    "My manager is Dana Fox. She prefers weekly reports.": "Dana Fox prefers weekly reports.",
    "Frau Hartmann leitet den Umzug. Sie ist unter 214 erreichbar.": "Frau Hartmann ist unter 214 erreichbar.",
    "Le projet Mistral a démarré. Il est dirigé par Claire.": "Le projet Mistral est dirigé par Claire.",
    "Lucía viaja a Bogotá. Ella no come carne.": "Lucía no come carne.",
    "张伟于2022年加入公司。他负责支付系统。": "张伟负责支付系统。",
    "田中さんは入社しました。彼は営業チームを率いています。": "田中さんは営業チームを率いています。",
}
UNRESOLVED = [
    "Maria met Anna in Berlin. She was late.",
    "The gateway calls Billing. It runs on port 80.",
    "Kim met Sasha. He was late.",
    "The build passed. It is likely that we ship today.",
    "Le budget est clos. Il n'est plus possible de changer le plan.",
]


@pytest.mark.parametrize(("text", "last"), RESOLVED.items())
def test_a_pronoun_that_means_one_is_replaced(text: str, last: str) -> None:
    assert texts(text)[-1] == last


@pytest.mark.parametrize("text", UNRESOLVED)
def test_a_pronoun_that_may_mean_two_stays(text: str) -> None:
    assert texts(text)[-1] == text.split(". ", 1)[1]


KEPT = [
    "The user must not send production data.",
    "We no longer run the resizer with four workers.",
    "The leak is probably in the image resizer.",
    "I think that the 5.2 upgrade broke it.",
    "Vermutlich wird das erst im November fertig.",
    "Peut-être que le client acceptera le tarif.",
    "李娜可能会在下个月接手测试工作。",
]


@pytest.mark.parametrize("sentence", KEPT)
def test_negations_and_hedges_stay(sentence: str) -> None:
    assert texts(sentence) == [sentence]


DROPPED = [
    "Hi Tom,",
    "Good morning everyone 😊",
    "Thanks a lot for your help!",
    "Sounds good, thanks.",
    "LGTM, nice work!",
    "Let me check real quick…",
    "Here is the summary:",
    "Let me know if you have questions.",
    "Which database should we use? Has anyone measured the load?",
    "what's the capital of Kenya again",
    "Best regards,\nSabine",
    "Vielen Dank an alle!",
    "Viele Grüße\nTobias",
    "Merci pour ton message.",
    "Bonne journée,\nÉmilie",
    "¡Muchas gracias!",
    "大家辛苦了！",
    "ご確認よろしくお願いいたします。",
]


@pytest.mark.parametrize("text", DROPPED)
def test_chatter_and_questions_are_dropped(text: str) -> None:
    assert texts(text) == []


def test_openers_and_connectors_are_dropped() -> None:
    assert texts("However, the port is closed. Sure! Also, the disk is full. Hi Ann, the fan is loud.") == [
        "the port is closed.",
        "the disk is full.",
        "the fan is loud.",
    ]


def test_the_colon_of_a_sentence_makes_no_key() -> None:
    said = "The library has two branches: Riverside and Old Town. Children do not pay."
    assert texts(said) == said.replace(". C", ".|C").split("|")
