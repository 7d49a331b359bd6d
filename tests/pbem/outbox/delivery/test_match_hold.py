"""Which matches stand still for a message that was set aside."""

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.delivery.clock_start import standing_still


def test_they_are_found_from_the_messages_and_no_other_match_is_read(db: None) -> None:
    plan = standing_still(Match.objects.all(), InboundMail).order_by("pk").explain()
    assert "inbound_holds" in plan, plan
    assert "letter_holds" in plan, plan
    assert "SCAN matches_match" not in plan, plan
