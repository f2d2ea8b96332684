"""Texts with secrets and texts without, from a seed: frames written by hand, values made when the tests run.

The frames were written before the rules. No value stands in this file, so that no scanner trips over it.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable
from typing import NamedTuple

LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE32 = string.ascii_uppercase + "234567"


class Case(NamedTuple):
    kind: str
    text: str
    value: str


def run(r: random.Random, of: str, length: int) -> str:
    """Characters of an alphabet, among them a letter and a digit where it has both, none of them at an end."""
    made = r.choices(of, k=length)
    if length > 3:
        plain = [c for c in of if c.isalnum()]
        made[0], made[-1] = r.choice(plain), r.choice(plain)
        for part in ([c for c in of if c.isalpha()], [c for c in of if c.isdigit()]):
            if part:
                at = r.randrange(1, length - 1)
                made[at] = r.choice(part)
    return "".join(made)


def b64(r: random.Random, size: int) -> str:
    return base64.b64encode(r.randbytes(size)).decode()


def uuid(r: random.Random) -> str:
    return "-".join(run(r, HEX, n) for n in (8, 4, 4, 4, 12))


def jwt(r: random.Random) -> str:
    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    head, body = part('{"alg":"HS256","typ":"JWT"}'), part(f'{{"sub":"{r.randrange(10**9)}","iat":1700000000}}')
    return f"{head}.{body}.{run(r, URLSAFE, 43)}"


def pem(r: random.Random, label: str = "RSA ") -> str:
    body = "\n".join(run(r, ALNUM + "+/", 64) for _ in range(r.randint(3, 8)))
    return f"-----BEGIN {label}PRIVATE KEY-----\n{body}\n-----END {label}PRIVATE KEY-----"


# kind → what makes a value whose shape alone gives it away
SHAPES: dict[str, Callable[[random.Random], str]] = {
    "aws-id": lambda r: r.choice(["AKIA", "ASIA"]) + run(r, BASE32, 16),
    "google-api": lambda r: "AIza" + run(r, URLSAFE, 35),
    "google-oauth": lambda r: "GOCSPX-" + run(r, URLSAFE, 28),
    "google-access": lambda r: "ya29." + run(r, URLSAFE, 120),
    "github": lambda r: r.choice(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]) + run(r, ALNUM, 36),
    "github-fine": lambda r: f"github_pat_{run(r, ALNUM, 22)}_{run(r, ALNUM, 59)}",
    "gitlab": lambda r: r.choice(["glpat-", "gldt-", "glrt-", "glptt-"]) + run(r, URLSAFE, 20),
    "slack": lambda r: (
        f"xox{r.choice('bp')}-{run(r, string.digits, 12)}-{run(r, string.digits, 12)}-{run(r, ALNUM, 24)}"
    ),
    "slack-app": lambda r: f"xapp-1-A{run(r, UPPER, 10)}-{run(r, string.digits, 13)}-{run(r, HEX, 64)}",
    "slack-hook": lambda r: (
        f"https://hooks.slack.com/services/T{run(r, UPPER, 8)}/B{run(r, UPPER, 10)}/{run(r, ALNUM, 24)}"
    ),
    "discord-hook": lambda r: f"https://discord.com/api/webhooks/{run(r, string.digits, 18)}/{run(r, URLSAFE, 68)}",
    "discord-bot": lambda r: f"M{run(r, ALNUM, 23)}.{run(r, URLSAFE, 6)}.{run(r, URLSAFE, 38)}",
    "stripe": lambda r: r.choice(["sk_live_", "rk_live_", "sk_test_"]) + run(r, ALNUM, r.choice([24, 99])),
    "stripe-hook": lambda r: "whsec_" + run(r, ALNUM, 32),
    "openai": lambda r: "sk-" + run(r, ALNUM, 48),
    "openai-project": lambda r: "sk-proj-" + run(r, URLSAFE, 120),
    "anthropic": lambda r: f"sk-ant-api03-{run(r, URLSAFE, 93)}AA",
    "hugging-face": lambda r: "hf_" + run(r, LETTERS, 34),
    "npm": lambda r: "npm_" + run(r, ALNUM, 36),
    "pypi": lambda r: "pypi-AgEIcHlwaS5vcmc" + run(r, URLSAFE, 120),
    "twilio": lambda r: "SK" + run(r, HEX, 32),
    "sendgrid": lambda r: f"SG.{run(r, URLSAFE, 22)}.{run(r, URLSAFE, 43)}",
    "mailgun": lambda r: "key-" + run(r, HEX, 32),
    "mailchimp": lambda r: f"{run(r, HEX, 32)}-us{r.randint(1, 21)}",
    "telegram": lambda r: f"{r.randrange(10**8, 10**10)}:AA{run(r, URLSAFE, 33)}",
    "digitalocean": lambda r: r.choice(["dop_v1_", "doo_v1_", "dor_v1_"]) + run(r, HEX, 64),
    "shopify": lambda r: r.choice(["shpat_", "shpss_", "shpca_", "shppa_"]) + run(r, HEX, 32),
    "square": lambda r: "sq0atp-" + run(r, URLSAFE, 22),
    "braintree": lambda r: f"access_token$production${run(r, LOWER, 16)}${run(r, HEX, 32)}",
    "dropbox": lambda r: "sl." + run(r, URLSAFE, 136),
    "databricks": lambda r: "dapi" + run(r, HEX, 32),
    "dynatrace": lambda r: f"dt0c01.{run(r, BASE32, 24)}.{run(r, BASE32, 64)}",
    "grafana": lambda r: f"glsa_{run(r, ALNUM, 32)}_{run(r, HEX, 8)}",
    "new-relic": lambda r: "NRAK-" + run(r, UPPER, 27),
    "sentry": lambda r: "sntryu_" + run(r, HEX, 64),
    "linear": lambda r: "lin_api_" + run(r, ALNUM, 40),
    "notion": lambda r: "ntn_" + run(r, ALNUM, 46),
    "figma": lambda r: "figd_" + run(r, URLSAFE, 40),
    "postman": lambda r: f"PMAK-{run(r, HEX, 24)}-{run(r, HEX, 34)}",
    "doppler": lambda r: "dp.pt." + run(r, ALNUM, 43),
    "vault": lambda r: "hvs." + run(r, URLSAFE, 95),
    "terraform": lambda r: f"{run(r, ALNUM, 14)}.atlasv1.{run(r, URLSAFE, 67)}",
    "age": lambda r: "AGE-SECRET-KEY-1" + run(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "docker": lambda r: "dckr_pat_" + run(r, URLSAFE, 27),
    "atlassian": lambda r: f"ATATT3xFfGF0{run(r, URLSAFE, 171)}={run(r, 'ABCDEF0123456789', 8)}",
    "airtable": lambda r: f"pat{run(r, ALNUM, 14)}.{run(r, HEX, 64)}",
    "rubygems": lambda r: "rubygems_" + run(r, HEX, 48),
    "azure-ad": lambda r: f"{run(r, ALNUM, 3)}8Q~{run(r, URLSAFE, 34)}",
    "jwt": jwt,
    "pem": pem,
    "pem-open-ssh": lambda r: pem(r, "OPENSSH "),
    "pem-base64": lambda r: base64.b64encode(pem(r, "").encode()).decode(),
    "bcrypt": lambda r: f"$2b$12${run(r, ALNUM + './', 53)}",
    "crypt": lambda r: f"$6${run(r, ALNUM, 8)}${run(r, ALNUM + './', 86)}",
}

SHAPE_FRAMES = [
    "the deploy job authenticates with {}",
    "Rotate {} before the audit on Friday, Ann asked for it twice.",
    "CI was red because {} had expired; Ben pasted a new one into the runner settings",
    "(see {})",
    "- {}\n- then restart the worker",
    "user: why does {} give 401?\nassistant: it lacks the write scope.",
    "We found `{}` in the old wiki and removed the page.",
    "Für den Export nehmen wir {} und sonst nichts.",
    "Le service de paie utilise {} depuis mars.",
    "部署时使用 {} ，不要泄露。",
    'log line: level=info msg="calling upstream with {}" took=120ms',
    "I keep forgetting it, so please remember {}",
    "{}",
    "{} is the one for production, the other is dead.",
    "curl -s https://api.example.com/v1/items -H 'X-Auth: {}'",
    "El cliente mandó {}, guárdalo en el gestor.",
]

# Prose: kind of value, frame. P a password, N a PIN, T a token without a shape.
PROSE_FRAMES = [
    ("P", "the password for the staging box is {}"),
    ("P", "The staging password is {}, rotate it monthly."),
    ("P", "my password is {} and my dog is called Rex"),
    ("P", "Ann's laptop password: {}"),
    ("P", "login with admin / {}"),
    ("P", "Log in as root with password {} and run the migration."),
    ("P", "use {} as the password"),
    ("P", "use {} as the password for the printer, it was never changed"),
    ("P", "the wifi password at the office is {}"),
    ("P", "wifi: guest-net, password: {}"),
    ("P", "my wifi key: {}"),
    ("P", "Passwort lautet {}"),
    ("P", "Das Passwort für den Server ist {}, bitte nicht weitergeben."),
    ("P", "Kennwort: {}"),
    ("P", "le mot de passe est {}"),
    ("P", "Le mot de passe du NAS est {} depuis hier."),
    ("P", "la contraseña es {}"),
    ("P", "La contraseña del servidor de pruebas es {}, cámbiala pronto."),
    ("P", "a senha do banco é {}"),
    ("P", "la password del router è {}"),
    ("P", "het wachtwoord is {}"),
    ("P", "пароль от почты: {}"),
    ("P", "密码是{}"),
    ("P", "数据库的密码是 {} ，用户名是 root"),
    ("P", "パスワードは{}です"),
    ("P", "비밀번호는 {} 입니다"),
    ("P", "hasło do serwera to {}"),
    ("P", "the db password was changed to {} last week"),
    ("P", "I set the password to {} after the reset"),
    ("P", "credentials for the demo: demo@example.com / {}"),
    ("P", "username bob password {}"),
    ("P", "user: admin, pass: {}"),
    ("P", "Username: admin\nPassword: {}"),
    ("P", "sudo pw on that host = {}"),
    ("P", "the passphrase of the backup disk is {}"),
    ("P", "you can sign in with bob@example.com and the password {}"),
    ("P", "{} is the password for the VPN"),
    ("P", "Remember that the root password of db-2 is {}."),
    ("P", "remember: jenkins login is admin:{}"),
    ("P", "The password is '{}' (without the quotes)."),
    ("P", 'her password used to be "{}"'),
    ("P", "ssh into the box, when it asks for the password type {}"),
    ("P", "connect with postgres://app:{}@db.internal:5432/app"),
    ("P", "redis://:{}@cache:6379/0 is the queue"),
    ("P", "the share is at smb://bob:{}@nas/photos"),
    ("P", "run mysql -u root -p{} shop < dump.sql"),
    ("P", "curl -u deploy:{} https://repo.example.com/upload"),
    ("P", "sshpass -p {} ssh root@10.0.0.4"),
    ("P", "createuser --password {} app"),
    ("P", "Server=db.example.com;Database=shop;User Id=sa;Password={};Encrypt=true"),
    ("P", "DB_PASSWORD={}"),
    ("P", "export PGPASSWORD='{}' && psql -h db"),
    ("P", 'it reads {{"user": "bob", "password": "{}"}} from the file'),
    ("P", "spring:\n  datasource:\n    username: app\n    password: {}\n    url: jdbc:h2:mem"),
    ("P", "<connection><user>sa</user><password>{}</password></connection>"),
    ("P", "[client]\nuser=backup\npassword={}\nhost=db1"),
    ("P", 'conn = connect(host="db", user="app", password="{}")'),
    ("P", 'private static final String DB_PASSWORD = "{}";'),
    ("P", "CREATE USER app IDENTIFIED BY '{}';"),
    ("P", "ALTER ROLE app WITH PASSWORD '{}';"),
    ("P", "machine git.example.com login bob password {}"),
    ("P", "he told me the admin pwd ({})"),
    ("N", "PIN is {}"),
    ("N", "the PIN of my card is {}"),
    ("N", "the door code is {}"),
    ("N", "alarm code: {}"),
    ("N", "my phone's passcode is {}"),
    ("N", "The pin for the safe is {}, do not share it."),
    ("N", "la PIN es {}"),
    ("N", "verification code: {}"),
    ("T", "the api key is {}"),
    ("T", "our API key for the weather service: {}"),
    ("T", "API_KEY={}"),
    ("T", 'api_key = "{}"'),
    ("T", "X-Api-Key: {}"),
    ("T", "Authorization: Bearer {}"),
    ("T", "the access token is {} and lasts a year"),
    ("T", "client_secret: {}"),
    ("T", "client id is 4711 and the client secret is {}"),
    ("T", "aws_secret_access_key = {}"),
    ("T", "export GITHUB_TOKEN={}"),
    ("T", "https://api.example.com/v1/report?user=5&token={}&page=2"),
    ("T", "GET /hook?api_key={} HTTP/1.1"),
    ("T", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.windows.net"),
    ("T", "the signing secret for webhooks is {}"),
    ("T", "Please use the token {} for the sandbox."),
    ("T", "our encryption key: {}"),
    ("T", 'headers = {{"Authorization": "Token {}"}}'),
    ("T", "const apiKey = '{}';"),
    ("T", "heroku auth token: {}"),
    ("T", "mycli login --token {} --region eu"),
    ("T", "the bearer token was {}"),
    ("T", "der API-Schlüssel lautet {}"),
    ("T", "la clé API est {}"),
    ("T", "el token de acceso es {}"),
    ("T", "API密钥：{}"),
    ("S", "TOTP secret {}"),
    ("S", "the 2FA seed is {}"),
    ("S", "otpauth://totp/Shop:ann?secret={}&issuer=Shop"),
    ("W", "seed phrase: {}"),
    ("W", "my wallet's recovery phrase is {}"),
    ("X", "<private>{}</private>"),
    ("X", "note <private>{}</private> and go on"),
    ("X", '<PRIVATE reason="x">\n{}\n</PRIVATE>'),
    ("X", "go on <private>{}"),
]

_WORDS_TEXT = """
    apple breeze castle dragon ember falcon garden harbor island jungle kettle lemon marble needle orchid pepper
    quartz river saddle timber umbrella velvet walnut yellow zephyr anchor basket candle desert engine
"""
WORDS = _WORDS_TEXT.split()
_SEED_WORDS_TEXT = """
    abandon ability absent absorb abstract absurd access accident account acid across act action actor adapt add
    adult advance advice aerobic affair afford again age agent agree ahead aim air airport aisle alarm
"""
SEED_WORDS = _SEED_WORDS_TEXT.split()


def password(r: random.Random) -> str:
    """As people make them: words with digits and signs, leet, or drawn at random."""
    one, two = r.choice(WORDS), r.choice(WORDS)
    return r.choice(
        [
            f"{one}-{two}-{r.randint(1, 99)}",
            f"{one.capitalize()}{r.randint(1970, 2030)}!",
            f"{one}{r.randint(2, 999)}",
            one.replace("e", "3").replace("a", "4").capitalize() + "&" + str(r.randint(1, 99)),
            f"{one.capitalize()}{two.capitalize()}#{r.randint(0, 99)}",
            run(r, ALNUM, r.randint(8, 20)),
            run(r, ALNUM + "!#$%^*-_+", r.randint(10, 24)),
            f"{one}_{two}_{r.randint(10, 99)}",
            f"{one}.{two}.{r.randint(10, 99)}",
            f"!{one.upper()}{r.randint(10, 99)}$",
        ]
    )


def token(r: random.Random) -> str:
    return r.choice([run(r, HEX, r.choice([32, 40, 64])), run(r, ALNUM, r.randint(20, 48)), uuid(r), b64(r, 32)])


VALUES: dict[str, Callable[[random.Random], str]] = {
    "P": password,
    "N": lambda r: run(r, string.digits, r.choice([4, 4, 6])),
    "T": token,
    "S": lambda r: run(r, BASE32, r.choice([16, 32])),
    "W": lambda r: " ".join(r.sample(SEED_WORDS, 12)),
    "X": lambda r: f"{r.choice(WORDS)} {r.choice(WORDS)} owes me {r.randint(10, 999)}",
}


def with_secrets(seed: int = 1, each: int = 4) -> list[Case]:
    """Every shape in `each` of the sentences, every prose frame with `each` values."""
    r = random.Random(seed)
    cases = []
    for kind, make in SHAPES.items():
        for frame in r.sample(SHAPE_FRAMES, each):
            value = make(r)
            cases.append(Case(kind, frame.format(value), value))
    for kind, frame in PROSE_FRAMES:
        for _ in range(each):
            value = VALUES[kind](r)
            if "://" in frame and kind == "P":  # in an address these signs are escaped
                value = "".join(c for c in value if c not in "#%?/&")
            cases.append(Case(f"said-{kind}", frame.format(value), value))
    return cases
