// German texts of the pages for recipients.
import { html, type Html } from '../lib/http/html.js';
import type { PageTexts } from './texts.en.pages.js';

export const DE: PageTexts = {
  errors: {
    tooMany: 'Zu viele Anfragen. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    failed: 'Das hat nicht geklappt. Bitte öffnen Sie den Link noch einmal.',
  },
  signUp: {
    title: 'Anmelden',
    gone: 'Diese Seite gibt es nicht (mehr). Ein Bestätigungslink kann abgelaufen sein: Bitte melden Sie sich noch einmal an.',
    badAddress: 'Bitte geben Sie eine gültige Adresse ein.',
    address: 'E-Mail-Adresse',
    name: 'Name (freiwillig)',
    trap: 'Bitte leer lassen',
    submit: 'Anmelden',
    consent:
      'Mit der Anmeldung stimmen Sie zu, dass Ihre Daten so verarbeitet werden, wie es die Datenschutzerklärung beschreibt.',
    privacy: 'Datenschutzerklärung',
    thanks: 'Vielen Dank',
    mailed: (email: string): Html =>
      html`Wenn dieser Absender an <strong>${email}</strong> schreiben darf, ist eine E-Mail unterwegs. Bitte
        bestätigen Sie die Anmeldung mit dem Link darin.`,
    joined: (email: string): Html =>
      html`Wenn dieser Absender an <strong>${email}</strong> schreiben darf, erhalten Sie die nächste E-Mail
        dieser Liste. Eventuell bekommen Sie vorher eine E-Mail mit einem Bestätigungslink.`,
    failed: 'Das hat nicht geklappt.',
    goBack: 'Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
  },
  confirm: {
    title: 'Bestätigen',
    ask: (email: string): Html => html`Sollen diese E-Mails an <strong>${email}</strong> gesendet werden?`,
    yes: 'Ja, anmelden',
    ignore: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite: Es geschieht nichts.',
    done: 'Sie stehen auf der Liste',
    doneText: (list: string): string =>
      `Sie erhalten ab jetzt die E-Mails von „${list}“. In jeder steht ein Link zum Abmelden.`,
  },
  confirmMail: {
    subject: (list: string): string => `Bitte bestätigen: ${list}`,
    asked: (list: string, email: string): string =>
      `Jemand, vermutlich Sie, hat darum gebeten, die E-Mails von „${list}“ an ${email} zu senden.`,
    open: 'Wenn Sie das waren, öffnen Sie diese Seite, und bestätigen Sie:',
    ignore: 'Wenn nicht, tun Sie nichts: Ohne Ihre Bestätigung wird nichts gesendet.',
  },
  unsubscribe: {
    title: 'Abmelden',
    gone: 'Dieser Link ist nicht gültig. Bitte verwenden Sie ihn genau so, wie er in der Nachricht steht.',
    ask: (email: string): Html => html`Keine E-Mails dieses Absenders mehr an <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Nur „${list}“ abbestellen`,
    all: 'Abmelden',
    fromEverything: 'Von allem abmelden',
    choose: 'Auswählen, was Sie erhalten',
    done: 'Sie sind abgemeldet',
    doneText: 'Dieser Absender wird Ihnen nicht mehr schreiben.',
    left: (list: string): string => `Sie haben „${list}“ abbestellt`,
    leftText: 'Von dieser Liste wird Ihnen nichts mehr gesendet.',
    chooseElse: 'Auswählen, was Sie sonst erhalten',
    sample:
      'Das ist der Link einer Vorschau. In der Nachricht selbst führt er jeden Empfänger zu einer Seite, auf der er die Liste oder alle E-Mails abbestellt.',
  },
  preferences: {
    title: 'Ihre E-Mails',
    gone: 'Dieser Link ist nicht gültig. Bitte verwenden Sie ihn genau so, wie er in der Nachricht steht.',
    saved: 'Gespeichert.',
    intro: (email: string): Html => html`Was dieser Absender an <strong>${email}</strong> sendet.`,
    none: 'Sie stehen auf keiner seiner Listen.',
    save: 'Speichern',
    pending: '(wartet auf Ihre Bestätigung)',
    noMail: 'Gar keine E-Mails',
    blocked: 'Dieser Absender schreibt nicht an diese Adresse.',
    unsubscribed: 'Sie sind abgemeldet: Dieser Absender wird Ihnen nicht schreiben.',
    again: 'Wieder anmelden',
  },
  sender: {
    title: 'Absender bestätigen',
    ask: (email: string): Html =>
      html`Dürfen E-Mails im Namen von <strong>${email}</strong> gesendet werden?`,
    confirm: 'Bestätigen',
    ignore: 'Wenn Sie nicht einverstanden sind, schließen Sie diese Seite: Es geschieht nichts.',
    done: 'Absender bestätigt',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> kann jetzt als Absender verwendet werden. Sie können diese Seite
        schließen.`,
    gone: 'Dieser Link funktioniert nicht',
    goneText: 'Er wurde schon benutzt, ist abgelaufen oder wurde durch einen neueren ersetzt.',
  },
  link: {
    title: 'Dieser Link funktioniert nicht',
    unknown: 'Er ist nicht gültig, oder die Nachricht, in der er stand, gibt es nicht mehr.',
    tooMany: 'Von hier aus wurden zu viele Links versucht. Bitte versuchen Sie es später noch einmal.',
    unavailable: 'Diesem Link kann gerade nicht gefolgt werden. Bitte versuchen Sie es noch einmal.',
  },
};
