"""What somebody writes on the page of letters."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pbem.demo.mail_client import message


class MessageForm(forms.Form):
    """A message of one who has no mailbox yet, or of the owner of `address`."""

    name = forms.CharField(label=_("Your name"), max_length=60, required=False)
    sender = forms.EmailField(label=_("Your address"))
    to = forms.EmailField(label=_("To"))
    subject = forms.CharField(label=_("Subject"), max_length=300, required=False)
    text = forms.CharField(
        label=_("Text"), max_length=20_000, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )

    def __init__(self, *args: Any, owner: Address | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        if owner is not None:
            del self.fields["name"], self.fields["sender"]

    @property
    def writer(self) -> Address:
        if self.owner is not None:
            return self.owner
        return Address(self.cleaned_data["name"], addr_spec=self.cleaned_data["sender"])

    def message(self, quote: str = "") -> EmailMessage:
        """As a mail program writes it, with `quote` below."""
        said = self.cleaned_data
        body = "\n\n".join(filter(None, (said["text"].replace("\r\n", "\n"), quote)))
        return message(self.writer, said["to"], " ".join(said["subject"].split()), f"{body}\n")


class ReplyForm(MessageForm):
    quote = forms.BooleanField(label=_("Answer this letter, with its text below"), required=False)
