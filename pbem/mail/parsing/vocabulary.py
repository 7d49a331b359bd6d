"""Holds the phrases of mail programs and robots, by language."""

from __future__ import annotations

import re

# Regular expressions without nested repetition: they are matched against untrusted text.

# Attribution verbs.
WROTE = (
    r"\b(wrote|writes)\b",
    r"\b(ha scritto|hai scritto|avete scritto|scrive|scrisse|scrivevi|scriveva)\b",
    r"\b(schrieb|schrieben|schriebst|geschrieben|a écrit|as écrit|avez écrit|écriviez)\b",
    r"\b(ha escrito|escribi[óo]|escreveu|schreef|geschreven|skrev)\b",
    r"\b(kirjoitti|yazdı|írta|a scris|va escriure|έγραψε)\b",
    r"\b(napisał|napsal)",
    r"\b(пишет|писал[аи]?|написал[аи]?|пише)\b",
    "写道|寫道|のメール|작성",
)
# Attribution verbs of programs that name only the writer: "PBeM writes:", above a quotation.
NAMED = (
    r"writes?|wrote|said|says|scrive|ha scritto|ha detto|dice|schrieb|schreibt|a écrit|écrit|escribió|escribe"
    r"|escreveu|schreef|schrijft|skrev|skriver",
)
# Prepositions before the address, as Tuta writes: "21 Nov 2026, 09:14 by a@b.example:".
BY = (r"by|da|von|par|por|de|door|av|af|od|von seiten|kohteesta|tarafından",)
# Beginnings of attributions that span several lines.
WROTE_BEGINS = (
    r"on\b|at\b",
    r"il\b|in data\b|alle ore\b",
    r"(am|von|le|el|em|a|op|den|w dniu|dne|от)\b",
    r"\d{1,2}[./ -]|\d{4}[./-]",
    r"(mon|tue|wed|thu|fri|sat|sun)\w{0,6}[ ,.]",
    r"(lun|mar|mer|gio|ven|sab|dom)\w{0,6}[ ,.]",
)

# Names in a copied header block.
HEADER_NAMES = (
    "from|sent|to|cc|subject|date|reply-to|organi[sz]ation",
    "da|inviato|data|a|oggetto|ogg|rispondi a",
    "von|gesendet|datum|an|betreff",
    "de|envoy[ée]|à|objet|enviado|enviado el|para|asunto|fecha|assunto",
    "van|verzonden|aan|onderwerp|från|skickat|till|ämne|fra|sendt|til|emne",
    "od|do|temat|wysłano|data wysłania|от|кому|тема|дата|від|отправлено|надіслано|копия",
    "od|odesláno|komu|kopie|předmět|odoslané|predmet|dátum|kópia|dato|enviada em|data de envio",
    "lähettäjä|lähetetty|vastaanottaja|päivämäärä|päiväys|aihe|kopio|saaja",
    "feladó|küldve|elküldve|küldés dátuma|címzett|másolatot kap|másolat|tárgy",
    "kimden|gönderen|gönderildi|gönderme tarihi|gönderilme|tarih|kime|alıcı|bilgi|konu",
    "από|στάλθηκε|απεστάλη|εστάλη|ημερομηνία|προς|κοιν(οποίηση)?|θέμα",
    "de la|trimis|expediat|către|catre|subiect",
    "보낸 ?사람|보낸 ?날짜|보낸 ?시간|날짜|받는 ?사람|참조|제목",
    "מאת|נשלח|תאריך|אל|עותק|נושא",
    "发件人|发送时间|收件人|主题|日期|抄送|寄件者|寄件日期|收件者|主旨|發件人|發送時間|副本",
    "差出人|送信者|送信日時|日時|日付|宛先|件名",
)

# Lines that announce a quotation without marks.
ANNOUNCED = (
    r"[*\s]{0,4}[-_]{4,60}[^-_][^_]{2,200}[-_]{3,60}\*?\s*$",  # -----Original Message-----; Zoho ends with three
    r"<quote who=\"[^\"]{1,100}\">\s*$",  # SquirrelMail
    r"_{20,}\s*$",  # Outlook
    r"\s{0,4}begin forwarded message\s?:?\s*$",
    r"\s{0,4}(inizio (del )?)?messaggio inoltrato\s?:?\s*$",
    r"\s{0,4}(anfang der weitergeleiteten|début du message réexpédié|inicio del mensaje reenviado)\b",
)

# Adverts of mail programs, at the start of a short line.
FOOTERS = (
    r"sent (from|with|by|via|using)\b(?!.{1,60}, (is|was|it)\b)|from my i?phone|\w{1,20} from mobile$",
    r"(get|download) \[?outlook|this e?-?mail was sent from (\S{1,40} ){0,4}\S{1,40}$",
    r"inviat[oa] (da|dal|dall[ao’']|con|tramite|via)\b|(scarica|ottieni) \[?outlook",
    r"gesendet (von|mit)|von meinem .{1,30} gesendet|diese nachricht wurde von",
    r"envoyé (de|depuis|à partir)|enviado (desde|do|con)|verzonden (vanaf|met|via)|verstuurd vanaf",
    r"(\w{1,40} ){1,3}reacted via gmail\b|(\w{1,40} ){1,3}ha reagito tramite gmail\b",
    r"<?https?://(www\.)?google\.com/gmail/about/",
    "\u1427$",  # added to Gmail letters by a tracker
    r"skickat från|sendt fra|wysłane z|отправлено с|从我的|發自我的|发自我的|從我的",
    # Other mail programs.
    r"(get|download|try) \[?(blue ?mail|aqua ?mail|edison( mail)?|spark|typeapp|k-9)\b",
    r"(scarica|ottieni|prova) \[?(blue ?mail|aqua ?mail|edison( mail)?|spark|typeapp)\b",
    r"(secured|sent securely) with (tuta|proton)\b|protetto da tuta\b",
    r"<?https?://(www\.)?(mobisystems|aqua-mail|bluemail|edisonmail|mail\.edison|avast|avg|tuta|tutanota|proton)\."
    r"\S{1,150}$",
    # Virus scanners.
    r"(virus-free|senza virus|priv[oa] di virus|mail priva di virus|virenfrei|garanti sans virus|libre de virus)"
    r"\W{0,4}(www\.)?(avast|avg)\.",
    r"(www\.)?(avast|avg)\.com\S{0,60}$",
    r"this (e-?mail|message) (has been|was) (checked|scanned) (for viruses )?by\b",
    r"questa? (e-?mail|messaggio|posta) è stat[oa] (controllat|esaminat|scansionat)[oa]\b.{0,40}\b(virus|avast|avg)",
    r"diese e-?mail wurde (von avast|auf viren)|l'absence de virus dans ce courrier",
)

# Beginnings of legal notices.
_THIS = r"(this|the (information|contents?) (contained )?(in|of) this|information in this) (e-?mail|message|electronic)"
_QUESTO = r"(il presente|questo|la presente|questa) (e-?mail|messaggio|comunicazione|posta|documento)"
LEGAL = (
    _THIS
    + r".{0,120}\b(confidential|privileged|intended (only|solely|exclusively|for the)|recipient only)\b",
    r"if you (are not the (intended|named|designated)|(have )?received this (e-?mail|message|communication))\b"
    r".{0,80}\b(recipient|addressee|in error|by mistake)\b",
    r"(privacy and |legal )?(confidentiality|disclaimer|legal) (notice|disclaimer|statement)\b",
    r"please consider the environment|please don't print this e-?mail",
    r"(le informazioni|il contenuto|i dati) .{0,40}(present[ei]|quest[oa]) (e-?mail|messaggio|comunicazione|posta)"
    r".{0,200}\b(riservat|confidenzial|esclusiv|destinatari)",
    _QUESTO + r".{0,160}\b(riservat|confidenzial|destinat[oaie]+ (solo|solamente|unicamente|esclusivamente))",
    r"(ai sensi|in conformità|a norma) (del|dell[ae']|degli|di) ?.{0,40}\b(196/2003|2016/679|gdpr|privacy)"
    r"(?!.{0,40}\b(chied|richied|domand|vorr|vogli|desider|esig|eserc))",
    r"(avviso|clausola|nota) di (riservatezza|confidenzialità)|avvertenze? (legal|ai sensi)",
    r"(qualora|se) .{0,40}ricevuto (il presente|la presente|questo|questa) (e-?mail|messaggio|comunicazione)"
    r".{0,40}per errore",
    r"(rispetta|rispettiamo|proteggi|pensa al)\s?l['’]ambiente|pensa all['’]ambiente|prima di stampare quest",
    r"diese (e-?mail|nachricht) .{0,80}\b(vertraulich|rechtlich geschützt)",
    r"(ce|le présent) (message|courriel|courrier) .{0,120}\bconfidentiel",
    r"este (mensaje|correo|e-?mail) .{0,120}\bconfidencial|esta mensagem .{0,120}\bconfidencia",
    r"(dit|deze) (e-?mail|bericht).{0,80}\bvertrouwelijk",
)

# Subject prefixes of replies and forwarded letters.
SUBJECT_PREFIXES = (
    "re|r|rif|fwd?|i|inoltr",
    "aw|wg|antw|doorst|sv|vs|vb|tr|res|rv|enc|odp|pd|ynt|ilt|vl|vá|hs|απ|σχετ",
    "回复|答复|转发|回覆|轉寄|返信|転送",
)

# Subjects of bounces, at the start only: "Re:" comes from a person.
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
# Subjects of automatic replies.
ANSWERING = (
    r"\[?auto(matic|mated)?[- ]?(reply|response|responder|answer)|auto ?:",
    r"(messaggio (automatico )?di )?risposta automati|messaggio automatic|risponditore automatic",
    r"auto-?rispo(sta|nditore)|vacation (reply|notice)|automatische antwort|r[ée]ponse automatique",
    r"respuesta autom|resposta autom|automatisch antwoord",
)
# Subjects of absence notices, used by people and programs.
ABSENT = (
    r"out of (the )?office|away from|i am (currently )?(out|away)",
    r"on (vacation|holiday)\b",
    r"fuori (sede|ufficio)|assente\b|assenza dall|(sono )?in ferie (fino|dal|da|per)\b",
    r"abwesenheit|absent du bureau",
)

# Recall notices of Outlook, followed by the Subject.
RECALLS = (
    r"[^\"\n]{1,200} would like to recall (the|this) message",
    r"[^\"\n]{1,200} desidera richiamare (il|questo) messaggio",
)
# Subjects of read receipts.
RECEIVED = (r"(conferma|ricevuta|notifica) di (avvenuta )?(lettura|ricezione|ritorno)\b|return receipt\b",)
# Receipt types of Italian certified mail (PEC).
PEC_RECEIPTS = ("accettazione", "presa-in-carico", "avvenuta-consegna")

# Senders of challenge-response services.
CHALLENGERS = (r"notify@boxbe\.com", r".{1,64}-confirm-[0-9a-f.]{3,64}@")
# Local parts of automatic senders.
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
    """Joins a table into one expression that ignores case."""
    return re.compile(f"{before}(?:{'|'.join(entries)}){after}", re.IGNORECASE)
