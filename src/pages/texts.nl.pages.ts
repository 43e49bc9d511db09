// Dutch texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const NL: PageTexts = {
  errors: {
    tooMany: 'Te veel verzoeken. Probeer het over een paar minuten opnieuw.',
    failed: 'Dat is niet gelukt. Open de link nog een keer.',
  },
  signUp: {
    title: 'Aanmelden',
    gone: 'Deze pagina bestaat niet (meer). Een bevestigingslink kan verlopen zijn: meld u opnieuw aan.',
    badAddress: 'Vul een geldig adres in.',
    address: 'E-mailadres',
    name: 'Naam (optioneel)',
    trap: 'Laat dit veld leeg',
    submit: 'Aanmelden',
    consent:
      'Door u aan te melden gaat u ermee akkoord dat uw gegevens worden verwerkt zoals beschreven in het privacybeleid.',
    privacy: 'Privacybeleid',
    thanks: 'Bedankt',
    mailed: (email: string): Html =>
      html`Als deze afzender naar <strong>${email}</strong> mag schrijven, is er een e-mail onderweg. Open de
        link daarin om te bevestigen.`,
    joined: (email: string): Html =>
      html`Als deze afzender naar <strong>${email}</strong> mag schrijven, ontvangt u de volgende e-mail van
        deze lijst. Mogelijk krijgt u eerst een e-mail met een bevestigingslink.`,
    failed: 'Dat is niet gelukt.',
    goBack: 'Ga terug en probeer het opnieuw.',
  },
  confirm: {
    title: 'Bevestigen',
    ask: (email: string): Html => html`Wilt u deze e-mails ontvangen op <strong>${email}</strong>?`,
    yes: 'Ja, meld mij aan',
    ignore: 'Hebt u hier niet om gevraagd? Sluit deze pagina: er gebeurt niets.',
    done: 'Uw aanmelding is bevestigd',
    doneText: (list: string): string =>
      `U ontvangt vanaf nu de e-mails van ‘${list}’. In elke e-mail staat een link om u af te melden.`,
  },
  confirmMail: {
    subject: (list: string): string => `Bevestig uw aanmelding: ${list}`,
    asked: (list: string, email: string): string =>
      `We hebben een verzoek ontvangen om ${email} aan te melden voor ‘${list}’.`,
    open: 'Open deze pagina om uw aanmelding te bevestigen:',
    ignore:
      'Hebt u dit niet aangevraagd? Negeer dan deze e-mail. Zonder uw bevestiging wordt u niet aangemeld.',
  },
  unsubscribe: {
    title: 'Afmelden',
    gone: 'Deze link is ongeldig. Gebruik hem precies zoals hij in het bericht staat.',
    ask: (email: string): Html =>
      html`Wilt u van deze afzender geen e-mails meer ontvangen op <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Alleen afmelden voor ‘${list}’`,
    all: 'Afmelden',
    fromEverything: 'Voor alles afmelden',
    choose: 'Kiezen wat u ontvangt',
    done: 'U bent afgemeld',
    doneText: 'Deze afzender schrijft u niet meer.',
    left: (list: string): string => `U bent afgemeld voor ‘${list}’`,
    leftText: 'U ontvangt niets meer van deze lijst.',
    chooseElse: 'Kiezen wat u nog meer ontvangt',
    sample:
      'Dit is de link van een voorbeeld. In het echte bericht brengt hij elke ontvanger naar een pagina om zich voor de lijst of voor alle e-mails af te melden.',
  },
  preferences: {
    title: 'Uw e-mails',
    gone: 'Deze link is ongeldig. Gebruik hem precies zoals hij in het bericht staat.',
    saved: 'Opgeslagen.',
    intro: (email: string): Html => html`Wat deze afzender naar <strong>${email}</strong> stuurt.`,
    none: 'U staat op geen van zijn lijsten.',
    save: 'Opslaan',
    pending: '(wacht op uw bevestiging)',
    noMail: 'Helemaal geen e-mails',
    blocked: 'Deze afzender schrijft niet naar dit adres.',
    unsubscribed: 'U bent afgemeld: deze afzender schrijft u niet.',
    again: 'Opnieuw aanmelden',
  },
  sender: {
    title: 'Afzender bevestigen',
    ask: (email: string): Html =>
      html`Mogen er e-mails worden verstuurd uit naam van <strong>${email}</strong>?`,
    confirm: 'Bevestigen',
    ignore: 'Gaat u niet akkoord? Sluit deze pagina: er gebeurt niets.',
    done: 'Afzender bevestigd',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> kan nu als afzender worden gebruikt. U kunt deze pagina sluiten.`,
    gone: 'Deze link werkt niet',
    goneText: 'Hij is al gebruikt, verlopen of vervangen door een nieuwere.',
  },
  forward: {
    title: 'E-mail doorsturen',
    ask: (inbox: string, email: string): Html =>
      html`E-mails aan <strong>${inbox}</strong> doorsturen naar <strong>${email}</strong>?`,
    confirm: 'Doorsturen',
    ignore: 'Sluit deze pagina als u het niet eens bent. Er wordt dan niets naar u doorgestuurd.',
    done: 'Doorsturen bevestigd',
    doneText: (email: string): Html =>
      html`Nieuwe e-mails worden doorgestuurd naar <strong>${email}</strong>. Open de link in de
        bevestigingsmail opnieuw om het doorsturen later te stoppen.`,
    active: (inbox: string, email: string): Html =>
      html`E-mails aan <strong>${inbox}</strong> worden doorgestuurd naar <strong>${email}</strong>.`,
    stop: 'Doorsturen stoppen',
    stopped: 'Doorsturen gestopt',
    stoppedText: (email: string): Html =>
      html`Er worden geen e-mails meer doorgestuurd naar <strong>${email}</strong>.`,
  },
  link: {
    title: 'Deze link werkt niet',
    unknown: 'Hij is ongeldig, of het bericht waarin hij stond bestaat niet meer.',
    tooMany: 'Er zijn hiervandaan te veel links geprobeerd. Probeer het later opnieuw.',
    unavailable: 'Deze link kan op dit moment niet worden geopend. Probeer het opnieuw.',
  },
};
