// The German texts of get-started.ts.
import type { GetStartedTexts } from '../get-started.js';
import type { Translated } from '../texts.js';

export const de: Translated<GetStartedTexts> = {
  title: 'Erste Schritte',
  about: 'Richten Sie den Versand Schritt für Schritt ein. Ihr Fortschritt wird automatisch erkannt.',
  done: (done, all) => `${done} von ${all} erledigt`,
  isDone: 'erledigt',
  isOpen: 'zu tun',
  keys: {
    title: 'API-Schlüssel speichern',
    hint: 'Bewahren Sie diese Schlüssel sicher auf. Sie werden nicht noch einmal angezeigt. Der Testschlüssel gilt in der Sandbox, der Live-Schlüssel sendet echte E-Mails.',
    test: 'Testschlüssel',
    live: 'Live-Schlüssel',
    gone: 'Schlüssel gespeichert',
  },
  send: {
    title: 'Testnachricht senden',
    hint: 'Nur Sandbox: keine Domain nötig, nichts wird zugestellt. Senden Sie vom Terminal oder von dieser Seite.',
    button: 'Testnachricht senden',
    again: 'Weitere senden',
    keyHint: 'Ersetzen Sie $MAILKEEL_API_KEY durch Ihren Testschlüssel.',
    makeKey: 'Testschlüssel erstellen',
    waiting: 'Wird gesendet …',
    arrived: 'In der Sandbox zugestellt.',
    subject: 'Hallo von Mailkeel',
    text: 'Es funktioniert.',
    open: 'Nachricht anzeigen',
    route: 'Fortschritt der Testnachricht',
  },
  organization: {
    title: 'Organisation einrichten',
    hint: 'Name und Postanschrift erscheinen auf öffentlichen Seiten und in Marketing-E-Mails.',
    action: 'Einstellungen öffnen',
  },
  domain: {
    title: 'Absenderdomain hinzufügen',
    hint: 'Veröffentlichen Sie einige DNS-Einträge, damit Mailkeel echte E-Mails mit DKIM signieren kann. Mailkeel prüft die Einträge für Sie.',
    action: 'Domain hinzufügen',
    done: (domain) => `${domain} ist verifiziert.`,
    pending: (domain) => `${domain} wartet auf DNS-Einträge.`,
  },
  host: {
    title: 'Host prüfen',
    hint: 'Für die echte Zustellung braucht der Host einen öffentlichen Namen, ausgehend Port 25, Reverse-DNS, eine richtig gehende Uhr und freien Speicherplatz.',
    action: 'Prüfungen anzeigen',
    good: 'Alle Prüfungen bestanden.',
    bad: (count) => (count === 1 ? '1 Prüfung fehlgeschlagen.' : `${count} Prüfungen fehlgeschlagen.`),
    unknown: 'Einige Prüfungen konnten nicht abgeschlossen werden.',
    unnamed: (settings) =>
      `Der Server hat noch keinen öffentlichen Namen. DNS-Einträge und Links enthalten diesen Namen. Setzen Sie ${settings} in der Serverkonfiguration und starten Sie neu, bevor Sie eine Domain hinzufügen.`,
    forOwners: 'Nur Inhaber und Administratoren können die Host-Prüfungen sehen.',
  },
  key: {
    title: 'Live-API-Schlüssel erstellen',
    hint: 'Für die Anwendung, die echte E-Mails sendet.',
    action: 'API-Schlüssel anzeigen',
    done: 'Live-API-Schlüssel erstellt.',
  },
  webhook: {
    title: 'Über Zustellungen und Bounces informiert werden',
    hint: 'Mailkeel meldet jede Zustellung, jeden Bounce, jede Beschwerde und jede Antwort an Ihren Webhook-Endpunkt.',
    action: 'Endpunkt hinzufügen',
    done: 'Webhook-Endpunkt hinzugefügt.',
  },
  customer: {
    title: 'Mandanten hinzufügen',
    hint: 'Wenn Sie im Auftrag von Kunden senden, geben Sie jedem eine eigene Domain, eigene API-Schlüssel und eine eigene Reputation.',
    action: 'Mandanten hinzufügen',
    done: 'Mandant hinzugefügt.',
  },
};
