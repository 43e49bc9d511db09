// Italian texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const IT: PageTexts = {
  errors: {
    tooMany: 'Troppe richieste. Riprova tra qualche minuto.',
    failed: 'Qualcosa non ha funzionato. Apri di nuovo il link.',
  },
  signUp: {
    title: 'Iscrizione',
    gone: 'Questa pagina non esiste o non è più disponibile. Il link di conferma potrebbe essere scaduto: iscriviti di nuovo.',
    badAddress: 'Inserisci un indirizzo valido.',
    address: 'Indirizzo e-mail',
    name: 'Nome (facoltativo)',
    trap: 'Lascia vuoto questo campo',
    submit: 'Iscriviti',
    consent:
      'Iscrivendoti accetti che i tuoi dati siano trattati come descritto nell’informativa sulla privacy.',
    privacy: 'Informativa sulla privacy',
    thanks: 'Grazie',
    mailed: (email: string): Html =>
      html`Se questo mittente può scrivere a <strong>${email}</strong>, un’e-mail è in arrivo. Apri il link
        che contiene per confermare.`,
    joined: (email: string): Html =>
      html`Se questo mittente può scrivere a <strong>${email}</strong>, riceverai la prossima e-mail di questa
        lista. Prima potresti ricevere un’e-mail con un link di conferma.`,
    failed: 'Qualcosa non ha funzionato.',
    goBack: 'Torna indietro e riprova.',
  },
  confirm: {
    title: 'Conferma',
    ask: (email: string): Html => html`Vuoi ricevere queste e-mail all’indirizzo <strong>${email}</strong>?`,
    yes: 'Sì, iscrivimi',
    ignore: 'Se non l’hai chiesto tu, chiudi questa pagina: non succederà nulla.',
    done: 'Iscrizione confermata',
    doneText: (list: string): string =>
      `Da ora riceverai le e-mail di «${list}». Ognuna contiene un link per annullare l’iscrizione.`,
  },
  confirmMail: {
    subject: (list: string): string => `Conferma la tua iscrizione: ${list}`,
    asked: (list: string, email: string): string =>
      `Abbiamo ricevuto una richiesta di iscrizione di ${email} a «${list}».`,
    open: 'Per confermare l’iscrizione, apri questa pagina:',
    ignore:
      'Se non hai fatto questa richiesta, ignora questa e-mail. Senza la tua conferma non verrai iscritto.',
  },
  unsubscribe: {
    title: 'Annulla l’iscrizione',
    gone: 'Questo link non è valido. Usalo esattamente come appare nel messaggio.',
    ask: (email: string): Html =>
      html`Non vuoi più ricevere e-mail da questo mittente all’indirizzo <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Annulla solo l’iscrizione a «${list}»`,
    all: 'Annulla l’iscrizione',
    fromEverything: 'Annulla tutte le iscrizioni',
    choose: 'Scegli cosa ricevere',
    done: 'Iscrizione annullata',
    doneText: 'Questo mittente non ti scriverà più.',
    left: (list: string): string => `Hai annullato l’iscrizione a «${list}»`,
    leftText: 'Non riceverai più nulla da questa lista.',
    chooseElse: 'Scegli cos’altro ricevere',
    sample:
      'Questo è il link di un’anteprima. Nel messaggio vero porta ogni destinatario a una pagina in cui annulla l’iscrizione alla lista o a tutte le e-mail.',
  },
  preferences: {
    title: 'Le tue e-mail',
    gone: 'Questo link non è valido. Usalo esattamente come appare nel messaggio.',
    saved: 'Salvato.',
    intro: (email: string): Html => html`Che cosa invia questo mittente a <strong>${email}</strong>.`,
    none: 'Non sei iscritto a nessuna delle sue liste.',
    save: 'Salva',
    pending: '(in attesa della tua conferma)',
    noMail: 'Nessuna e-mail',
    blocked: 'Questo mittente non scrive a questo indirizzo.',
    unsubscribed: 'Hai annullato l’iscrizione: questo mittente non ti scriverà.',
    again: 'Iscriviti di nuovo',
  },
  sender: {
    title: 'Conferma un mittente',
    ask: (email: string): Html => html`Autorizzi l’invio di e-mail a nome di <strong>${email}</strong>?`,
    confirm: 'Conferma',
    ignore: 'Se non sei d’accordo, chiudi questa pagina: non succederà nulla.',
    done: 'Mittente confermato',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> può ora essere usato come mittente. Puoi chiudere questa pagina.`,
    gone: 'Questo link non funziona',
    goneText: 'È già stato usato, è scaduto o è stato sostituito da uno più recente.',
  },
  forward: {
    title: 'Inoltro delle email',
    ask: (inbox: string, email: string): Html =>
      html`Inoltrare a <strong>${email}</strong> le email che arrivano a <strong>${inbox}</strong>?`,
    confirm: 'Inoltra',
    ignore: 'Se non è d’accordo, chiuda questa pagina. Non le verrà inoltrato nulla.',
    done: 'Inoltro confermato',
    doneText: (email: string): Html =>
      html`Le nuove email saranno inoltrate a <strong>${email}</strong>. Per interrompere l’inoltro in
        seguito, apra di nuovo il link dell’email di conferma.`,
    active: (inbox: string, email: string): Html =>
      html`Le email che arrivano a <strong>${inbox}</strong> vengono inoltrate a <strong>${email}</strong>.`,
    stop: 'Interrompi l’inoltro',
    stopped: 'Inoltro interrotto',
    stoppedText: (email: string): Html =>
      html`Nessuna email viene più inoltrata a <strong>${email}</strong>.`,
  },
  link: {
    title: 'Questo link non funziona',
    unknown: 'Non è valido, oppure il messaggio che lo conteneva non esiste più.',
    tooMany: 'Da qui sono stati provati troppi link. Riprova più tardi.',
    unavailable: 'Al momento questo link non può essere aperto. Riprova.',
  },
};
