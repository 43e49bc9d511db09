// The German texts of only-for.ts.
import type { OnlyForTexts } from '../only-for.js';
import type { Translated } from '../texts.js';

export const de: Translated<OnlyForTexts> = {
  title: 'Ihre Rolle sieht das nicht',
  admin:
    'Diese Seite sehen Eigentümer und Admins der Organisation. Bitten Sie einen von ihnen um eine andere Rolle oder um das, was Sie wissen möchten.',
  member:
    'Diese Seite sehen Mitglieder, Admins und Eigentümer, Betrachter nicht. Bitten Sie einen Admin um eine andere Rolle.',
};
