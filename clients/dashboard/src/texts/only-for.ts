// Texts of a page that a role may not see.
import { catalogue } from './texts.js';

const en = {
  title: 'You don’t have access to this page',
  admin: 'Only owners and admins can view this page. Ask one of them to change your role.',
  member: 'Viewers can’t see this page. Ask an owner or admin to change your role.',
};

export const onlyFor = catalogue(en, () => import('./de/only-for.js').then(({ de }) => de));
export type OnlyForTexts = typeof en;
