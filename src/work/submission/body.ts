// What a message says: from a template or inline, filled for the recipient where that was asked for.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../store/scope.js';
import type { ReadStore } from '../../store/store.js';
import type { TemplateWithContent } from '../../store/templates.js';
import { assertSendable, hasPlaceholders, makeCopy, type Copy } from './copy.js';
import type { ReadRequest } from './read-request.js';
import type { Renderer } from './renderer.js';

export interface Body extends Copy {
  template: { id: string; version: number } | null;
}

export interface BodyDeps {
  store: Pick<ReadStore, 'templates' | 'audience'>;
  renderer: Renderer;
}

/**
 * Templates are always filled. Inline content goes as it is, unless the request has variables or is marketing or sales
 * mail, whose recipients are saved contacts. Every recipient gets the one copy, made for the contact of `to`. Refused
 * with `template_not_found`, `template_invalid`, `subject_required` or `content_required`.
 */
export async function resolveBody(
  { store, renderer }: BodyDeps,
  scope: Scope,
  request: ReadRequest,
  unsubscribeUrl: () => string,
): Promise<Body> {
  const template = request.template === null ? null : await findTemplate(store, scope, request.template);
  assertType(template, request);
  const sources: Copy = {
    subject: subjectOf(request.subject ?? template?.subject),
    html: template === null ? request.html : template.html || null,
    text: template === null ? request.text : template.text || null,
  };
  assertContent(sources);
  const isFilled = template !== null || request.variables !== null || request.type !== 'transactional';
  if (!isFilled) return { ...sources, template: null };
  assertOneRecipient(sources, request);
  const [to] = request.recipients;
  const contact =
    to !== undefined && hasPlaceholders(sources)
      ? await store.audience.contactByAddress(scope, to.key)
      : null;
  const copy = await makeCopy(renderer, {
    ...sources,
    variables: request.variables ?? {},
    contact,
    unsubscribeUrl: unsubscribeUrl(),
    footer: null,
    inlineCss: template?.inline_css === 1,
    owner: scope.subTenantId ?? scope.workspaceId,
    param: paramOf(request),
  });
  assertSendable(copy);
  return {
    subject: copy.subject,
    html: copy.html,
    text: copy.text,
    template: template && { id: template.id, version: template.version },
  };
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
function assertOneRecipient({ subject, html, text }: Copy, { recipients }: ReadRequest): void {
  if (recipients.length === 1) return;
  if (![subject, html, text].some((source) => source?.includes('unsubscribe_url') === true)) return;
  const message =
    'the content has an unsubscribe link, which belongs to one recipient: send a message to each';
  throw invalidFields([{ path: recipients[1]?.role ?? 'cc', message }]);
}

function paramOf({ template, html }: ReadRequest): string {
  if (template !== null) return template.by === 'id' ? 'template_id' : 'template';
  return html === null ? 'text' : 'html';
}
