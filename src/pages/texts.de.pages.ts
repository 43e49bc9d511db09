// German texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const DE: PageTexts = {
  errors: {
    tooMany: 'Zu viele Anfragen. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    failed: 'Das hat nicht geklappt. Bitte öffnen Sie den Link noch einmal.',
  },
  signUp: {
    title: 'Anmelden',
    gone: 'Diese Seite gibt es nicht, oder Ihr Bestätigungslink ist abgelaufen. Bitte melden Sie sich erneut an.',
    badAddress: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
    address: 'E-Mail-Adresse',
    name: 'Name (freiwillig)',
    trap: 'Bitte leer lassen',
    submit: 'Anmelden',
    consent: 'Mit der Anmeldung stimmen Sie der Verarbeitung Ihrer Daten gemäß der Datenschutzerklärung zu.',
    privacy: 'Datenschutzerklärung',
    thanks: 'Vielen Dank',
    mailed: (email: string): Html =>
      html`Wir haben eine E-Mail an <strong>${email}</strong> gesendet, sofern diese Adresse E-Mails dieses
        Absenders erhalten kann. Bitte bestätigen Sie Ihre Anmeldung mit dem Link in der E-Mail.`,
    joined: (email: string): Html =>
      html`Sie sind mit <strong>${email}</strong> angemeldet, sofern diese Adresse E-Mails dieses Absenders
        erhalten kann. Eventuell müssen Sie die Anmeldung noch per E-Mail bestätigen.`,
    failed: 'Das hat nicht geklappt.',
    goBack: 'Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
  },
  confirm: {
    title: 'Anmeldung bestätigen',
    ask: (email: string): Html => html`Bestätigen Sie die Anmeldung von <strong>${email}</strong>.`,
    yes: 'Anmeldung bestätigen',
    ignore:
      'Falls Sie sich nicht angemeldet haben, schließen Sie diese Seite. Sie werden dann nicht eingetragen.',
    done: 'Anmeldung bestätigt',
    doneText: (list: string): string =>
      `Sie erhalten ab jetzt E-Mails von „${list}“. Über den Link in jeder E-Mail können Sie sich jederzeit abmelden.`,
  },
  confirmMail: {
    subject: (list: string): string => `Bitte bestätigen Sie Ihre Anmeldung: ${list}`,
    asked: (list: string, email: string): string =>
      `Wir haben eine Anmeldung von ${email} für „${list}“ erhalten.`,
    open: 'Öffnen Sie diese Seite, um Ihre Anmeldung zu bestätigen:',
    ignore:
      'Falls Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne Ihre Bestätigung werden Sie nicht eingetragen.',
  },
  unsubscribe: {
    title: 'Abmelden',
    gone: 'Dieser Link ist ungültig. Bitte öffnen Sie den vollständigen Link aus der E-Mail.',
    ask: (email: string): Html =>
      html`Möchten Sie <strong>${email}</strong> von den E-Mails dieses Absenders abmelden?`,
    leaveList: (list: string): string => `Nur „${list}“ abbestellen`,
    all: 'Abmelden',
    fromEverything: 'Von allem abmelden',
    choose: 'Einstellungen verwalten',
    done: 'Sie sind abgemeldet',
    doneText: 'Sie erhalten keine E-Mails mehr von diesem Absender.',
    left: (list: string): string => `Sie haben „${list}“ abbestellt`,
    leftText: 'Sie erhalten keine E-Mails mehr von dieser Liste.',
    chooseElse: 'Weitere Einstellungen verwalten',
    sample:
      'Dies ist ein Vorschaulink. In der gesendeten E-Mail öffnet er eine Seite, auf der die Empfänger die Liste oder alle E-Mails abbestellen können.',
  },
  preferences: {
    title: 'E-Mail-Einstellungen',
    gone: 'Dieser Link ist ungültig. Bitte öffnen Sie den vollständigen Link aus der E-Mail.',
    saved: 'Gespeichert.',
    intro: (email: string): Html =>
      html`Wählen Sie, welche E-Mails dieser Absender an <strong>${email}</strong> sendet.`,
    none: 'Sie sind auf keiner Liste angemeldet.',
    save: 'Speichern',
    pending: '(wartet auf Ihre Bestätigung)',
    noMail: 'Von allen E-Mails abmelden',
    blocked: 'Diese Adresse erhält keine E-Mails von diesem Absender.',
    unsubscribed: 'Sie sind von allen E-Mails dieses Absenders abgemeldet.',
    again: 'Wieder anmelden',
  },
  sender: {
    title: 'Absender bestätigen',
    ask: (email: string): Html =>
      html`Dürfen E-Mails im Namen von <strong>${email}</strong> gesendet werden?`,
    confirm: 'Bestätigen',
    ignore:
      'Falls Sie nicht einverstanden sind, schließen Sie diese Seite. Die Adresse wird dann nicht verwendet.',
    done: 'Absender bestätigt',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> kann jetzt als Absender verwendet werden. Sie können diese Seite
        schließen.`,
    gone: 'Dieser Link ist nicht mehr gültig',
    goneText: 'Der Link wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt.',
  },
  forward: {
    title: 'Weiterleitung',
    ask: (inbox: string, email: string): Html =>
      html`Sollen E-Mails an <strong>${inbox}</strong> an <strong>${email}</strong> weitergeleitet werden?`,
    confirm: 'Weiterleiten',
    ignore:
      'Falls Sie nicht einverstanden sind, schließen Sie diese Seite. Dann wird nichts an Sie weitergeleitet.',
    done: 'Weiterleitung bestätigt',
    doneText: (email: string): Html =>
      html`Neue E-Mails werden an <strong>${email}</strong> weitergeleitet. Um die Weiterleitung später zu
        beenden, öffnen Sie den Link in der Bestätigungsmail erneut.`,
    active: (inbox: string, email: string): Html =>
      html`E-Mails an <strong>${inbox}</strong> werden an <strong>${email}</strong> weitergeleitet.`,
    stop: 'Weiterleitung beenden',
    stopped: 'Weiterleitung beendet',
    stoppedText: (email: string): Html =>
      html`An <strong>${email}</strong> werden keine E-Mails mehr weitergeleitet.`,
  },
  link: {
    title: 'Dieser Link funktioniert nicht',
    unknown: 'Der Link ist ungültig, oder die zugehörige E-Mail wurde gelöscht.',
    tooMany:
      'Aus Ihrem Netz wurden zu viele ungültige Links geöffnet. Bitte versuchen Sie es später noch einmal.',
    unavailable: 'Dieser Link ist vorübergehend nicht verfügbar. Bitte versuchen Sie es noch einmal.',
  },
};
