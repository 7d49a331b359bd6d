"""How many honest emails of a season are asked about, lost or done wrongly, by language and by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import rmtree

from pbem.inbox.models import InboundMail
from tests.bench.figures import Row
from tests.season.honest import AGAIN, ASKED, LEAKED, LOST, UNSAID, WRONG, Fate, Honest

LANGUAGES: Mapping[str, str] = {"en": "English", "it": "Italian"}
BAD: Sequence[str] = (ASKED, AGAIN, LOST, WRONG, LEAKED, UNSAID)


def honest_emails(honest: Honest) -> Iterator[Row]:
    """Those that could no longer be done when they were opened are told apart, and so is what is asked by design."""
    for language, name in LANGUAGES.items():
        fates = [fate for fate in honest.fates if fate.language == language]
        late = sum(fate.language == language for fate in honest.overtaken)
        yield Row(f"{name}: honest emails", len(fates), f"emails, and {late} that came too late")
        yield Row(
            f"{name}: a grave wish, asked about once by design",
            sum(fate.by_design for fate in fates),
            "emails",
        )
        yield _asked(f"{name}: asked about", fates)
        for what in BAD[2:]:
            yield Row(f"{name}: {what}", sum(what in fate.found for fate in fates), "emails")
        for kind, of_kind in _by_kind(fates).items():
            yield _asked(f"{name}, {kind}: asked about", of_kind)


def keep_examples(honest: Honest, folder: Path) -> None:
    """Each email that something was found of, as it was typed and as it came; above them how often it was what."""
    emails = folder / "emails"
    rmtree(emails, ignore_errors=True)
    emails.mkdir(parents=True)
    found = [fate for fate in honest.fates if fate.found]
    lines = [f"{times:4} {what}" for what, times in Counter(map(_in_short, found)).most_common()] + [""]
    for fate in found:
        (emails / f"{fate.letter}.eml").write_bytes(bytes(InboundMail.objects.get(pk=fate.letter).raw))
        lines += [_heading(fate), *(f"    | {line}" for line in fate.typed), f"    {fate.told}"]
    lines += ["", *(f"too late: {_heading(fate)}" for fate in honest.overtaken)]
    (folder / "honest.txt").write_text("\n".join(lines) + "\n")


def _in_short(fate: Fate) -> str:
    asks = "" if fate.by_design else "; ".join(fate.asks)
    return f"{fate.language} {fate.meaning.kind}: {_found(fate)} {asks}".strip()


def _heading(fate: Fate) -> str:
    asks = f": {list(fate.asks)}" if fate.asks else ""
    return (
        f"{fate.letter} {fate.language} {fate.meaning.kind} [{fate.way}] {fate.verdict}: {_found(fate)}{asks}"
    )


def _found(fate: Fate) -> str:
    return ", ".join(each for each in BAD if each in fate.found)


def _asked(what: str, fates: Sequence[Fate]) -> Row:
    asked = sum(fate.is_asked for fate in fates)
    return Row(what, asked / max(1, len(fates)) * 100, f"% ({asked} of {len(fates)})")


def _by_kind(fates: Iterable[Fate]) -> dict[str, list[Fate]]:
    kinds: dict[str, list[Fate]] = defaultdict(list)
    for fate in fates:
        kinds[fate.meaning.kind].append(fate)
    return dict(sorted(kinds.items()))
