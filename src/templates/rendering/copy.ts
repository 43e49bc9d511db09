// One recipient's copy: sources and contact in, resolved subject and bodies out. Preview and send both come here.
import { Refusal } from '../../contract/refusal.js';
import { withHtmlFooter, withTextFooter } from './compliance-footer.rules.js';
import { textProblem } from '../../contract/plain-text.js';
import { mergeVariables } from './personalization.rules.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { Renderer } from './renderer.js';

export interface CopyRequest {
  subject: string;
  html: string | null;
  /** Null: derived from the html; '' for none. */
  text: string | null;
  /** False: placeholders stay as they are. Default true. */
  fills?: boolean;
  /** Explicit variables; they win over the contact's fields. */
  variables: Readonly<Record<string, unknown>>;
  contact: Pick<Contact, 'email' | 'name' | 'phone' | 'metadata'> | null;
  unsubscribeUrl: string | null;
  /** The postal address: both bodies end with it and the unsubscribe link, which it takes. Null for no footer. */
  footer: string | null;
  /** Copies the rules of the html's style elements into its style attributes, once it is filled. */
  inlineCss: boolean;
  /** The owner of the work, for fairness between tenants. */
  owner: string;
  /** The request field to name when the sources cannot be rendered. */
  param: string;
}

export interface Copy {
  subject: string;
  html: string | null;
  text: string | null;
}

export interface FilledCopy extends Copy {
  /** Names whose placeholders were reached and that neither variables, contact nor built-ins filled. */
  missing: string[];
}

/** Whether anything in these sources can be filled. */
export function hasPlaceholders({ subject, html, text }: Copy): boolean {
  return [subject, html, text].some((source) => source?.includes('{{') === true);
}

/**
 * Text that is not given is derived from the html, before that gets its footer. Refused with `template_invalid`
 * (details: part, line, column) or `validation_error` for the variables, and with `unavailable` when too much
 * rendering waits. A body that is empty once it is filled is none: see `assertSendable`.
 */
export async function makeCopy(renderer: Renderer, request: CopyRequest): Promise<FilledCopy> {
  const { contact, unsubscribeUrl, param, owner, subject, html, text, inlineCss, fills = true } = request;
  const variables = mergeVariables({
    explicit: request.variables,
    contact: contact && {
      ...contact,
      metadata: JSON.parse(contact.metadata) as Record<string, unknown>,
    },
    unsubscribeUrl,
  });
  const rendered = await renderer.render({ subject, html, text, inlineCss, fills, variables, owner });
  if (rendered.kind === 'busy') {
    throw new Refusal(
      'unavailable',
      'The server is rendering too many templates. Nothing was stored. Try again.',
    );
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
  // An empty part beside the other one would be all that some readers show.
  const copy: Copy = { subject: rendered.subject, html: rendered.html || null, text: rendered.text || null };
  for (const part of ['html', 'text'] as const) {
    const problem = copy[part] === null ? null : textProblem(copy[part]);
    if (problem !== null)
      throw new Refusal('template_invalid', `The rendered ${part} ${problem}.`, { param });
  }
  return { ...withFooter(copy, request), missing: notGiven(rendered.missing, request.variables) };
}

/** Refuses `subject_required` and `content_required` for a copy that says nothing. */
export function assertSendable({ subject, html, text }: Copy): void {
  if (subject.trim() === '') throw new Refusal('subject_required', undefined, { param: 'subject' });
  if (html === null && text === null) throw new Refusal('content_required', undefined, { param: 'html' });
}

/**
 * Whether these sources took too long or too much, and are not asked again for a while. That need not be their fault: a
 * machine that stood still for a moment is as slow, and whoever can wait tries again.
 */
export function isOverLimit({ code, details }: Refusal): boolean {
  return code === 'template_invalid' && details?.['part'] === 'template';
}

/** A variable that the request gives as '' is not missing. */
function notGiven(missing: string[], explicit: CopyRequest['variables']): string[] {
  return missing.filter((name) => {
    let value: unknown = explicit;
    for (const part of name.split('.'))
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? Reflect.get(value, part)
          : null;
    return value !== '';
  });
}

function withFooter(copy: Copy, { footer, unsubscribeUrl, text }: CopyRequest): Copy {
  if (footer === null) return copy;
  // The law asks for both: mail without a way out must not leave by mistake.
  if (unsubscribeUrl === null) throw new Error('a compliance footer needs an unsubscribe link');
  const parts = { postalAddress: footer, unsubscribeUrl };
  // Html without a word, such as a single image, still gets a text part: it has the address and the link.
  const derived = text === null && copy.html !== null ? '' : null;
  const body = copy.text ?? derived;
  return {
    subject: copy.subject,
    html: copy.html && withHtmlFooter(copy.html, parts),
    text: body === null ? null : withTextFooter(body, parts),
  };
}
