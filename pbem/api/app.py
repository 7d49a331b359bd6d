"""The API and its URLs: each answer is counted, has an ETag, and is a problem where something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, re_path
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from ninja import NinjaAPI
from ninja.operation import Operation

from pbem.api import actions, resources
from pbem.api.access import etag_of, token_of, too_many
from pbem.api.problems import MEDIA_TYPE, add_handlers, problem
from pbem.api.schemas import Problem

SECONDS = 30  # caches may keep what a visitor reads
MOST_OCTETS = 65_536  # of a body
View = Callable[..., HttpResponse]


class Documented(NinjaAPI):
    """Says in its document that errors are problems."""

    def get_openapi_schema(self, **how: Any) -> Any:
        schema = super().get_openapi_schema(**how)
        schema["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        told = {"schema": {"$ref": "#/components/schemas/Problem"}}
        for operations in schema["paths"].values():
            for operation in operations.values():
                operation["responses"]["default"] = {
                    "description": "A problem",
                    "content": {MEDIA_TYPE: told},
                }
        return schema

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = Documented(
    title="PBeM",
    version="1",
    description="Reads matches, and plays them. Errors are problems (RFC 9457) in `application/problem+json`.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", resources.router)
api.add_router("", actions.router)
add_handlers(api)


def guarded(view: View) -> View:
    """Returns the view with what all answers have."""

    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        head, token = request.method == "HEAD", token_of(request)
        request.method = "GET" if head else request.method
        request.api_token = token  # type: ignore[attr-defined]  # for pbem.api.access.Token
        octets = int(request.META.get("CONTENT_LENGTH") or 0)
        response = too_many(request, token)
        if response is None and octets > MOST_OCTETS:
            response = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif response is None and octets and request.content_type != "application/json":
            response = problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        try:
            response = response or view(request, *args, **named)
        except Http404:
            response = problem(HTTPStatus.NOT_FOUND)
        response = _finished(request, response)
        if head:
            response.content = b""
        return response

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # the token is the permission, and no cookie is read
    return answer


def _finished(request: Any, response: HttpResponse) -> HttpResponse:
    """Adds the ETag, caching, and that pages of others may read it; makes other errors problems."""
    if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        response = problem(response.status_code, headers={"Allow": response.headers["Allow"]})
    known, reads = "Authorization" in request.headers, request.method == "GET"
    patch_vary_headers(response, ["Authorization", "Accept-Language"])
    if reads and not known:
        response.headers["Access-Control-Allow-Origin"] = "*"
    if not reads or response.status_code not in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        patch_cache_control(response, no_store=True)
        return response
    caching = {"private": True, "no_cache": True} if known else {"public": True, "max_age": SECONDS}
    patch_cache_control(response, **caching)
    response.headers["ETag"] = getattr(request, "api_etag", "") or etag_of(response.content)
    found = get_conditional_response(request, response.headers["ETag"], None, response)
    return found if isinstance(found, HttpResponse) else response


def unknown(request: HttpRequest) -> HttpResponse:
    raise Http404


def _guarded(pattern: Any) -> URLPattern:
    return URLPattern(pattern.pattern, guarded(pattern.callback), pattern.default_args, pattern.name)


app_name = "api"
urlpatterns = [*map(_guarded, api.urls[0]), re_path("", guarded(unknown))]
