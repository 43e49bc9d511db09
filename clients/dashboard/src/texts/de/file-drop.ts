// The German texts of file-drop.ts.
import type { FileDropTexts } from '../file-drop.js';
import type { Translated } from '../texts.js';

export const de: Translated<FileDropTexts> = {
  drop: 'Legen Sie eine Datei hier ab, oder wählen Sie eine.',
  choose: 'Datei wählen',
  another: 'Andere wählen',
};
