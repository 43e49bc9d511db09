// The German texts of senders.ts.
import type { SendersTexts } from '../senders.js';
import type { Translated } from '../texts.js';

export const de: Translated<SendersTexts> = {
  title: 'Absender',
  about: 'Adressen und Domains, von denen Mail kommen darf.',
  newOne: 'Absender hinzufügen',
  back: 'Absender',
  search: 'Suche',
  searchHint: 'Adresse, Domain oder Name',
  sender: 'Absender',
  kind: 'Art',
  kinds: { address: 'Adresse', domain: 'Domain' },
  kindChoice: 'Wovon möchten Sie senden?',
  kindTitles: { domain: 'Eine Domain', address: 'Eine Adresse' },
  kindHints: {
    domain:
      'Jede Adresse der Domain darf senden. DNS-Einträge beweisen, dass sie Ihnen gehört, und signieren die Mail.',
    address: 'Ihr Inhaber erhält eine Mail mit einem Link und bestätigt sie.',
  },
  domain: 'Domain',
  domainExample: 'beispiel.de',
  email: 'Adresse',
  emailExample: 'hallo@beispiel.de',
  displayName: 'Name neben der Adresse',
  subTenant: 'Mandant',
  subTenantHint: 'Id eines Mandanten, oder external: und seine externe Id. Leer: der Workspace selbst.',
  isDefault: 'Standard',
  checked: 'Geprüft',
  emptyTitle: 'Noch keine Absender',
  empty:
    'Fügen Sie eine Domain hinzu, um von jeder ihrer Adressen zu senden, oder eine einzelne Adresse, die ihr Inhaber bestätigt.',
  add: 'Absender hinzufügen',
  makeDefault: 'Zum Standard machen',
  madeDefault: 'Nachrichten ohne From kommen jetzt von dieser Adresse.',
  resend: 'Link noch einmal senden',
  resent: 'Die Mail mit einem neuen Link ist unterwegs.',
  remove: 'Löschen',
  removed: 'Gelöscht.',
  removeTitle: (name) => `${name} löschen?`,
  removeDomain:
    'Ihre Schlüssel signieren nicht mehr, und keine Mail wird von ihr angenommen. Wartende Mail von ihr schlägt fehl. Adressen der Domain, die ihr Inhaber nicht bestätigt hat, müssen neu bestätigt werden. Freigabelinks öffnen nichts mehr.',
  removeAddress:
    'Von ihr wird keine Mail mehr angenommen, außer ihre Domain ist ein bestätigter Absender. Wartende Mail von ihr schlägt fehl.',
  removeDefault: 'Sie ist der Standard: Nachrichten ohne From werden dann abgelehnt.',
  facts: 'Angaben',
  id: 'Id',
  verifiedAt: 'Bestätigt',
  confirmUntil: 'Link gilt bis',
  state: {
    verified: 'Bestätigt: Mail darf davon gesendet werden.',
    pendingDomain:
      'Nicht bestätigt: Veröffentlichen Sie den erforderlichen Eintrag, dann prüfen Sie. Bis dahin wird Mail davon abgelehnt.',
    pendingAddress:
      'Nicht bestätigt: Der Inhaber ist dem Link noch nicht gefolgt. Bis dahin wird Mail davon abgelehnt.',
    failedDomain:
      'Nicht bestätigt: Die Einträge waren nicht rechtzeitig da. Veröffentlichen Sie sie, dann prüfen Sie.',
    failedAddress: 'Nicht rechtzeitig bestätigt. Senden Sie den Link noch einmal.',
    suspended:
      'Ausgesetzt: Das DNS zeigt den Schlüssel nicht, der signiert, oder ein anderer Workspace hat die Domain seither bewiesen. Die Mail wartet.',
  },
  instead: 'Stattdessen die ganze Domain',
  addressAbout: 'Eine Adresse hat keine eigenen DNS-Einträge: Die ihrer Domain signieren ihre Mail.',
  useDomain:
    'Eine bestätigte Domain ist der bessere Absender: Die Signatur passt zum From, und jede ihrer Adressen darf senden.',
  whole: 'Die ganze Domain hinzufügen',
};
