"""Sentences with every name that stands in them, written before the rules that take names, and left as they were.

A name counts as found when its key is the same. Names of days and months, sentence openers, ordinary nouns and numbers
are none.
"""

from __future__ import annotations

TEXTS: tuple[tuple[str, dict[str, str]], ...] = (
    # English: people, places, products
    (
        "Dr. Anna Schmidt moved from Hamburg to Lisbon in May.",
        {"Dr. Anna Schmidt": "name", "Hamburg": "name", "Lisbon": "name"},
    ),
    ("O'Neil reviewed the contract before Friday.", {"O'Neil": "name"}),
    ("The keynote was given by Jan van der Berg.", {"Jan van der Berg": "name"}),
    ("Please ask Maria about the invoice from Contoso.", {"Maria": "name", "Contoso": "name"}),
    ("Caroline's sister works at Mercy General Hospital.", {"Caroline": "name", "Mercy General Hospital": "name"}),
    ("Yesterday we migrated the billing service to Stripe.", {"Stripe": "name"}),
    ("However, nobody told Priya Natarajan about the outage.", {"Priya Natarajan": "name"}),
    ("My neighbour has two dogs, Luna and Oliver.", {"Luna": "name", "Oliver": "name"}),
    ("The team uses Visual Studio Code and Figma.", {"Visual Studio Code": "name", "Figma": "name"}),
    ("Backups run every night at two.", {}),
    ("Remember to water the plants on Tuesday.", {}),
    ("I prefer dark chocolate over milk chocolate.", {}),
    ("Thanks, that fixed it.", {}),
    ("Never deploy on Fridays.", {}),
    ("Lisbon is warmer than Berlin in January.", {"Lisbon": "name", "Berlin": "name"}),
    ("Kubernetes restarts the pod when memory runs out.", {"Kubernetes": "name"}),
    ("We met at Café Luitpold near the Marienplatz.", {"Café Luitpold": "name", "Marienplatz": "name"}),
    ("The University of Porto accepted her.", {"University of Porto": "name"}),
    ("Mr. Lee and Ms. Okafor signed for Acme Corp.", {"Mr. Lee": "name", "Ms. Okafor": "name", "Acme Corp": "name"}),
    (
        "Melanie: Hey Caroline! I went hiking in Yosemite last weekend.",
        {"Melanie": "name", "Caroline": "name", "Yosemite": "name"},
    ),
    ("It was great! We should go to Rome again.", {"Rome": "name"}),
    ("She reads Harry Potter to her kids.", {"Harry Potter": "name"}),
    ("The user lives in New York and works for the New York Times.", {"New York": "name", "New York Times": "name"}),
    ("Use Redis for sessions; Memcached was removed.", {"Redis": "name", "Memcached": "name"}),
    ("Jean-Luc Picard and Mary-Ann Evans are on the list.", {"Jean-Luc Picard": "name", "Mary-Ann Evans": "name"}),
    ("Chen said the Monday meeting is cancelled.", {"Chen": "name"}),
    # Identifiers, paths, packages, acronyms
    (
        "The bug is in parse_header, called from HttpClient.fetchAll.",
        {"parse_header": "identifier", "HttpClient.fetchAll": "identifier"},
    ),
    ("Set MAX_RETRIES to 5 in config/settings.toml.", {"MAX_RETRIES": "identifier", "config/settings.toml": "path"}),
    ("Run `make deploy` before `rem sweep`.", {"make deploy": "identifier", "rem sweep": "identifier"}),
    ("The handler lives in src/api/users.py and imports numpy.", {"src/api/users.py": "path", "numpy": "package"}),
    ("Install it with pip install fastapi==0.110 uvicorn.", {"fastapi": "package", "uvicorn": "package"}),
    ("We pinned requests==2.31.0 because of a regression.", {"requests": "package"}),
    ("Run npm i left-pad --save, then npm install @types/node.", {"left-pad": "package", "@types/node": "package"}),
    ("from sqlalchemy.orm import Session fails at import time.", {"sqlalchemy": "package"}),
    ("JWTs expire after an hour; the JWT's key rotates weekly.", {"JWT": "acronym"}),
    (
        "The Model Context Protocol (MCP) defines how tools are called.",
        {"Model Context Protocol": "name", "MCP": "acronym"},
    ),
    ("MCP (Model Context Protocol) is spoken by the gateway.", {"Model Context Protocol": "name", "MCP": "acronym"}),
    ("The API returns JSON over HTTPS.", {"API": "acronym", "JSON": "acronym", "HTTPS": "acronym"}),
    ("userId is read from the X-User-Id header.", {"userId": "identifier", "X-User-Id": "identifier"}),
    ("os.environ is only read in settings.py.", {"os.environ": "identifier", "settings.py": "path"}),
    ("Logs go to /var/log/app/error.log on every host.", {"/var/log/app/error.log": "path"}),
    ("PostgreSQL 16 replaced MySQL on the EU cluster.", {"PostgreSQL": "name", "MySQL": "name", "EU": "acronym"}),
    ("The p99 latency of getUserById() doubled.", {"getUserById": "identifier"}),
    ("NOTE: THIS IS IMPORTANT AND MUST NOT BE LOST", {}),
    ("TODO: ask whether and/or is fine here.", {}),
    ("Version 2.3.1 fixed it, 40% faster than before.", {}),
    ("See https://example.org/Docs/Start_Page for details.", {}),
    (
        "iPhone users on GitHub report the same with OpenAI keys.",
        {"iPhone": "name", "GitHub": "name", "OpenAI": "name"},
    ),
    # German
    (
        "Frau Weber arbeitet seit März bei Siemens in München.",
        {"Frau Weber": "name", "Siemens": "name", "München": "name"},
    ),
    ("Der Server steht im Keller und das Backup läuft nachts.", {}),
    ("Die Entscheidung traf Thomas Müller nach der Sitzung.", {"Thomas Müller": "name"}),
    ("Wir nutzen PostgreSQL, weil die Datenbank groß ist.", {"PostgreSQL": "name"}),
    ("Kaffee ohne Zucker mag der Kollege am liebsten.", {}),
    ("Anna hat das Ticket an Jonas weitergegeben.", {"Anna": "name", "Jonas": "name"}),
    # French
    ("Camille Dubois habite à Lyon depuis janvier.", {"Camille Dubois": "name", "Lyon": "name"}),
    ("Nous avons choisi OVH parce que les serveurs sont en France.", {"OVH": "acronym", "France": "name"}),
    ("Le mardi, la réunion commence à dix heures.", {}),
    # Spanish
    (
        "Lucía Fernández vive en Sevilla y trabaja para Telefónica.",
        {"Lucía Fernández": "name", "Sevilla": "name", "Telefónica": "name"},
    ),
    ("El servidor de pruebas se reinicia cada noche.", {}),
    # Chinese and Japanese: quotes, code and tags only
    ("我们用 PostgreSQL 存储订单，接口叫「订单中心」。", {"PostgreSQL": "name", "订单中心": "name"}),
    ("田中さんは「青い鳥」を Tokyo で買った。", {"青い鳥": "name", "Tokyo": "name"}),
    ("会議は月曜日に始まります。", {}),
)
