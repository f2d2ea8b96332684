"""Texts without secrets, from a seed: about passwords and keys, or with what looks like one."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.guard.secret_texts import HEX, WORDS, b64, run, slots_filled, uuid

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


def benign_outside(seed: int = 1) -> list[str]:
    """Of the same rounds: about passwords, keys, tokens, codes, hashes and ids."""
    r = random.Random(seed)
    return [slots_filled(frame.replace("\\n", "\n"), r)[0] for frame in _OUTSIDE_TEXT.strip("\n").split("\n")]


_OUTSIDE_TEXT = r"""
The user forgot his password and asked for a reset link.
Passwords must be at least twelve characters long.
We decided to store passwords with Argon2id and a per-user salt.
The password is stored in 1Password under "Staging".
The password is required for every request.
Password: required, string, at least 8 characters
The password is the same as last year.
The password was changed yesterday by the admin team.
She prefers a password manager over sticky notes.
Password reset emails go out from no-reply@example.com.
The password field is hidden until the user clicks on the eye icon.
Her password is too short according to the policy.
My password is not working any more.
The password is case sensitive.
The new password should be different from the last five.
Password policy: rotate every 90 days, no reuse.
Log in with your company account and choose a project.
Log in with Google or GitHub to continue.
Use the VPN to log in to the admin panel.
Use SSO to log in to the vendor portal.
Credentials are stored in the vault, never in the repository.
Credentials are rotated monthly by the platform team.
The credentials file lives in ~/.aws/credentials.
The API key is read from the environment variable OPENAI_API_KEY.
API keys are created on the settings page.
The API key is missing from the request header.
API key: see the team vault
Set api_key to your own key before running the script.
api_key = os.environ["OPENAI_API_KEY"]
client = OpenAI(api_key=os.getenv('OPENAI_API_KEY'))
password = getpass.getpass('Password: ')
password = input("Enter your password: ")
const token = await getToken(user.id);
token = request.headers.get('Authorization')
if password != confirm_password: raise ValueError('Passwords do not match')
def check_password(password: str, hashed: bytes) -> bool:
SECRET_KEY = env('SECRET_KEY')
secret: ${{ secrets.DEPLOY_TOKEN }}
password: ${DB_PASSWORD}
password: {{ vault_db_password }}
PASSWORD=changeme
password=<your-password>
Authorization: Bearer <token>
Authorization: Bearer YOUR_TOKEN_HERE
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/me
curl -u user:password https://example.com
postgres://user:password@localhost:5432/db
postgresql://USER:PASSWORD@HOST:PORT/DATABASE
Connect with mysql -u root -p and enter the password when prompted.
docker login -u USERNAME -p PASSWORD registry.example.com
sk-...your-key-here
Keys that start with sk_live_ are production keys, sk_test_ are for testing.
GitHub tokens start with ghp_ since 2021.
AWS access key ids begin with AKIA and are twenty characters long.
AKIA****************
xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
password: ********
password: [hidden]
Password: n/a
token: null
"password": null,
"token": "",
secret: false
auth_token: Optional[str] = None
type Token = { kind: string; value: string };
The token is valid for one hour.
The token expired at 14:05 UTC.
Each token costs 0.003 cents.
The context window is 128000 tokens.
We spent 45,210 tokens on that run.
max_tokens: 4096
tokens: 1532
num_tokens=2048
The tokenizer splits words into sub-word tokens such as ing and tion.
The end-of-sequence token is </s>.
token_type: bearer
Token bucket with a rate of 100 per second.
The secret to a good risotto is patience.
It is no secret that the project is late.
Her secret ingredient is cardamom.
Secret Santa is on December 18.
The key to success is practice.
The key is under the doormat.
The primary key is user_id.
Foreign key: orders.customer_id references customers.id
The sort key is created_at and the partition key is tenant_id.
Press any key to continue.
Key findings: revenue grew by 12 %.
The song is in the key of D minor.
public key: ssh-ed25519 AAAA<<b64>> alice@laptop
Commit <<hex40>> fixed the race.
Fixed in 4be1c9d.
git checkout <<hex40>>
The order id is <<uuid>>.
request_id=<<uuid>> status=200
trace id <<hex32>>
sha256:<<hex64>>
MD5 of the empty file is <<hex32>>.
The checksum of release.tar.gz is <<hex64>>.
etag: W/"5f3c-QmFzZTY0"
Image digest sha256:<<hex64>> is pinned.
Upgraded to version 2.14.3 on 2024-05-17.
Python 3.12.4 with numpy 1.26.4.
The meeting is at 10:30 in room 4.12.
Call me at +49 30 1234567 after six.
The invoice total is $1,249.00 including VAT.
Invoice 2024-00317 was paid on 3 May.
Order number 88213345 shipped today.
Flight LH 438 leaves at 13:25 from gate B42.
The ticket is OPS-1423.
Her birthday is 1987-04-12.
Postal code 10115, Berlin.
ZIP code: 94103
Area code 415 covers San Francisco.
The country code for Japan is 81.
Error code 1045 means access denied.
Exit code: 137
HTTP status code 403 was returned for 12 requests.
The QR code points to the menu.
Promo code SUMMER gives ten percent off.
Dress code: smart casual
Code review is due on Thursday.
The source code is on GitHub.
PIN entry is disabled after three attempts.
Connect pin 12 to ground.
GPIO pin 4821 does not exist.
Pin the dependency to 4.17.21.
Pinned message: stand-up moved to 9:15.
The door code was changed; ask reception for the new one.
The alarm is tested every Monday.
The combination of tests and types caught the bug.
User prefers dark mode and short answers.
Alice works at Initech as a data engineer since 2019.
The team moved from Jenkins to GitHub Actions in March.
Login is broken for users with a plus sign in their e-mail.
The login page is at https://app.example.com/login.
OAuth callback: https://app.example.com/oauth/callback?code=...&state=...
The OAuth flow uses PKCE with S256.
The JWT has three parts: header, payload and signature.
JWTs are signed with RS256 and verified by the gateway.
The bearer of this letter is my cousin.
Basic authentication is disabled on the public endpoint.
Basic understanding of SQL is expected.
We authenticate with mutual TLS.
The private key never leaves the HSM.
Generate a key with ssh-keygen -t ed25519 -C "you@example.com".
openssl rand -hex 32 makes a good secret.
kubectl create secret generic db-creds --from-literal=password=$DB_PASS
The secret db-creds is mounted at /var/run/secrets/db.
Rename the secret prod-db-password to prod/db/password.
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
arn:aws:iam::123456789012:role/deploy-role
gs://acme-backups/2024/05/17/dump.sql.gz
s3://data-lake-prod/events/year=2024/month=05/part-00017.parquet
projects/acme-prod/secrets/db-password/versions/3
See https://docs.example.com/security/passwords#hashing for details.
https://github.com/acme/app/blob/<<hex40>>/src/auth.py#L42
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://example.com/?utm_source=newsletter&utm_campaign=spring_sale_2024
https://app.example.com/projects/5f8d0d55b54764421b7156d9/board
C:\Users\alice\AppData\Local\Temp\tmp8f3k2.log
/Users/alice/.ssh/id_ed25519.pub
/etc/passwd is world readable, /etc/shadow is not.
import { authToken } from './auth/tokens';
from auth.tokens import RefreshToken
class PasswordResetToken(models.Model):
self.assertEqual(response.json()['token'], token)
password_hash = bcrypt.hashpw(password.encode(), bcrypt.gensalt())
hash: $argon2id$v=19$m=65536,t=3,p=4 are the parameters we chose.
users(id, email, password_hash, created_at)
ALTER TABLE users ADD COLUMN password_changed_at timestamptz;
SELECT token, expires_at FROM sessions WHERE user_id = $1;
GRANT SELECT ON reports TO analyst;
rem recall "what is the wifi password"
Ask Tom for the password.
Ask the on-call engineer for the root password before you restart.
I can't tell you the password over chat.
Who knows the password for the projector?
What's the password?
The user refused to give his password.
The password hint is the name of his first dog.
Password strength: weak
Password: incorrect
password authentication failed for user "app"
Access denied for user 'root'@'localhost' (using password: YES)
Permission denied (publickey,password).
sudo: a password is required
Enter passphrase for key '~alice/.ssh/id_rsa':
Wrong passphrase, try again.
A passphrase of six words is stronger than most passwords.
The passphrase is optional.
The client secret is shown only once.
The client secret expires in six months.
Client secret: stored in Key Vault
The access token lasts 15 minutes and the refresh token 30 days.
The refresh token is rotated on each use.
CSRF token mismatch on the login form.
Invalid token at line 14, column 3.
SyntaxError: Unexpected token < in JSON at position 0
unexpected token 'else' near line 20
token: identifier expected
Two-factor codes are sent by SMS.
We enabled two-factor authentication for all admins.
Verification code emails are delayed by about four minutes.
Your code will be reviewed tomorrow.
The webhook fires on every push to main.
Webhook URL: https://example.com/hooks/github
The Slack webhook is stored in the CI variables.
The Stripe webhook retries for three days.
AWS charges $0.40 per secret per month.
The GCP project is acme-prod-314159.
Azure subscription names follow the pattern team-env-region.
The encryption key is derived from the passphrase with scrypt.
Encryption at rest uses AES-256-GCM.
TLS 1.3 with X25519 and Ed25519 certificates.
The salt is 16 bytes long.
Nonce reuse breaks GCM.
The session lasts until the browser closes.
Session notes: patient reports better sleep.
Das Passwort muss mindestens 12 Zeichen lang sein.
Das Passwort ist abgelaufen.
Ich habe mein Passwort vergessen.
Le mot de passe doit contenir au moins huit caractères.
Le mot de passe est incorrect.
La contraseña es obligatoria.
La contraseña debe cambiarse cada noventa días.
A senha é armazenada com bcrypt.
La password è scaduta ieri.
Пароль должен содержать не менее восьми символов.
Пароль: обязательное поле
パスワードは8文字以上にしてください。
パスワードを忘れた場合はこちら。
密码必须至少包含八个字符。
密码是必填项。
Het wachtwoord is verlopen.
Hasło musi mieć co najmniej osiem znaków.
Das Token ist eine Stunde gültig.
El token caduca en una hora.
Lösenordet måste bytas var tredje månad.
Build 20240517.3 passed, 1,204 tests, 0 failures.
The card ends in 4242.
IBAN details are on the invoice.
MAC address 00:1A:2B:3C:4D:5E was blocked.
IPv6 2001:db8:85a3::8a2e:370:7334 is the test host.
Serial number C02XK1ZTJGH5 belongs to Maria's laptop.
ISBN 978-3-16-148410-0
DOI 10.1145/3292500.3330701
PR #4821 was merged by dependabot.
Room 4821 is on the fourth floor.
Model gpt-4o-2024-08-06 was used with temperature 0.2.
The model claude-3-5-sonnet-20241022 answered in 1.2 s.
meta-llama/Llama-3.1-8B-Instruct needs 16 GB.
BAAI/bge-small-en-v1.5 has 384 dimensions.
uvicorn app.main:app --host 0.0.0.0 --port 8000
kubectl logs api-7d9f8b6c5d-x2kqp -n prod
pod/web-5c689d88bb-qhvzs restarted 3 times
i-0abcd1234ef567890 was terminated by the autoscaler.
vpc-0a1b2c3d4e5f67890 has two subnets.
Lock file hash: h1:<<b64>>
The user's favourite password joke involves a horse and a staple.
Secrets are redacted before a memory is stored.
Do not log tokens, keys or passwords.
I need a new password because the old one expired.
He wrote his password on a sticky note again.
Please choose a strong password and confirm it below.
The password must not contain your name.
Passwords never appear in the logs.
The shared password was retired when we moved to SSO.
The admin password is kept in a sealed envelope in the safe.
The root password is known only to Karin and Lee.
Our password rules changed in April.
Password rotation is automated since Q2.
Forgot your password? Click here.
The password is empty by default.
The password is sent over TLS only.
The default password is printed on the bottom of the router.
The wifi password is on the whiteboard.
The wifi password is written on the fridge.
The temporary password is valid for 24 hours.
The user changed the password to something easier to remember.
We changed the password to a longer one.
User says his password is his dog's name.
The password was leaked in the 2016 breach.
He entered the wrong password five times and was locked out.
A password of eight characters can be cracked in hours.
Sign in as an administrator and open the audit log.
Sign in using your work e-mail.
Log in as root only from the console.
Use Okta to sign in.
The login is your employee number.
Username: your e-mail address
Username and password are both required.
user: alice, role: admin, team: platform
credentials: include
fetch(url, { credentials: 'same-origin' })
Credentials: PhD, Stanford; MBA, INSEAD
The credentials helper is osxkeychain.
git config --global credential.helper store
The key is rotated by KMS every year.
Key: value pairs are separated by commas.
key: user:1234:profile
Redis key user:42:sessions has a TTL of 3600.
cache_key = f"user:{user_id}:v2"
The i18n key is settings.security.password.label.
label.password=Password
placeholder="Enter your password"
<input type="password" name="password" autocomplete="current-password">
<label for="token">Token</label>
"password": {"type": "string", "minLength": 8}
password: z.string().min(8).max(128)
password = models.CharField(max_length=128)
password: Mapped[str] = mapped_column(String(255))
token: str = Depends(oauth2_scheme)
token := os.Getenv("GITHUB_TOKEN")
let token = process.env.SLACK_TOKEN;
String password = System.getenv("DB_PASSWORD");
secret = Rails.application.credentials.stripe[:secret_key]
api_key=settings.OPENAI_API_KEY,
headers = {'Authorization': f'Bearer {token}'}
headers: { Authorization: `Bearer ${accessToken}` }
echo $GITHUB_TOKEN | docker login ghcr.io -u $GITHUB_ACTOR --password-stdin
export API_KEY=$(cat /run/secrets/api_key)
DB_PASSWORD=${DB_PASSWORD:?not set}
env: GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
password: !vault |
password: !ENV ${DB_PASS}
password: "{{ lookup('env', 'DB_PASS') }}"
valueFrom:\n  secretKeyRef:\n    name: db-creds\n    key: password
secretName: tls-prod-wildcard
API_KEY=your_api_key_here
API_KEY=REPLACE_ME
token=TODO
password=<redacted>
password=XXXXXXXX
secret_key: "..."
The token limit is 8192 for this model.
prompt_tokens=812, completion_tokens=104
Token usage went down by 30 % after compaction.
The budget is 2000 tokens per recall.
Token count: 15234
total_tokens 91822
The [CLS] token is prepended to each sequence.
token 'NEWLINE' expected
ParserError: Expected end of line, token 14 was COMMA
The token ring network was replaced in 1999.
As a token of our thanks, lunch is free.
ERC-20 token transfers are indexed hourly.
The open secret is that nobody reads the wiki.
Victoria's Secret opens at 10.
The secret garden was her favourite book.
He kept it secret for 12 years.
Keep the secrets out of the image.
secret rotation failed: timeout after 30s
The secret scanning alert was a false positive.
Kubernetes secret names must be lower case.
The key point is that latency doubled.
Keyboard layout: German (QWERTZ)
The piano has 88 keys.
Key West is lovely in February.
The API returns 401 when the key is invalid.
API key rotation is planned for 12 June.
API token scopes: read:user, repo, workflow
The API key belongs to the marketing account.
api key was revoked
auth: oauth2, scope: openid profile email
The auth service is down since 09:40.
Auth is handled by Keycloak 24.0.3.
Bearer tokens are accepted in the header only.
Basic auth credentials should never be put into a URL.
The passcode lock turns on after two minutes.
The meeting passcode is in the invitation.
PIN or fingerprint: both work.
Chip and PIN is required above 50 euros.
Pins 3 and 5 carry I2C.
The pin code is asked at every start.
Access code: ask the host
The access code is sent by text message.
Enter the code from your authenticator app.
The entry code changes every month.
The gate closes at 22:00.
Her locker is number 317.
Bus 1024 stops at Main Street.
Extension 4410 reaches the help desk.
Fax: 030 123456-99
Tel. 0171 5551234
Case number 20240517-0031
Tracking number 1Z999AA10123456784
Order ORD-2024-118823 was refunded.
req_8KJ2hd72kd failed with 500.
The run id is run_7Hk2Jd9sKx and it took 41 s.
span_id=00f067aa0ba902b7 trace_id=<<hex32>>
Object 507f1f77bcf86cd799439011 not found in collection users.
blob <<hex40>> README.md
Merge 1a2b3c4..5d6e7f8 into release/2.4
sha1: <<hex40>>
sha256sum: <<hex64>>  test.txt
Fingerprint SHA256:<<b64>>.
ssh-rsa AAAA<<b64>> ops@bastion
Lat 52.5200, lon 13.4050
Temperature rose from 18.4 to 21.9 degrees.
The budget is 12,500 EUR for Q3.
She ran 10 km in 48:12.
Recipe: 250 g flour, 2 eggs, 120 ml milk.
Das Kennwort darf nicht den Benutzernamen enthalten.
Bitte ändern Sie Ihr Passwort bis Freitag.
Der Schlüssel liegt unter der Fußmatte.
J'ai oublié mon mot de passe.
Le mot de passe a été modifié hier.
Mi contraseña no funciona desde ayer.
La clave del éxito es la constancia.
A senha expirou ontem.
Пароль был изменён вчера.
Я забыл пароль от почты.
비밀번호를 잊어버렸습니다.
パスワードは毎月変更されます。
密码已经修改了。
Parola sıfırlama bağlantısı gönderildi.
Jelszó: kötelező mező
Salasana on vanhentunut.
Nobody remembers who set the original password.
The password prompt appears twice on Windows.
Marketing wants a passwordless login by autumn.
Passkeys replace passwords for new accounts.
I will send you the password by Signal.
The password arrives in a separate letter.
The password is generated on first boot.
The password is hashed before it is compared.
The password is whatever you typed during setup.
Their password is longer than mine.
The password can be reset at https://id.example.com/reset.
Password managers such as Bitwarden and KeePassXC are allowed.
The database password comes from Vault at start-up.
The password column was dropped in migration 0042.
password_min_length: 12
password_reset_timeout = 3600
PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']
validate_password(password, user=user)
passwd: password updated successfully
passwd -l root locks the account.
pass: 41, fail: 2, skipped: 3
All tests pass on 3.11 and 3.12.
Pass the salt, please.
Boarding pass: gate 14, seat 22C
The mountain pass is closed until May.
pass the token to the next handler
We pass user_id=4821 to the worker.
The secret is out: we're launching in June.
The secret lies in the sauce.
Top secret documents were found in the garage.
The secrets module replaces random for tokens.
import secrets; secrets.token_urlsafe(32)
secret = secrets.token_hex(16)
The client secret was removed from the repo history.
client_secret is deprecated, use private_key_jwt.
The API key goes into the header called x-api-key.
x-api-key: <your key>
Every team gets one API key per environment.
Without an API key the rate limit is 10 per minute.
The API key is optional for local models.
apiKey: process.env.ANTHROPIC_API_KEY,
ANTHROPIC_API_KEY is not set
AWS_PROFILE=acme-dev aws s3 ls
AWS_REGION=eu-central-1
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set.
The key pair is named acme-bastion-2023.
ssh -i ~/.ssh/acme_prod.pem ubuntu@10.0.1.7
The GPG key id is 0x4AEE18F83AFDEB23.
gpg --recv-keys 4AEE18F83AFDEB23
Host key verification failed.
A bearer token is only as safe as the channel.
Tokens are refreshed five minutes before they expire.
The token endpoint is /oauth/token.
token_endpoint_auth_method: client_secret_post
grant_type=authorization_code
The response has access_token, token_type and expires_in.
"expires_in": 3600, "token_type": "Bearer"
Average 4.2 characters per token.
tokens/s: 38.4
The first token arrives after 210 ms.
The user speaks German and Polish.
The customer's plan is Enterprise, renewed 2025-01-01.
The flight confirmation is in Gmail.
Booking reference in the e-mail from 3 March.
Gate code requests go to the facility desk.
Every door has its own code, ask Henrik.
The code is on the back of the card.
The code word for the drill is announced on the day.
Source code 4821 lines, test code 9150 lines.
Status code 418 is a joke.
Unicode code point U+1F600 renders fine.
The barcode 4006381333931 scans.
Build number 4821 is broken.
Port 5432 is open, 3306 is closed.
Year 2024 had 366 days.
The PIN pad in the lobby is broken again.
We pinned numpy at 1.26.
Session 4 covers authentication.
session_timeout=1800
Cookie consent is required in the EU.
Set-Cookie: theme=dark; Path=/; Max-Age=31536000
The login form posts to /session.
Login: works. Logout: broken.
Last login: Fri May 17 08:12:44 2024 from 10.0.0.5
login=alice action=view page=/reports
user=alice host=db1 port=5432 dbname=crm sslmode=require
sqlite:///data/app.db
redis://localhost:6379/0
mongodb://localhost:27017/test
https://user@example.com/path is a legal URL.
git@github.com:acme/app.git
mailto:alice@example.com?subject=Password%20reset
Commit message: rotate signing key (#912)
Revert "Add token cache" — reverts commit 7d1f0c3b9a
v1.2.3-rc.4+build.20240517.sha.5114f85
urn:uuid:<<uuid>>
Ihr Passwort wurde zurückgesetzt.
Das Passwort ist im Tresor.
Votre mot de passe a expiré.
La contraseña se guarda cifrada.
El código postal es 28013.
Il codice fiscale è obbligatorio.
Пароль не подходит.
密码是用 bcrypt 存储的。
パスワードは安全に保管されています。
Password complexity is checked on the server.
The password is verified against haveibeenpwned.
The password is confidential.
The password is identical on both systems.
The password is unchanged since launch.
The password was obviously guessed.
The password is tomorrow's problem.
My password is older than my car.
The password is in LastPass.
The password is on the card I gave you.
Her password is known to nobody else.
The password is six words long.
The password is 16 characters long.
The password is between 8 and 64 characters.
Passwords: 3 weak, 12 reused, 41 strong.
Password audit 2024: 17 accounts failed.
Password last changed: 2023-11-02
password_changed_at: 2024-05-17T08:12:44Z
The password expires in 14 days.
User bob42 asked for a password reset.
Reset the password for user jdoe7 in AD.
The password for web01 was rotated on Monday.
The password service runs on k8s node worker-3.
Password hashing moved from bcrypt to argon2id in v2.3.0.
Ticket SEC-412: password leak in the debug log.
The login with SAML2 replaced the password form.
Enter your password twice and press OK.
If the portal asks for a password, call the help desk.
When prompted for a password, press Ctrl+C.
Use a password with at least one digit, e.g. not your birthday.
Use the password manager to log in.
He used the same password for Gmail and Steam.
Change the password to something stronger.
The password reset page returns HTTP 500.
the password field has id=pwd2 and class=form-control
<input id="password2" type="password">
password1 and password2 must match.
if (password1 !== password2) return false;
cy.get('#password').type(Cypress.env('PASSWORD'))
PASSWORD_VALIDATORS = []
AUTH_PASSWORD_VALIDATORS is empty in settings_test.py
pwd prints the working directory.
pwd: /home/alice/projects
cd $(pwd)/build && make -j4
PWD=/srv/app
The token was revoked this morning.
The token is signed with HS256.
Token refresh failed with 401 after 3600 s.
Our token budget per day is 2,000,000.
Count tokens with tiktoken 0.7.0 (cl100k_base).
The secret is base64 encoded, not encrypted.
The secret store is HashiCorp Vault 1.16.
Secrets live in AWS Secrets Manager under prod/payments.
A secret ballot was held on 12 May 2024.
The secret key is generated at install time.
The key was lost in the move.
The key is 256 bits long.
Key rotation happens every 90 days.
The S3 key is reports/2024/05/summary-000123.csv.
The cache key is <<hex32>>.
Idempotency key: <<uuid>>
The primary key of row 42 is <<uuid>>.
The API key page is under Settings > Developer.
You need an API key, which costs $20 a month.
Which API key did you use for the demo?
The client id is 1234567890-abc.apps.googleusercontent.com.
The app id is <<hex32>>.
Commit <<hex40>> removes the token cache.
The session id format is a UUID.
Cookie banner text was updated.
The PIN is blocked after 3 wrong tries.
The PIN is four digits.
The PIN was mailed separately.
PIN 13 is the LED on the Arduino.
The door opens at 0800.
The gate at 1400 Main Street is broken.
The building was finished in 1987.
The alarm went off at 0315.
The safe holds up to 5000 euros.
The elevator carries 1000 kg.
Zip code of the warehouse: 60601
Use 8080 as the port.
2024 was a good year for the code base.
The code is 4821 lines long.
Country code 49, area code 30.
Error 1205: lock wait timeout exceeded.
The verification took 1200 ms.
Verification code length is 6.
Log in as admin and open page 3.
Log in with your badge and pick up parcel 88213.
Sign in with Apple is supported since iOS13.
The account has user id 1001 and group id 1001.
Account 4711 was closed in 2019.
user: bob42
username=alice99
ssh bob42@build7.example.com -p 2222
scp report_v2.pdf alice@10.0.0.7:/srv/files/
Wifi is slow on floor 3.
The wifi network is called Guest5G.
SSID: Office-2.4GHz, channel 11
Das Passwort ist Pflicht.
Das Passwort läuft in 14 Tagen ab.
Le mot de passe est obligatoire.
La contraseña es la misma de siempre.
La clave primaria es user_id.
Пароль истёк вчера.
密码错误，请在5分钟后重试。
パスワードは3回まで間違えられます。
The new hire could not set her password on the first day.
Password changes are audited by the SOC team.
A leaked password cost the company 40,000 euros.
Our password rule is simple: no rules, just length.
The password for the demo is shown on the login page.
The password is derived from the machine id.
The password is encrypted with AES-256.
The password is optional when a key file is given.
Passwords and tokens are masked as *** in the logs.
The password hash has the prefix $argon2id.
Wrong password, 2 attempts left.
The password was reset by admin on 2024-04-02 at 13:37.
This password was seen 3,861 times in breaches.
Do you want to save the password for example.com?
He typed his password into the wrong field.
Type the password, then press Enter.
Use a passphrase of at least 5 words.
The passcode has six digits.
Set a passcode in Settings > Face ID & Passcode.
The master password cannot be recovered.
The PIN can be changed at any ATM.
Her PIN is easy to guess.
PIN length: 4 to 8
The code was merged in PR 1482.
Entry code 200 OK was logged.
Access codes are reset on 1 June.
The gate is at kilometre 1204.
The door is 2030 mm high.
Garage 1204 is rented until 2026.
Safe operating temperature: 1050 degrees.
Press 1 for English, 2 for German.
Dial 0800 123456 for support.
The lock was replaced in 2019.
The lobby opens at 0700 and closes at 2200.
Enter 2024 in the year field.
The API token page moved to Account > Security.
API tokens have 40 characters.
The token has expired: log in again.
token_ttl_seconds: 3600
refresh_token_rotation=true
The secret was rotated 14 days ago.
secretsmanager:GetSecretValue is denied for role ci.
vault kv get secret/prod/db
The key fingerprint is SHA256:<<b64>>.
The encryption key lives in KMS, alias/prod-main.
KMS key arn:aws:kms:eu-west-1:111122223333:key/<<uuid>>
The access key was last used 42 days ago.
Access key rotation: done.
signing key id: 2024-05-main
kid: 8a7b6c5d
The webhook receives about 1,200 events a day.
The bearer token scheme is defined in RFC 6750.
Auth0 tenant: acme-prod.eu.auth0.com
OAuth2 scopes: read, write, admin:org
The session token cookie is HttpOnly and SameSite=Lax.
Cookie: theme=dark; lang=de
user alice (uid 1001) logged in from 10.1.2.3 port 51234
login as: ubuntu
Log in to db01 and run vacuum.
Sign in with bob@example.com, then open the billing tab.
Account manager: bob@example.com, phone 030 1234567
credentials.json is ignored by git
Please send your credentials by post.
admin and root are disabled.
root with UID 0 is the only superuser.
admin / editor / viewer are the three roles.
The user guest has read access with quota 500.
version 3.4.1 unlocks the new editor
Level 12 unlocks the dragon.
This opens the door for more tests.
He opened the meeting with 3 questions.
unlock with Touch ID or your watch
curl https://api.example.com/v2/users?page=3&limit=50
GET /api/v1/items?sort=created_at&order=desc 200 31ms
https://example.com/reset?lang=en#token
redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb
docker run -e POSTGRES_PASSWORD postgres:16
docker pull ghcr.io/acme/api@sha256:<<hex64>>
pip install passlib==1.7.4
from passlib.hash import argon2
assert verify_password('wrong', hashed) is False
raise AuthError("invalid password")
print('Password:', '*' * len(password))
if not user.check_password(form.password.data):
WHERE password IS NOT NULL AND role = 'admin'
password varchar(255) NOT NULL
passwordField.setText("")
const { password, ...rest } = user;
interface Login { user: string; password: string }
"required": ["username", "password"]
- name: password\n  in: query\n  required: true\n  schema:\n    type: string
Wifi 6E needs a 6 GHz band.
The network name is Lobby, the password is on the flyer.
Das Passwort steht im Wiki.
Das Passwort ist streng vertraulich.
Ihr Code ist abgelaufen.
Le mot de passe est stocké chiffré.
Le code postal est 75011.
La contraseña es demasiado corta.
El código de error es 1045.
A senha deve ter 8 caracteres.
Пароль слишком короткий.
密码长度为8到16位。
パスワードは定期的に変更してください。
"""
