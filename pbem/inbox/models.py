"""Models of incoming letters, the questions about them, and the counters of the rate limits."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Match
from pbem.players.models import Player, new_salt
from pbem.queue.enqueue import TaskName
from pbem.queue.models import SHUNTED, QueuedMail, QueuedMailQuerySet

OPEN_MAIL = TaskName("pbem.inbox.tasks.open_mail")
MOST_ATTEMPTS = 3
QUESTION_STANDS = timedelta(hours=72)
# The total time between moves and their YES that a player is not charged in a match.
CODE_LIVES = timedelta(minutes=10)  # of a code that a browser gives, which a posted move may wait for
MOST_CREDIT = timedelta(hours=24)
# From arrival to commit. On PostgreSQL 5 s for a connection, then 5 s for each of half a dozen statements.
LONGEST_KEEPING = timedelta(minutes=1)
OK = "ok"  # the verdict of a letter that was carried out
RELEASED = "released"  # key in `reading`: the organiser has opened it again


class InboundMailQuerySet(QueuedMailQuerySet["InboundMail"]):
    def unopened(self) -> InboundMailQuerySet:
        return self.filter(verdict="")


class InboundMail(QueuedMail):
    """A raw letter. Letters of one `queue_key` (a match, else a sender) are opened in order of arrival.

    `verdict` is empty until the letter is done; then it is `ok` or a code of `pbem.refusals`.
    """

    next_try = "leased_until"  # an expired lease
    has_namesakes = True  # whether other letters have its Message-ID; known once they are locked

    raw = models.BinaryField(_("raw email"), editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    sender = models.CharField(_("envelope sender"), max_length=320, blank=True)
    recipient = models.CharField(_("recipient"), max_length=320)
    peer = models.GenericIPAddressField(_("handed over by"), null=True, blank=True)
    helo = models.CharField("HELO", max_length=255, blank=True)
    queue_key = models.CharField(_("queue"), max_length=340)
    account = models.CharField(max_length=340, blank=True, editable=False)
    server = models.CharField(max_length=50, blank=True, editable=False)
    message_key = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    received_at = models.DateTimeField(_("received"))
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    reading = models.JSONField(_("what was read"), default=dict, blank=True)
    player = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("player")
    )
    match = models.ForeignKey(
        Match, models.SET_NULL, null=True, blank=True, related_name="inbound", verbose_name=_("match")
    )

    objects = InboundMailQuerySet.as_manager()

    class Meta:
        verbose_name = _("incoming email")
        verbose_name_plural = _("incoming emails")
        permissions = [("read_inboundmail", _("Can read emails as they came"))]
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["queue_key", "id"], name="inbound_queue", condition=models.Q(verdict="")),
            models.Index(fields=["received_at"], name="inbound_unopened", condition=models.Q(verdict="")),
            models.Index(fields=["verdict"], name="inbound_shunted", condition=models.Q(verdict__in=SHUNTED)),
            models.Index(fields=["holds"], name="inbound_holds", condition=models.Q(holds__isnull=False)),
            models.Index(
                fields=["leased_until"], name="inbound_leased", condition=models.Q(leased_until__isnull=False)
            ),
            models.Index(fields=["account", "received_at"], name="inbound_account"),
            models.Index(fields=["server", "received_at"], name="inbound_server"),
            models.Index(
                fields=["received_at", "verdict"], name="inbound_kept", condition=~models.Q(raw=b"")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} ← {self.sender or '<>'}"


class ConfirmationQuerySet(models.QuerySet["Confirmation"]):
    def open(self, at: datetime) -> ConfirmationQuerySet:
        return self.filter(used_at__isnull=True, asked_at__gte=at - QUESTION_STANDS)

    def unclear(self, at: datetime) -> ConfirmationQuerySet:
        """Open questions with two unclear answers, which the organiser has to see."""
        return self.open(at).filter(unclear__gte=2)

    def of_turn(self) -> ConfirmationQuerySet:
        """For a subquery of matches: questions with a move for the current turn."""
        match, side = models.OuterRef("pk"), models.OuterRef("to_move")
        theirs = self.filter(player__seats__match=match, player__seats__side=side)
        return theirs.filter(match=match, ply=models.OuterRef("ply"), has_move=True)


class Confirmation(models.Model):
    """Commands that wait for a YES from the address of their alleged sender, for 72 hours and once."""

    letter = models.ForeignKey(InboundMail, models.CASCADE, related_name="confirmations")
    address = models.EmailField(_("asked of"))
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="+")
    ply = models.PositiveIntegerField(null=True, blank=True)
    lines = models.JSONField(_("commands"))
    has_move = models.BooleanField(_("with a move"), default=False)
    message = models.TextField(_("message to the opponent"), blank=True)
    language = models.CharField(max_length=8)
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    asked_at = models.DateTimeField(_("asked"))
    used_at = models.DateTimeField(_("answered"), null=True, blank=True)
    agreed = models.BooleanField(_("answered YES"), default=False)
    doubted = models.BooleanField(
        _("doubted"), default=False, help_text=_("The email was held: somebody else may have written it.")
    )
    # False when the letter may be forged.
    vouched = models.BooleanField(default=False, editable=False)
    unclear = models.PositiveSmallIntegerField(_("unclear answers"), default=0, editable=False)
    near = models.BooleanField(default=False, editable=False)  # a guess, which YES carries out
    adds_address = models.BooleanField(
        _("adds an address"), default=False, help_text=_("Asked of the new address itself.")
    )
    puts_first = models.BooleanField(default=False, editable=False)

    objects = ConfirmationQuerySet.as_manager()

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")

    def __str__(self) -> str:
        return f"{self.address}: {' / '.join(self.lines)}"

    @property
    def name(self) -> str:
        """The name that a stranger wants. Empty when it is not known yet."""
        return self.lines[0] if self.lines else ""

    @property
    def is_orphaned(self) -> bool:
        """Whether the address has been removed from its player since."""
        return bool(self.player and not self.adds_address and not self.player.writes_from(self.address))


class SeenMessage(models.Model):
    """The hash of a Message-ID, and the number of the first letter with it.

    There is no foreign key, as it outlives the letter, for as long as its Date is accepted.
    """

    digest = models.CharField(max_length=64, unique=True)
    letter = models.BigIntegerField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.digest} {self.letter}"


class RateLimitSlot(models.Model):
    """One of the daily places of `whom` under a cap; the constraint enforces the cap."""

    cap = models.CharField(max_length=20)
    whom = models.CharField(max_length=340)
    day = models.DateField()
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cap", "whom", "day", "number"], name="answered_once")]

    def __str__(self) -> str:
        return f"{self.whom}: {self.cap} {self.number}"


class PersonalMessage(models.Model):
    """A message to the organiser in the sender's own words, without reply addresses. It is deleted with its
    letter.

    `player`: None when a stranger wrote from `address`. `doubted`: the sender is not vouched for.
    """

    letter = models.OneToOneField(
        InboundMail, models.CASCADE, related_name="personal", verbose_name=_("letter")
    )
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("player")
    )
    address = models.EmailField(_("address"), blank=True)
    subject = models.CharField(_("subject"), max_length=200, blank=True)
    text = models.TextField(_("message"))
    doubted = models.BooleanField(_("doubted"), default=False)
    received_at = models.DateTimeField(_("received"))
    done_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("message from a person")
        verbose_name_plural = _("messages from people")
        ordering = ["-pk"]
        default_permissions = ("view", "change")
        indexes = [
            models.Index(
                fields=["received_at"], name="personal_waiting", condition=models.Q(done_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.writer}: {self.subject or self.text[:60]}"

    @property
    def writer(self) -> str:
        return self.player.name if self.player else self.address
