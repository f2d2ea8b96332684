"""Secrets as they are passed on: told before their names, handed out by a service, set by somebody; and their twins."""

from __future__ import annotations

import pytest

from remanence.guard.secrets import redact
from remanence.guard.secrets.reading import one_of

VALUES = ["larch-tunnel-48", "Otter_Kelp7", "Zimt&Mohn31"]

# The value stands before what names it.
BEFORE = [
    '"{}" will be the admin password from Monday',
    '"{}" is going to be the wifi password at the cabin',
    '"{}" becomes the password for the shared inbox',
    "we'll keep {} as the router password for now",
    "„{}“ wird ab Montag das Admin-Passwort",
    'Ich habe "{}" als Kennwort eingetragen',
    "On a mis « {} » comme mot de passe du NAS",
    '"{}" sera le mot de passe du partage',
    'Hemos puesto "{}" como contraseña del router',
    "He dejado {} de clave para el panel",
    'Ho scelto "{}" come parola d\'ordine',
    '"{}" sarà la nuova password del server',
    'Coloquei "{}" como senha do roteador',
    'Ik heb "{}" als wachtwoord ingesteld',
    '"{}" wordt het nieuwe wachtwoord',
    # and these name it first, but put it last
    "Als Passwort für den Beamer nimmst du bitte {}",
    "Como contraseña del panel hemos elegido {}",
    "Come password del router ho lasciato {}",
    "Als wachtwoord voor de printer gebruiken we {}",
    # somebody set it
    "root password on the new host? Mia set it to {} during install",
    "sudo password on the build box? Mei made it {} last week",
    "Admin-Kennwort vom Drucker? Jonas hat es auf {} gesetzt",
    "mot de passe root ? Chloé l'a mis à {}",
    "¿la contraseña del FTP? la cambié a {} ayer",
    "la password del NAS? l'ho cambiata in {}",
    # a network and what lets one in
    'guest wifi is "Makers_Hall" / {}',
    "The hotspot is PixelRita, then {}",
    "wlan „Hofcafe“ – {}",
]
# What locks, and what was changed: only what looks like a password and nothing else.
LOCKED = [
    "the zip you got is locked with {}, delete it",
    "locked it using {} ok",
    "Die ZIP ist mit {} gesichert.",
    "le pdf est verrouillé avec {}",
    "El zip va cifrado con {}",
    "lo zip è protetto con {}",
    "de zip is beveiligd met {}",
    "the archive needs {} to extract",
    "backup.tar.gpg: decrypt it with {}",
    "Die Datei ist verschlüsselt, zum Öffnen: {}",
    "It was changed from {} to Nickel!2024q on the staging admin account.",
    "It was changed from Nickel!2024q to {} on the staging admin account.",
    "Wir haben von Nickel!2024q auf {} am Admin-Konto umgestellt.",
    "old: {} new: Nickel!2024q (jenkins login)",
]
SIGNED = ["mango!77Split", "Juniper#9x", "Gravel_tiger6"]
# One word of no language, and how it is typed.
ONE_WORD = [
    "the internet password is {} all one word",
    "wifi password's {} (one word, lowercase)",
    "das Passwort ist {} alles klein",
    "le mot de passe c'est {} en un seul mot",
    "la contraseña es {} todo junto",
    "la password è {} tutto attaccato",
    "a senha é {} tudo junto",
    "wachtwoord is {} aan elkaar",
]
CODES = [
    ("the admin password is 0815-rotkehl", "0815-rotkehl"),
    ("password: 2024-marmot", "2024-marmot"),
    ("The 2FA code you asked for is 604 218, hurry", "604 218"),
    ("Your login code is 604 218, don't share it", "604 218"),
    ("the one-time code from the bank was 77 31 90", "77 31 90"),
    ("Your one-time passcode is 604-218", "604-218"),
    ("Dein Bestätigungscode lautet 604 218", "604 218"),
    ("Le code de vérification reçu par SMS est 604 218", "604 218"),
    ("El código de verificación es 604 218", "604 218"),
    ("Il codice OTP è 604 218", "604 218"),
    ("o código de verificação é 604 218", "604 218"),
    ("verificatiecode: 604 218", "604 218"),
    ("Use 604218 as your sign-in code", "604218"),
    ("De pincode van de kluis werd na de verhuizing 604218", "604218"),
    ("De pincode is na de verbouwing 604218 geworden", "604218"),
    ("Die PIN für den Tresor wurde nach dem Umzug 604218", "604218"),
    ("Il PIN della cassaforte è diventato 604218", "604218"),
    ("O PIN do cofre passou a ser 604218", "604218"),
    ("After the move the alarm code became 3391", "3391"),
    ("De alarmcode is sinds maandag 6620", "6620"),
    ("el código de la puerta pasó a ser 7731", "7731"),
    ("WPA2 key on the office AP was set to 60421847120938475561 last month", "60421847120938475561"),
    ("WLAN-Schlüssel lautet 6042 1847 1209 3847 5561", "6042 1847 1209 3847 5561"),
    ("zum Öffnen: 60421847", "60421847"),
]
AZURE = "qN8vT2xLw0pJc7RfYk3ZbHs5MdUe1GaIo9XtQ4rWn6VzEyCjBhPmSlDuKfTgAi2x8R7vL0cQwN5pZs3JbYkUeg=="
DRAWN = "mz4xq7kd2vw9hj5rt3yb6nc8pf2sl7ga4ue9io5xk3wq8zd6vr2t"
ISSUED = [
    (f"Cosmos primary key = {AZURE} , account name events", AZURE),
    (f"Cosmos DB (events): {AZURE}", AZURE),
    (f"PAT for the feed, scope packaging read: {DRAWN}", DRAWN),
    (f"here's my PAT -> {DRAWN}", DRAWN),
    ("port 587, user news@example.org, app password kqzvwmrthbxdplnf", "kqzvwmrthbxdplnf"),
    ("Gmail app password for the scanner: kqzv wmrt hbxd plnf", "kqzv wmrt hbxd plnf"),
    ("mine is an app-specific password, kqzv-wmrt-hbxd-plnf", "kqzv-wmrt-hbxd-plnf"),
    ("mot de passe d'application Gmail : kqzv wmrt hbxd plnf", "kqzv wmrt hbxd plnf"),
    ("oathtool --totp -b QWKUW5QF4R2QY7DQQWQ5VQIYO6", "QWKUW5QF4R2QY7DQQWQ5VQIYO6"),
]
TWINS = [
    "--s2k-digest-algo is now used for all password mangling.",
    '"Ocean\'s Eleven" will be the movie; the wifi password stays secret.',
    '"must-change-at-login" will be the password flag on new accounts',
    "we'll keep CHANGELOG_v2 as the template for the password notes",
    'Ho impostato "Europe/Rome" come fuso orario, la password va bene',
    "Comme gestionnaire de mots de passe, j'ai pris KeePassXC.",
    'Als Kennwort-Richtlinie gilt "mindestens-12-Zeichen".',
    "password policy for contractors? Ravi set it to 90 days",
    "das Passwort? Jonas hat es gestern zurückgesetzt",
    "mot de passe ? Paul l'a mis à jour hier",
    "wifi: 2.4GHz / 5GHz",
    "hotspot is Berlin-Hbf, then Hamburg-Altona",
    "The archive is protected with AES-256 and the disk is encrypted with LUKS2.",
    "The field is guarded with IsAdmin2FA and the route is protected by RequireLogin2.",
    "Der Raum ist mit Schloss-Typ3 gesichert.",
    "needs Python3.12 to open",
    "We changed from Python3.11 to Python3.12 on the staging account service.",
    "He moved from Team-Red2 to Team-Blue3 on the admin account.",
    "the user moved from Room#12b to Room#14c after login",
    "the password is straightforward",
    "the password is lowercase, no spaces",
    "the password field is required, no spaces",
    "The 2FA code page shows 3 of 10 attempts.",
    "the verification code expires in 300 seconds",
    "Promo code: 448 019 gives you 10%",
    "De pincode van de kluis werd in 2024 gewijzigd",
    "Die PIN wurde 2023 geändert",
    "The router key features: 1200 3400 5600 7800 series support",
    "WPA2 key rotation on the office AP was set to 86400 seconds last month",
    "primary key of the table is user_id, the partition key is created_at",
    f"integrity sha512-{AZURE} token check in the lockfile",
    "PAT testing is due for all portable appliances at SiteOffice-Building-12345.",
    "The app password page asks: does that make sense when they sign?",
    "ERC-20 token contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is a test.",
    "the token is at 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "token, pay to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "ipfs pin QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKJ7gG keeps the token data",
    "the fingerprint of the ssh server is SHA256:n4bQgYhMfWWaLqgxVxTUmXo6dPQZ3tVbYk1rJ7uKcE0",
    "user login by ssh, MD5:9f86d081884c7d659a2feaa0c55ad015",
    "the password is 90-day at most",
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("frame", BEFORE)
def test_a_value_leaves_its_frame(frame: str, value: str) -> None:
    assert redact(frame.format(value)).text == frame.format("[redacted:password]")


@pytest.mark.parametrize("value", SIGNED)
@pytest.mark.parametrize("frame", LOCKED)
def test_what_locks_leaves(frame: str, value: str) -> None:
    assert value not in redact(frame.format(value)).text


@pytest.mark.parametrize("value", ["threewisemonkeys", "purpledinosaurdance"])
@pytest.mark.parametrize("frame", ONE_WORD)
def test_a_word_leaves_where_it_says_how_it_is_typed(frame: str, value: str) -> None:
    assert value not in redact(frame.format(value)).text


@pytest.mark.parametrize(("text", "value"), CODES + ISSUED)
def test_what_was_handed_out_leaves(text: str, value: str) -> None:
    assert value in text
    assert value not in redact(text).text


@pytest.mark.parametrize("text", TWINS)
def test_what_only_sounds_alike_stays(text: str) -> None:
    assert redact(text).text == text


def test_one_of_many_words_is_held_in_any_script() -> None:
    held = one_of(["pass", "password", "пароль"])
    assert held("a password")
    assert held("мой пароль")
    assert not held("nothing, ничего")
    assert not one_of([])("anything, что угодно")
