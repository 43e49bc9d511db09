// The German texts of bounces.ts.
import type { BouncesTexts } from '../bounces.js';
import type { Translated } from '../texts.js';

export const de: Translated<BouncesTexts> = {
  title: 'Bounces',
  about: 'Mail, die nicht zugestellt wird: was die Server sagten, woran es liegt, und was hilft.',
  subTenant: 'Id eines Mandanten',
  category: 'Kategorie',
  cause: 'Ursache',
  causes: {
    recipient: 'Die Adresse',
    sender: 'Wir werden abgelehnt',
    delivery: 'Der Weg',
  },
  causeHints: {
    recipient: 'Die Adresse nimmt keine Mail. Wo das endgültig ist, wurde sie gesperrt.',
    sender: 'Empfänger lehnen uns ab: Ruf, Authentifizierung, Inhalt oder Tempo. Das liegt an uns.',
    delivery: 'Der Weg versagte: Netz, TLS, oder die Zeit lief ab.',
  },
  categories: {
    invalid_recipient: 'kein solches Postfach',
    inactive_mailbox: 'Postfach nicht in Gebrauch',
    bad_domain: 'keine solche Domain',
    quota: 'Postfach ist voll',
    greylist: 'Greylisting',
    rate_limited: 'zu schnell',
    spam_block: 'auf einer Blockliste',
    spam_content: 'Inhalt wirkt wie Spam',
    auth_failed: 'SPF, DKIM oder DMARC',
    policy: 'aus Prinzip abgelehnt',
    tls: 'TLS',
    too_large: 'zu groß',
    network: 'Netz',
    protocol: 'Protokoll',
    expired: 'Zeit abgelaufen',
    ambiguous: 'vielleicht angekommen',
    unknown: 'unklar',
  },
  advice: {
    invalid_recipient: 'Prüfen Sie die Adresse mit ihrem Inhaber, und berichtigen Sie sie bei sich.',
    inactive_mailbox: 'Nehmen Sie die Adresse von Ihren Listen.',
    bad_domain: 'Ein Tippfehler in der Adresse, oder eine nicht verlängerte Domain.',
    quota: 'Erreichen Sie den Empfänger anders, und bitten Sie um Platz.',
    greylist: 'Nichts zu tun: Es wurde versucht, bis die Zeit ablief. Eine längere Frist hilft.',
    rate_limited:
      'Senden Sie diesem Anbieter weniger auf einmal. Die Warteschlange zeigt die Grenzen aus seinen Antworten.',
    spam_block:
      'Suchen Sie die Sendeadresse in der genannten Liste, beheben Sie die Ursache, dann bitten Sie um Streichung.',
    spam_content:
      'Ändern Sie, was die Antwort beanstandet: Links, Anhänge, Wortlaut. Wiederholen macht es schlimmer.',
    auth_failed:
      'Prüfen Sie die DNS-Einträge des Absenders: SPF, DKIM und DMARC müssen stimmen und zusammenpassen.',
    policy: 'Fragen Sie den Postmaster der Domain, mit Antwort und Uhrzeit.',
    tls: 'Sagen Sie es dem Postmaster der Domain: Sein TLS passt nicht zur veröffentlichten Richtlinie.',
    too_large: 'Verlinken Sie große Dateien, statt sie anzuhängen.',
    network: 'Scheitern auch andere Ziele, sehen Sie beim Zustand des Hosts nach: ausgehender Port 25.',
    protocol: 'Öffnen Sie die Nachricht: Die Versuche zeigen das Gespräch.',
    expired:
      'Öffnen Sie die Nachricht: Sie sagt, was jeder Versuch antraf. Eine längere Frist übersteht längere Ausfälle.',
    ambiguous:
      'Die Verbindung brach vor der Antwort ab. Fragen Sie den Empfänger, bevor Sie noch einmal senden.',
    unknown: 'Öffnen Sie die Nachricht: Die Versuche zeigen das Gespräch.',
  },
  total: 'Bounces',
  ownTitle: 'Ablehnungen unsertwegen',
  ownAbout:
    'Sie gelten uns und nicht der Adresse. Listen zu säubern hilft nicht: Jede hat eine Ursache, die zu beheben ist.',
  ownNone: 'In dieser Zeit hat uns niemand abgelehnt.',
  chart: 'Bounces nach Tag und Ursache',
  byCategory: 'Nach Kategorie und Anbieter',
  provider: 'Anbieter',
  providerUnknown: 'unbekannt',
  count: 'Bounces',
  kind: 'Art',
  list: 'Was die Server sagten',
  recipient: 'Empfänger',
  reply: 'Antwort',
  when: 'Wann',
  what: 'Was hilft',
  behind: 'Einige Ereignisse sind noch nicht gezählt; die Zahlen folgen.',
  emptyTitle: 'Keine Bounces',
  empty: 'Jede Nachricht dieser Zeit wurde zugestellt oder wartet noch.',
  listEmptyTitle: 'Keine unzustellbaren Nachrichten',
};
