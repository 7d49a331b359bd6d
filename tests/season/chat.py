"""What people write beside their moves: to the opponent, above and below, and how they sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

ABOVE: Mapping[str, Sequence[str]] = {
    "en": (
        "Sorry for the delay, it has been a busy week.",
        "Good move! I did not see that one coming.",
        "Thanks for your patience.",
        "Here is my answer:",
        "Interesting idea. Let's see how you like this:",
        "I thought about this one for two days.",
        "Hope you had a good weekend.",
        "Quick reply from the train.",
        "Ouch. That hurt.",
        "Well, here goes nothing.",
        "Not sure this is wise, but I'll try it:",
        "You are getting dangerous over there.",
        "Happy new month!",
        "That was unexpected, well done.",
    ),
    "it": (
        "Scusa il ritardo, è stata una settimana piena.",
        "Bella mossa! Non l'avevo proprio vista.",
        "Grazie della pazienza.",
        "Ecco la mia risposta:",
        "Idea interessante. Vediamo se ti piace questa:",
        "Ci ho pensato due giorni.",
        "Spero che tu abbia passato un buon fine settimana.",
        "Ti rispondo al volo dal treno.",
        "Ahi. Questa ha fatto male.",
        "Vabbè, ci provo.",
        "Non so se è saggio, ma tento così:",
        "Stai diventando pericoloso da quella parte.",
        "Buon inizio di mese!",
        "Non me l'aspettavo, complimenti.",
    ),
}
BELOW: Mapping[str, Sequence[str]] = {
    "en": (
        "Good luck!",
        "Your turn :-)",
        "I think you are winning this one.",
        "How is the weather over there? It has been raining here since Monday.",
        "That piece in the corner worries me a lot.",
        "My daughter says I should have resigned ten moves ago, but I am stubborn.",
        "We are off to the seaside on Saturday, so my next move may take a little longer.",
        "Did you watch the match last night? What a finish.",
        "I had hoped for a draw, but now it looks better than that.",
        "Are you playing in the spring tournament as well?",
        "No hurry, take all the time you need.",
        "Yes, I got your message, thank you. All is well here.",
        "By the way, which clock do you like best? I find three days a move just right.",
        "I learned this game from my grandfather, who played it every evening.",
        "If you go there, I am lost.",
        "Let me know when you are in London, we could have a coffee.",
        "I almost took the other piece, but then I saw your reply.",
        "It took me an hour to see that I could not move the one in the middle.",
        "My new phone makes typing a pain, so excuse any typos.",
        "What do you think of the opening? I have never played it before.",
        "I am not going to give up that easily.",
        "Say hello to your wife from me.",
        "The last one was a blunder, I wish I could have it back.",
        "Nice game so far.",
        "Where do you live? I am in a small town near the border.",
        "Sorry if I am slow this month, we are moving house.",
        "I have no idea what I am doing, but it is fun.",
        "My cat walked over the keyboard twice while I was writing this, so if it looks"
        " odd you know whom to blame for it.",
        "Do you also play chess? I stopped years ago because it took too much of my"
        " time, and email suits me far better.",
        "Stop me if I talk too much!",
        "See you tomorrow, perhaps.",
        "Next time I will try something else.",
        "I am on a train to Leeds and the signal keeps dropping.",
        "We had twins last week, so forgive me if I make silly moves from now on.",
        "What a mess in the middle of the board.",
        "I must say I enjoy these evenings with a cup of tea and your letters.",
        "Did you see the picture? The board looks lovely in dark colours.",
        "I was sure you would take with the other one.",
        "Two more like that and I can go home.",
        "How long have you been playing by email?",
        "I used to play by real post, with stamps, back in 1987.",
        "Please give my regards to the club.",
        "If I had seen that a week ago I would have played differently.",
        "My brother wants to learn this game too, is there a good book about it?",
        "You set a nice trap there, I nearly fell for it.",
        "I have a feeling that this will go on until Christmas.",
        "Work is crazy at the moment, three deadlines in one week.",
        "I hope your mother is feeling better.",
        "Why did you leave that one alone?",
        "It is 35 degrees here and I can hardly think.",
        "The doctor says I have to rest my eyes, so I will keep this short.",
        "I do not mind losing to somebody who plays like this.",
        "That was my plan all along. Just kidding.",
        "Are you the same Peter who won last year?",
        "Sorry about the typo in my last message.",
        "It's anybody's game now.",
        "I am curious what you will do about the left side.",
        "Ha, you saw it coming!",
        "To be honest I expected you to offer a draw by now.",
        "I don't think anyone has ever beaten me so quickly.",
        "Can't wait to see your answer.",
        "My wife found the move, not me.",
        "Tell me, do you use a real board at home?",
        "I am travelling to Spain in August, maybe we can play from there as well.",
        "Too bad about the football, wasn't it?",
        "I'll be thinking about your last move for a long time.",
        "We lost power for six hours yesterday, candles and all.",
        "By the way, your last note made me laugh.",
        "Let's finish this one and then try another game.",
        "OK, now I am worried.",
        "No, I have not read that book yet, but it is on my list.",
        "I always get confused about which side is mine.",
        "Well, that is the end of my clever plan.",
        "You have until Friday to find something better :)",
        "Perhaps I should have stayed in bed today.",
        "Greetings from rainy Manchester!",
        "The kids are back at school, so I have some time again.",
        "I changed my mind three times before sending this.",
        "Someone at work asked me what these strange coordinates on my screen were.",
        "If this works I owe you a beer, and if it does not you owe me one.",
        "Thank you for explaining the rule last time, I had it completely wrong.",
        "My clock is fine, don't worry about me.",
    ),
    "it": (
        "Buona fortuna!",
        "Tocca a te :-)",
        "Mi sa che questa la vinci tu.",
        "Che tempo fa da voi? Qui piove da lunedì.",
        "Quella pedina nell'angolo mi preoccupa parecchio.",
        "Mia figlia dice che avrei dovuto abbandonare dieci mosse fa, ma sono testardo.",
        "Sabato andiamo al mare, quindi la prossima mossa potrebbe tardare un po'.",
        "Hai visto la partita ieri sera? Che finale.",
        "Speravo in una patta, ma adesso mi pare di stare meglio.",
        "Giochi anche tu nel torneo di primavera?",
        "Nessuna fretta, prenditi tutto il tempo che vuoi.",
        "Sì, ho ricevuto il tuo messaggio, grazie. Qui tutto bene.",
        "A proposito, che orologio preferisci? Tre giorni a mossa per me vanno benissimo.",
        "Questo gioco me l'ha insegnato mio nonno, ci giocava tutte le sere.",
        "Se vai lì sono perso.",
        "Fammi sapere quando passi da Roma, ci prendiamo un caffè.",
        "Stavo per prendere l'altra, poi ho visto la tua risposta.",
        "Ci ho messo un'ora a capire che quella in mezzo non la potevo muovere.",
        "Con il telefono nuovo scrivo malissimo, perdona gli errori.",
        "Che ne pensi dell'apertura? Non l'avevo mai giocata.",
        "Non mi arrendo così facilmente.",
        "Salutami tua moglie.",
        "L'ultima è stata una svista, vorrei proprio non averla fatta.",
        "Bella partita finora.",
        "Tu dove abiti? Io in un paesino vicino al confine.",
        "Scusa se questo mese sono lento, stiamo traslocando.",
        "Non so bene che cosa sto facendo, ma mi diverto.",
        "Il gatto è passato due volte sulla tastiera mentre scrivevo, quindi se c'è"
        " qualcosa di strano sai con chi prendertela.",
        "Giochi anche a scacchi? Io ho smesso anni fa perché mi prendevano troppo tempo,"
        " per posta elettronica è molto meglio.",
        "Fermami se parlo troppo!",
        "A domani, forse.",
        "La prossima volta provo qualcos'altro.",
        "Sono in treno per Torino e la linea va e viene.",
        "La settimana scorsa sono nati i gemelli, quindi perdonami se d'ora in poi gioco male.",
        "Che pasticcio in mezzo al tavoliere.",
        "Mi godo queste serate con una tisana e le tue lettere.",
        "Hai visto l'immagine? Il tavoliere con i colori scuri è bellissimo.",
        "Ero sicuro che avresti preso con l'altra.",
        "Ancora due così e posso andare a casa.",
        "Da quanto tempo giochi per posta elettronica?",
        "Io giocavo con le cartoline vere, con i francobolli, nel 1987.",
        "Salutami gli amici del circolo.",
        "Se l'avessi visto una settimana fa avrei giocato in un altro modo.",
        "Anche mio fratello vuole imparare, c'è un bel libro su questo gioco?",
        "Bella trappola, per poco non ci cascavo.",
        "Ho l'impressione che andremo avanti fino a Natale.",
        "Al lavoro è un periodo folle, tre scadenze in una settimana.",
        "Spero che tua madre stia meglio.",
        "Perché quella l'hai lasciata lì?",
        "Qui ci sono 35 gradi e non riesco a pensare.",
        "Il medico dice che devo riposare gli occhi, quindi sarò breve.",
        "Non mi dispiace perdere con chi gioca così.",
        "Era tutto previsto. Scherzo.",
        "Sei lo stesso Pietro che ha vinto l'anno scorso?",
        "Scusa per l'errore di battitura nell'ultimo messaggio.",
        "Adesso può vincere chiunque.",
        "Sono curioso di vedere che cosa farai sulla sinistra.",
        "Ah, te l'aspettavi!",
        "Sinceramente pensavo che ormai mi avresti proposto la patta.",
        "Credo che nessuno mi abbia mai battuto così in fretta.",
        "Non vedo l'ora di vedere la tua risposta.",
        "La mossa l'ha trovata mia moglie, non io.",
        "Dimmi, a casa usi un tavoliere vero?",
        "Ad agosto vado in Spagna, magari giochiamo anche da lì.",
        "Peccato per la Nazionale, vero?",
        "Alla tua ultima mossa ci penserò a lungo.",
        "Ieri siamo rimasti senza luce per sei ore, con le candele.",
        "A proposito, il tuo ultimo messaggio mi ha fatto ridere.",
        "Finiamo questa e poi proviamo un altro gioco.",
        "Ok, adesso sono preoccupato.",
        "No, quel libro non l'ho ancora letto, ma è nella lista.",
        "Mi confondo sempre su quale sia il mio lato.",
        "Ecco, qui finisce il mio piano geniale.",
        "Hai tempo fino a venerdì per trovare di meglio :)",
        "Forse oggi dovevo restare a letto.",
        "Saluti da una Bologna piovosa!",
        "I bambini sono tornati a scuola, quindi ho di nuovo un po' di tempo.",
        "Ho cambiato idea tre volte prima di spedire.",
        "In ufficio mi hanno chiesto che cosa fossero queste strane coordinate sullo schermo.",
        "Se funziona ti devo una birra, se no me la devi tu.",
        "Grazie per avermi spiegato la regola l'altra volta, avevo capito tutto al contrario.",
        "Per il tempo sono tranquillo, non ti preoccupare per me.",
    ),
}
FAREWELL: Mapping[str, Sequence[str]] = {
    "en": (
        "Thanks for the game, you played very well.",
        "Well played! I had no chance after that capture.",
        "It is hopeless. Good game.",
    ),
    "it": (
        "Grazie della partita, hai giocato benissimo.",
        "Complimenti! Dopo quella presa non avevo più speranze.",
        "Non c'è più niente da fare. Bella partita.",
    ),
}
SAID = frozenset(
    line for table in (ABOVE, BELOW, FAREWELL) for lines in table.values() for line in lines
)  # what the opponent has to read, whatever is made of greetings
GREETINGS: Mapping[str, Sequence[str]] = {
    "en": ("Hi {}", "Hi {},", "Hello {},", "Dear {},"),
    "it": ("Ciao {}", "Ciao {},", "Caro {},", "Buongiorno {},"),
}
TO_US: Mapping[str, Sequence[str]] = {
    "en": ("Hello,", "Hi,", "Good morning,"),
    "it": ("Buongiorno,", "Salve,", "Ciao,"),
}
CLOSINGS: Mapping[str, Sequence[str]] = {
    "en": ("Cheers,", "Best wishes,", "Regards,", "All the best,"),
    "it": ("Ciao,", "Un saluto,", "A presto,", "Cordiali saluti,"),
}
NAMES: Mapping[str, Sequence[str]] = {
    "en": ("Emma Clarke", "Tom Whitfield", "Sarah Okafor", "Peter van Dijk", "Helen Murray", "Jack O'Neill"),
    "it": (
        "Marco Bianchi",
        "Giulia Ferri",
        "Paolo De Santis",
        "Chiara Lodi",
        "Andrea Rossetti",
        "Elena Conti",
    ),
}
TITLES: Mapping[str, Sequence[str]] = {
    "en": (
        "Head of Sales",
        "Senior Lecturer, Department of Physics",
        "Project manager",
        "GP, Hill Road Surgery",
    ),
    "it": ("Responsabile vendite", "Docente di Fisica", "Geometra", "Ufficio acquisti"),
}
PHONES: Mapping[str, Sequence[str]] = {
    "en": ("+44 20 7946 0991", "Mobile: 07700 900123", "Tel. 01632 960 001", "(555) 010-4477"),
    "it": ("+39 06 5550 1234", "Cell. 333 555 0142", "Tel. 02 5550 9876", "347 5550199"),
}
PHONE_LINE: Mapping[str, Sequence[str]] = {
    "en": ("Sent from my iPhone", "Sent from my phone, please excuse any typos"),
    "it": ("Inviato da iPhone", "Inviato dal mio telefono"),
}
NOTICE: Mapping[str, Sequence[str]] = {
    "en": (
        "This email and any attachments are confidential and intended solely for the addressee. If you have received"
        " it in error, please notify the sender immediately and delete it from your system.",
        "CONFIDENTIALITY NOTICE: the information contained in this message is privileged. Any use, copying or"
        " disclosure by anyone other than the intended recipient is prohibited.",
    ),
    "it": (
        "Le informazioni contenute in questa comunicazione e i relativi allegati sono riservate e destinate"
        " esclusivamente al destinatario. Se l'avete ricevuta per errore, siete pregati di darne notizia al mittente"
        " e di cancellarla.",
        "Ai sensi del Regolamento UE 2016/679 si precisa che questo messaggio è riservato: ne è vietata la diffusione"
        " a chi non ne sia il destinatario.",
    ),
}

# What stands below an email and is for nobody; a name is for the opponent, too.
UNSAID = frozenset(
    line for table in (TITLES, PHONES, PHONE_LINE, NOTICE) for lines in table.values() for line in lines
)


def signature(language: str, number: int, rng: Random) -> tuple[str, ...]:
    """The name that a player signs with is always the same; with a title and a telephone, or one of them, or none."""
    lines = [NAMES[language][number % len(NAMES[language])]]
    if rng.random() < 0.4:
        lines.append(TITLES[language][number % len(TITLES[language])])
    if rng.random() < 0.5:
        lines.append(PHONES[language][number % len(PHONES[language])])
    return tuple(lines)
