"""Plays whole games between two scripted players through real SMTP."""

import secrets
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse
from rich.console import Console
from rich.markup import escape

from pbem.admin.people.sign_in import sign_in_link
from pbem.checks import refuse_unsafe_settings
from pbem.demo.play import ENGLISH, GAMES, ITALIAN, Cast, Correspondent, OffScript
from pbem.demo.post_office import PostOffice
from pbem.embedded import running
from pbem.network import AddressTaken
from pbem.old_databases import is_old
from pbem.parts import Parts, wait
from pbem.players.models import Player

QUOTES = {
    "Alice": "On %d/%m/%Y %H:%M, PBeM wrote:",
    "Bruno": "Il giorno %d/%m/%Y alle %H:%M PBeM ha scritto:",
}


def set_aside() -> Path | None:
    """Renames a SQLite database of release 0.1, which cannot be migrated. None when there is none."""
    connection.ensure_connection()
    old = connection.vendor == "sqlite" and is_old(MigrationRecorder(connection).applied_migrations())
    connection.close()
    if not old:
        return None
    path = Path(connection.settings_dict["NAME"])
    return path.rename(path.with_name(f"{path.name}.0.1"))


class Command(BaseCommand):
    help = "Play two games by mail between two scripted players, then go on serving."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="end after the games; status 0 if they went as scripted"
        )
        parser.add_argument(
            "--door", metavar="HOST:PORT", default=settings.SMTP_LISTEN, help="the mail door (%(default)s)"
        )
        parser.add_argument(
            "--web", metavar="HOST:PORT", default=settings.WEB_LISTEN, help="the web (%(default)s)"
        )
        parser.add_argument(
            "--post",
            metavar="HOST:PORT",
            default="127.0.0.1:2526",
            help="the players' mailboxes (%(default)s)",
        )
        parser.add_argument(
            "--letters",
            metavar="DIR",
            type=Path,
            default=settings.LETTERS,
            help="where letters land (%(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        settings.SMTP_LISTEN, settings.WEB_LISTEN = options["door"], options["web"]
        settings.SITE_URL = f"http://{options['web']}"
        settings.EMAIL_URL = f"smtp://{options['post']}"
        looked_up = settings.AUTHSERV_IDS or settings.VERIFY_SENDERS
        settings.TRUST_LOCAL_SENDERS = settings.DEVELOPMENT and not looked_up
        refuse_unsafe_settings(one_process=True)
        settings.VAR.mkdir(parents=True, exist_ok=True)
        if old := set_aside():
            self.stdout.write(f"The database of release 0.1 is now {old}; this one begins afresh.")
        call_command("migrate", verbosity=0)
        letters: Path = options["letters"]
        settings.LETTERS = letters
        post = PostOffice(options["post"], letters)
        try:
            with post.opened(), running() as parts:
                self._play(console, post)
                self._say_where(console, letters)
                if not options["once"]:
                    self._wait(console, parts)
        except (AddressTaken, OffScript, TimeoutError) as surprise:
            raise CommandError(str(surprise)) from surprise

    def _play(self, console: Console, post: PostOffice) -> None:
        """Plays the script with new players in each run, so that it can be repeated on the same database."""
        mark = f"-{secrets.token_hex(3)}" if Player.objects.people().exists() else ""
        door = _address(settings.SMTP_LISTEN)
        players = {
            role: Correspondent(f"{role}{mark}", f"{role.lower()}{mark}@players.localhost", wrote, post, door)
            for role, wrote in QUOTES.items()
        }
        with console.status("two people play by mail") as status:

            def report(line: str) -> None:
                status.update(escape(line.partition("\n")[0]))
                console.print(line, highlight=False, markup=False, soft_wrap=True)

            cast = Cast(players, {"Alice": ENGLISH, "Bruno": ITALIAN}, report)
            for name in players:
                cast.sign_up(name)
                cast.agree_to_site(name)
            for game in GAMES:
                cast.play(game)

    def _say_where(self, console: Console, letters: Path) -> None:
        count = len(list(letters.glob("*.eml")))
        console.print(f"\n[bold]{count} letters, with their pictures:[/] {letters}", highlight=False)

    def _wait(self, console: Console, parts: Parts) -> None:
        user, _ = get_user_model().objects.get_or_create(
            username="organiser", defaults={"is_staff": True, "is_superuser": True}
        )
        page = settings.SITE_URL + reverse("letters:all")
        console.print(f"[bold]The front page:[/] {settings.SITE_URL}/", highlight=False, soft_wrap=True)
        console.print(
            f"[bold]Everybody's letters, to be read and answered:[/] {page}",
            highlight=False,
            soft_wrap=True,
        )
        console.print(
            f"[bold]The admin, signing in once:[/] {sign_in_link(user)}", highlight=False, soft_wrap=True
        )
        console.print(
            "[bold]Your turn:[/] a robot waits for you. Sign up as Carla on the page of letters, and tap "
            "the first button of the welcome; the letter of your turn has a link to a board, to click "
            "moves. Or write by hand:\n"
            f"    swaks --server {settings.SMTP_LISTEN} --from you@players.localhost --to play@{settings.MAIL_DOMAIN} "
            r"--body 'REGISTER Carla\nCHALLENGE Robot-1 loa first'"
            "\nThen answer YES. "
            "Answers land in the folder of letters. Ctrl-C ends the service.",
            highlight=False,
            soft_wrap=True,
        )
        try:
            wait(parts, threading.Event())
        except KeyboardInterrupt:
            console.print("Good bye.")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (host and port.isdigit()):
        raise CommandError(f"{text!r} is not HOST:PORT, for instance 127.0.0.1:2525")
    return host.strip("[]"), int(port)
