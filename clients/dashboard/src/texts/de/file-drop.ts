// The German texts of file-drop.ts.
import type { FileDropTexts } from '../file-drop.js';
import type { Translated } from '../texts.js';

export const de: Translated<FileDropTexts> = {
  drop: 'Datei hier ablegen oder auswählen.',
  choose: 'Datei auswählen',
  another: 'Andere Datei auswählen',
};
