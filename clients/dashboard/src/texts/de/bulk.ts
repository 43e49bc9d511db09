// The German texts of bulk.ts.
import type { BulkTexts } from '../bulk.js';
import type { Translated } from '../texts.js';

export const de: Translated<BulkTexts> = {
  button: 'Auf alle anwenden',
  title: 'Auf alles anwenden, was diese Filter finden',
  action: 'Was geschehen soll',
  actions: {
    resend: 'Erneut senden',
    cancel: 'Wartende abbrechen',
    suppress: 'Adressen sperren',
    tag: 'Schlagworte hinzufügen',
    untag: 'Schlagworte entfernen',
    delete: 'Löschen',
  },
  tags: 'Schlagworte, durch Kommas getrennt',
  check: 'Erst zählen',
  found: (count) => `${count} passen jetzt. Die neuesten davon:`,
  foundAtLeast: (count) => `Mindestens ${count} passen jetzt. Die neuesten davon:`,
  nothing: 'Zurzeit passt nichts auf diese Filter.',
  start: (action, count) => `${action}: ${count}`,
  started: 'Es läuft im Hintergrund. Die Seite der Sammelaktionen zeigt, wie weit es ist.',
};
