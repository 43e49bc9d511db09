// Texts of a place for a file.
import { catalogue } from './texts.js';

const en = {
  drop: 'Drop a file here or choose one.',
  choose: 'Choose file',
  another: 'Choose another file',
};

export const fileDrop = catalogue(en, () => import('./de/file-drop.js').then(({ de }) => de));
export type FileDropTexts = typeof en;
