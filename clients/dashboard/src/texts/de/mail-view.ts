// The German texts of mail-view.ts.
import type { MailViewTexts } from '../mail-view.js';
import type { Translated } from '../texts.js';

export const de: Translated<MailViewTexts> = {
  frame: 'HTML-Vorschau',
  width: 'Breite',
  desktop: 'Desktop',
  phone: 'Telefon',
  dark: 'Dunkel',
  images: 'Externe Bilder laden',
  imagesHint: 'Beim Laden der Bilder kann der Absender erkennen, dass die E-Mail geöffnet wurde.',
};
