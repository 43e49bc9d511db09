// Texts around a shown mail.
import { catalogue } from './texts.js';

const en = {
  frame: 'The mail as html',
  width: 'Width',
  desktop: 'Desktop',
  phone: 'Phone',
  dark: 'Dark',
  images: 'Images from elsewhere',
  imagesHint: 'Asking for them tells their server that the mail was opened.',
};

export const mailView = catalogue(en, () => import('./de/mail-view.js').then(({ de }) => de));
export type MailViewTexts = typeof en;
