"""Signs in at an IMAP mailbox, and leaves it whatever happens."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from imaplib import IMAP4

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted

from pbem.imap_url import Account

PATIENCE = 60.0  # seconds for an answer of the mail server


@contextmanager
def signed_in(account: Account, context: ssl.SSLContext | None = None) -> Iterator[BaseMailBox]:
    """The mailbox with its folder selected. Raises OSError, IMAP4.error or ImapToolsError."""
    context = context or ssl.create_default_context()
    mailbox: BaseMailBox
    match account.scheme:
        case "imaps":
            mailbox = MailBox(account.host, account.port, timeout=PATIENCE, ssl_context=context)
        case "imap+starttls":
            mailbox = MailBoxStartTls(account.host, account.port, timeout=PATIENCE, ssl_context=context)
        case _:
            mailbox = MailBoxUnencrypted(account.host, account.port, timeout=PATIENCE)
    try:
        readable = account.user.isascii() and account.password.isascii()
        sign_in = mailbox.login if readable else mailbox.login_utf8
        sign_in(account.user, account.password, initial_folder=account.folder)
        _, told = mailbox.client.capability()  # more than before the sign-in, which is all that imaplib asks
        mailbox.client.capabilities = tuple(told[-1].decode("ascii", "replace").upper().split())
        yield mailbox
        mailbox.logout()
    finally:
        with suppress(OSError, IMAP4.error):
            mailbox.client.shutdown()
