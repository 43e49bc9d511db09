// Texts of editors: unsaved changes and code.
import { catalogue } from './texts.js';

const en = {
  unsaved: 'Unsaved changes',
  discard: 'Discard changes',
  leaveTitle: 'Leave without saving?',
  leave: 'Your unsaved changes will be lost.',
  discardAndLeave: 'Discard and leave',
  stay: 'Keep editing',
  code: (name: string) => `${name} source`,
};

export const editing = catalogue(en, () => import('./de/editing.js').then(({ de }) => de));
export type EditingTexts = typeof en;
