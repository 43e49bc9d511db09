// Texts of an action on everything that a filter finds.
import { catalogue } from './texts.js';

const en = {
  button: 'Act on all of these',
  title: 'Act on everything that these filters find',
  action: 'What to do',
  actions: {
    resend: 'Send again',
    cancel: 'Cancel what waits',
    suppress: 'Suppress the addresses',
    tag: 'Add tags',
    untag: 'Remove tags',
    delete: 'Delete',
  },
  tags: 'Tags, with commas between them',
  check: 'Count first',
  found: (count: string) => `${count} match now. The newest of them:`,
  foundAtLeast: (count: string) => `At least ${count} match now. The newest of them:`,
  nothing: 'Nothing matches these filters now.',
  start: (action: string, count: string) => `${action}: ${count}`,
  started: 'It runs in the background. The page of bulk actions shows how far it is.',
};

export const bulk = catalogue(en, () => import('./de/bulk.js').then(({ de }) => de));
export type BulkTexts = typeof en;
