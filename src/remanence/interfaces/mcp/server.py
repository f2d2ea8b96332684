"""The server both transports run: the SDK's handlers, each a few lines over a mind on a worker thread.

A tool's failure is an answer (isError) with the error's code and words; what is no request for us (an unknown tool,
resource or prompt) is an error of the protocol. No text of an exception that nobody foresaw leaves this place.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

import remanence
from remanence.errors import InvalidInput, NotFound, RemanenceError
from remanence.interfaces.mcp import prompts, resources, tools
from remanence.interfaces.mcp.place import Place
from remanence.interfaces.mcp.watching import MOST_ADDRESSES, Listener, Watches
from remanence.interfaces.ticks import Stopped, Ticks
from remanence.model import checks
from remanence.model.memory import plain
from remanence.tools import verbs

NAME = "remanence"
_LOG = logging.getLogger("remanence.mcp")
_NO_RESOURCE = -32002
"""What the versions with a handshake answer for a resource that is not there; later ones: invalid params."""
_DEFECT = "Unexpected {}. This is a defect of remanence; please report it"
Context = ServerRequestContext[Watches, Any]


class _Server(Server[Watches]):
    """The SDK's server, which says that its list of resources changes."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *rest: Any, **others: Any
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(options, *rest, **others)


def server(place: Place) -> Server[Watches]:
    """A server for any number of connections at one place."""
    doing = _Doing(place)
    every, readers = (
        types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in tools.listed(reads_only=reads_only)])
        for reads_only in (False, True)
    )
    schemas = {tool.name: tool.input_schema for tool in every.tools}

    async def list_tools(ctx: Context, params: Any) -> types.ListToolsResult:
        return readers if place.grant_of(ctx).read_only else every

    made = _Server(
        NAME,
        version=remanence.__version__,
        title="remanence",
        description="Memory that knows how to forget.",
        instructions=tools.INSTRUCTIONS,
        lifespan=doing.lifespan,
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=doing.call_tool,
        on_list_resources=doing.list_resources,
        on_list_resource_templates=doing.list_templates,
        on_read_resource=doing.read_resource,
        on_subscribe_resource=doing.subscribe,
        on_unsubscribe_resource=doing.unsubscribe,
        on_subscriptions_listen=doing.listen,
        on_list_prompts=doing.list_prompts,
        on_get_prompt=doing.get_prompt,
    )
    made.add_notification_handler("notifications/initialized", types.NotificationParams, doing.initialized)
    return made


class _Doing:
    """What each request does."""

    def __init__(self, place: Place) -> None:
        self._place = place

    @asynccontextmanager
    async def lifespan(self, _: Server[Watches]) -> AsyncIterator[Watches]:
        async with anyio.create_task_group() as group:
            yield Watches(self._place, group)
            group.cancel_scope.cancel()

    # -- tools

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in tools.TOOLS:
            known = ", ".join(tools.TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool {checks.shown(params.name)!r}; there are {known}")
        place, grant = self._place, self._place.grant_of(ctx)
        arguments = params.arguments or {}

        def work(ticks: Ticks) -> dict[str, Any]:
            with place.mind(grant) as mind:
                return verbs.call(mind, params.name, arguments, scope=place.scope(grant), progress=ticks)

        async def report(done: int, total: int) -> None:
            await ctx.session.report_progress(done, total)

        is_followed = ctx.meta is not None and ctx.meta.get("progress_token") is not None
        try:
            return _answer(await place.run(work, report if is_followed else None))
        except BaseException as error:
            if (problem := _problem(_single(error), params.name)) is None:
                raise
            return _answer(problem, is_error=True)

    # -- resources

    async def list_resources(self, ctx: Context, params: Any) -> types.ListResourcesResult:
        found = await self._read(ctx, resources.listed)
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=one.address, name=one.name, description=one.about, mime_type=one.mime)
                for one in found
            ]
        )

    async def list_templates(self, ctx: Context, params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=one.address, name=one.name, description=one.about, mime_type=one.mime
                )
                for one in resources.TEMPLATES
            ]
        )

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text, mime = await self._read(ctx, lambda mind, project: resources.read(mind, project, params.uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=mime, text=text)]
        )

    async def subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        await self._read(ctx, lambda mind, project: resources.read(mind, project, params.uri))
        listener = self._listener(ctx)
        if len(listener.addresses) >= MOST_ADDRESSES:
            raise MCPError(types.INVALID_PARAMS, f"A session may subscribe to at most {MOST_ADDRESSES:,} resources")
        listener.addresses.add(params.uri)
        await ctx.lifespan_context.of(self._place.grant_of(ctx)).look()
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._listener(ctx).addresses.discard(params.uri)
        return types.EmptyResult()

    async def initialized(self, ctx: Context, params: types.NotificationParams) -> None:
        self._listener(ctx)

    async def listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        addresses = params.notifications.resource_subscriptions or []
        if len(addresses) > MOST_ADDRESSES:
            raise MCPError(types.INVALID_PARAMS, f"A stream may follow at most {MOST_ADDRESSES:,} resources")
        grant = self._place.grant_of(ctx)
        served: types.SubscriptionsListenResult = await ctx.lifespan_context.streaming(
            grant, addresses, lambda watch: watch.listen(ctx, params)
        )
        return served

    def _listener(self, ctx: Context) -> Listener:
        # The SDK hands a handler no connection, and nothing else lasts exactly as long as one.
        return ctx.lifespan_context.opened(self._place.grant_of(ctx), ctx.session._connection, ctx.session)

    # -- prompts

    async def list_prompts(self, ctx: Context, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    title=one.title,
                    description=one.about,
                    arguments=[
                        types.PromptArgument(name=argument, description=about, required=False)
                        for argument, about in one.arguments.items()
                    ],
                )
                for name, one in prompts.PROMPTS.items()
            ]
        )

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        name, arguments = params.name, params.arguments or {}
        if name not in prompts.PROMPTS:
            known = ", ".join(prompts.PROMPTS)
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt {checks.shown(name)!r}; there are {known}")
        text = await self._read(ctx, lambda mind, project: prompts.text_of(mind, name, arguments, project))
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=prompts.PROMPTS[name].about, messages=[types.PromptMessage(role="user", content=content)]
        )

    async def _read(self, ctx: Context, work: Callable[[Any, Any], Any]) -> Any:
        """What a request that is no tool reads; its failure is an error of the protocol."""
        place, grant = self._place, self._place.grant_of(ctx)

        def working(_: Ticks) -> Any:
            with place.mind(grant) as mind:
                return work(mind, place.project(grant))

        try:
            return await place.run(working)
        except Exception as error:
            if (problem := _problem(error, ctx.method)) is None:
                raise
            raise MCPError(_code(error, ctx.protocol_version), str(problem["message"]), problem) from None


def _code(error: Exception, version: str) -> int:
    if isinstance(error, NotFound):
        return types.INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else _NO_RESOURCE
    return types.INVALID_PARAMS if isinstance(error, InvalidInput) else types.INTERNAL_ERROR


def _single(error: BaseException) -> BaseException:
    """The one error of a group of one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _problem(error: BaseException, what: str) -> dict[str, Any] | None:
    """An error as an answer; None for what must go its own way, such as a cancellation."""
    if isinstance(error, RemanenceError):
        return dict(error.to_dict())
    if isinstance(error, (MCPError, Stopped)) or not isinstance(error, Exception):
        return None
    _LOG.error("%s failed", what, exc_info=error)
    return {"error": "failed", "message": _DEFECT.format(type(error).__name__)}


def _answer(value: dict[str, Any], *, is_error: bool = False) -> types.CallToolResult:
    """A tool's answer: the value, in a frame where it tells memories, and the same as JSON text.

    What is no text becomes a question mark.
    """
    framed = plain(verbs.framed(value))
    text = json.dumps(framed, ensure_ascii=False, default=str).encode("utf-8", "replace").decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=json.loads(text), is_error=is_error
    )
