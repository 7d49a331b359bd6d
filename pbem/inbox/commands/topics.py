"""What a player can choose with SET: one table of topics, their words, their values, what each is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from pbem.inbox.commands.spoken import fold
from pbem.inbox.commands.values import Cadence, Choice, FreeDays, NightHours, Value, Words, Zone, switch


@dataclass(frozen=True)
class Topic:
    """One thing that can be chosen. Of the `words` for it the first is shown; `columns` are those of Player."""

    key: str
    words: Words
    value: Value
    columns: tuple[str, ...]
    does: Words
    refusal: str = "L02"  # of another value

    def name(self, language: str) -> str:
        return self.words[language].split()[0].upper()


TOPICS: tuple[Topic, ...] = (
    # How letters are written.
    Topic(
        "language",
        {"en": "language", "it": "lingua"},
        Choice(
            "language",
            {
                "en": {"en": "english en inglese", "it": "inglese en english"},
                "it": {"en": "italian it italiano", "it": "italiano it italian"},
            },
        ),
        ("language",),
        {
            "en": "The language of your letters and of the moves in them. All commands work in both.",
            "it": "La lingua delle lettere e delle mosse. I comandi valgono in tutte e due.",
        },
    ),
    Topic(
        "letters",
        {"en": "letters format", "it": "lettere formato"},
        Choice("text_only", {False: {"en": "html", "it": "html"}, True: {"en": "text", "it": "testo text"}}),
        ("text_only",),
        {
            "en": "With pictures, or of text alone: then the board comes in characters and in words.",
            "it": "Con le figure, oppure solo testo: allora il tavoliere viene in caratteri e a parole.",
        },
    ),
    Topic(
        "bandwidth",
        {"en": "bandwidth line", "it": "linea banda"},
        Choice(
            "low_bandwidth",
            {
                False: {"en": "normal fast", "it": "normale veloce"},
                True: {"en": "low slow", "it": "lenta bassa"},
            },
        ),
        ("low_bandwidth",),
        {
            "en": "For slow or dear lines: letters as short as can be, of text alone, without attachments.",
            "it": "Per linee lente o care: lettere il più brevi possibile, solo testo, senza allegati.",
        },
    ),
    Topic(
        "links",
        {"en": "links moves", "it": "collegamenti link mosse"},
        switch("move_links"),
        ("move_links",),
        {
            "en": "A link for each legal move, where there are at most 40: touch it, send the letter, done.",
            "it": "Un collegamento per ogni mossa possibile, se sono al massimo 40: lo tocchi, spedisci, fatto.",
        },
    ),
    # What the board looks like.
    Topic(
        "theme",
        {"en": "theme colours colors", "it": "tema colori"},
        Choice(
            "theme",
            {
                "default": {"en": "light default normal", "it": "chiaro normale chiari"},
                "dark": {"en": "dark", "it": "scuro scuri dark"},
                "print": {"en": "print printing", "it": "stampa"},
            },
        ),
        ("theme",),
        {
            "en": "The colours of the letters and of the pictures.",
            "it": "I colori delle lettere e delle figure.",
        },
    ),
    Topic(
        "size",
        {"en": "size", "it": "grandezza dimensione dimensioni"},
        Choice(
            "picture_size",
            {
                400: {"en": "small", "it": "piccola piccolo piccole"},
                640: {"en": "normal medium", "it": "normale media normali"},
                960: {"en": "large big", "it": "grande grandi"},
            },
        ),
        ("picture_size",),
        {"en": "How large the pictures are.", "it": "Quanto sono grandi le figure."},
    ),
    Topic(
        "coordinates",
        {"en": "coordinates", "it": "coordinate"},
        Choice(
            "coordinates",
            {
                "seed": {"en": "pergioco oblique seed", "it": "pergioco oblique"},
                "gipf": {"en": "gipf columns column", "it": "gipf colonne"},
            },
        ),
        ("coordinates",),
        {
            "en": "How the places of Zèrtz are called: as in PerGioco, or as on gipf.com.",
            "it": "Come si chiamano i posti di Zèrtz: come in PerGioco, oppure come su gipf.com.",
        },
    ),
    # How many letters come, and when.
    Topic(
        "cadence",
        {"en": "cadence digest digests", "it": "cadenza riepilogo riepiloghi frequenza"},
        Cadence(),
        ("cadence", "digest_day", "digest_hour"),
        {
            "en": "A letter for each move, or one a day or a week about all your matches, at the hour that you"
            " like. Challenges, results and reminders come at once all the same; the clocks run on.",
            "it": "Una lettera per ogni mossa, oppure una al giorno o alla settimana su tutte le tue partite,"
            " all'ora che preferisci. Sfide, risultati e promemoria arrivano comunque subito; gli orologi"
            " continuano a correre.",
        },
    ),
    Topic(
        "receipts",
        {"en": "receipts", "it": "ricevute"},
        switch("receipts"),
        ("receipts",),
        {
            "en": "A letter for each move of your own. For other sorts of letters write LETTERS.",
            "it": "Una lettera per ogni mossa tua. Per gli altri tipi di lettere scrivi LETTERE.",
        },
    ),
    Topic(
        "calendar",
        {"en": "calendar", "it": "calendario"},
        switch("calendar_files"),
        ("calendar_files",),
        {
            "en": "Your deadlines as files that a calendar reads, attached to the letters.",
            "it": "Le tue scadenze come allegati che un calendario sa leggere.",
        },
    ),
    # Who is believed to be you.
    Topic(
        "strict",
        {"en": "strict", "it": "prudenza severo"},
        switch("strict"),
        ("strict",),
        {
            "en": "We ask for your YES before we do what a letter in your name asks for, unless it answers a letter"
            " of ours and your mail provider vouches for it.",
            "it": "Prima di fare ciò che chiede una lettera a tuo nome aspettiamo il tuo SÌ, a meno che non risponda"
            " a una nostra e il tuo fornitore di posta la garantisca.",
        },
    ),
    # When your time runs.
    Topic(
        "zone",
        {"en": "zone timezone", "it": "fuso zona"},
        Zone("zone"),
        ("zone",),
        {
            "en": "Your time zone: deadlines are told in it.",
            "it": "Il tuo fuso orario: in questo si dicono le scadenze.",
        },
    ),
    Topic(
        "weekend",
        {"en": "weekend", "it": "finesettimana weekend riposo"},
        FreeDays("free_weekdays"),
        ("free_weekdays",),
        {
            "en": "The days of the week, two at most, on which your clocks stand still. Your hours can be"
            " changed once in 30 days.",
            "it": "I giorni della settimana, al massimo due, in cui i tuoi orologi stanno fermi. I tuoi orari"
            " si possono cambiare una volta ogni 30 giorni.",
        },
        "K07",
    ),
    Topic(
        "night",
        {"en": "night", "it": "notte"},
        NightHours(),
        ("night_begins", "night_ends"),
        {
            "en": "The hours, ten at most, in which your clocks stand still every night.",
            "it": "Le ore, al massimo dieci, in cui i tuoi orologi stanno fermi ogni notte.",
        },
        "K06",
    ),
    # When your time runs out, and when you are away.
    Topic(
        "reminders",
        {"en": "reminders reminder", "it": "promemoria solleciti"},
        Choice(
            "reminders",
            {
                "all": {"en": "all on", "it": "tutti on"},
                "last": {"en": "last", "it": "ultimi"},
                "none": {"en": "none off", "it": "nessuno off"},
            },
        ),
        ("reminders",),
        {
            "en": "When half of your time is used, 80 %, and 24 and 3 hours before the deadline; or only these two"
            " last ones; or none. Never in your night.",
            "it": "A metà del tuo tempo, all'80 %, e 24 e 3 ore prima della scadenza; oppure solo questi ultimi"
            " due; oppure nessuno. Mai di notte.",
        },
    ),
    Topic(
        "absence",
        {"en": "absence vacation", "it": "assenza ferie"},
        switch("automatic_absence"),
        ("automatic_absence",),
        {
            "en": "A day of your absence is taken by itself when your time is nearly over, so that you do not lose.",
            "it": "Un giorno della tua assenza viene preso da solo quando il tuo tempo sta per finire, così non"
            " perdi.",
        },
    ),
    Topic(
        "autoreply",
        {"en": "autoreply autoresponder", "it": "autorisposta risponditore"},
        switch("absence_from_mail"),
        ("absence_from_mail",),
        {
            "en": "When your mail program answers that you are away until a day, you are away here too.",
            "it": "Quando il tuo programma di posta risponde che sei via fino a un giorno, lo sei anche qui.",
        },
    ),
)
TOPIC_OF: Mapping[str, Topic] = {
    fold(word): topic for topic in TOPICS for words in topic.words.values() for word in words.split()
}


def near_topics(word: str) -> tuple[Topic, ...]:
    """Up to three that are called like `word`."""
    near = get_close_matches(fold(word), TOPIC_OF, n=5, cutoff=0.7)
    return tuple({TOPIC_OF[found].key: TOPIC_OF[found] for found in near}.values())[:3]
