"""Texts without secrets, from a seed: about passwords and keys, or with what looks like one."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.guard.secret_texts import HEX, WORDS, b64, run, uuid

# {w} a word, {W} a name, {n} a small number, {N} a large one,
# {h} a commit, {d} a digest, {u} a UUID, {v} a version, {p} a path, {e} an e-mail address, {b} base64, {t} a telephone.
BENIGN_FRAMES = """\
passwords must be rotated every {n} days
the token bucket holds {N} tokens and refills at {n} a second
password reset is broken on the {w} page
the secret to good bread is time
the secret ingredient is {w}, says {W}
the password field is {n} pixels wide
Password must be at least {n} characters and contain a digit
{W} forgot the password again and asked {w} for a reset link
the password policy wants {n} characters, one digit and one sign
never store a password in plain text, hash it with bcrypt or argon2id
we moved the passwords from {w}.yml into the vault
password: {{str}}
password: str = None, token: str | None = None
def login(user: str, password: str) -> Token: return check(user, password)
password=None
password = os.environ["{W}_PASSWORD"]
api_key = os.getenv("{W}_API_KEY", "")
const token = process.env.{W}_TOKEN;
token: ${{{{ secrets.{W}_TOKEN }}}}
export API_KEY=<your-key>
API_KEY=your_api_key_here
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxx
password: ****
password: ********
secret: {{{{ vault.{w} }}}}
token = ${{TOKEN}}
password = getpass.getpass("{w}: ")
password = self.settings.password
passwd = config.get("{w}", "passwd")
if password == confirm_password: save(user)
the max_tokens setting is {N}, the default was {n}
max_tokens: {N}
tokens: {N}, cost: 0.{n}
the model has a context of {N} tokens
token count is {N} for the {w} prompt
the tokenizer is cl100k_base and counts {N} tokens in {p}
commit {h} fixed the {w} parser
merge {h} into main, see {p}:{n}
sha256:{d}
the image is registry.example.com/{w}@sha256:{d}
--hash=sha256:{d}
integrity sha512-{b}
request id {u} failed after {n} seconds
user {u} deleted {w}
the trace id was {u}
upgrade {w} from {v} to {v}
released {W} {v} on 2024-0{n}-1{n}
see https://example.com/{w}/{N}?page={n}&sort=name#{w}
open {p} and read line {n}
mail {e} about the {w} contract
{W} <{e}> wrote the {w} module
call {W} at {t} after {n} pm
data:image/png;base64,{b}
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b} {e}
-----BEGIN PUBLIC KEY-----\n{b}\n-----END PUBLIC KEY-----
-----BEGIN CERTIFICATE-----\n{b}\n-----END CERTIFICATE-----
the ISBN is 978-3-16-148410-{n}
the primary key is (id, {w}), the foreign key is {w}_id
the cache key is user:{N}:{w}
sort_key={w}, partition_key=tenant
press the key {W} to go on
the key is under the mat
the key to the {w} is practice
the key point is that {w} comes first
the API key expires after {n} days
an API key is needed for {w}, ask {W}
the API keys page is slow
{W} asked where the API key is stored
the token is invalid
the token expired after {n} hours
the access token lives for {N} seconds
the secret is out
{W} is the secretary of the {w} club
Secret Santa is on the {n}th, bring a {w}
credentials are in 1Password, item {w}
the credentials page lists {n} users
log in with GitHub or Google
sign in with your {w} account
login with SSO is broken since {v}
auth: bearer tokens are refused by {w}
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
curl -H "Authorization: Bearer $API_TOKEN" https://api.example.com/{w}
curl -u "$USER:$PASS" https://example.com
git clone https://github.com/{w}/{W}.git
postgres://user:password@localhost:5432/{w}
postgresql://localhost/{w}
mysql -u root -p {w}
docker run -p {N}:{N} -e PASSWORD {w}
ssh -p {N} {e}
pin the {w} version to {v}
pin {n} of the header is ground
GPIO pin {n} drives the {w} relay
the error code is {N}
the zip code is {N}
exit code {n} means {w}
status code: {n}
the area code of {W} is 0{n}{n}
invoice {N} was paid on the 1{n}th
room {N}, floor {n}
order number is {N}-{n}
meeting at 1{n}:30 in room {n}
{W} likes {w} and {w}, not {w}
{W} prefers tabs, {n} spaces in YAML
the function validate_password_strength is in {p}
class PasswordHasher uses argon2id with {n} lanes
rename access_token to accessToken in {p}
getToken() returns null when {w} is missing
the test user_token_is_refreshed is flaky
the environment variable {W}_SECRET_KEY must be set
set SECRET_KEY in the environment before the first start
set the password with "rem config set"
the password is wrong
the password is stored hashed in the {w} table
his password is too short
the passwords are the same on all {n} hosts
the wifi password is on the fridge
my password manager is {W}
the password prompt is shown twice
password hashing takes {n}0 ms on {w}
change the password every {n} weeks
the PIN pad is broken at gate {n}
use a passphrase of five words or more
the private key is kept in the HSM
the public key is on {w}.example.com
private key: see the vault
"password" is not a good password, {W} said
token type: access
token: required
secret: optional
password: required, at least {n} characters
password (string): the password of the user
type Login = {{ user: string; password: string; }}
{{"password": null, "token": ""}}
{{"type": "object", "properties": {{"password": {{"type": "string"}}}}}}
<input type="password" name="password" id="pw{n}">
<password></password>
| field | type |\n| password | string |
SELECT password FROM users WHERE id = {n}
UPDATE users SET password = ? WHERE id = {n}
ALTER TABLE users ADD COLUMN password_hash text
--password-file {p}
--token-ttl {n}h
password_min_length = {n}
secret_name: {w}-secrets
secretKeyRef: {{name: {w}, key: password}}
AWS_REGION=eu-west-{n}
aws_access_key_id is read from {p}
JWT has three parts: header.payload.signature
the JWT expires in {n} minutes
Bearer tokens go into the header
Basic auth is off on {w}
the basics are in {p}
das Passwort muss mindestens {n} Zeichen haben
das Passwort ist falsch
das Passwort wurde geändert, sagt {W}
das Geheimnis guter Suppe ist {w}
Der Schlüssel liegt unter der Matte bei {W}
le mot de passe est trop court
le mot de passe est oublié
le secret du bonheur est simple
la contraseña es incorrecta
la contraseña debe tener {n} caracteres
密码必须至少{n}位
密码错误，请重试
密码是必填项
请重置密码
パスワードを忘れました
パスワードは{n}文字以上にしてください
パスワードは必須です
東京の秘密は静けさです
пароль должен быть не короче {n} символов
{W} hat {n} Tokens übrig und trinkt {w}
El token caduca en {n} horas
the recovery codes are in the safe
two-factor codes change every {n} seconds
the seed phrase is on paper in the bank
use a seed of {N} for the random generator
random seed: {N}
the salt is {n} grams for each litre
session lasts {n} hours
the hash of {p} is {d}
md5 {h}
etag: "{d}"
build {h} of {w} took {n} minutes
the colours are #ff00{n}{n} and #3a3a3a
the license key question came up at {W}
the answer is {w}-{w}-{w}
{w}_{w}_{n} is a table in {W}
our slogan is "{w} without {w}"
sk-learn and sk_buff are not keys, {W} said
the hf_hub_download call fails on {w}
npm_config_registry is set by {w}
ghp_ is the prefix of GitHub tokens
keys that begin with AKIA belong to AWS
xoxb- tokens are for bots
the eyJ prefix marks a JWT""".replace("\\n", "\n").split("\n")


def _benign_filler(r: random.Random) -> Callable[[str], str]:
    folder = lambda: f"src/{r.choice(WORDS)}/{r.choice(WORDS)}_{r.choice(WORDS)}.py"  # noqa: E731
    made: dict[str, Callable[[], str]] = {
        "w": lambda: r.choice(WORDS),
        "W": lambda: r.choice(["Ann", "Ben", "ACME", "Orion", "Lisboa", "Mercury", "Jenkins", "Kafka"]),
        "n": lambda: str(r.randint(1, 9)),
        "N": lambda: str(r.randint(1000, 65000)),
        "h": lambda: run(r, HEX, r.choice([7, 12, 40])),
        "d": lambda: run(r, HEX, 64),
        "u": lambda: uuid(r),
        "v": lambda: f"{r.randint(0, 9)}.{r.randint(0, 30)}.{r.randint(0, 9)}",
        "p": folder,
        "e": lambda: f"{r.choice(WORDS)}.{r.choice(WORDS)}@example.org",
        "b": lambda: b64(r, r.choice([48, 64, 300])),
        "t": lambda: f"+49 30 {r.randint(10**6, 10**7)}",
    }

    def fill(frame: str) -> str:
        parts, at = [], 0
        while (start := frame.find("{", at)) >= 0:
            parts.append(frame[at:start])
            if frame[start : start + 2] == "{{":
                parts.append("{")
                at = start + 2
            else:
                parts.append(made[frame[start + 1]]())
                at = start + 3
        return "".join([*parts, frame[at:]]).replace("}}", "}")

    return fill


def benign(seed: int = 1, each: int = 6) -> list[str]:
    r = random.Random(seed)
    fill = _benign_filler(r)
    return [fill(frame) for frame in BENIGN_FRAMES for _ in range(each)]
