"""Texts with secrets and texts without, from a seed: frames written by hand, values made when the tests run.

The frames were written before the rules. Those of `OUTSIDE_FRAMES` came later, in five rounds, each measured before it
taught the rules anything (docs/decisions/0024). No value stands in this file, so that no scanner trips over it.
"""

from __future__ import annotations

import base64
import random
import re
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


def chosen(r: random.Random, number: int) -> str:
    """A password: what people choose, one drawn at random, a passphrase."""
    if number == 0:
        word = r.choice(WORDS)
        return r.choice(
            [f"{word}{r.randint(2, 99)}", f"{word.capitalize()}{r.randint(1970, 2030)}!", f"{word}#{number}7"]
        )
    if number == 1:
        return run(r, LETTERS, 1) + run(r, ALNUM + "!@#$%^&*+=?", r.randint(10, 18)) + run(r, ALNUM, 4)
    return r.choice("-_.").join(r.sample(WORDS, 4)) + r.choice(["", "7", "-42"])


def _in_address(r: random.Random, number: int) -> str:
    return [f"{r.choice(WORDS)}{r.randint(2, 99)}", run(r, ALNUM, 20), "-".join(r.sample(WORDS, 4))][number]


def _basic(r: random.Random) -> str:
    return base64.b64encode(f"admin:{run(r, ALNUM, 14)}".encode()).decode()


# What stands between << and >> in a frame → what makes it; some take the number of the value too.
_NUMBERED: dict[str, Callable[[random.Random, int], str]] = {
    "pw": chosen,
    "urlpw": _in_address,
    "key": lambda r, number: [run(r, HEX, 32), run(r, ALNUM, 40), b64(r, 32)][number],
    "pin": lambda r, number: run(r, string.digits, 4 + number),
}
_SLOTS: dict[str, Callable[[random.Random], str]] = {
    "weak": lambda r: chosen(r, 0),
    "phrase": lambda r: " ".join(r.sample(WORDS, r.randint(3, 5))),
    "words": VALUES["W"],
    "seed": VALUES["S"],
    "pin4": lambda r: run(r, string.digits, 4),
    "otp": lambda r: run(r, string.digits, 6),
    "hex32": lambda r: run(r, HEX, 32),
    "hex40": lambda r: run(r, HEX, 40),
    "hex64": lambda r: run(r, HEX, 64),
    "b64": lambda r: b64(r, 32),
    "uuid": uuid,
    "basic": _basic,
    "aws_secret": lambda r: b64(r, 30),
    "azure": lambda r: b64(r, 64),
    "ssh": SHAPES["pem-open-ssh"],
    "supabase": lambda r: "sbp_" + run(r, HEX, 40),
    "groq": lambda r: "gsk_" + run(r, ALNUM, 52),
    "replicate": lambda r: "r8_" + run(r, ALNUM, 37),
    "pplx": lambda r: "pplx-" + run(r, ALNUM, 48),
    "teamshook": lambda r: (
        f"https://acme.webhook.office.com/webhookb2/{uuid(r)}@{uuid(r)}/IncomingWebhook/{run(r, HEX, 32)}/{uuid(r)}"
    ),
}
_SHAPES_CALLED = {
    "aws_id": "aws-id", "gcp": "google-api", "gocspx": "google-oauth", "azure_cs": "azure-ad", "ghp": "github",
    "ghpat": "github-fine", "glpat": "gitlab", "slackhook": "slack-hook", "whsec": "stripe-hook", "hf": "hugging-face",
    "twsid": "twilio", "discord": "discord-bot", "discordhook": "discord-hook", "do": "digitalocean",
    "newrelic": "new-relic", "tfc": "terraform",
}  # fmt: skip
_SLOT = re.compile(r"<<(\w+)>>")


def slots_filled(frame: str, r: random.Random, number: int = 0) -> tuple[str, list[str]]:
    """The frame with values in its slots, and the values."""
    values: list[str] = []

    def put(slot: re.Match[str]) -> str:
        name = slot[1]
        if name in _NUMBERED:
            values.append(_NUMBERED[name](r, number))
        else:
            values.append((_SLOTS.get(name) or SHAPES[_SHAPES_CALLED.get(name, name)])(r))
        return values[-1]

    return _SLOT.sub(put, frame), values


def outside(seed: int = 1, each: int = 3) -> list[tuple[str, list[str]]]:
    """(text, values): every frame of the five rounds with `each` values."""
    r = random.Random(seed)
    return [slots_filled(frame, r, number) for frame in OUTSIDE_FRAMES for number in range(each)]


# Notes, chats, logs, runbooks, tickets, configuration and code, in the order of the rounds.
_OUTSIDE_TEXT = r"""
The password is <<pw>>.
Heads up, the staging password is now <<pw>> and it expires on Friday.
Password: <<pw>>
pw <<pw>>
User asked me to remember that his wifi password's <<pw>>.
We changed the root password to <<pw>> after the incident.
You can log in as maria (pass: <<pw>>) and check the invoices.
<<pw>> is the new password for the reporting database.
Use <<pw>> to log in to the vendor portal.
Log in with deploy and <<pw>>.
Credentials are admin/<<pw>>, please rotate them next week.
secret=<<pw>>
The passphrase for the backup drive is <<pw>>.
My Netflix password is <<pw>>, don't share it with the kids.
I reset Tom's password, it is <<pw>> until he picks his own.
For the Jenkins box: user ci, password <<pw>>.
ssh into 10.0.4.12 as ubuntu, password is <<pw>>
Grandma's email login is rosa.meyer@example.com and the password she uses is <<pw>>.
Note to self: router admin / <<pw>>
The MySQL root user has the password <<pw>> on every dev machine.
Bob said the shared mailbox password was <<pw>> last time he checked.
I set the admin password to '<<pw>>' so that QA can get in.
The default password (<<pw>>) was never changed on the printers.
To unlock the zip, type <<pw>> when it asks for the password.
Please update the vault entry: new password = <<pw>>, old one no longer works.
The guest Wi-Fi is called Lobby-5G and its password is "<<pw>>".
Connect to the VPN with username jdoe and password <<pw>>.
Her password used to be <<pw>> before the breach.
FTP login: backup:<<pw>> on port 21
creds for grafana -> admin:<<pw>>
pwd: <<pw>>
The passcode for the conference line is <<pin>>.
PIN <<pin4>>
My debit card PIN is <<pin4>>, remind me if I forget.
The door code for the office is <<pin>>.
Alarm code: <<pin4>> (press # after)
Gate code at the warehouse changed to <<pin>> this morning.
The safe combination is <<pin>>.
Your verification code is <<otp>>. It expires in ten minutes.
She unlocks her phone with <<pin>>.
User's passphrase: "<<phrase>>"
The disk encryption passphrase is "<<phrase>>", all lower case.
The API key for the weather service is <<key>>.
Here is the API key you asked for: <<key>>
I stored the client secret <<key>> in the app registration.
Use token <<key>> when calling the billing endpoint.
The auth token we got back was <<key>> and it lasts an hour.
Our Datadog API key is <<hex32>> and the app key is <<hex40>>.
Twilio auth token: <<hex32>>
Remember: the webhook signing secret is <<hex64>>.
For the Heroku app the API key is <<uuid>>.
Cloudflare global key <<hex40>> belongs to ops@example.com.
The session cookie sessionid=<<hex32>> still works after logout.
We sign the cookies with SECRET_KEY = '<<key>>'
encryption key: <<hex64>>
the master key (<<b64>>) must never leave the HSM
Algolia admin API key: <<hex32>>, application id is public.
# TODO remove before commit: api_key = "<<key>>"
// temp token <<key>> until SSO is done
The access token expired, so the agent used the refresh token <<key>> instead.
The AWS access key id is <<aws_id>> and the secret access key is <<aws_secret>>.
aws_secret_access_key = <<aws_secret>>
export AWS_ACCESS_KEY_ID=<<aws_id>> AWS_SECRET_ACCESS_KEY=<<aws_secret>>
Our Maps integration breaks because <<gcp>> is restricted by referrer.
Google OAuth client secret was rotated to <<gocspx>> yesterday.
DefaultEndpointsProtocol=https;AccountName=acmestore;AccountKey=<<azure>>;EndpointSuffix=core.windows.net
The Azure app uses <<azure_cs>> as its client secret.
The storage account key is <<azure>> and is used by the nightly export.
I cloned the repo with <<ghp>> because SSH was blocked.
CI uses the fine grained token <<ghpat>> for releases.
GitLab runner registered with <<glpat>>, see ticket OPS-311.
The Slack bot posts with <<slack>> in #alerts.
Alerts go to <<slackhook>> whenever the queue is longer than 500.
Stripe is configured with <<stripe>>; the publishable one is in the front end.
Stripe webhook endpoint secret: <<whsec>>
I ran the eval with OPENAI_API_KEY=<<openai>> and got 71 %.
My OpenAI key is <<openai>>, bill the research project.
Claude calls failed with 401 for <<anthropic>> so I asked for a new one.
Downloaded the weights with huggingface-cli login --token <<hf>>
//npm.example.com/:_authToken=<<npm>>
Publishing used the npm token <<npm>> from the CI secrets.
twine upload -u __token__ -p <<pypi>> dist/*
Twilio API key SID <<twsid>> was used for the SMS test.
SendGrid returned 403 for <<sendgrid>>; the sender was not verified.
The Telegram bot token is <<telegram>>, talk to BotFather to revoke it.
Discord bot logs in with <<discord>> from the .env file.
Post the summary to <<discordhook>> every morning.
Teams connector: <<teamshook>>
The request carried Authorization: Bearer <<jwt>> and was refused.
Decoded <<jwt>> and the subject looks wrong.
Here is the key the user pasted:\n<<pem>>\nPlease install it on the load balancer.
~/.ssh/id_ed25519:\n<<ssh>>
DATABASE_URL=postgres://app:<<urlpw>>@db.internal:5432/prod
The worker connects to mongodb+srv://svc:<<urlpw>>@cluster0.ab1cd.mongodb.net/orders and times out.
Redis is at redis://:<<urlpw>>@cache.internal:6379/0.
curl -u admin:<<urlpw>> https://nexus.example.com/service/rest/v1/status
curl -H 'Authorization: Basic <<basic>>' https://api.example.com/me
git clone https://oauth2:<<glpat>>@gitlab.example.com/team/app.git
Calling https://api.example.com/v1/items?api_key=<<key>>&page=2 gives a 500.
Mailgun still uses <<mailgun>> in the old worker.
DigitalOcean droplet script contains <<do>> in plain text.
Linear sync: <<linear>>
Vault was unsealed and I got <<vault>> as the root token.
The Databricks job authenticates with <<databricks>>.
Grafana service account <<grafana>> has viewer rights.
Shopify private app: <<shopify>>
Das Passwort für den Server lautet <<pw>>.
Le mot de passe du wifi est <<pw>>.
La contraseña del servidor es <<pw>>, cámbiala pronto.
A senha do banco de dados é <<pw>>.
La password del router è <<pw>>.
Пароль от сервера: <<pw>>
Wi-Fiのパスワードは<<weak>>です。
服务器密码是<<weak>>，请不要外传。
Het wachtwoord van de database is <<pw>>.
Hasło do panelu: <<pw>>
{"user": "svc-report", "password": "<<pw>>", "host": "db1"}
db:\n  user: app\n  password: <<pw>>\n  port: 5432
[smtp]\nhost = mail.example.com\npass = <<pw>>
<add key="DbPassword" value="<<pw>>" />
| service | user | password |\n|---|---|---|\n| jira | bot | <<pw>> |
Server=sql01;Database=crm;User Id=crm_app;Password=<<urlpw>>;Encrypt=true
machine api.example.com login bot password <<pw>>
env:\n  - name: STRIPE_KEY\n    value: <<stripe>>
Quick note from the call: Priya's laptop unlocks with <<pw>>, she won't change it until May.
The tablet in the meeting room wants a password, just enter <<pw>>.
I told the contractor that he should try <<pw>> as the password.
If the portal asks for a password, give it <<pw>>.
Sign in as support@example.com using <<pw>>.
Admin panel -- login: superuser -- pwd: <<pw>>
Hi team, the new shared password for the Figma account is <<pw>>. Cheers, Nina
Password for the PDF: <<pw>>
the pass is <<pw>> btw
It took a while, but the sudo password turned out to be <<pw>>.
The account was created with a temporary password of <<pw>>.
Temporary password <<pw>> was mailed to the new hire.
we agreed on <<pw>> as the passphrase for the signing key
Old password <<pw>> still works on the replica!
User: I always use <<pw>> as my password everywhere.
Assistant noted: user's bank password → <<pw>>
Wifi: CafeNord / <<pw>>
Network name BlueHouse, key <<pw>>.
2024-05-17 08:12:44 DEBUG auth: login attempt user=karl password=<<pw>> result=ok
ERROR could not bind to LDAP with cn=admin,dc=acme and password '<<pw>>'
Step 4: when prompted for the keystore password enter <<pw>> and press return.
keytool -genkey -alias app -storepass <<pw>> -keypass changeit
mysql -u root -p<<urlpw>> crm < dump.sql
sshpass -p '<<pw>>' ssh ops@bastion
PGPASSWORD=<<urlpw>> psql -h db1 -U app
The elevator needs code <<pin4>> after 8 pm.
Voicemail PIN: <<pin>>
His SIM PIN is <<pin4>> and the PUK is in the drawer.
Key box by the garage opens with <<pin4>>.
The bike lock combo is <<pin4>>.
Use <<otp>> as your one-time code to finish signing in.
The lab door: press <<pin4>> then the star key, that's the entry code.
Ticket 5512: customer pasted his key <<openai>> into the chat, please revoke.
I think somebody leaked <<ghp>> in the build log of job 8812.
Our crawler sends x-api-key: <<key>> with each call.
Set the header X-Auth-Token to <<key>>.
the licence server secret is <<key>>
Bearer <<key>> worked yesterday but not today.
The HMAC key shared with the partner is <<hex64>>.
signing_secret: <<hex32>>
My Anthropic API key, <<anthropic>>, hit the rate limit.
Gemini quota is exhausted on <<gcp>>, use the other project.
s3 sync ran under <<aws_id>> / <<aws_secret>> from the old laptop.
Found in the wiki page: AccountKey=<<azure>>
jdbc:postgresql://db1:5432/app?user=app&password=<<urlpw>>
amqp://worker:<<urlpw>>@rabbit.internal:5672/%2F is what the consumers use.
The PagerDuty bridge posts to <<slackhook>>
Airtable personal token <<airtable>> has write access to the CRM base.
docker login -u acmeci -p <<docker>>
Supabase management: <<supabase>>, Groq: <<groq>>
The Postman collection embeds <<postman>> as a variable.
NEW_RELIC_API_KEY: <<newrelic>>
In der .npmrc steht der Token <<npm>>, bitte löschen.
Mein WLAN-Passwort ist <<pw>>.
Mon code PIN est <<pin4>>.
Le mot de passe administrateur a été changé en <<pw>>.
Usuario: root, clave: <<pw>>
Логин admin, пароль <<pw>>.
비밀번호는 <<weak>> 입니다.
管理者パスワード：<<weak>>
resource "aws_db_instance" "main" {\n  username = "app"\n  password = "<<pw>>"\n}
const config = { user: 'app', password: '<<pw>>', database: 'crm' };
spring.datasource.password=<<pw>>
<password><<pw>></password>
Met with the plumber; he needs the side gate, so I gave him the code <<pin4>>.
Mum's iPad passcode is <<pin>> in case she forgets again.
Can you write down that my Steam login is gamer_joe with password <<pw>>?
Sure, I'll remember that your password is <<pw>>.
FYI the intern account got the password <<pw>> today
Backup archive is protected, password below:\n<<pw>>
Username: fiona\nPassword: <<pw>>\nURL: https://crm.example.com
The Oracle schema HR still has <<pw>> for a password.
Switch credentials (cisco / <<pw>>) are the same on all floors.
Just tell the vendor portal you're acme_ops and that the password's <<pw>>.
Don't forget: passwd for the NAS = <<pw>>
She whispered that the secret word is <<weak>>.
Sign-in for the dashboard: ops@example.com, <<pw>>
root:<<pw>>@10.2.0.7 gets you in over ssh
His password, <<pw>>, is in every wordlist.
Try password <<pw>> first, then fall back to the recovery key.
The recovery key is <<uuid>>, print it.
Recovery phrase: <<words>>
MFA backup code <<otp>> was used on Monday.
The TOTP seed is <<seed>> so you can add it to any app.
The service account password got rotated; it's <<pw>> now.
WPA2 key: <<pw>>
The staging site sits behind basic auth, preview / <<pw>>.
bot token => <<telegram>>
We hard-coded <<stripe>> in payments.py, line 12.
Please revoke <<slack>>, it was posted in a public channel.
kubectl get secret showed token: <<jwt>>
The Sentry upload step uses <<sentry>>.
The Terraform Cloud workspace uses <<tfc>> for remote state.
Jira automation runs with <<atlassian>>.
Notion importer: integration secret <<notion>>
I rotated the Replicate key; the new value is <<replicate>>.
Perplexity answers with <<pplx>> from the shared account.
age key for sops: <<age>>
client_id=my-app&client_secret=<<key>>&grant_type=client_credentials
Cookie: session=<<key>>; theme=dark
Set-Cookie: auth_token=<<jwt>>; HttpOnly
The consumer secret from the Twitter app is <<key>>.
smtp://mailer:<<urlpw>>@smtp.example.com:587 is hard coded in the helper.
Der PIN-Code für die Haustür ist <<pin4>>.
Ma clé API est <<key>>, garde-la pour toi.
El PIN de mi tarjeta es <<pin4>>.
Zugangsdaten: admin / <<pw>>
Lösenordet är <<pw>>.
密码：<<weak>>
ENV DB_PASS=<<pw>>
auth:\n  username: bot\n  token: "<<key>>"
  "api_secret": "<<key>>",
Reminder for tomorrow: the projector laptop has the login presenter and the password <<pw>>.
I just found out our old FTP password, <<pw>>, is still active.
Anna changed the password again. The new one is <<pw>>.
What was the password? I believe it was <<pw>>.
For Plesk we use administrator with <<pw>>.
The customer wrote: 'my password is <<pw>> but I cannot log in'.
The password to open the spreadsheet: <<pw>>
Everyone on the team knows that <<pw>> unlocks the test account.
Kids' tablet - unlock pattern disabled, password <<pw>>
Please set <<pw>> as password on the new machine.
The vendor gave us a default login of service and a default password of <<pw>>.
password hasn't changed, still <<pw>>
the pw for the nas is <<pw>> if you need it
Remember my Spotify credentials: leo@example.com and <<pw>>.
Account: leo@example.com\nPass: <<pw>>
user/pass: svc_backup/<<pw>>
The database user is reporter, its password being <<pw>>.
Had to hardcode PASSWORD = "<<pw>>" in the notebook to get it running.
INFO connecting with user=etl pwd=<<pw>> host=10.1.1.9
The hotel wifi (network Riverside) uses <<pw>> as the password this week.
Wi-Fi pass is <<pw>>
passphrase <<pw>> decrypts the archive
Decrypt it using the passphrase <<pw>>.
The GPG passphrase was set to <<pw>> in 2021.
Sorry, typo in my last message: the password should be <<pw>>.
Our root password (it's <<pw>>) has not been rotated in years.
The security question answer doubles as the password: <<pw>>.
My PIN for the banking app is <<pin>>.
PIN code: <<pin4>>
The pin to the storage unit is <<pin4>>.
Door code <<pin4>>, second floor, ring twice.
code for the front door: <<pin4>>
Your OTP is <<otp>>, do not share it with anyone.
<<otp>> is your verification code.
The Airbnb's lockbox code is <<pin4>>.
The Jenkins API token for user build is <<key>>.
Here's a token that works: <<key>>
For testing you can use the key <<key>>.
The secret used to sign JWTs is <<key>>.
client id 38120 / client secret <<key>>
APP_SECRET=<<key>>
X-API-KEY: <<key>>
I generated a personal access token (<<ghp>>) with repo scope.
The prod Stripe key <<stripe>> was committed by accident.
After the migration we still send mail with <<sendgrid>>.
HF_TOKEN=<<hf>> python train.py
Use <<openai>> for the batch job tonight.
ANTHROPIC_API_KEY='<<anthropic>>'
Her AWS keys are <<aws_id>> and <<aws_secret>>.
access key <<aws_id>>, secret <<aws_secret>>, region eu-west-1
The app connects with mysql://shop:<<urlpw>>@db.example.com/shop.
Authorization: Bearer <<jwt>>
Please add this deploy key:\n<<ssh>>
The Discord webhook <<discordhook>> posts the nightly report.
wget --user=admin --password=<<urlpw>> https://files.example.com/a.zip
Mein Passwort lautet <<pw>>, bitte merken.
Das Kennwort wurde in <<pw>> geändert.
Le code de la porte est <<pin4>>.
Mi contraseña de Gmail es <<pw>>.
Моя почта: пароль <<pw>>
登录密码：<<weak>>
La clave de acceso es <<pw>>.
password: '<<pw>>'  # production
{"token":"<<key>>","expires":3600}
Noted: Carla's work laptop login is carla.m and the password is <<pw>>.
The intranet still accepts the 2019 password <<pw>>.
I logged in to the portal as finance with the password <<pw>> and downloaded the report.
Her new Apple ID password will be <<pw>> from Monday.
To get into the Zabbix UI, use Admin / <<pw>>.
We were told to keep <<pw>> as the master password.
Ask for table 4; the cafe's wifi password, printed on the receipt, is <<pw>>.
The archive password is the usual one, <<pw>>.
He texted me the new alarm password: <<pw>>
login: teacher\npassword: <<pw>>
Runbook step 2: sudo -u oracle sqlplus system/<<urlpw>>@ORCL
Use these creds until Friday: qa_user / <<pw>>
temp pwd = <<pw>> (expires in 24h)
The bitlocker PIN is <<pin>>.
Use PIN <<pin4>> for the meeting room panel.
The office alarm is disarmed with <<pin4>>.
The code to the bike shed is <<pin4>>.
Your login code: <<otp>>
parents' house: gate code <<pin4>>, key under the pot
Enter <<otp>> to verify your account.
My OpenWeather API key is <<hex32>>, feel free to use it.
Please rotate the Datadog key <<hex32>>; it leaked on Slack.
The service token (<<key>>) must be sent in every request.
The bot authenticates with the token <<telegram>>.
SLACK_BOT_TOKEN=<<slack>>
I pasted the GitLab token <<glpat>> into the wrong window.
The shared secret with Acme Corp is <<key>>.
the webhook secret we agreed on is <<hex40>>
The production signing key: <<b64>>
Firebase web key <<gcp>> shows up in the APK.
npm publish fails with 403 using <<npm>>.
The SAS key for the blob container is <<azure>>.
`Authorization: Basic <<basic>>` was in the HAR file.
curl -H "X-Vault-Token: <<vault>>" http://127.0.0.1:8200/v1/sys/health
kubectl create secret generic db --from-literal=password=<<urlpw>>
The connection string is postgresql://etl:<<urlpw>>@10.0.3.4/warehouse
<<jwt>> was the cookie value.
Das WLAN-Passwort vom Büro: <<pw>>
Le mot de passe de la base est <<pw>>, l'utilisateur est app.
Mi PIN es <<pin4>>.
A senha nova é <<pw>>.
Il PIN della carta è <<pin4>>.
Wachtwoord voor de mail: <<pw>>
пароль к вайфаю: <<pw>>
数据库密码是 <<weak>>
config.password = '<<pw>>';
password=<<pw>>
  secretKey: "<<key>>"
"""
OUTSIDE_FRAMES = [line.replace("\\n", "\n") for line in _OUTSIDE_TEXT.strip("\n").split("\n")]
