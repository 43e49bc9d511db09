// The German texts of bounces.ts.
import type { BouncesTexts } from '../bounces.js';
import type { Translated } from '../texts.js';

export const de: Translated<BouncesTexts> = {
  title: 'Bounces',
  about: 'Unzustellbare Nachrichten nach Ursache, mit Serverantworten und empfohlenen Maßnahmen.',
  subTenant: 'Mandant',
  category: 'Kategorie',
  cause: 'Ursache',
  causes: {
    recipient: 'Empfänger',
    sender: 'Absender',
    delivery: 'Zustellung',
  },
  causeHints: {
    recipient: 'Die Adresse nimmt keine E-Mails an. Dauerhafte Fehler werden automatisch gesperrt.',
    sender:
      'Der Empfangsserver hat Ihre E-Mails wegen Reputation, Authentifizierung, Inhalt oder Senderate abgelehnt. Das können Sie beheben.',
    delivery: 'Die Zustellung scheiterte am Netzwerk oder an TLS, oder die Nachricht lief ab.',
  },
  categories: {
    invalid_recipient: 'Postfach nicht gefunden',
    inactive_mailbox: 'inaktives Postfach',
    bad_domain: 'ungültige Domain',
    quota: 'Postfach voll',
    greylist: 'Greylisting',
    rate_limited: 'Ratenbegrenzung',
    spam_block: 'auf Blockliste',
    spam_content: 'Spam-Inhalt',
    auth_failed: 'Authentifizierung fehlgeschlagen',
    policy: 'durch Richtlinie abgelehnt',
    tls: 'TLS-Fehler',
    too_large: 'Nachricht zu groß',
    network: 'Netzwerkfehler',
    protocol: 'Protokollfehler',
    expired: 'abgelaufen',
    ambiguous: 'Ergebnis unbekannt',
    unknown: 'sonstige',
  },
  advice: {
    invalid_recipient: 'Prüfen Sie die Adresse mit dem Empfänger und korrigieren Sie sie in Ihren Daten.',
    inactive_mailbox: 'Entfernen Sie die Adresse aus Ihren Listen.',
    bad_domain: 'Prüfen Sie die Adresse auf Tippfehler. Möglicherweise ist auch die Domain abgelaufen.',
    quota: 'Kontaktieren Sie den Empfänger auf anderem Weg und bitten Sie ihn, Platz zu schaffen.',
    greylist:
      'Mailkeel hat es versucht, bis die Nachricht abgelaufen ist. Setzen Sie eine längere Lebensdauer.',
    rate_limited: 'Senden Sie langsamer an diesen Anbieter. Die Warteschlange zeigt die verlangten Limits.',
    spam_block:
      'Suchen Sie Ihre Sende-IP in der in der Antwort genannten Blockliste, beheben Sie die Ursache und beantragen Sie dann die Löschung.',
    spam_content:
      'Ändern Sie den beanstandeten Inhalt, etwa Links, Anhänge oder Wortlaut. Unverändertes Wiederholen schadet Ihrer Reputation.',
    auth_failed:
      'Prüfen Sie die DNS-Einträge des Absenders. SPF, DKIM und DMARC müssen gültig sein und zur From-Domain passen.',
    policy: 'Wenden Sie sich mit der Serverantwort und ihrer Uhrzeit an den Postmaster der Domain.',
    tls: 'Teilen Sie dem Postmaster der Domain mit, dass das TLS seines Servers nicht zur veröffentlichten Richtlinie passt.',
    too_large: 'Verlinken Sie große Dateien, statt sie anzuhängen.',
    network: 'Wenn auch andere Ziele scheitern, prüfen Sie unter „Hostzustand“ den ausgehenden Port 25.',
    protocol: 'Öffnen Sie die Nachricht, um das SMTP-Protokoll zu sehen.',
    expired:
      'Öffnen Sie die Nachricht, um das Ergebnis jedes Versuchs zu sehen. Eine längere Lebensdauer übersteht vorübergehende Störungen.',
    ambiguous:
      'Die Verbindung brach vor der Serverantwort ab. Fragen Sie den Empfänger, bevor Sie erneut senden.',
    unknown: 'Öffnen Sie die Nachricht, um das SMTP-Protokoll zu sehen.',
  },
  total: 'Bounces',
  ownTitle: 'Absenderbedingte Ablehnungen',
  ownAbout:
    'Ablehnungen wegen Reputation, Authentifizierung, Inhalt oder Senderate. Listenpflege hilft hier nicht. Beheben Sie jeweils die Ursache.',
  ownNone: 'Keine absenderbedingten Ablehnungen in diesem Zeitraum.',
  chart: 'Bounces nach Tag und Ursache',
  byCategory: 'Bounces nach Kategorie und Anbieter',
  provider: 'Anbieter',
  providerUnknown: 'unbekannt',
  count: 'Bounces',
  kind: 'Typ',
  list: 'Unzustellbare Nachrichten',
  recipient: 'Empfänger',
  reply: 'Serverantwort',
  when: 'Zeit',
  what: 'Empfohlene Maßnahme',
  behind: 'Die neuesten Ereignisse werden noch gezählt.',
  emptyTitle: 'Keine Bounces',
  empty: 'Alle Nachrichten dieses Zeitraums wurden zugestellt oder warten noch.',
  listEmptyTitle: 'Keine unzustellbaren Nachrichten',
};
