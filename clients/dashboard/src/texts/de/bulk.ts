// The German texts of bulk.ts.
import type { BulkTexts } from '../bulk.js';
import type { Translated } from '../texts.js';

export const de: Translated<BulkTexts> = {
  button: 'Massenaktionen',
  title: 'Auf alle Treffer anwenden',
  action: 'Aktion',
  actions: {
    resend: 'Erneut senden',
    cancel: 'Wartende Nachrichten abbrechen',
    suppress: 'Adressen sperren',
    tag: 'Schlagwörter hinzufügen',
    untag: 'Schlagwörter entfernen',
    add_to_list: 'Zur Liste hinzufügen',
    remove_from_list: 'Aus der Liste entfernen',
    delete: 'Löschen',
  },
  tags: 'Schlagwörter (durch Kommas getrennt)',
  list: 'Liste',
  check: 'Treffer anzeigen',
  found: (count) => `Treffer: ${count}. Die neuesten:`,
  foundAtLeast: (count) => `Treffer: mindestens ${count}. Die neuesten:`,
  nothing: 'Keine Treffer für diese Filter.',
  start: (action, count) => `${action} (${count})`,
  started: 'Läuft im Hintergrund. Den Fortschritt sehen Sie unter Massenaktionen.',
};
