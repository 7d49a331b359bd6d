"""A visitor of boards, with an HTML parser: links and forms, no script."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urljoin

from django.test import Client
from lxml.html import HtmlElement, fromstring

from pbem.matches.models import Match, Seat
from pbem.outbox.signed_addresses import board_url
from pbem.players.models import Player
from pbem.site import browsers
from pbem.site.models import Browser


def path_of(seat: Seat, ply: int | None = None) -> str:
    """The link of the newest letter, or of an older one."""
    fresh = Seat.objects.select_related("match").get(pk=seat.pk)
    return re.sub(r"^https?://[^/]*", "", board_url(fresh, fresh.match.ply if ply is None else ply))


def known(player: Player, now) -> Client:
    """A browser that has given the player's code."""
    client, secret = Client(), secrets.token_urlsafe(32)
    moments = {"since": now, "code_at": now, "used_at": now}
    Browser.objects.create(player=player, digest=browsers._hashed(secret), **moments)
    client.cookies[browsers.COOKIE] = secret
    return client


@dataclass
class Visitor:
    """One browser at one page. It follows redirects, as browsers do."""

    client: Client
    path: str = ""
    status: int = 0
    content: str = ""
    seen: list[str] = field(default_factory=list)

    def goes(self, path: str) -> Visitor:
        return self._takes(self.client.get(urljoin(self.path, path)), urljoin(self.path, path))

    def posts(self, path: str, data: dict[str, str]) -> Visitor:
        return self._takes(self.client.post(path, data), path)

    def _takes(self, response, path: str) -> Visitor:
        self.path, self.status = path, response.status_code
        if response.status_code in (302, 303):
            return self.goes(response.headers["Location"])
        self.content = response.content.decode()
        self.__dict__.pop("page", None)
        return self

    @cached_property
    def page(self) -> HtmlElement:
        return fromstring(self.content)

    @property
    def text(self) -> str:
        return " ".join(self.page.xpath("string(//main)").split())

    def links(self) -> dict[str, str]:
        """The next clicks with their links."""
        found = (a.get("href") for a in self.page.xpath("//svg//a | //p[contains(@class, 'words')]/a"))
        return {link.rpartition(".")[2].rpartition("=")[2]: link for link in found}

    def form(self, deed: str) -> dict[str, str]:
        """The hidden fields of the form of a deed, with its button."""
        for form in self.page.xpath("//form"):
            fields = {each.get("name"): each.get("value") for each in form.xpath(".//input[@type='hidden']")}
            if fields.get("deed") == deed or form.xpath(f".//button[@name='deed' and @value='{deed}']"):
                return {**fields, "deed": deed}
        raise AssertionError(f"no form for {deed}: {self.text}")

    def does(self, deed: str, **more: str) -> Visitor:
        return self.posts(self.path.partition("?")[0], {**self.form(deed), **more})


def moving(match: Match) -> Seat:
    match.refresh_from_db()
    seat = Match.objects.get(pk=match.pk).moving
    assert seat is not None
    return seat
