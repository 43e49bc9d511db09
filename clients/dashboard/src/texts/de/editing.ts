// The German texts of editing.ts.
import type { EditingTexts } from '../editing.js';
import type { Translated } from '../texts.js';

export const de: Translated<EditingTexts> = {
  unsaved: 'Es gibt ungespeicherte Änderungen',
  discard: 'Änderungen verwerfen',
  leaveTitle: 'Ohne Speichern verlassen?',
  leave: 'Ihre Änderungen sind nicht gespeichert. Wenn Sie die Seite verlassen, gehen sie verloren.',
  discardAndLeave: 'Verwerfen und verlassen',
  stay: 'Hier bleiben',
  code: (name) => `${name}, Quelltext`,
};
