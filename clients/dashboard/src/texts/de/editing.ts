// The German texts of editing.ts.
import type { EditingTexts } from '../editing.js';
import type { Translated } from '../texts.js';

export const de: Translated<EditingTexts> = {
  unsaved: 'Ungespeicherte Änderungen',
  discard: 'Änderungen verwerfen',
  leaveTitle: 'Ohne Speichern verlassen?',
  leave: 'Ihre ungespeicherten Änderungen gehen verloren.',
  discardAndLeave: 'Verwerfen und verlassen',
  stay: 'Weiter bearbeiten',
  code: (name) => `${name}-Quelltext`,
};
