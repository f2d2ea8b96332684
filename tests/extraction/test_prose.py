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
    "新しい版はGoを使っており、旧版は来月止まります。": ["新しい版はGoを使っている", "旧版は来月止まります。"],
    "The lamp was automated in 1985; since then nobody lives there.": [
        "The lamp was automated in 1985.",
        "Since then nobody lives there.",
    ],
    "Swapped the mutex for a lock; latency went from 310 ms to 140 ms.": [
        "Swapped the mutex for a lock.",
        "Latency went from 310 ms to 140 ms.",
    ],
    "Coating C lost 0.3 µm, whereas coating A blistered after 11 days.": [
        "Coating C lost 0.3 µm.",
        "Coating A blistered after 11 days.",
    ],
    "Sie hat in Lübeck studiert und in Malmö promoviert.": [
        "Sie hat in Lübeck studiert.",
        "Sie hat in Malmö promoviert.",
    ],
    "Backups werden nachts erstellt und 30 Tage aufbewahrt.": [
        "Backups werden nachts erstellt.",
        "Backups werden 30 Tage aufbewahrt.",
    ],
    "El cliente fue informado y no presentó quejas.": ["El cliente fue informado.", "El cliente no presentó quejas."],
    "新集群由三台服务器组成，每台配备64GB内存，但价格还没有确定。": [
        "新集群由三台服务器组成。",
        "新集群每台配备64GB内存。",
        "价格还没有确定。",
    ],
    "李雷认为命中率偏低，建议把过期时间改为10分钟。": ["李雷认为命中率偏低。", "李雷建议把过期时间改为10分钟。"],
    "兄の健太さんは船員で、年に二回しか帰国しない。": [
        "兄の健太さんは船員だ",
        "兄の健太さんは年に二回しか帰国しない。",
    ],
    "ロボットを二台導入し、作業時間は三時間減った。": ["ロボットを二台導入し", "作業時間は三時間減った。"],
}
WHOLE = [
    "We might drop Redis once the cache moves to Valkey, but that isn't decided.",
    "Wir wechseln vielleicht zu MariaDB, aber das ist nicht entschieden.",
    "On passera peut-être à MariaDB, mais cela n'est pas décidé.",
    "Quizá cambiemos a Adyen, pero eso no está decidido.",
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
    "The acid must not be used while the supers are on.",
    "We stayed calm while packing.",
    "Ersatzteile sind z. B. binnen zwei Tagen lieferbar.",
    "The fund charges 0.45 % p.a. and a fee of $9.",
    "D1 is decided. (Approved by Lars)",
    "港务主任郝建国说，旧设备不会拆除，因为夏天仍然不够用。",
    "去年，公司在上海设立了办事处。",
    "会議は東京で、来週行われる。",
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
    "My daughter's name is Sofia. She's 6.": "Sofia is 6.",
    "Dr. Smith joined Acme Corp. in Jan. 2019. He was promoted.": "Dr. Smith was promoted.",
    "The user, Benedikt, asked for a manual. Gradle needs JDK 21. He will test it.": "Benedikt will test it.",
    "The user wants a concert for a teacher, Prof. Imre Szabados. She likes Bach.": "The user likes Bach.",
    "Leontyne Abara was born in Port Harcourt. In 1981 she moved.": "In 1981 Leontyne Abara moved.",
    "My landlord called. He won't lower the rent.": "My landlord won't lower the rent.",
    "Laut Geschäftsführer Henning Tjarks sind 140 Stellen betroffen. Er hofft.": "Henning Tjarks hofft.",
    "Der neue Kollege heißt Tarek Yilmaz. Seine Katze ist alt.": "Tarek Yilmaz' Katze ist alt.",
    "我女儿林小雨今年七岁。每周三下午她学大提琴。": "每周三下午林小雨学大提琴。",
    "仓库经理吴敏建议提前采购。她下周要去昆明。": "吴敏下周要去昆明。",
    "田所美咲さんは引っ越した。現在は図書館で働いている。": "田所美咲さんは現在は図書館で働いている。",
    "佐藤さんはエンジニアです。趣味は登山です。": "佐藤さんの趣味は登山です。",
    "田中さんは入社しました。彼は営業チームを率いています。": "田中さんは営業チームを率いています。",
}
UNRESOLVED = [
    "Maria met Anna in Berlin. She was late.",
    "The gateway calls Billing. It runs on port 80.",
    "Kim met Sasha. He was late.",
    "The vessel left. Ilse Brandt waved. The vessel turned. She is expected on Friday.",
    "Notre vétérinaire est Mme Lopez. Ma belle-mère garde le chat. Elle habite à Nantes.",
    "Herr Kowalski kam. Der Umzug soll bis Juni abgeschlossen sein.",
    "Removed the fixture. Fixed the decorator, since it hid failures.",
    "The build passed. It is likely that we ship today.",
    "Le budget est clos. Il n'est plus possible de changer le plan.",
]


@pytest.mark.parametrize(("text", "last"), RESOLVED.items())
def test_a_pronoun_that_means_one_is_replaced(text: str, last: str) -> None:
    assert texts(text)[-1] == last


@pytest.mark.parametrize("text", UNRESOLVED)
def test_a_pronoun_that_may_mean_two_stays(text: str) -> None:
    assert texts(text)[-1] == text.rsplit(". ", 1)[1]


def test_a_subject_is_carried_without_what_belongs_to_its_verb() -> None:
    said = "Le serveur de test se trouve à Lyon et il redémarre chaque nuit."
    assert texts(said) == ["Le serveur de test se trouve à Lyon.", "Le serveur de test redémarre chaque nuit."]


@pytest.mark.parametrize(
    "label", ["Session summary: ", "Session 3: ", "Meeting notes. ", "Zusammenfassung: ", "Résumé : ", "Resumen: "]
)
def test_what_names_only_the_text_itself_is_left_out(label: str) -> None:
    assert texts(f"{label}The cache moved to Valkey.") == ["The cache moved to Valkey."]
    assert texts("Notes: the cache moved. npm stays.") == ["The cache moved.", "npm stays."]
    assert texts("Risk summary: The cache may fail.") == ["Risk summary: The cache may fail."]


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
    "Don't worry! That's very common.",
    "Oh no, sorry to hear that!",
    "You're a star",
    "If you want, I can write the tickets for you!",
    "haha love it",
    "各位家长晚上好！",
    "質問があれば遠慮なくどうぞ！",
    "“Who knows?” one engineer joked.",
    "ご確認よろしくお願いいたします。",
]


@pytest.mark.parametrize("text", DROPPED)
def test_chatter_and_questions_are_dropped(text: str) -> None:
    assert texts(text) == []


def test_an_answer_in_prose_keeps_its_question() -> None:
    assert texts("Why did we leave? Because it took 300 ms. Will the IP change? The IP stays. Any risks?") == [
        "Why did we leave: Because it took 300 ms.",
        "The IP stays.",
    ]


def test_a_negation_is_no_opener() -> None:
    assert texts("No meat, no citrus on the compost.") == ["No meat, no citrus on the compost."]


def test_openers_and_connectors_are_dropped() -> None:
    assert texts("However, the port is closed. Sure! Also, the disk is full. Hi Ann, the fan is loud.") == [
        "The port is closed.",
        "The disk is full.",
        "The fan is loud.",
    ]


def test_the_colon_of_a_sentence_makes_no_key() -> None:
    said = "The library has two branches: Riverside and Old Town. Children do not pay."
    assert texts(said) == said.replace(". C", ".|C").split("|")


STANDING = [
    (
        "We moved it. I've deleted the old one, replaced bcrypt with argon2, and added 14 tests.",
        ["I've deleted the old one.", "I've replaced bcrypt with argon2.", "I've added 14 tests."],
    ),
    (
        "Had we used Go, it would have been faster. Were it cheaper, we would buy it.",
        ["Had we used Go, it would have been faster.", "Were it cheaper, we would buy it."],
    ),
    ("This loop is O(n^2). With 50k rows it takes 40 seconds.", ["With 50k rows this loop takes 40 seconds."]),
    ("Redis OOM, maxmemory was 2gb. Bob raised it to 4gb.", ["Bob raised it to 4gb."]),
    (
        "Dana said they like the setup but the export is too slow.",
        ["Dana said they like the setup but the export is too slow."],
    ),
    ("Dana asked for SFTP. I told her it's planned.", ["I told Dana it's planned."]),
    ("212 tests passed, 3 were skipped.", ["212 tests passed.", "3 tests were skipped."]),
    ("Alice, Bob and Tom were in Rome. They ate pizza.", ["Alice, Bob and Tom ate pizza."]),
    (
        "Note: the port is shut. Summary of the conversation so far: The user builds a tool.",
        ["The port is shut.", "The user builds a tool."],
    ),
]


@pytest.mark.parametrize(("text", "held"), STANDING)
def test_a_claim_says_neither_more_nor_less_than_its_sentence(text: str, held: list[str]) -> None:
    assert [one for one in texts(text) if one in held] == held


@pytest.mark.parametrize(
    "text",
    [
        "The laptops arrive in January, but I'm not 100% sure.",
        "The laptops arrive in January. Not sure though.",
        "The port is 8080, but I could be wrong.",
        "The fee is 30 euros, but don't quote me on that.",
        "Die Lieferung kommt am Montag, aber ich bin mir nicht sicher.",
        "Der Preis liegt bei 20 Euro. Ohne Gewähr.",
        "Le train part à midi. Pas sûr.",
        "El tren sale a las dos, pero no estoy seguro.",
        "项目预算减少到50万元，但不确定是否最终决定。",
    ],
)
def test_a_doubt_stays_with_what_it_doubts(text: str) -> None:
    assert texts(text) == [text]


def test_a_doubt_is_no_answer() -> None:
    assert texts("Is the cache on? Not sure.") == []


def test_only_what_stands_in_the_marks_is_said_by_who_is_quoted() -> None:
    for said in ('Tom said: "We ship on Monday."', 'Anna wrote: "We ship on Monday."'):
        assert texts(f"{said} Kim disagreed with that.") == [said, "Kim disagreed with that."]
    assert texts("Tom said: I moved to Rome.\nAnna said: I stayed in Oslo.") == [
        "Tom moved to Rome.",
        "Anna stayed in Oslo.",
    ]


def test_a_smiley_ends_a_sentence() -> None:
    assert texts("Talk soon :) The port is 8080.") == ["The port is 8080."]


def test_what_announces_code_is_kept_where_it_says_something() -> None:
    block = "\n\n```python\nx = 1\ny = 2\n```\n"
    kept = "The retry helper lives in src/retry.py and uses backoff"
    assert texts(f"{kept}:{block}It must not be used for POST.")[-1] == "The retry helper must not be used for POST."
    assert texts(f"{kept}:{block}")[0] == "The retry helper lives in src/retry.py."
    for mere in ("To install, run", "Use this", "The config looks like", "The following code is used"):
        assert texts(f"{mere}:{block}") == []
