// The German texts of senders.ts.
import type { SendersTexts } from '../senders.js';
import type { Translated } from '../texts.js';

export const de: Translated<SendersTexts> = {
  title: 'Absender',
  about: 'Adressen und Domains, von denen Sie senden können.',
  newOne: 'Absender hinzufügen',
  back: 'Absender',
  search: 'Suche',
  searchHint: 'Adresse, Domain oder Name',
  sender: 'Absender',
  kind: 'Typ',
  kinds: { address: 'Adresse', domain: 'Domain' },
  kindChoice: 'Wovon möchten Sie senden?',
  kindTitles: { domain: 'Domain', address: 'Einzelne Adresse' },
  kindHints: {
    domain:
      'Senden Sie von jeder Adresse der Domain. Verifiziert über DNS-Einträge, die auch Ihre E-Mails signieren.',
    address: 'Der Inhaber bestätigt die Adresse über einen per E-Mail gesendeten Link.',
  },
  domain: 'Domain',
  domainExample: 'example.com',
  email: 'Adresse',
  emailExample: 'hallo@example.com',
  displayName: 'Anzeigename',
  subTenant: 'Mandant',
  subTenantHint: 'Leer lassen für den Workspace.',
  isDefault: 'Standard',
  checked: 'Geprüft',
  emptyTitle: 'Noch keine Absender',
  empty:
    'Fügen Sie eine Domain hinzu, um von allen ihren Adressen zu senden, oder eine einzelne Adresse, die ihr Inhaber bestätigt.',
  add: 'Absender hinzufügen',
  makeDefault: 'Als Standard festlegen',
  madeDefault: 'Standardabsender aktualisiert. Nachrichten ohne From-Adresse verwenden diesen Absender.',
  resend: 'Bestätigung erneut senden',
  resent: 'Bestätigungs-E-Mail gesendet.',
  remove: 'Löschen',
  removed: 'Absender gelöscht.',
  removeTitle: (name) => `${name} löschen?`,
  removeDomain:
    'Mailkeel signiert und akzeptiert keine E-Mails dieser Domain mehr. Wartende Nachrichten schlagen fehl. Adressen der Domain, die ihr Inhaber nicht bestätigt hat, müssen erneut verifiziert werden. Freigabelinks funktionieren nicht mehr.',
  removeAddress:
    'Mailkeel akzeptiert keine E-Mails dieser Adresse mehr, es sei denn, ihre Domain ist ein verifizierter Absender. Wartende Nachrichten schlagen fehl.',
  removeDefault: 'Dies ist der Standardabsender. Ohne ihn werden Nachrichten ohne From-Adresse abgelehnt.',
  facts: 'Details',
  id: 'ID',
  verifiedAt: 'Verifiziert',
  confirmUntil: 'Link läuft ab',
  state: {
    verified: 'Verifiziert. Sie können von diesem Absender senden.',
    pendingDomain:
      'Nicht verifiziert. Veröffentlichen Sie den erforderlichen Eintrag und prüfen Sie dann. Bis dahin werden Nachrichten von dieser Domain abgelehnt.',
    pendingAddress:
      'Nicht bestätigt. Nachrichten von dieser Adresse werden abgelehnt, bis der Inhaber den Link öffnet.',
    failedDomain:
      'Verifizierung fehlgeschlagen: Die DNS-Einträge wurden nicht rechtzeitig gefunden. Veröffentlichen Sie sie und prüfen Sie erneut.',
    failedAddress: 'Die Adresse wurde nicht rechtzeitig bestätigt. Senden Sie die Bestätigung erneut.',
    suspended:
      'Gesperrt. Der DKIM-Eintrag fehlt im DNS, oder ein anderer Workspace hat die Domain inzwischen verifiziert. Nachrichten sind zurückgestellt.',
  },
  instead: 'Stattdessen die Domain verifizieren',
  addressAbout:
    'Eine einzelne Adresse hat keine eigenen DNS-Einträge. Zum Signieren werden die Einträge ihrer Domain verwendet.',
  useDomain:
    'Mit einer verifizierten Domain passen die Signaturen zur From-Adresse, und Sie können von jeder Adresse der Domain senden.',
  whole: 'Domain hinzufügen',
};
