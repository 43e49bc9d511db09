// Texts of an action on everything that a filter finds.
import { catalogue } from './texts.js';

const en = {
  button: 'Bulk actions',
  title: 'Apply to all matches',
  action: 'Action',
  actions: {
    resend: 'Resend',
    cancel: 'Cancel queued messages',
    suppress: 'Suppress addresses',
    tag: 'Add tags',
    untag: 'Remove tags',
    add_to_list: 'Add to list',
    remove_from_list: 'Remove from list',
    delete: 'Delete',
  },
  tags: 'Tags (comma-separated)',
  list: 'List',
  check: 'Preview matches',
  found: (count: string) => `Matches: ${count}. Most recent:`,
  foundAtLeast: (count: string) => `Matches: at least ${count}. Most recent:`,
  nothing: 'No matches for these filters.',
  start: (action: string, count: string) => `${action} (${count})`,
  started: 'Running in the background. Follow the progress on the bulk actions page.',
};

export const bulk = catalogue(en, () => import('./de/bulk.js').then(({ de }) => de));
export type BulkTexts = typeof en;
