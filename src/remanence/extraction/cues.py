"""Words that tell what a statement is, as data: kinds, categories, what raises and what lowers importance.

Single words are looked up whole; several words and signs of scripts without blanks are looked for in the text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cues:
    words: frozenset[str]
    phrases: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()

    def occur(self, words: frozenset[str], text: str, ascii_only: bool) -> bool:
        """Whether any of them stands in a text in lower case, given with its words."""
        if not self.words.isdisjoint(words) or any(phrase in text for phrase in self.phrases):
            return True
        return not ascii_only and any(sign in text for sign in self.signs)


def _cues(words: str, phrases: str = "", signs: str = "") -> Cues:
    """Words by blanks, phrases by commas, signs by blanks."""
    return Cues(
        frozenset(words.split()),
        tuple(" ".join(phrase.split()) for phrase in phrases.split(",") if phrase.strip()),
        tuple(signs.split()),
    )


# In this order: the first that occurs is taken.
KINDS: tuple[tuple[str, Cues], ...] = (
    (
        "decision",
        _cues(
            """decided decision decisions chose chosen approved recommends recommended beschlossen
            entschieden beschluss entscheidung
            décidé décision approuvé choisi validé decidió decidimos decidieron decisión aprobó aprobado acordó
            acordamos""",
            "agreed to, agreed on, agreed that, will go with, we will use, will adopt, went with, settled on, signed "
            "off, einigten sich",
            "决定 批准 決定 承認 採用する",
        ),
    ),
    (
        "preference",
        _cues(
            """prefer prefers preferred like likes love loves dislike dislikes hate hates favourite favorite
            enjoys enjoy bevorzugt
            bevorzuge bevorzugen mag lieber lieblings préfère préfèrent aime adore déteste prefiere prefieren prefiero
            odia favorito
            favorita""",
            "always use, would rather, am liebsten, me gusta, le gusta, n'aime pas",
            "喜欢 偏好 更愿意 好き 好み 嫌い",
        ),
    ),
    (
        "identity",
        _cues(
            """born allergic vegetarian vegan married nurse doctor teacher veterinarian lawyer geboren wohnt
            heiße médecin infirmière
            habite vive nació""",
            """my name is, i am a, i'm a, is called, is named, works at, works for, works as, lives in, leads
            the, is an engineer,
            is a developer, is a designer, is the lead, arbeitet bei, arbeitet als, je m'appelle, travaille chez,
            travaille comme,
            me llamo, trabaja en, trabaja como""",
            "我叫 出生 住在 担任 毕业 过敏 と申します 住んで 率いて アレルギー",
        ),
    ),
    (
        "gotcha",
        _cues(
            """careful beware caveat gotcha pitfall trap silently surprisingly workaround vorsicht achtung
            fallstrick piège cuidado ojo
            attention""",
            "watch out, contrary to, known issue, by accident",
            "注意 小心 谨慎 気をつけ",
        ),
    ),
    (
        "bug",
        _cues(
            """bug bugs error errors crash crashes crashed crashing fail fails failed failing failure
            failures regression exception broken
            broke leak leaks leaked segfault deadlock corrupt corrupted corruption timeout timeouts fehler absturz
            stürzt kaputt defekt
            fehlgeschlagen erreur erreurs plante panne échoue échoué errores falla fallo falló roto""",
            "timed out, race condition, error:, exception:, does not work, doesn't work",
            "错误 崩溃 失败 故障 异常 漏洞 エラー クラッシュ 不具合 バグ 失敗 障害 できない",
        ),
    ),
    (
        "project_status",
        _cues(
            """blocked shipped todo wip pending released merged deployed complete completed finished delayed
            postponed remaining launched
            blockiert erledigt fertig fertiggestellt verschoben offen bloqué terminé livré reporté bloqueado terminado
            entregado pendiente
            status""",
            "in progress, on track, not done, not started, not yet, still open, still missing, still needs, en "
            "cours, en curso, open:, done:",
            "推迟 完成 进行中 已发布 阻塞 待办 完了 延期 進行中 廃止 未対応 リリース",
        ),
    ),
    (
        "finding",
        _cues(
            """found discovered measured revealed showed observed benchmark benchmarks gemessen
            herausgestellt festgestellt ursache mesuré
            découvert constaté midió descubrió resultó""",
            "turns out, turned out, root cause, shows that, according to",
            "发现 测得 原因 判明 計測",
        ),
    ),
    (
        "architecture",
        _cues(
            """architecture queue microservice microservices schema pipeline module component layer endpoint
            cluster architektur schnittstelle
            arquitectura""",
            "depends on, consists of, built on, built with, written in, talks to, reads from, writes to, load "
            "balancer, besteht aus, consta de",
            "架构 模块 構成",
        ),
    ),
    (
        "procedure",
        _cues(
            "steps step schritt schritte étapes étape pasos paso",
            """to reproduce, to deploy, to build, to install, to release, to reset, to restore, before
            running, before deploying, before merging,
            run `, use `, make sure to, next steps, first run""",
            "步骤 手順",
        ),
    ),
)
IDENTITY = dict(KINDS)["identity"]
CATEGORIES: tuple[tuple[str, Cues], ...] = (
    (
        "cost",
        _cues(
            """cost costs price prices budget billing invoice expense expenses euro euros eur usd dollar
            dollars kosten preis kostet
            rechnung coût prix costo coste precio cuesta""",
            "$, €, £, ¥",
            "费用 预算 価格 予算 报价 元 円",
        ),
    ),
    (
        "security",
        _cues(
            """security secret secrets password passwords token tokens credential credentials encrypt
            encrypted encryption tls mtls ssl
            certificate certificates auth authn authz authentication authorization authenticated oauth jwt vault
            vulnerability
            vulnerabilities cve exploit key keys passwort sicherheit verschlüsselt sécurité seguridad contraseña""",
            "mot de passe",
            "安全 密码 加密 暗号 パスワード セキュリティ 認証",
        ),
    ),
    (
        "deadline",
        _cues(
            "deadline until frist fällig échéance plazo",
            "due on, due by, due in, due at, due before, is due, are due, was due, due date, "
            "by end of, by friday, by monday, by tuesday, by wednesday, by thursday, bis zum, bis freitag, avant le, "
            "fecha límite, antes del",
            "截止 之前 期限 までに 月末",
        ),
    ),
    (
        "compliance",
        _cues(
            """compliance compliant gdpr dsgvo rgpd hipaa soc2 audit regulation regulatory legal license
            licence datenschutz privacy""",
            "eu region, data protection, retention policy",
            "合规 法律 個人情報 コンプライアンス",
        ),
    ),
    (
        "performance",
        _cues(
            """latency throughput slow slower slowly fast faster performance p95 p99 ms qps rps cpu cache
            caching speed memory schnell langsam
            lent rapide lento rápido""",
            "",
            "性能 速度 延迟 メモリ",
        ),
    ),
    ("testing", _cues("test tests tested testing pytest ci coverage fixture flaky qa xfail", "", "测试 テスト")),
    (
        "infrastructure",
        _cues(
            """server servers cluster kubernetes k8s docker database databases postgres postgresql redis s3
            aws gcp azure rds deploy deployed
            deployment staging production prod dns vpn backup backups storage region regions port datenbank
            serveur servidor""",
            "load balancer, base de données",
            "服务器 数据库 部署 サーバー データベース",
        ),
    ),
    (
        "tooling",
        _cues(
            """git npm pip uv make cli ide editor vim neovim vscode linter ruff mypy compiler build plugin
            script command python node typescript
            rust java"""
        ),
    ),
    (
        "personal",
        _cues(
            """my allergic birthday married wife husband sister brother mother father son daughter dog cat
            hobby vegetarian familie schwester
            bruder famille frère sœur hermano hermana born""",
            "lives in, phone number",
            "住在 生日 过敏 家族 趣味",
        ),
    ),
    (
        "people",
        _cues(
            """team teams hire hiring joined leads manager colleague colleagues customer customers client
            clients owner attendees employee
            employees engineer engineers kunde kunden kollege kollegen équipe equipo cliente""",
            "reports to",
            "负责 团队 客户 チーム 担当 入社 加入",
        ),
    ),
)
MUST = _cues(
    """must never always required require mandatory forbidden only cannot shall muss müssen niemals immer
    verboten doit doivent jamais toujours
    interdit obligatoire debe deben nunca siempre prohibido""",
    "not allowed, do not, don't, no longer, may not, darf nicht, dürfen nicht",
    "必须 不能 禁止 不得 不可 なければ してはいけない 必ず",
)
HEDGE = _cues(
    """probably perhaps maybe might seems seem possibly likely guess apparently roughly unclear vermutlich
    vielleicht wahrscheinlich eventuell
    glaube peut-être probablement semble quizás quizá probablemente creo""",
    "i think, not sure, je pense, tal vez",
    "可能 也许 大概 かもしれ たぶん おそらく と思う",
)
PASSING = _cues(
    """today tomorrow yesterday currently tonight heute morgen gestern derzeit aujourd'hui demain
    actuellement hoy mañana ayer actualmente""",
    "this week, right now, this morning, for now",
    "今天 明天 昨天 目前 今日 明日 昨日 現在",
)
