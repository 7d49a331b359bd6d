"""Sets the service up: a settings file with fresh keys, the tables, the first organiser, and DNS records."""

import os
import pwd
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pbem.operator.doctor import database
from pbem.operator.setting_up import ALONE, DOORS, NEXT, USUAL, USUAL_USER, Answers, make_var, write

QUESTIONS = {
    "domain": ("Which domain do people write to, as in play@...?", ""),
    "relay": ("Who sends our mail? smtp://HOST:PORT, or smtps://USER:PASSWORD@HOST", "smtp://127.0.0.1:25"),
    "door": (f"How does mail come in? {', '.join(DOORS)}, or imaps://USER:PASSWORD@HOST/INBOX", "lmtp"),
    "database": ("Which database? sqlite, or postgres://USER:PASSWORD@HOST/NAME", ALONE),
    "organiser": ("Who is the first organiser? Their address, not one of this domain's play@", ""),
}


class Command(BaseCommand):
    help = (
        "Ask five questions, or take their answers as options; write the settings file with fresh keys, make the "
        "tables, sign the first organiser in, print what to publish in DNS. An existing file is kept as it is."
    )

    requires_system_checks = ()  # there are no settings yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        for name, (question, _) in QUESTIONS.items():
            parser.add_argument(f"--{name}", help=question.replace("%", "%%"))
        parser.add_argument("--broker", default="", help="redis://HOST:6379/0, for processes of their own")
        parser.add_argument("--site", default="", help="how the web is reached, if not https://DOMAIN")
        parser.add_argument("--file", type=Path, default=Path(os.environ.get("PBEM_ENV") or USUAL))
        parser.add_argument(
            "--var", type=Path, default=Path("/srv/pbem/var"), help="database and files (%(default)s)"
        )
        parser.add_argument(
            "--user", default=os.environ.get("PBEM_USER", USUAL_USER), help="whom the service runs as"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if os.geteuid() == 0:
            self._there_is(options["user"])
        if file.exists():
            self.stdout.write(f"{file} already exists, and stays as it is.")
            organiser = options["organiser"] or ""
        else:
            organiser = self._write(file, options)
        self._run(file, options, "migrate", "--verbosity", "0")
        self.stdout.write("The tables are made.")
        if organiser:
            self.stdout.write("The first organiser signs in here, once, within the hour:")
            self._run(file, options, "sign_in_link", "--create", organiser)
        self._what_next(options["domain"], options["door"] or "")

    def _write(self, file: Path, options: dict[str, Any]) -> str:
        """Writes the settings file and returns the organiser's address."""
        chosen = {name: options[name] or self._ask(*QUESTIONS[name]) for name in QUESTIONS}
        answers = Answers(**chosen, var=options["var"], broker=options["broker"], site=options["site"])
        if mistakes := list(answers.mistakes()):
            raise CommandError("\n".join(mistakes))
        options.update(chosen)
        try:
            make_var(answers.var, owner=options["user"])
            write(file, answers, owner=options["user"])
        except (OSError, LookupError) as trouble:
            raise CommandError(f"{trouble}. Run this as root, or name another --file and --var.") from trouble
        self.stdout.write(f"{file} is written, with fresh keys.")
        return answers.organiser

    def _ask(self, question: str, default: str) -> str:
        if not sys.stdin.isatty():
            if default:
                return default
            raise CommandError(
                f"Nobody is here to ask: {question} Give it as an option; `pbem setup --help` lists them."
            )
        try:
            return input(f"{question}{f' [{default}]' if default else ''} ").strip() or default
        except (EOFError, KeyboardInterrupt) as leaving:
            raise CommandError("Nothing was written.") from leaving

    def _there_is(self, user: str) -> None:
        try:
            pwd.getpwnam(user)
        except KeyError:
            raise CommandError(
                f"There is no user {user}. Make it: adduser --system --group --home /srv/pbem {user}"
            ) from None

    def _run(self, file: Path, options: dict[str, Any], *command: str) -> None:
        """Runs a command as the user of the service, who owns what it writes."""
        env = os.environ | {"PBEM_ENV": str(file), "PBEM_USER": options["user"]}
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *command], env=env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise CommandError(done.stderr.strip() or done.stdout.strip())
        self.stdout.write(done.stdout.rstrip(), ending="\n" if done.stdout.strip() else "")

    def _what_next(self, domain: str | None, door: str) -> None:
        if domain:
            self.stdout.write("Publish in DNS:")
            for record in database.published(domain):
                self.stdout.write(f"  {record}")
        if door in NEXT:
            self.stdout.write(NEXT[door])
        self.stdout.write("Then start the service, and let `pbem doctor` look at it.")
