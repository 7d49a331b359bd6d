"""What mail programs write around a reply and robots in a subject, language by language."""

from __future__ import annotations

import re

# Each entry is a regular expression without nested repetition: strangers choose what it is tried on.

# Who wrote what follows.
WROTE = (
    r"\b(wrote|writes)\b",
    r"\b(ha scritto|scrive|scrisse)\b",
    r"\b(schrieb|a écrit|ha escrito|escribi[óo]|escreveu|schreef|geschreven|skrev)\b",
    r"\b(kirjoitti|yazdı|írta|a scris|va escriure|έγραψε)\b",
    r"\b(napisał|napsal)",
    r"\b(пишет|писала?|написала?|пише)\b",
    "写道|寫道|のメール|작성",
)
# How such a line begins when it is spread over several.
WROTE_BEGINS = (
    r"on\b|at\b",
    r"il\b|in data\b|alle ore\b",
    r"(am|von|le|el|em|a|op|den|w dniu|dne|от)\b",
    r"\d{1,2}[./ -]|\d{4}[./-]",
    r"(mon|tue|wed|thu|fri|sat|sun)\w{0,6}[ ,.]",
    r"(lun|mar|mer|gio|ven|sab|dom)\w{0,6}[ ,.]",
)

# The names of a copied block of headers.
HEADER_NAMES = (
    "from|sent|to|cc|subject|date|reply-to|organi[sz]ation",
    "da|inviato|data|a|oggetto|rispondi a",
    "von|gesendet|datum|an|betreff",
    "de|envoy[ée]|à|objet|enviado|enviado el|para|asunto|fecha|assunto",
    "van|verzonden|aan|onderwerp|från|skickat|till|ämne|fra|sendt|til|emne",
    "od|do|temat|wysłano|от|кому|тема|дата|від",
    "发件人|发送时间|收件人|主题|差出人|件名",
)

# A line that announces a whole letter without quote marks.
ANNOUNCED = (
    r"[*\s]{0,4}[-_]{4,60}[^-_][^_]{2,200}[-_]{4,60}\*?\s*$",  # -----Original Message-----
    r"_{20,}\s*$",  # Outlook
    r"\s{0,4}begin forwarded message\s?:?\s*$",
    r"\s{0,4}(inizio (del )?)?messaggio inoltrato\s?:?\s*$",
    r"\s{0,4}(anfang der weitergeleiteten|début du message réexpédié|inicio del mensaje reenviado)\b",
)

# Adverts of the program, at the start of a short line.
FOOTERS = (
    r"sent (from|with|by|via|using)\b(?!.{1,60}, (is|was|it)\b)|from my i?phone|\w{1,20} from mobile$",
    r"(get|download) \[?outlook|this e?-?mail was sent from (\S{1,40} ){0,4}\S{1,40}$",
    r"inviat[oa] (da|dal|dall[ao’']|con|tramite|via)\b|(scarica|ottieni) \[?outlook",
    r"gesendet (von|mit)|von meinem .{1,30} gesendet|diese nachricht wurde von",
    r"envoyé (de|depuis|à partir)|enviado (desde|do|con)|verzonden (vanaf|met|via)|verstuurd vanaf",
    "\u1427$",  # what a tracker adds to letters of Gmail
    r"skickat från|sendt fra|wysłane z|отправлено с|从我的|發自我的|发自我的|從我的",
)

# What stands before the subject of a letter that is answered or forwarded.
SUBJECT_PREFIXES = (
    "re|r|rif|fwd?|i|inoltr",
    "aw|wg|antw|doorst|sv|vs|vb|tr|res|rv|enc|odp|pd|ynt|ilt|vl|vá|hs|απ|σχετ",
    "回复|答复|转发|回覆|轉寄|返信|転送",
)

# Subjects of servers that could not deliver. Only as a subject begins: behind "Re:" a person writes.
UNDELIVERED = (
    r"failure notice|undeliver|non[- ]?deliver|not delivered|unable to deliver|can(no|')t (deliver|send)",
    r"delivery (status|failure|failed|report|error|delay|notification|problem|unsuccessful|has failed)",
    r"(e-?)?mail (delivery|error|system error|status|could not|returned|not delivered|rejected)",
    r"returned (e-?mail|mail|to sender)|return(ed|ing) (your )?(message|mail)",
    r"message (delivery|status|undeliverable|not delivered|was not|could not)",
    r"(unknown (user|recipient)|user unknown)\b|permanent (delivery )?(failure|error)",
    r"warning: (could not send|message .{0,60}(delayed|undelivered))|automatically rejected",
    r"avviso di (mancata consegna|non accettazione)",
    r"mancat[oa] (recapito|consegna)|mancata notifica|(notifica|rapporto) di mancat|errore di consegna",
    r"impossibile (recapitare|consegnare)|(messaggio )?non (recapitat|recapitabil|consegnat)",
    r"unzustellbar",
)
# Subjects of programs that answer for people, and say so.
ANSWERING = (
    r"\[?auto(matic|mated)?[- ]?(reply|response|responder|answer)|auto ?:",
    r"(messaggio (automatico )?di )?risposta automati|messaggio automatic|risponditore automatic",
    r"auto-?rispo(sta|nditore)|vacation (reply|notice)|automatische antwort|r[ée]ponse automatique",
    r"respuesta autom|resposta autom|automatisch antwoord",
)
# Subjects of people who are away, and of programs in their name.
ABSENT = (
    r"out of (the )?office|away from|i am (currently )?(out|away)",
    r"on (vacation|holiday)\b",
    r"fuori (sede|ufficio)|assente\b|assenza dall|(sono )?in ferie (fino|dal|da|per)\b",
    r"abwesenheit|absent du bureau",
)

# Subjects of programs that say it was read.
RECEIVED = (r"(conferma|ricevuta|notifica) di (avvenuta )?(lettura|ricezione|ritorno)\b|return receipt\b",)
# What the Italian certified mail (PEC) says of a letter that has come further.
PEC_RECEIPTS = ("accettazione", "presa-in-carico", "avvenuta-consegna")

# Services that ask whoever writes whether he is a person.
CHALLENGERS = (r"notify@boxbe\.com", r".{1,64}-confirm-[0-9a-f.]{3,64}@")
# Local parts of addresses that no person has.
DAEMONS = (
    r"(mailer|mail)[-_.]?daemon|mdaemon|postmaster|mmdf|uucp|nobody|mta|delivery",
    r"mail[-_.]?(delivery|system|administrator|router)|smtp[-_]?(gateway|daemon)|microsoftexchange[0-9a-f]{0,64}",
    r"bounces?|bounces?[-+_.][^@]{0,200}",
)
ROBOTS = (
    r"(no|do[-_.]?not|non)[-_.]?(reply|rispondere|risponda)[^@]{0,100}",
    r"(auto|vacation)[-_.]?(reply|responder)|autoresponder",
)


def any_of(entries: tuple[str, ...], *, before: str = "", after: str = "") -> re.Pattern[str]:
    """One expression for a whole table."""
    return re.compile(f"{before}(?:{'|'.join(entries)}){after}", re.IGNORECASE)
