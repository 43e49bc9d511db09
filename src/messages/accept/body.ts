// The content of a message: from a template or inline, filled for the recipient where that was asked for.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../store/scope.js';
import type { ReadStore } from '../../store/store.js';
import type { TemplateWithContent } from '../../templates/templates.store.js';
import {
  assertSendable,
  hasPlaceholders,
  isOverLimit,
  makeCopy,
  type Copy,
  type CopyRequest,
} from '../rendering/copy.js';
import type { FoundProblems } from './found-problems.js';
import type { ReadRequest } from './read-request.js';
import type { Renderer } from '../rendering/renderer.js';

export interface Body extends Copy {
  template: { id: string; version: number } | null;
}

export interface BodyDeps {
  store: Pick<ReadStore, 'templates' | 'audience'>;
  renderer: Renderer;
}

/** What a message is made of, before anything is filled. */
export interface Sources extends Copy {
  template: TemplateWithContent | null;
}

/**
 * Subject and content as the request or its template gives them. Null after noting in `found` what is wrong:
 * `template_not_found`, `subject_required`, `content_required`.
 */
export async function sourcesOf(
  store: Pick<ReadStore, 'templates'>,
  scope: Scope,
  request: ReadRequest,
  found: FoundProblems,
): Promise<Sources | null> {
  const named = request.template;
  const template = named === null ? null : await found.checkLater(() => findTemplate(store, scope, named));
  found.check(() => assertType(template, request));
  const subject = found.check(() => subjectOf(request.subject ?? template?.subject));
  const html = template === null ? request.html : template.html || null;
  const text = template === null ? request.text : template.text || null;
  found.check(() => assertContent({ html, text }));
  return subject === null ? null : { subject, html, text, template };
}

/**
 * Templates are always filled. Inline content is filled with the variables of the request and the fields of a saved contact;
 * without both, or with `render: false`, it goes as it stands. Marketing and sales mail gets the compliance footer. Every
 * recipient gets the one copy, made for the contact of the first `to`. Refused with `template_invalid`.
 */
export async function resolveBody(
  { store, renderer }: BodyDeps,
  scope: Scope,
  request: ReadRequest,
  {
    sources: { template, ...sources },
    postalAddress,
    unsubscribeUrl,
  }: { sources: Sources; postalAddress: string | null; unsubscribeUrl: () => string },
): Promise<Body> {
  const hasFooter = request.type !== 'transactional';
  const mayFill = hasPlaceholders(sources) && request.isRendered;
  const [to] = request.recipients;
  const contact = to !== undefined && mayFill ? await store.audience.contactByAddress(scope, to.key) : null;
  const isAsked = template !== null || request.variables !== null || hasFooter;
  const fills = mayFill && (isAsked || contact !== null);
  // Nothing to fill, derive or add: no thread has to look at it.
  if (!fills && !hasFooter && template === null && (sources.html === null || sources.text !== null)) {
    return { ...sources, text: sources.text || null, template: null };
  }
  assertOneRecipient(sources, request, { fills, hasFooter });
  const copyRequest = {
    ...sources,
    fills,
    variables: request.variables ?? {},
    contact,
    unsubscribeUrl: unsubscribeUrl(),
    footer: hasFooter ? postalAddress : null,
    inlineCss: template?.inline_css === 1,
    owner: scope.subTenantId ?? scope.workspaceId,
    param: paramOf(request),
  };
  const copy = await (isAsked
    ? makeCopy(renderer, copyRequest)
    : copyAsFarAsItCompiles(renderer, copyRequest));
  assertSendable(copy);
  return {
    subject: copy.subject,
    html: copy.html,
    text: copy.text,
    template: template && { id: template.id, version: template.version },
  };
}

/** Nobody asked for variables: what looks like a placeholder and is none may be meant as it stands. */
async function copyAsFarAsItCompiles(renderer: Renderer, request: CopyRequest): Promise<Copy> {
  try {
    return await makeCopy(renderer, request);
  } catch (error) {
    const isNoTemplate =
      error instanceof Refusal &&
      error.code === 'template_invalid' &&
      !isOverLimit(error) &&
      request.fills === true;
    if (!isNoTemplate) throw error;
    return makeCopy(renderer, { ...request, fills: false });
  }
}

async function findTemplate(
  store: Pick<ReadStore, 'templates'>,
  scope: Scope,
  { by, value }: NonNullable<ReadRequest['template']>,
): Promise<TemplateWithContent> {
  const found =
    by === 'id'
      ? await store.templates.template(scope, value)
      : await store.templates.templateBySlug(scope, value);
  if (found) return found;
  throw new Refusal('template_not_found', undefined, { param: by === 'id' ? 'template_id' : 'template' });
}

function assertType(template: TemplateWithContent | null, { type }: ReadRequest): void {
  if (template === null || template.type === 'any' || template.type === type) return;
  throw invalidFields([{ path: 'type', message: `the template is for ${template.type} messages` }]);
}

function subjectOf(subject: string | null | undefined): string {
  if (typeof subject === 'string' && subject.trim() !== '') return subject;
  throw new Refusal('subject_required', undefined, { param: 'subject' });
}

function assertContent({ html, text }: Pick<Copy, 'html' | 'text'>): void {
  if (!html && !text) throw new Refusal('content_required', undefined, { param: 'html' });
}

/** An unsubscribe link belongs to one person: in a mail that several get, anyone could unsubscribe the first. */
function assertOneRecipient(
  { subject, html, text }: Copy,
  { recipients, type }: ReadRequest,
  { fills, hasFooter }: { fills: boolean; hasFooter: boolean },
): void {
  if (recipients.length === 1) return;
  const hasLink =
    fills && [subject, html, text].some((source) => source?.includes('unsubscribe_url') === true);
  if (!hasFooter && !hasLink) return;
  const message = hasFooter
    ? `a ${type} message has an unsubscribe link, which belongs to one recipient: send a message to each`
    : 'the content has an unsubscribe link, which belongs to one recipient: send a message to each';
  throw invalidFields([{ path: recipients[1]?.role ?? 'cc', message }]);
}

function paramOf({ template, html }: ReadRequest): string {
  if (template !== null) return template.by === 'id' ? 'template_id' : 'template';
  return html === null ? 'text' : 'html';
}
