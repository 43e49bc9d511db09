// The German texts of only-for.ts.
import type { OnlyForTexts } from '../only-for.js';
import type { Translated } from '../texts.js';

export const de: Translated<OnlyForTexts> = {
  title: 'Sie haben keinen Zugriff auf diese Seite',
  admin: 'Nur Inhaber und Administratoren können diese Seite sehen. Bitten Sie sie, Ihre Rolle zu ändern.',
  member:
    'Betrachter können diese Seite nicht sehen. Bitten Sie einen Inhaber oder Administrator, Ihre Rolle zu ändern.',
};
