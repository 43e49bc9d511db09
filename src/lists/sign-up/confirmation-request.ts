// The mail that asks somebody to confirm their sign-up: the list's template, or a plain one.
import type { MessageRequest } from '../../messages/message.schema.js';
import { shownLine } from '../../lib/mime/shown-line.js';
import type { ContactList } from '../lists.store.js';

export interface ConfirmationMail {
  email: string;
  link: string;
  /** Null: the plain one. */
  templateId: string | null;
}

/** Its links are not tracked: they must work as they are, and opening them is nobody's business. */
export function confirmationRequest(
  list: ContactList,
  { email, link, templateId }: ConfirmationMail,
): MessageRequest {
  const listName = shownLine(list.name);
  const common = {
    to: email,
    type: 'transactional' as const,
    priority: 'high' as const,
    track_opens: false,
    track_clicks: false,
    tags: ['sign-up-confirmation'],
  };
  if (templateId !== null) {
    return { ...common, template_id: templateId, variables: { confirmation_url: link, list_name: listName } };
  }
  return {
    ...common,
    subject: `Please confirm: ${listName}`,
    text: [
      `Somebody, probably you, has asked for the mail of "${listName}" to be sent to ${email}.`,
      '',
      'If it was you, open this page and confirm:',
      link,
      '',
      'If it was not, do nothing: without your confirmation nothing is sent.',
      '',
    ].join('\n'),
  };
}
