"""Shapes: secrets that give themselves away by how their maker writes them.

A row is (kind, marks, pattern). A pattern is tried only where one of its marks stands in the text, case and all, and is
compiled at that moment. Patterns begin with a mark, and every repeat is bounded, so one that fails costs little
anywhere. Lengths are looser than the makers' own: a key cut short is still a key. A group `v` is the value where the
match holds more than that; a fourth column must end right before the match and belongs to the value.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_T = r"[A-Za-z0-9_-]"  # of URL-safe base64
_A = r"[A-Za-z0-9]"
_H = r"[0-9a-f]"
_B = r"[A-Za-z0-9+/]"


class Shape(NamedTuple):
    kind: str
    marks: tuple[str, ...]
    source: str
    lead: str  # what must stand right before the match and belongs to it


SHAPES: tuple[Shape, ...] = tuple(
    Shape(kind, tuple(marks.split()), source, lead[0] if lead else "")
    for kind, marks, source, *lead in (
        # clouds
        ("aws-key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}"),
        ("aws-key", "A3T", r"A3T[A-Z0-9]{17}(?![A-Za-z0-9])"),
        ("aws-key", "bedrock-api-key- ABSK", rf"(?:bedrock-api-key-{_B}{{20,400}}={{0,2}}|ABSK{_B}{{80,400}}={{0,2}})"),
        ("aws-key", "da2-", r"da2-[a-z0-9]{24,30}"),
        ("aws-key", "amzn.mws.", r"amzn\.mws\.[0-9a-z-]{30,40}"),
        ("google-key", "AIza", rf"AIza{_T}{{30,60}}"),
        ("google-key", "GOCSPX-", rf"GOCSPX-{_T}{{20,60}}"),
        ("google-token", "ya29.", r"ya29\.[\w.-]{20,600}"),
        ("google-token", "1//0", rf"1//0{_T}{{30,250}}"),
        ("google-token", "4/0A", rf"4/0A{_T}{{30,100}}"),
        ("firebase-key", "AAAA", rf"AAAA{_T}{{7}}:{_T}{{120,200}}"),
        ("azure-key", "Q~", r"Q~[A-Za-z0-9_.~-]{30,40}", rf"{_T}{{3}}[78]"),
        ("azure-key", "JQQJ99", rf"JQQJ99{_A}{{20,40}}={{0,2}}", rf"{_A}{{40,60}}"),
        (
            "azure-key",
            "+AMC +ASt AzCa ACDb AzSe AIoT",
            rf"(?:\+AMC|\+ASt|AzCa|ACDb|AzSe|AIoT){_B}{{5,6}}==?",
            rf"{_B}{{33,80}}",
        ),
        ("alibaba-key", "LTAI", rf"LTAI{_A}{{12,26}}"),
        ("tencent-key", "AKID", rf"AKID{_A}{{28,36}}"),
        ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_{_H}{{32,80}}"),
        ("cloudflare-token", "v1.0-", rf"v1\.0-{_H}{{24}}-{_H}{{100,160}}"),
        ("cloudflare-token", "cfat_ cfut_ cfk_", rf"cf(?:at|ut|k)_{_A}{{36,60}}"),
        ("akamai-key", "akab-", r"akab-[a-z0-9]{14,20}-[a-z0-9]{14,20}"),
        ("heroku-key", "HRKU-", rf"HRKU-{_T}{{30,80}}"),
        ("fly-token", "FlyV1 fo1_ fm2_", rf"(?:FlyV1 )?(?:fo1_{_T}{{30,80}}|fm[12][ar]?_[A-Za-z0-9+/=_,-]{{60,900}})"),
        ("scaleway-key", "SCW", r"SCW[A-Z0-9]{17}(?![A-Za-z0-9])"),
        ("planetscale-token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w.=-]{24,80}"),
        ("supabase-key", "sbp_ sb_secret_", rf"(?:sbp_(?:v0_|oauth_)?{_H}{{36,44}}|sb_secret_{_T}{{20,60}})"),
        ("render-key", "rnd_", rf"rnd_{_A}{{24,40}}"),
        ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", rf"vc[piark]_{_A}{{24,70}}"),
        ("netlify-token", "nfp_ nfc_ nfo_ nfu_", rf"nf[pcou]_{_A}{{32,50}}"),
        # code, packages, builds
        ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_\w{16,255}(?:\.[\w-]{10,2000}){0,2}"),
        ("github-token", "github_pat_", r"github_pat_\w{16,255}"),
        (
            "gitlab-token",
            "glpat- gldt- glrt- glptt- glft- glimt- glagent- gloas- glcbt- glsoat- glffct- glwt- glrtr- GR1348941",
            rf"(?:gl(?:pat|dt|rtr|rt|ptt|ft|imt|agent|oas|cbt|soat|ffct|wt)-[\w.-]{{16,300}}|GR1348941{_T}{{20,40}})",
        ),
        ("gitlab-token", "_gitlab_session=", rf"_gitlab_session=(?P<v>{_H}{{32}})"),
        (
            "atlassian-token",
            "ATATT3 ATCTT3 ATBB ATSTT3",
            rf"(?:AT[ACS]TT3{_T}{{30,400}}(?:(?:=|%3[Dd]|\\u003[Dd]){_A}{{8}})?|ATBB{_A}{{24,40}})",
        ),
        ("atlassian-token", "BBDC-", rf"BBDC-{_B}{{30,60}}"),
        ("npm-token", "npm_", rf"npm_{_A}{{30,60}}"),
        ("pypi-token", "pypi-", rf"pypi-{_T}{{30,400}}"),
        ("rubygems-key", "rubygems_", rf"rubygems_{_H}{{32,64}}"),
        ("nuget-key", "oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
        ("clojars-token", "CLOJARS_", rf"CLOJARS_{_H}{{40,80}}"),
        ("crates-token", "cio", rf"cio{_A}{{32}}(?![A-Za-z0-9])"),
        ("docker-token", "dckr_pat_ dckr_oat_", rf"dckr_[po]at_{_T}{{20,60}}"),
        ("docker-token", "SWMTKN-1- SWMKEY-1-", r"SWM(?:TKN|KEY)-1-[A-Za-z0-9+/-]{30,100}"),
        ("jfrog-token", "AKCp cmVmdGtu", rf"(?:AKCp{_A}{{60,80}}|cmVmdGtu{_A}{{40,80}})"),
        ("sonar-token", "sqp_ squ_ sqa_", rf"sq[pua]_{_H}{{32,48}}"),
        ("circleci-token", "CCIPAT_ CCIPRJ_", rf"CCIP(?:AT|RJ)_{_A}{{16,30}}_{_H}{{32,48}}"),
        ("buildkite-token", "bkua_ bkat_ bkct_", rf"bk(?:ua|at|ct)_{_A}{{32,60}}"),
        ("terraform-token", ".atlasv1.", r"\.atlasv1\.[\w=-]{40,100}", rf"{_A}{{10,20}}"),
        ("vault-token", "hvs. hvb. hvr.", rf"hv[sbr]\.{_T}{{20,400}}"),
        ("vault-token", "s. b.", rf"(?<![\w.])[sb]\.{_A}{{24}}(?![\w.])"),
        ("pulumi-token", "pul-", rf"pul-{_H}{{32,48}}"),
        ("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,40}\.)?[A-Za-z0-9]{32,60}"),
        ("infisical-token", "st.", rf"st\.{_H}{{24}}\.{_H}{{32}}\.{_H}{{32}}"),
        ("one-password-token", "ops_eyJ", r"ops_eyJ[\w=-]{60,3000}"),
        ("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{30,80}"),
        ("nkey-seed", "SU SA SO SC SN", r"S[UAOCNX][A-Z2-7]{56}(?![A-Za-z0-9])"),
        ("wireguard-key", "=", rf"PrivateKey\s?=\s?(?P<v>{_B}{{43}}=)"),
        # speech and models
        ("anthropic-key", "sk-ant-", rf"sk-ant-{_T}{{16,200}}"),
        (
            "openai-key",
            "sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-",
            rf"sk-(?:proj|svcacct|admin|None|service)-{_T}{{16,250}}",
        ),
        ("openrouter-key", "sk-or-", rf"sk-or-{_T}{{16,120}}"),
        ("langsmith-key", "lsv2_", rf"lsv2_[a-z]{{2}}_{_H}{{32}}_{_H}{{8,12}}"),
        ("langfuse-key", "sk-lf-", r"sk-lf-[0-9a-f-]{30,40}"),
        ("openai-key", "sk-", rf"sk-{_A}{{18,120}}(?![\w-])"),
        ("hugging-face-token", "hf_ api_org_", rf"(?:hf_|api_org_){_A}{{16,60}}"),
        ("groq-key", "gsk_", rf"gsk_{_A}{{30,80}}"),
        ("xai-key", "xai-", rf"xai-{_A}{{40,120}}"),
        ("perplexity-key", "pplx-", rf"pplx-{_A}{{30,80}}"),
        ("replicate-token", "r8_", rf"r8_{_A}{{30,50}}"),
        ("fireworks-key", "fw_", rf"fw_{_A}{{20,40}}"),
        ("together-key", "tgp_v1_", rf"tgp_v1_{_T}{{30,60}}"),
        ("llama-key", "llx- LLM|", rf"(?:llx-{_T}{{30,80}}|LLM\|\d{{10,20}}\|{_T}{{20,40}})"),
        ("tavily-key", "tvly-", rf"tvly-(?:dev-|prod-)?{_T}{{20,60}}"),
        ("pinecone-key", "pcsk_", rf"pcsk_{_T}{{30,120}}"),
        ("elevenlabs-key", "sk_", rf"sk_{_H}{{40,60}}(?![\w-])"),
        ("nvidia-key", "nvapi-", rf"nvapi-{_T}{{40,100}}"),
        # money and shops
        ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_", rf"[sr]k_(?:live|test|org)_{_A}{{10,250}}"),
        ("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/]{24,80}={0,2}"),
        ("square-key", "sq0", rf"sq0[a-z]{{3}}-{_T}{{20,60}}"),
        ("square-key", "EAAA", r"EAAA[a-zA-Z0-9_-]{56,64}(?![\w-])"),
        ("braintree-token", "access_token$", rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{12,20}}\${_H}{{32}}"),
        ("shopify-token", "shpat_ shpss_ shpca_ shppa_ shptka_", r"shp(?:at|ss|ca|pa|tka)_[0-9a-fA-F]{24,64}"),
        ("plaid-token", "access-", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
        ("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?"),
        ("razorpay-key", "rzp_", rf"rzp_(?:live|test)_{_A}{{14,24}}"),
        ("adyen-key", "AQE", r"AQE[a-z][A-Za-z0-9+/*]{60,250}={0,2}-[A-Za-z0-9+/*=]{30,90}-[!-~]{10,20}"),
        ("picatic-key", "sk_live_", rf"sk_live_{_H}{{32}}"),
        ("wallet-key", "0x", r"(?<=(?:key|KEY|Key)[ :='\"][ ='\"])0x[0-9a-fA-F]{64}(?![0-9a-fA-F])"),
        ("wallet-key", "xprv yprv zprv", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,120}"),
        # messages
        (
            "slack-token",
            "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xoxe.",
            r"xox(?:e\.xox)?[abceoprsd][-.][A-Za-z0-9%/+.-]{10,600}",
        ),
        ("slack-token", "xapp- xwfp-", r"x(?:app|wfp)-[A-Za-z0-9-]{16,200}"),
        (
            "slack-webhook",
            "hooks.slack.com",
            r"hooks\.slack(?:-gov)?\.com/(?P<v>(?:services|workflows|triggers)/[A-Za-z0-9+/]{12,120})",
        ),
        (
            "discord-webhook",
            "/api/webhooks/ /api/v",
            rf"discord(?:app)?\.com/api/(?:v\d{{1,2}}/)?webhooks/(?P<v>\d{{15,22}}/{_T}{{30,100}})",
        ),
        ("discord-token", ".", rf"[MNO]{_T}{{22,28}}\.{_T}{{6,7}}\.{_T}{{27,45}}"),
        ("discord-token", "mfa.", rf"mfa\.{_T}{{80,90}}"),
        (
            "teams-webhook",
            ".webhook.office.com outlook.office.com/webhook",
            r"office\.com/webhook(?:b2)?/(?P<v>[\w@./-]{60,300})",
        ),
        ("telegram-token", ":AA", rf":AA{_T}{{28,40}}", r"(?:bot)?\d{8,10}"),
        ("twilio-key", "SK AC", r"(?:SK|AC)(?:[0-9a-f]{32}|[0-9A-F]{32})(?![A-Za-z0-9])"),
        ("sendgrid-key", "SG.", rf"SG\.{_T}{{16,40}}\.{_T}{{16,60}}"),
        ("mailgun-key", "key-", rf"key-{_H}{{32}}(?![A-Za-z0-9])"),
        ("mailgun-key", "-", rf"-{_H}{{8}}-{_H}{{8}}(?![A-Za-z0-9-])", rf"{_H}{{32}}"),
        ("mailchimp-key", "-us", r"-us\d{1,2}(?![A-Za-z0-9])", rf"{_A}{{32}}"),
        ("mailchimp-key", "md-", rf"md-{_T}{{22}}(?![\w-])"),
        ("brevo-key", "xkeysib- xsmtpsib-", rf"x(?:key|smtp)sib-{_H}{{60,68}}-{_A}{{12,20}}"),
        ("postmark-token", "-", r"POSTMARK\w{0,30}\s?[=:]\s?[\"']?(?P<v>[0-9a-f-]{36})"),
        ("facebook-token", "EAA", r"EAA[A-Za-z0-9]{70,400}"),
        ("facebook-token", "|", rf"\|{_T}{{26,28}}(?![\w-])", r"\d{15,17}"),
        ("instagram-token", "IGQ IGAA", rf"IG(?:Q|AA){_T}{{70,300}}"),
        ("x-token", "AAAAAAAAAA", r"A{20}[A-Za-z0-9%]{60,120}"),
        ("linkedin-key", "WPL_", r"WPL_AP1\.[A-Za-z0-9.+/=]{20,60}"),
        # work
        ("linear-key", "lin_api_ lin_oauth_ lin_wh_", rf"lin_(?:api|oauth|wh)_{_A}{{30,80}}"),
        ("notion-token", "ntn_ secret_", rf"(?:ntn_{_A}{{36,60}}|secret_{_A}{{43}}(?![A-Za-z0-9]))"),
        ("figma-token", "figd_ figo_ figu_ figor_", rf"fig(?:d|o|u|or|oh|uh)_{_T}{{30,60}}"),
        ("postman-key", "PMAK- PMAT-", rf"PMA(?:K-{_H}{{20,28}}-{_H}{{30,40}}|T-[A-Z0-9]{{24,30}})"),
        ("airtable-key", "pat", rf"pat{_A}{{14}}\.{_H}{{64}}"),
        ("asana-token", "/", rf"[12]/\d{{15,17}}(?:/\d{{15,17}})?:{_H}{{32}}"),
        ("clickup-token", "pk_", r"pk_\d{6,9}_[A-Z0-9]{30,34}"),
        ("dropbox-token", "sl.", rf"sl\.(?:u\.)?{_T}{{60,1500}}"),
        ("dropbox-token", "AAAAAAAAA", rf"AAAAAAAAAA?{_T}{{42,46}}(?![\w-])", rf"{_A}{{11}}"),
        ("databricks-token", "dapi dose", rf"(?:dapi|dose){_H}{{32}}(?:-\d{{1,2}})?(?![A-Za-z0-9])"),
        ("snyk-token", "snyk_", r"snyk_(?:uat|sat)\.[0-9a-f]{8}\.[\w.-]{40,200}"),
        ("salesforce-token", "!AQ", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}"),
        ("salesforce-token", "3MVG9 5Aep", r"(?:3MVG9[A-Za-z0-9._]{60,100}|5Aep861[A-Za-z0-9._]{60,100})"),
        ("hubspot-token", "pat-na pat-eu", r"pat-(?:na|eu)\d-[0-9a-f-]{36}"),
        ("intercom-token", "dG9r", rf"dG9rO{_B}{{50,60}}={{0,2}}"),
        ("zendesk-token", "/token:", rf"/token:(?P<v>{_A}{{36,44}})"),
        ("okta-token", "00", rf"(?<=SSWS )00{_T}{{36,44}}"),
        ("typeform-token", "tfp_", r"tfp_[A-Za-z0-9_-]{40,70}"),
        ("contentful-token", "CFPAT-", rf"CFPAT-{_T}{{40,50}}"),
        ("tailscale-key", "tskey-", rf"tskey-[a-z]{{2,10}}-{_A}{{10,24}}-{_A}{{16,50}}"),
        ("ngrok-token", "ak_ 2", rf"(?:ak_{_A}{{26,28}}(?!\w)|2{_A}{{26}}_{_A}{{16,24}}(?!\w))"),
        ("prefect-key", "pnu_ pnb_", rf"pn[ub]_{_A}{{32,44}}"),
        ("readme-key", "rdme_", r"rdme_[a-z0-9]{60,80}"),
        ("duffel-token", "duffel_", rf"duffel_(?:test|live)_{_T}{{40,50}}"),
        ("easypost-key", "EZAK EZTK", rf"EZ[AT]K{_A}{{50,60}}"),
        ("wundergraph-key", "cosmo_", rf"cosmo_{_H}{{32}}"),
        ("defined-key", "dnkey-", r"dnkey-[A-Z2-7]{20,30}-[A-Z2-7]{40,60}"),
        ("stytch-key", "secret-", rf"secret-(?:test|live)-{_T}{{30,60}}"),
        ("clerk-key", "sk_", rf"sk_(?:live|test)_{_T}{{30,80}}"),
        ("frameio-token", "fio-u-", rf"fio-u-{_T}{{50,70}}"),
        # watching
        ("dynatrace-token", "dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{8,40}(?:\.[A-Z0-9]{40,80})?"),
        ("grafana-token", "glsa_ glc_", rf"(?:glsa_{_A}{{20,40}}_{_H}{{8}}|glc_[A-Za-z0-9+/]{{30,400}}={{0,2}})"),
        ("grafana-token", "eyJrIjoi", rf"eyJrIjoi{_B}{{50,400}}={{0,2}}"),
        ("new-relic-key", "NRAK- NRBR- NRII- NRIQ- NRJS- NRRA- NRSP-", rf"NR(?:AK|BR|II|IQ|JS|RA|SP)-{_T}{{16,60}}"),
        ("new-relic-key", "NRAL", r"NRAL(?![A-Za-z0-9])", r"[0-9a-z]{36}"),
        ("sentry-token", "sntrys_ sntryu_ sntrya_", r"sntry[sua]_[A-Za-z0-9+/=_-]{40,400}"),
        ("sentry-key", "@", rf"https://{_H}{{32}}(?P<v>:{_H}{{32}})@"),
        ("posthog-key", "phx_ phs_ pha_ phr_", rf"ph[xsar]_{_T}{{36,60}}"),
        ("honeycomb-key", "hcaik_ hcxik_ hcamk_ hcbik_", r"hc[abcx][a-z]{2}_[A-Za-z0-9]{40,70}"),
        ("datadog-key", "ddapp_ ddpat_", rf"dd(?:app|pat)_{_T}{{30,60}}"),
        ("pagerduty-key", "pdus+", r"pdus\+_[\w-]{10,60}"),
        # hashes of passwords
        ("password-hash", "$2", r"\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{22,53}"),
        (
            "password-hash",
            "$1$ $5$ $6$ $y$ $7$ $gy$ $apr1$ $md5",
            r"\$(?:1|5|6|7|y|gy|apr1|md5)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,24}\$(?:[A-Za-z0-9./]{1,40}\$)?[A-Za-z0-9./]{16,120}",
        ),
        (
            "password-hash",
            "$argon2 $scrypt$ $pbkdf2",
            r"\$(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-[a-z0-9]{2,12})?)\$[A-Za-z0-9=,.$+/-]{30,300}",
        ),
        (
            "password-hash",
            "pbkdf2_sha scrypt: pbkdf2:",
            r"(?:pbkdf2_sha\d{1,3}\$\d{1,9}|scrypt:\d{1,9}:\d{1,3}:\d{1,3}|pbkdf2:sha\d{1,3}:\d{1,9})\$[A-Za-z0-9./+]{4,60}\$[A-Za-z0-9+/=]{30,140}",
        ),
        (
            "password-hash",
            "{SSHA {SHA {MD5} {CRYPT} {SMD5}",
            r"\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT)\}[A-Za-z0-9+/=.$]{16,140}",
        ),
        ("ntlm-token", "TlRMTVNTUA", rf"TlRMTVNTUA{_B}{{30,900}}={{0,2}}"),
        ("ntlm-hash", ":::", r":::", rf"{_H}{{32}}:{_H}{{32}}"),
        # our own
        ("remanence-token", "rem_", rf"rem_{_H}{{8}}_{_T}{{20,60}}"),
        # tokens of any maker
        (
            "jwt",
            "eyJ ewog",
            r"(?:eyJ(?<![A-Za-lo-qsu-z0-9_-]eyJ)|ewog(?<![A-Za-z0-9_-]ewog))[\w-]{8,2000}\.[\w-]{4,8000}(?:\.[\w-]{0,2000}){0,3}",
        ),
        (
            "otp-seed",
            "otpauth",
            r"otpauth(?:-migration)?://[^\s\"'<>]{0,200}?(?:secret|data)=(?P<v>[A-Za-z0-9%+/=]{8,600})",
        ),
        ("kerberos-ticket", "doI", rf"doI[EFGHIJ]{_B}{{300,4000}}={{0,2}}"),
    )
)


@cache
def compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


@cache
def compiled_lead(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{source})\Z", re.ASCII)
