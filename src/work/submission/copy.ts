// One recipient's copy: sources and contact in, resolved subject and bodies out. Preview and send both come here.
import { Refusal } from '../../contract/refusal.js';
import { mergeVariables } from '../../rules/personalization.js';
import { textProblem } from '../../rules/plain-text.js';
import type { Contact } from '../../store/audience.js';
import type { Renderer } from './renderer.js';

export interface CopyRequest {
  subject: string;
  html: string | null;
  text: string | null;
  /** Explicit variables; they win over the contact's fields. */
  variables: Readonly<Record<string, unknown>>;
  contact: Pick<Contact, 'email' | 'name' | 'phone' | 'metadata'> | null;
  unsubscribeUrl: string | null;
  /** Whose work it is, for fairness between tenants. */
  owner: string;
  /** The request field to name when the sources cannot be rendered. */
  param: string;
}

export interface Copy {
  subject: string;
  html: string | null;
  text: string | null;
}

/** Whether anything in these sources can be filled. */
export function hasPlaceholders({ subject, html, text }: Copy): boolean {
  return [subject, html, text].some((source) => source?.includes('{{') === true);
}

/**
 * Text that is not given is derived from the html. Refused with `template_invalid` (details: part, line, column) or
 * `validation_error` for the variables, and with `unavailable` when too much rendering waits.
 */
export async function makeCopy(renderer: Renderer, request: CopyRequest): Promise<Copy> {
  const { contact, unsubscribeUrl, param, owner, subject, html, text } = request;
  const variables = mergeVariables({
    explicit: request.variables,
    contact: contact && {
      ...contact,
      metadata: JSON.parse(contact.metadata) as Record<string, unknown>,
    },
    unsubscribeUrl,
  });
  const rendered = await renderer.render({ subject, html, text, variables, owner });
  if (rendered.kind === 'busy') {
    throw new Refusal('unavailable', 'Too many templates are being rendered; nothing was kept. Try again.');
  }
  if (rendered.kind === 'problem') {
    const { part, line, column, message } = rendered;
    if (part === 'variables') {
      throw new Refusal('validation_error', message, {
        param: 'variables',
        details: { fields: [{ path: 'variables', message }] },
      });
    }
    throw new Refusal('template_invalid', message, { param, details: { part, line, column } });
  }
  const copy: Copy = { subject: rendered.subject, html: rendered.html, text: rendered.text };
  for (const part of ['html', 'text'] as const) {
    const problem = copy[part] === null ? null : textProblem(copy[part]);
    if (problem !== null)
      throw new Refusal('template_invalid', `The rendered ${part} ${problem}.`, { param });
  }
  return copy;
}
