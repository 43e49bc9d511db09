// Texts of a page that a role may not see.
import { catalogue } from './texts.js';

const en = {
  title: 'Your role does not see this',
  admin:
    'Owners and admins of the organization see this page. Ask one of them for another role, or for what you need to know.',
  member: 'Members, admins and owners see this page; viewers do not. Ask an admin for another role.',
};

export const onlyFor = catalogue(en, () => import('./de/only-for.js').then(({ de }) => de));
export type OnlyForTexts = typeof en;
