"""Tiny data folders in the layout of the real sets, made by hand. None of it is taken from them."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

PACK = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


def write(folder: Path, name: str, content: Any, pack: str = "") -> Path:
    path = folder / f"{name}{pack}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PACK[pack](json.dumps(content).encode()))
    return path


def chat(*texts: str) -> list[dict[str, str]]:
    """Turns, the user first, then by turns."""
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


def longmemeval() -> list[dict[str, Any]]:
    sessions = {
        "s_fern": chat("My fern needs water every Tuesday", "Noted, ferns love water."),
        "s_bike": chat("I sold my bicycle to Omar", "A good price?", "Forty euros", "Fine."),
        "s_cake": chat("How do I bake a lemon cake?", "With lemons, flour and patience."),
    }
    shared: dict[str, Any] = {
        "question_type": "single-session-user",
        "answer": "",
        "haystack_session_ids": list(sessions),
        "haystack_dates": ["2023/05/17 (Wed) 23:40", "2023/05/20 (Sat) 02:11", "2023/05/19 (Fri) 10:00"],
        "haystack_sessions": list(sessions.values()),
    }
    return [
        {
            **shared,
            "question_id": "q1",
            "question": "When does the fern need water?",
            "question_date": "2023/06/01 (Thu) 09:00",
            "answer_session_ids": ["s_fern"],
        },
        {
            **shared,
            "question_id": "q2",
            "question": "Who bought the bicycle, and which cake was asked for?",
            "question_date": "2023/05/18 (Thu) 09:00",
            "answer_session_ids": ["s_bike", "s_cake"],
        },
        {
            **shared,
            "question_id": "q3_abs",
            "question": "What is my violin called?",
            "question_date": "2023/06/01 (Thu) 09:00",
            "answer_session_ids": [],
        },
    ]


def turn(id: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": id, "speaker": speaker, "text": text, **more}


def locomo() -> list[dict[str, Any]]:
    said = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("D1:1", "Ada", "I adopted a parrot named Kiwi"),
            turn("D1:2", "Ben", "Lovely! I joined a choir", blip_caption="a photo of a church"),
        ],
        "session_2_date_time": "9:05 am on 2 June, 2023",
        "session_2": [
            turn("D2:1", "Ada", "Kiwi learned to whistle"),
            turn("D2:2", "Ben", "Our choir sings in Lisbon in July"),
        ],
        "session_3_date_time": "9:05 am on 3 June, 2023",
    }
    asked = [
        {"question": "What is the parrot named?", "evidence": ["D1:1"], "category": 4, "answer": "Kiwi"},
        {"question": "What did Kiwi learn, and whose is it?", "evidence": ["D1:1; D2:1"], "category": 1, "answer": ""},
        {"question": "Where does the choir sing?", "evidence": ["D:2:02"], "category": 2, "answer": "Lisbon"},
        {"question": "Where does Ada's choir sing?", "evidence": ["D2:2", "D"], "category": 5},
        {"question": "Is Ben happy?", "evidence": [], "category": 3, "answer": "Probably"},
        {"question": "Who is named twice?", "evidence": ["D7:1"], "category": 3, "answer": ""},
    ]
    return [{"sample_id": "conv-x", "conversation": said, "qa": asked}]


def factconsolidation() -> list[dict[str, Any]]:
    facts = (
        "Here is a list of facts:\n0. Lena Orr works in the field of chemistry.\n1. The capital of Fenland is Tarn.\n"
        "2. Lena Orr works in the field of geology.\n3. The capital of Fenland is Dunmore.\n"
    )
    single = {
        "context": facts,
        "questions": ["What is the capital of Fenland?", "In which field does Lena Orr work?"],
        "answers": [["Dunmore"], ["geology", "Geology"]],
        "metadata": {"source": "factconsolidation_sh_6k"},
    }
    double = {**single, "metadata": {"source": None, "qa_pair_ids": ["factconsolidation_mh_6k_no0"]}}
    return [single, double]


def belief(id: str, **fields: Any) -> dict[str, Any]:
    plain = {
        "_id": id,
        "user_id": "test-user",
        "type": "preference",
        "canonical_name": id,
        "aliases": [],
        "content": "",
        "why_it_matters": "Shapes answers.",
        "scope": ["domain:garden"],
        "pinned": False,
        "confidence": 0.9,
        "created_at": "2026-02-01T00:00:00Z",
        "resolved_at": None,
        "superseded_by": None,
    }
    return plain | fields


def beliefs() -> list[dict[str, Any]]:
    return [
        belief("b-tone", content="Prefers short replies.", scope=["user:universal"]),
        belief("b-compost", content="Keeps a compost heap.", aliases=["humus"]),
        belief("b-hose", content="Waters with a hose.", pinned=True, superseded_by=None),
        belief(
            "b-old-can", content="Watered with a tin can.", created_at="2026-01-01T00:00:00Z", superseded_by="b-hose"
        ),
        belief("b-pond", type="open_question", content="A pond or not?", pinned=True),
        belief("b-fence", type="open_question", content="A hedge or a fence?", resolved_at="2026-03-01T00:00:00Z"),
        belief("b-piano", content="Practises scales on a piano.", scope=["domain:music"]),
        belief("b-worms", type="relation", content="Worms live off it.", participants=["b-compost", "b-piano"]),
        belief("b-other", user_id="someone", content="Has a compost toilet.", pinned=True),
    ]


def case(id: str, query: str, relevant: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    expect = {} if relevant is None else {"relevantBeliefs": {"shouldOnlyInclude": relevant}}
    more = fields.pop("expect", {})
    return {"caseId": id, "category": "x", "scope": ["domain:garden"], "query": query, "expect": expect | more} | fields


def cases() -> list[dict[str, Any]]:
    tone = {"personaPrelude": {"nonEmpty": True, "contains": ["short"], "mustNotContain": ["toilet"]}}
    pinned = {"pinnedFacts": {"mustInclude": ["b-hose"], "mustExclude": ["b-pond", "b-other", "b-old-can"]}}
    open_ = {"openQuestions": {"mustInclude": ["b-pond"], "mustExclude": ["b-fence"]}}
    return [
        case("alias", "humus", ["b-compost"], expect=tone),
        case("blank", "  ", [], expect=pinned | open_),
        case("superseded", "tin", [], expect=pinned),
        case("resolved", "hedge", [], expect=open_),
        case("relation", "worms", ["b-worms", "b-compost"]),
        case("no room", "compost", [], budget={"maxBeliefs": 1}),
        case("stranger", "compost", [], userId="nobody", expect={"personaPrelude": {"isNull": True}}),
        case("both scopes", "piano humus", ["b-piano", "b-compost"], scope=["domain:garden", "domain:music"]),
        case("impossible", "humus", ["b-piano"]),
    ]


def everything(folder: Path) -> Path:
    """All four sets, each packed in another way."""
    write(folder, "longmemeval/tiny.json", longmemeval(), ".xz")
    write(folder, "locomo/tiny.json", locomo(), ".gz")
    write(folder, "factconsolidation/tiny.json", factconsolidation())
    write(folder, "precisionmembench/beliefs.seed.json", beliefs())
    write(folder, "precisionmembench/retrieval.cases.json", cases())
    return folder
