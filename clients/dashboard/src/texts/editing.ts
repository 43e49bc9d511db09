// Texts of editors: what is not saved, and code.
import { catalogue } from './texts.js';

const en = {
  unsaved: 'Changes are not saved yet',
  discard: 'Discard changes',
  leaveTitle: 'Leave without saving?',
  leave: 'What you changed here is not saved. Leaving the page discards it.',
  discardAndLeave: 'Discard and leave',
  stay: 'Stay here',
  code: (name: string) => `${name}, source`,
};

export const editing = catalogue(en, () => import('./de/editing.js').then(({ de }) => de));
export type EditingTexts = typeof en;
