"""One server: REST, MCP over HTTP, the page, the upkeep timer and the workers of jobs, in one process.

The rooms: app (what is put together), gate (hosts, origins, tokens, limits: before anything else), reading (bodies and
queries), checking (arguments against their shapes), answering (a call as a route), special (routes that are no plain
call: bulk, export, import, events), plans (kept between making and applying), repeats (idempotency keys), problems
(errors as problem+json), openapi (the document), watching (metrics, traces, logs), running (the process).
"""
