"""Which letter of ours is answered, however many the message names."""

import pytest

from pbem.inbox.correlation import answered_letter
from pbem.mail.parsing.headers import summarise
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from tests.mail_fixtures import Correspondent


@pytest.mark.parametrize("more", [0, 1, 15])
def test_the_newest_letter_to_the_player_is_found_among_few_and_among_many(
    alice: Correspondent, bruno: Correspondent, loa: Match, more: int
) -> None:
    alice.answers(alice.letter, "b1-b3")
    *_, older, newest = OutboundMail.objects.filter(player=alice.player).order_by("pk")
    others = OutboundMail.objects.filter(player=bruno.player).values_list("message_id", flat=True)
    named = [*(f"<{number}@elsewhere.example>" for number in range(more)), older.message_id, *others]
    for last, answered in ((newest, newest), (older, older)):
        raw = f"In-Reply-To: {last.message_id}\r\nReferences: {' '.join(named)}\r\n\r\n".encode()
        assert answered_letter(None, summarise(raw), [alice.player]) == answered
    stranger = f"References: {others[0]}\r\n\r\n".encode()
    assert answered_letter(None, summarise(stranger), [alice.player]) is None
