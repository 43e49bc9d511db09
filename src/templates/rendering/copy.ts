// Renders the copy of one recipient, for previews and for sending.
import { Refusal } from '../../contract/refusal.js';
import { withHtmlFooter, withTextFooter } from './compliance-footer.rules.js';
import { textProblem } from '../../contract/plain-text.js';
import { mergeVariables } from './personalization.rules.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { Renderer } from './renderer.js';

export interface CopyRequest {
  subject: string;
  html: string | null;
  /** `null` derives the text from the HTML; an empty string omits it. */
  text: string | null;
  /** Whether placeholders are filled. Default true. */
  fills?: boolean;
  /** Explicit variables, which take precedence over the contact's fields. */
  variables: Readonly<Record<string, unknown>>;
  contact: Pick<Contact, 'email' | 'name' | 'phone' | 'metadata'> | null;
  unsubscribeUrl: string | null;
  /** Postal address of the footer, which also contains the unsubscribe link and requires it; `null` for no footer. */
  footer: string | null;
  /** Whether to copy the rules of style elements into style attributes after filling. */
  inlineCss: boolean;
  /** Workspace or sub-tenant whose share of the rendering capacity is used. */
  owner: string;
  /** Request field that a refusal names. */
  param: string;
}

export interface Copy {
  subject: string;
  html: string | null;
  text: string | null;
}

export interface FilledCopy extends Copy {
  /** Names of rendered placeholders without a value in variables, contact or built-ins. */
  missing: string[];
}

/** Whether the sources contain placeholders. */
export function hasPlaceholders({ subject, html, text }: Copy): boolean {
  return [subject, html, text].some((source) => source?.includes('{{') === true);
}

/**
 * Renders a copy. Missing text is derived from the HTML without footer. A body that is empty after rendering becomes
 * `null`. Refuses with `template_invalid` (details: part, line, column), with `validation_error` for the variables, and
 * with `unavailable` if too many renderings wait.
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
  // Some mail programs would only show the empty part.
  const copy: Copy = { subject: rendered.subject, html: rendered.html || null, text: rendered.text || null };
  for (const part of ['html', 'text'] as const) {
    const problem = copy[part] === null ? null : textProblem(copy[part]);
    if (problem !== null)
      throw new Refusal('template_invalid', `The rendered ${part} ${problem}.`, { param });
  }
  return { ...withFooter(copy, request), missing: notGiven(rendered.missing, request.variables) };
}

/** Refuses an empty subject with `subject_required`, and missing bodies with `content_required`. */
export function assertSendable({ subject, html, text }: Copy): void {
  if (subject.trim() === '') throw new Refusal('subject_required', undefined, { param: 'subject' });
  if (html === null && text === null) throw new Refusal('content_required', undefined, { param: 'html' });
}

/**
 * Whether rendering exceeded its time or memory limit. The pool refuses these sources for a while. A stalled machine can
 * also be the cause, so a later retry may succeed.
 */
export function isOverLimit({ code, details }: Refusal): boolean {
  return code === 'template_invalid' && details?.['part'] === 'template';
}

/** Omits variables that the request sets to an empty string. */
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
  // The law requires address and link, so a missing link is an error.
  if (unsubscribeUrl === null) throw new Error('a compliance footer needs an unsubscribe link');
  const parts = { postalAddress: footer, unsubscribeUrl };
  // HTML without text, such as a single image, still gets a text part with the address and the link.
  const derived = text === null && copy.html !== null ? '' : null;
  const body = copy.text ?? derived;
  return {
    subject: copy.subject,
    html: copy.html && withHtmlFooter(copy.html, parts),
    text: body === null ? null : withTextFooter(body, parts),
  };
}
