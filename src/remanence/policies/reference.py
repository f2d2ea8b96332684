"""The reference page of policies, written from the tables that check them."""

from __future__ import annotations

from remanence.model.policy import ACTIONS, CURVES, FALLING, FLAGS, RISING, STEADY, VALUES, WORDS
from remanence.policies.numbers import NUMBERS
from remanence.policies.reading import PRESETS, preset

_HEAD = """# Policies

Written by `python -m remanence.policies.reference`; do not edit.

A policy says how memories age and which rules act on them. It is a YAML file, or one of the presets. `rem policy
list` shows them, `rem policy show NAME` says one in words, `rem policy check FILE` names every problem of a file with
its line, `rem policy diff ONE OTHER` compares, `rem forecast --policy FILE` tells what it would do, and `rem policy
use FILE` makes it the store's own. In Python: `Mind(policy="layered")`, `Mind(policy="mine.yml")`, `mind.policies`.

```yaml
extends: layered            # start from a preset
retention_mode: l2          # any of its settings
half_life_days: 60
exempt_scopes: [/user]      # never decays, never leaves
exempt_kinds: [decision]
overrides:                  # other numbers for a scope (with what is below it) or a kind
  /project/legacy: {half_life_days: 10}
  tool_output: {ttl: 3d}
  identity: {exempt: true}
rules:                      # asked before the preset's own; one of the same name replaces it
  - name: scratch
    action: forget
    when: {scope: /scratch, idle_days: "> 2d"}
    why: notes to self
without: [faded]            # take rules of the preset away
```

**Which policy is in force:** the argument of `Mind`, else `REMANENCE_POLICY` or `policy:` in config.yml (a name, a
path, or the policy itself), else what `rem policy use` chose for the store, else `balanced`. A `memory.decay` block
in config.yml is the policy `halflife` with those numbers. `rem undo RECEIPT` takes a change of policy back. The key
`learned` is written by `rem policy learn`: what the learned numbers were before, where the next learning begins.

**Rules** are asked in order; the first that holds gives the reason. All conditions of a rule must hold. A bound is a
sign and a number, a duration (`30d`), or the name of one of the policy's numbers; several bounds make a list. What
falls with time can only be bounded from above. Rules look at live memories unless they say `state: superseded`.
`at_most: 50` takes the lowest (`lowest: score`) of those it finds, the others wait for the next run. Pinned memories
are never touched; exempt ones leave only when their own time (`ttl`, `expires_at`) has passed, which is archived
under every policy.

**Time** runs for the curve since the last recall (`clock: accessed`) or since birth (`created`). With `active_clock:
true` only days count on which somebody wrote to the store, recalled from it or talked in a captured session, for the
curve and for `idle_days`; `age_days`, `calendar_days` (since the last recall), `ttl` and `expires_at` go by the
calendar. With a `regret_gain` above 0 a kind whose archived memories were missed decays more slowly, by 1 + gain ·
missed / (archived + 5), at most three times.

**Targets** keep sets of memories to a size: `tokens` or `memories`, for `each: scope`, `each: project` (see
`project_scopes`), a `kind`, a `category`, or what is `older_than_days`. Over it the lowest are archived or forgotten,
or put up for review; from 90 % on there is a warning. What they go by is `lowest`: a measure, or `standing`, which
weighs what a text says and how few others say it, importance, use, and what is left of it, against the room it takes;
and how long it was idle, as far as the uses of the set show that what was used lately is used next.
"""

_UNREAD = (
    "A number that nothing in a preset reads, such as `half_life_days` beside the curve `power`, counts once a curve\n"
    "is chosen that reads it (`retention_mode`); set without one it is refused."
)


def page() -> str:
    """The page as Markdown."""
    return "\n".join([_HEAD, *_words(), *_numbers(), *_presets()])


def _words() -> list[str]:
    rows = [
        ("actions", ACTIONS, "compact is offered to the dream, review to a person"),
        ("curves", CURVES, "`curve`, or `retention_mode`"),
        ("what rules may compare, as `value`", VALUES, "shown by explain"),
        ("measures that rise", RISING, "in days"),
        ("measures that fall", FALLING, "0 to 1"),
        ("measures that stay", STEADY, ""),
        ("flags", FLAGS, "`ttl_passed: true`, `ttl_running: false`"),
        ("words", WORDS, "a name, a list, or `{not: …}`; a scope holds what is below it"),
    ]
    lines = ["## Words", "", "| | | |", "|---|---|---|"]
    return [*lines, *(f"| {name} | {', '.join(words)} | {note} |" for name, words, note in rows), ""]


def _numbers() -> list[str]:
    policies = {name: preset(name) for name in PRESETS}
    head = [f"| number | allowed | {' | '.join(PRESETS)} |", "|---" * (len(PRESETS) + 2) + "|"]
    lines = ["## Numbers", "", _UNREAD, "", *head]
    for name, number in NUMBERS.items():
        cells = [_shown(policy.numbers.get(name)) for policy in policies.values()]
        never = ", or never" if number.endless else ""
        lines.append(f"| `{name}` | {number.range}{never} | {' | '.join(cells)} |")
    return [*lines, ""]


def _shown(value: float | None) -> str:
    return "" if value is None else "never" if value == float("inf") else f"{value:g}"


def _presets() -> list[str]:
    lines = ["## Presets", ""]
    for name in PRESETS:
        policy = preset(name)
        lines += [f"### {name}", "", policy.about, ""]
        lines += [f"- *{rule.name}*: {policy.sentence(rule)}" for rule in policy.rules]
        lines += [f"- *{target.name}*: {policy.bound_sentence(target)}" for target in policy.bounded_targets()]
        lines.append("")
    return lines


if __name__ == "__main__":
    print(page(), end="")
