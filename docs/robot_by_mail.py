"""Lets an engine play by email: reads one email of PBeM from standard input, and answers it with the engine's move.

    | python3 robot_by_mail.py robby@example.org play@pbem.example /opt/engine --quiet

is a line of ~/.forward: your mailbox, the address of the service, and the engine, which reads a line of JSON and prints
another (robots.md says what they hold). The answer leaves through SMTP at SMTP_HOST and SMTP_PORT: localhost, 25.
Anything that is no turn of ours, or not from that service, is left alone.
"""

import json
import os
import smtplib
import subprocess
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr


def question(letter: EmailMessage) -> dict:
    """What the engine is asked; nothing where it is not its turn."""
    for file in letter.iter_attachments():
        if str(file.get_filename()).startswith("position-"):
            return json.loads(file.get_content())
    return {}


def answer(raw: bytes, me: str, service: str, command: list[str]) -> EmailMessage | None:
    letter = message_from_bytes(raw, policy=policy.default)
    reply_to = parseaddr(str(letter["Reply-To"]))[1]
    ours = parseaddr(str(letter["From"]))[1] == service and reply_to.endswith(service[service.index("@") :])
    asked = question(letter) if ours else {}
    if not asked:
        return None
    line = json.dumps(asked | {"level": 3, "seed": letter["Message-ID"]})
    done = subprocess.run(command, input=line + "\n", stdout=subprocess.PIPE, text=True, check=True)
    told = EmailMessage()
    told["From"], told["To"], told["Subject"] = me, reply_to, f"Re: {letter['Subject']}"
    told["Date"], told["Message-ID"] = formatdate(), make_msgid(domain=me.partition("@")[2])
    told["In-Reply-To"], told["Auto-Submitted"] = letter["Message-ID"], "auto-replied"
    told.set_content(json.loads(done.stdout)["move"])
    return told


if __name__ == "__main__":
    me, service, *command = sys.argv[1:]
    told = answer(sys.stdin.buffer.read(), me, service, command)
    if told is not None:
        with smtplib.SMTP(
            os.environ.get("SMTP_HOST", "localhost"), int(os.environ.get("SMTP_PORT", "25"))
        ) as smtp:
            smtp.send_message(told)
