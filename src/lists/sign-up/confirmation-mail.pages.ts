// The confirmation mail of a sign-up, in the language and with the name and color of its sender.
import { html } from '../../lib/http/index.js';
import { PAGE_TEXTS } from '../../pages/page-texts.pages.js';
import type { WriteConfirmation } from './sign-up.js';

const LINK_COLOR = '#3538cd';

export const writeConfirmation: WriteConfirmation = ({ listName, email, link }, branding) => {
  const { name, color, language } = branding;
  const texts = PAGE_TEXTS[language].confirmMail;
  const asked = texts.asked(listName, email);
  const signature = name === null ? [] : ['-- ', name, ''];
  return {
    subject: texts.subject(listName),
    text: [asked, '', texts.open, link, '', texts.ignore, '', ...signature].join('\n'),
    html: html`<div dir="auto" style="font-family:sans-serif;max-width:32em;margin:0 auto;padding:16px">
      ${name === null ? html`` : html`<p><strong>${name}</strong></p>`}
      <p>${asked}</p>
      <p>${texts.open}</p>
      <p><a href="${link}" style="color:${color ?? LINK_COLOR}">${link}</a></p>
      <p>${texts.ignore}</p>
    </div>`.markup,
  };
};
