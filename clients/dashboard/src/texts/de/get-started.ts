// The German texts of get-started.ts.
import type { GetStartedTexts } from '../get-started.js';
import type { Translated } from '../texts.js';

export const de: Translated<GetStartedTexts> = {
  title: 'Erste Schritte',
  about: 'Von nichts zu Mail, die ankommt. Jeder Schritt wird daran geprüft, was wirklich da ist.',
  done: (done, all) => `${done} von ${all} erledigt`,
  isDone: 'erledigt',
  isOpen: 'zu tun',
  keys: {
    title: 'Ihre Schlüssel, nur jetzt gezeigt',
    hint: 'Bewahren Sie sie dort auf, wo Ihr Programm seine Geheimnisse hat. Der Testschlüssel läuft in der Sandbox, der Live-Schlüssel sendet echte Mail.',
    test: 'Testschlüssel',
    live: 'Live-Schlüssel',
    gone: 'Ich habe sie aufbewahrt',
  },
  send: {
    title: 'Eine Testnachricht senden',
    hint: 'Sie braucht keine Domain und erreicht niemanden. Senden Sie sie vom Terminal aus oder von hier.',
    button: 'Von hier senden',
    again: 'Noch eine senden',
    keyHint: 'Setzen Sie Ihren Testschlüssel für $MAILKEEL_API_KEY ein.',
    makeKey: 'Testschlüssel anlegen',
    waiting: 'Unterwegs…',
    arrived: 'Sie wurde zugestellt, in der Sandbox. Das ist der ganze Weg einer Nachricht.',
    subject: 'Gruß von Mailkeel',
    text: 'Es funktioniert.',
    open: 'Nachricht ansehen',
    route: 'Der Weg der Testnachricht',
  },
  organization: {
    title: 'Ihre Organisation benennen',
    hint: 'Empfänger sehen Name und Postanschrift auf öffentlichen Seiten und in Marketing-Mails.',
    action: 'Einstellungen',
  },
  domain: {
    title: 'Eine Absenderdomain hinzufügen',
    hint: 'Echte Mail wird mit ihrem DKIM-Schlüssel signiert. Sie veröffentlichen einige DNS-Einträge, die Appliance prüft sie.',
    action: 'Domain hinzufügen',
    done: (domain) => `${domain} ist bestätigt.`,
    pending: (domain) => `${domain} wartet auf die DNS-Einträge.`,
  },
  host: {
    title: 'Diesen Host benennen und prüfen',
    hint: 'Öffentlicher Name, Port 25, Reverse-DNS, Uhr und Platte entscheiden, ob echte Mail hinausgeht.',
    action: 'Prüfungen ansehen',
    good: 'Alles, was geprüft wurde, ist in Ordnung.',
    bad: (count) => (count === 1 ? 'Eine Prüfung schlägt fehl.' : `${count} Prüfungen schlagen fehl.`),
    unknown: 'Nicht alles ließ sich prüfen.',
    unnamed: (settings) =>
      `Der Server hat noch keinen öffentlichen Namen. Setzen Sie ${settings} in seiner Konfiguration, und starten Sie ihn neu, bevor Sie eine Domain hinzufügen: DNS-Einträge und Links enthalten den Namen.`,
    forOwners: 'Nur Administratoren und Inhaber sehen die Prüfungen des Hosts.',
  },
  key: {
    title: 'Einen Live-Schlüssel anlegen',
    hint: 'Für das Programm, das echte Mail senden wird.',
    action: 'API-Schlüssel',
    done: 'Es gibt einen Live-Schlüssel.',
  },
  webhook: {
    title: 'Erfahren, was aus Ihrer Mail wird',
    hint: 'Ein Webhook meldet Ihrem Programm jede Zustellung, jeden Bounce, jede Beschwerde und jede Antwort.',
    action: 'Webhook hinzufügen',
    done: 'Es gibt einen Webhook.',
  },
  customer: {
    title: 'Einen Kunden hinzufügen',
    hint: 'Senden Sie für andere? Jeder Mandant hat Domain, Schlüssel und Reputation für sich.',
    action: 'Mandanten hinzufügen',
    done: 'Es gibt einen Mandanten.',
    optional: 'freiwillig',
  },
};
