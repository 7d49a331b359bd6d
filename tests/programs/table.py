"""Mail programs, in English and Italian: what each writes around an answer."""

from collections.abc import Sequence

from tests.programs.program import (
    BETWEEN,
    BOTTOM,
    NAME,
    OURS,
    TOP,
    Program,
    Way,
    marked,
    page_with,
    unmarked,
)


def _headers(names: Sequence[str], sent: str, subject: str = "[105] Zèrtz: Alice - Bruno") -> str:
    values = (NAME, sent, "Alice <alice@example.org>", subject)
    return "\n".join(f"{name} {value}" for name, value in zip(names, values, strict=True))


_EN = _headers(("From:", "Sent:", "To:", "Subject:"), "Saturday, November 21, 2026 9:14 AM")
_IT = _headers(("Da:", "Inviato:", "A:", "Oggetto:"), "sabato 21 novembre 2026 09:14")
_RULE = "________________________________\n"
_CITE = '<blockquote type="cite">OURS</blockquote>'

PROGRAMS: tuple[Program, ...] = (
    Program(
        "gmail",
        {
            "en": f"On Sat, Nov 21, 2026 at 9:14 AM PBeM <{OURS}>\nwrote:",
            "it": f"Il giorno sab 21 nov 2026 alle ore 09:14 PBeM <{OURS}>\nha scritto:",
        },
        marked(wrapped=True, page=True),
        page_with(
            "<div>TYPED</div>",
            '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">WROTE<br></div>'
            '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid'
            ' rgb(204,204,204);padding-left:1ex">OURS</blockquote></div>',
        ),
        (TOP, BOTTOM, BETWEEN),
    ),
    Program(
        "gmail for android",
        {
            "en": f"On Sat, 21 Nov 2026, 09:14 PBeM, <{OURS}> wrote:",
            "it": f"Il sab 21 nov 2026, 09:14 PBeM <{OURS}> ha scritto:",
        },
        marked(wrapped=True, page=True),
        page_with(
            '<div dir="auto">TYPED</div>',
            '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">WROTE<br></div>'
            '<blockquote class="gmail_quote">OURS</blockquote></div>',
        ),
        encoding="base64",
    ),
    Program(
        "outlook for windows",
        {"en": _EN, "it": _IT},
        unmarked(),
        page_with(
            '<p class="MsoNormal">TYPED<o:p></o:p></p>',
            '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;'
            'padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">WROTE<o:p></o:p></p></div></div>'
            '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>OURS',
            empty="<o:p>&nbsp;</o:p>",
        ),
    ),
    Program(
        "outlook on the web",
        {"en": _RULE + _EN, "it": _RULE + _IT},
        unmarked(),
        page_with(
            '<div class="elementToProof" style="font-family: Aptos; font-size: 12pt;">TYPED</div>',
            '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
            '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">WROTE</font><div>&nbsp;</div></div>'
            "<div>OURS</div>",
        ),
    ),
    Program(
        "outlook for phones",
        {"en": _RULE + _EN, "it": _RULE + _IT},
        unmarked(),
        page_with(
            '<div dir="ltr">TYPED</div>',
            '<div id="ms-outlook-mobile-body-separator-line" dir="ltr"><br></div>'
            '<div id="mail-editor-reference-message-container" dir="ltr"><div'
            ' class="ms-outlook-mobile-reference-message skipProofing"><hr>'
            '<div id="divRplyFwdMsg">WROTE</div></div>OURS</div>',
        ),
        above={
            "en": ("", "Get Outlook for iOS<https://aka.ms/o0ukef>"),
            "it": ("", "Scarica Outlook per Android<https://aka.ms/AAb9ysg>"),
        },
    ),
    Program(
        "apple mail",
        {
            "en": f"On 21 Nov 2026, at 09:14, PBeM <{OURS}> wrote:",
            "it": f"Il giorno 21 nov 2026, alle ore 09:14, PBeM <{OURS}> ha scritto:",
        },
        marked(wrote_too=True),
        page_with(
            "<div>TYPED</div>",
            '<div><br><blockquote type="cite"><div>WROTE</div><br class="Apple-interchange-newline"><div>OURS</div>'
            "</blockquote></div><br>",
        ),
        (TOP, BOTTOM, BETWEEN),
    ),
    Program(
        "iphone",
        {
            "en": f"On 21 Nov 2026, at 09:14, PBeM <{OURS}> wrote:",
            "it": f"Il giorno 21 nov 2026, alle ore 09:14, PBeM <{OURS}> ha scritto:",
        },
        marked("> \ufeff", wrote_too=True),
        page_with(
            '<div dir="ltr">TYPED</div>',
            '<div dir="ltr"><br><blockquote type="cite">WROTE<br><br></blockquote></div>'
            '<blockquote type="cite"><div dir="ltr">\ufeffOURS</div></blockquote>',
        ),
        above={"en": ("", "Sent from my iPhone"), "it": ("", "Inviato da iPhone")},
    ),
    Program(
        "thunderbird",
        {"en": "On 21/11/2026 09:14, PBeM wrote:", "it": "Il 21/11/2026 09:14, PBeM ha scritto:"},
        marked(),
        page_with("<p>TYPED</p>", f'<div class="moz-cite-prefix">WROTE<br></div>{_CITE}'),
        (TOP, BOTTOM, BETWEEN),
        flowed=True,
        encoding="8bit",
    ),
    Program(
        "yahoo",
        {
            "en": f"On Saturday, November 21, 2026 at 09:14:11 AM GMT+1, PBeM <{OURS}> wrote:  ",
            "it": f"Il sabato 21 novembre 2026 alle ore 09:14:11 CET, PBeM <{OURS}> ha scritto:  ",
        },
        unmarked(" "),
        page_with(
            '<div class="ydp1f8ab2cyahoo-style-wrap"><div dir="ltr" data-setdir="false">TYPED</div></div>',
            '<div id="ydp1f8ab2cyahoo_quoted_8736294" class="ydp1f8ab2cyahoo_quoted"><div><div>WROTE</div>'
            "<div><br></div><div>OURS</div></div></div>",
        ),
    ),
    Program(
        "proton mail",
        {
            "en": f"On Saturday, November 21st, 2026 at 9:14 AM, PBeM <{OURS}> wrote:",
            "it": f"Il sabato 21 novembre 2026 alle ore 09:14, PBeM <{OURS}> ha scritto:",
        },
        marked(page=True),
        page_with(
            '<div style="font-family: Arial, sans-serif; font-size: 14px;">TYPED</div>',
            '<div class="protonmail_quote">WROTE<br><blockquote class="protonmail_quote" type="cite">OURS</blockquote>'
            "<br></div>",
        ),
        (TOP, BOTTOM),
        above={
            "en": ("", "Sent with [Proton Mail](https://proton.me/mail/home) secure email."),
            "it": ("", "Inviato con l'email sicura [Proton Mail](https://proton.me/mail/home)."),
        },
    ),
    Program(
        "k-9 mail",
        {
            "en": f"On 21 November 2026 09:14:02 CET, PBeM <{OURS}> wrote:",
            "it": f"Il 21 novembre 2026 09:14:02 CET, PBeM <{OURS}> ha scritto:",
        },
        marked(">"),
        page_with(
            '<div dir="auto">TYPED</div>',
            '<br><br><div class="gmail_quote"><div dir="auto">WROTE</div><blockquote class="gmail_quote"'
            ' style="margin: 0pt 0pt 0pt 0.8ex;">OURS</blockquote></div>',
        ),
        (TOP, BOTTOM, BETWEEN),
    ),
    Program(
        "mutt",
        {
            "en": "On Sat, Nov 21, 2026 at 09:14:02AM +0100, PBeM wrote:",
            "it": "On sab, nov 21, 2026 at 09:14:02 +0100, PBeM wrote:",
        },
        marked(),
        styles=(TOP, BOTTOM, BETWEEN),
        encoding="8bit",
    ),
    Program(
        "samsung mail",
        {
            "en": "-------- Original message --------\n"
            + _headers(("From:", "Date:", "To:", "Subject:"), "21/11/2026  09:14  (GMT+01:00)"),
            "it": "-------- Messaggio originale --------\n"
            + _headers(("Da:", "Data:", "A:", "Oggetto:"), "21/11/26  09:14  (GMT+01:00)"),
        },
        unmarked(),
        page_with(
            '<div dir="auto">TYPED</div>',
            '<div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>WROTE</div>'
            "<div><br></div></div>OURS",
        ),
        above={
            "en": ("", "Sent from my Galaxy"),
            "it": ("", "Inviato dal mio Galaxy"),
        },
        encoding="base64",
    ),
    Program(
        "libero mail",
        {
            "en": f"On 21/11/2026 09:14 CET PBeM <{OURS}> wrote:",
            "it": f"Il 21/11/2026 09:14 CET PBeM <{OURS}> ha scritto:",
        },
        marked(page=True, wrote_too=True),
        page_with(
            '<p class="default-style">TYPED</p>',
            '<blockquote type="cite"><div>WROTE</div><div><br></div><div>OURS</div></blockquote>',
        ),
        (TOP, BOTTOM),
    ),
)

# Every way to answer.
WAYS: tuple[Way, ...] = tuple(
    (program, style, only_html)
    for program in PROGRAMS
    for style in program.styles
    for only_html in ((False, True) if program.page else (False,))
)
