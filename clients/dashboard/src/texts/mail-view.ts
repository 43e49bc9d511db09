// Texts around a shown mail.
import { catalogue } from './texts.js';

const en = {
  frame: 'HTML preview',
  width: 'Width',
  desktop: 'Desktop',
  phone: 'Phone',
  dark: 'Dark',
  images: 'Load remote images',
  imagesHint: 'Loading images may tell the sender that the email was opened.',
};

export const mailView = catalogue(en, () => import('./de/mail-view.js').then(({ de }) => de));
export type MailViewTexts = typeof en;
