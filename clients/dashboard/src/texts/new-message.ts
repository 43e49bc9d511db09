// Texts of the page that sends one message.
import { catalogue } from './texts.js';

const en = {
  title: 'New message',
  about: 'One email to one recipient, or to a few. Who sends many sends by API, SMTP or a campaign.',
  back: 'Messages',
  from: 'From',
  fromHint: 'A verified sender; the default one unless given. In the sandbox any address will do.',
  to: 'To',
  toHint: 'One address, or several with commas between them.',
  toSandbox: 'In the sandbox the part before the @ decides what happens: bounced@, complained@, deferred@ …',
  subject: 'Subject',
  subjectHint: 'May be left out where the template has one.',
  content: 'Content',
  kinds: { text: 'Text', html: 'HTML', template: 'Template' },
  text: 'Text',
  html: 'HTML',
  template: 'Template',
  variables: 'Variables (JSON)',
  variablesHint: 'Fill the placeholders. Fields of a saved contact are merged in by themselves.',
  variablesWrong: 'This is not a JSON object.',
  type: 'Type',
  typeHint: 'Marketing and sales mail goes to contacts only, and carries a footer with a way out.',
  sendAt: 'Send at',
  sendAtHint: 'Empty: now.',
  tags: 'Tags',
  tagsHint: 'With commas between them.',
  send: 'Send',
  schedule: 'Schedule',
  preview: 'Preview',
};

export const newMessage = catalogue(en, () => import('./de/new-message.js').then(({ de }) => de));
export type NewMessageTexts = typeof en;
