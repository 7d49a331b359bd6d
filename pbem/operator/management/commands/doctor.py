"""What is wrong with this installation, and what to do."""

import json
import os
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from pbem.operator import environment, settings_file
from pbem.operator.doctor.diagnosis import diagnose
from pbem.operator.doctor.reachability import is_heard
from pbem.settings import env


class Command(BaseCommand):
    help = (
        "Look at the settings and at all that they name: database, broker, relay, DNS, disk, clock, mailbox; and where "
        "the service runs, at its door and web from outside. One line for each problem. Exit status: 0 none, 1 some."
    )

    requires_system_checks = ()  # it runs them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON array of setting, problem and hint")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(
            diagnose(
                path=settings_file.where(os.environ),
                around=os.environ,
                known=sorted(env.dump()),
                refused=environment.REFUSED,
                now=timezone.now(),
            )
        )
        if options["json"]:
            self.stdout.write(json.dumps([asdict(problem) for problem in found], indent=2))
        else:
            for problem in found:
                self.stdout.write(str(problem))
            self._say_what_was_not_seen()
            if not found:
                self.stdout.write("Nothing is wrong.")
        if found:
            raise SystemExit(1)

    def _say_what_was_not_seen(self) -> None:
        if not (is_heard(settings.DOOR_LISTEN) or is_heard(settings.WEB_LISTEN)):
            self.stdout.write("The service does not run here: its door and its web were not looked at.")
