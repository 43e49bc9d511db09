// The German texts of mail-view.ts.
import type { MailViewTexts } from '../mail-view.js';
import type { Translated } from '../texts.js';

export const de: Translated<MailViewTexts> = {
  frame: 'Die Mail als HTML',
  width: 'Breite',
  desktop: 'Schreibtisch',
  phone: 'Telefon',
  dark: 'Dunkel',
  images: 'Bilder von anderswo',
  imagesHint: 'Wer sie abruft, verrät ihrem Server, dass die Mail geöffnet wurde.',
};
