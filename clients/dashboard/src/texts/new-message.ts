// Texts of the page that sends one message.
import { catalogue } from './texts.js';

const en = {
  title: 'New message',
  about: 'Email one or a few recipients. For larger sends, use the API, SMTP or a campaign.',
  back: 'Messages',
  from: 'From',
  fromHint: 'Must be verified. Leave empty to use the default sender. In the sandbox, any address works.',
  to: 'To',
  toHint: 'One or more comma-separated addresses.',
  toSandbox:
    'In the sandbox, the part before the @ determines the outcome: bounced@, complained@, deferred@ …',
  subject: 'Subject',
  subjectHint: 'Optional if the template has a subject.',
  content: 'Content',
  kinds: { text: 'Text', html: 'HTML', template: 'Template' },
  text: 'Text',
  html: 'HTML',
  template: 'Template',
  variables: 'Variables (JSON)',
  variablesHint: 'Values for placeholders. Fields of saved contacts are added automatically.',
  variablesWrong: 'Enter a valid JSON object.',
  type: 'Type',
  typeHint: 'Marketing and sales messages can only be sent to contacts and include an unsubscribe footer.',
  sendAt: 'Send at',
  sendAtHint: 'Leave empty to send now.',
  tags: 'Tags',
  tagsHint: 'Comma-separated.',
  send: 'Send',
  schedule: 'Schedule',
  preview: 'Preview',
};

export const newMessage = catalogue(en, () => import('./de/new-message.js').then(({ de }) => de));
export type NewMessageTexts = typeof en;
