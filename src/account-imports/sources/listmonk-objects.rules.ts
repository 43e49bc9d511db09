// Objects of listmonk, as its API and a dump of its database have them.
import { translateGoTemplate } from '../dialects/go-templates.rules.js';
import {
  leftOut,
  type ContactItem,
  type LeftOut,
  type ListItem,
  type Membership,
  type SuppressionItem,
  type TemplateItem,
} from '../items.rules.js';
import { filled } from '../values.rules.js';

/** Soft bounces are temporary and suppress nothing. Blocked subscribers are suppressed with their contacts. */
export function suppressionOf(bounce: { id: number; type: string; email: string }): SuppressionItem | null {
  const { id, type, email } = bounce;
  if (type !== 'hard' && type !== 'complaint') return null;
  return { externalId: String(id), name: email, reason: type === 'complaint' ? 'complaint' : 'bounce' };
}

export function listOf(list: {
  uuid: string;
  name: string;
  optin: string;
  description?: string | null | undefined;
}): ListItem {
  const { uuid, name, optin, description } = list;
  return { externalId: uuid, name, description: filled(description), doubleOptIn: optin === 'double' };
}

interface Subscription {
  uuid: string;
  optin?: string | undefined;
  status?: string | undefined;
}

export function contactOf(subscriber: {
  uuid: string;
  email: string;
  name: string;
  attribs: Readonly<Record<string, unknown>> | null;
  status: string;
  lists: readonly Subscription[];
}): ContactItem {
  const { uuid, email, name, attribs, status, lists } = subscriber;
  return {
    externalId: uuid,
    name: email,
    // Without a name, listmonk takes the part before the @.
    fullName: name === email.split('@')[0] ? '' : name,
    tags: [],
    metadata: attribs ?? {},
    // listmonk sends to subscribers who are enabled only.
    status: status === 'enabled' ? 'active' : 'unsubscribed',
    memberships: lists.map((list) => ({ listId: list.uuid, state: stateOf(list) })),
  };
}

function stateOf({ optin, status }: Subscription): Membership['state'] {
  if (status === 'unsubscribed') return 'unsubscribed';
  return status === 'unconfirmed' && optin === 'double' ? 'pending' : 'subscribed';
}

export function templateOf(template: {
  id: number;
  name: string;
  type: string;
  subject?: string | undefined;
  body: string;
}): TemplateItem | LeftOut {
  const { id, name, type, subject = '', body } = template;
  const item = { externalId: String(id), name };
  if (type === 'campaign_visual') {
    return leftOut(item, 'The template belongs to the visual editor of listmonk.');
  }
  const [title, html] = [translateGoTemplate(subject), translateGoTemplate(body)];
  const problems = [...title.problems, ...html.problems];
  if (problems.length > 0) return { ...item, problems };
  return { ...item, slug: null, subject: filled(title.text), html: filled(html.text), text: null };
}
