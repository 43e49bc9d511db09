// The draft of an API request: its rules applied in order, all problems of it in one refusal.
import type { MessageContext } from '../context.js';
import type { MessageType } from '../../contract/names.js';
import { Refusal, type FieldProblem, invalidFields, fieldsOfRefusal } from '../../contract/refusal.js';
import { newId } from '../../lib/runtime/index.js';
import { unsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';
import { isTrackedByDefault } from '../../accounts/tracking-default.rules.js';
import type { Renderer } from '../../templates/rendering/renderer.js';
import { newDraft, type Draft } from './draft.js';
import type { SenderSide } from './facts.js';
import { takenOver, type ReadRequest } from './read-request.js';
import type { Recipient } from './recipients.js';
import { readExpiresAt, readScheduledAt } from './schedule-time.rules.js';
import { assertReplyTo, assertTenantSends, chooseSenders } from './sender.js';
import { findThread, withParent } from '../threads/thread-part.js';
import { findTopic } from './topic.js';
import type { TemplateWithContent } from '../../templates/templates.store.js';
import {
  assertSendable,
  hasPlaceholders,
  isOverLimit,
  makeCopy,
  type Copy,
  type CopyRequest,
  type FilledCopy,
} from '../../templates/rendering/copy.js';
import type { Organization } from '../../accounts/accounts.tables.js';

/**
 * The draft of a request; `known` are problems of fields found before. Refused with all problems in one answer, and with
 * `tenant_suspended`.
 */
export async function draftOfRequest(
  context: MessageContext,
  request: ReadRequest,
  {
    scope,
    side,
    now,
    fromVendorApi,
  }: { scope: Scope; side: SenderSide; now: number; fromVendorApi: boolean },
  known: readonly FieldProblem[],
): Promise<Draft> {
  const { store, config, tokenKey } = context;
  const { organization } = side;
  const { recipients, threadId } = request;
  const { mode } = scope;
  const found = createFoundProblems(known);
  const scheduledAt = found.check(() => readScheduledAt(request.sendAt, now));
  const expiresAt = found.check(() => readExpiresAt(request.expiresAt, scheduledAt, now));
  assertTenantSends(side, mode);
  const suppressed = await found.checkLater(() =>
    checkAudience(store.contacts, scope, request, organization),
  );
  const senders = found.check(() => chooseSenders({ from: request.from, replyTo: [] }, side, mode));
  if (!fromVendorApi) {
    for (const mailbox of request.replyTo) found.check(() => assertReplyTo(mailbox, side, mode));
  }
  const sources = await sourcesOf(store, scope, request, found);
  const topic = await found.checkLater(() => findTopic(store, scope, request.topic));
  if (threadId !== null) await found.checkLater(() => findThread(store, scope, threadId));
  found.end();
  if (senders === null || sources === null || suppressed === null) {
    throw new Error('A part of a request was refused, and nothing was noted.');
  }
  const publicIds = recipients.map(() => newId('msg', now));
  const link = (): string => unsubscribeUrl(config.publicUrl, publicIds[0] ?? '', tokenKey);
  const body = await resolveBody(context, scope, request, {
    sources,
    postalAddress: organization.postal_address,
    unsubscribeUrl: link,
  });
  const isHtml = body.html !== null;
  const tracked = isTrackedByDefault(organization, request.type);
  const headers =
    threadId === null ? request.headers : await withParent(store, scope, threadId, request.headers);
  return newDraft({
    ...takenOver(request),
    publicIds,
    to: recipients.filter((recipient) => recipient.role === 'to'),
    cc: recipients.filter((recipient) => recipient.role === 'cc'),
    from: senders.from,
    ...body,
    headers,
    rfcMessageId: request.messageId,
    trackOpens: isHtml && (request.trackOpens ?? tracked.opens),
    trackClicks: isHtml && (request.trackClicks ?? tracked.clicks),
    scheduledAt,
    expiresAt,
    topic,
    fromVendorApi,
    suppressed,
  });
}

const SUPPRESSED_AS = { unsubscribed: 'unsubscribe', bounced: 'bounce', complained: 'complaint' } as const;

/**
 * Opt-outs of contacts among the recipients, with the reason, by address key: the contact alone may have it. Empty for
 * transactional mail; marketing and sales mail goes to saved contacts only, from an organization with a postal address.
 * Refused with `recipient_not_a_contact` or `postal_address_required`.
 */
export async function checkAudience(
  contacts: Pick<MessageStores['contacts'], 'contactByAddress'>,
  scope: Scope,
  message: { type: MessageType; recipients: readonly Recipient[] },
  organization: Pick<Organization, 'postal_address'>,
): Promise<Map<string, string>> {
  const optedOut = new Map<string, string>();
  const { type, recipients } = message;
  if (type === 'transactional') return optedOut;
  for (const { key, email, path } of recipients) {
    const contact = await contacts.contactByAddress(scope, key);
    if (!contact) {
      throw new Refusal(
        'recipient_not_a_contact',
        `${email} is not a contact. ${type} mail can be sent only to contacts.`,
        {
          param: path,
        },
      );
    }
    if (contact.status !== 'active') optedOut.set(key, SUPPRESSED_AS[contact.status]);
  }
  if ((organization.postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return optedOut;
}

// Returns the content of a message: from a template or inline, rendered for the recipient if requested.
interface Body extends Copy {
  template: { id: string; version: number } | null;
}

/** The sources of a message, before placeholders are filled. */
interface Sources extends Copy {
  template: TemplateWithContent | null;
}

/**
 * Returns subject and content from the request or its template. Null after recording a problem in `found`: `template_not_found`,
 * `subject_required`, `content_required`.
 */
async function sourcesOf(
  store: Pick<MessageStores, 'templates'>,
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
 * Templates are always rendered. Inline content is rendered with the variables of the request and the fields of a saved contact;
 * without both, or with `render: false`, it is sent unchanged. Marketing and sales mail gets the compliance footer. All recipients
 * get the same copy, rendered for the contact of the first `to`. Refused with `template_invalid`.
 */
async function resolveBody(
  { store, renderer }: MessageContext,
  scope: Scope,
  request: ReadRequest,
  {
    sources: { template, ...sources },
    postalAddress,
    unsubscribeUrl: makeUnsubscribeUrl,
  }: { sources: Sources; postalAddress: string | null; unsubscribeUrl: () => string },
): Promise<Body> {
  const hasFooter = request.type !== 'transactional';
  const mayFill = hasPlaceholders(sources) && request.isRendered;
  const [to] = request.recipients;
  const contact = to !== undefined && mayFill ? await store.contacts.contactByAddress(scope, to.key) : null;
  const isAsked = template !== null || request.variables !== null || hasFooter || request.requiresVariables;
  const fills = mayFill && (isAsked || contact !== null);
  // Nothing needs to be rendered, derived or added, so no thread is needed.
  if (!fills && !hasFooter && template === null && (sources.html === null || sources.text !== null)) {
    return { ...sources, text: sources.text || null, template: null };
  }
  assertOneRecipient(sources, request, { fills, hasFooter });
  const copyRequest = {
    ...sources,
    fills,
    variables: request.variables ?? {},
    contact,
    unsubscribeUrl: makeUnsubscribeUrl(),
    footer: hasFooter ? postalAddress : null,
    inlineCss: template?.inline_css === 1,
    owner: scope.subTenantId ?? scope.workspaceId,
    param: paramOf(request),
  };
  const copy = await (isAsked
    ? makeCopy(renderer, copyRequest)
    : copyAsFarAsItCompiles(renderer, copyRequest));
  if (request.requiresVariables) assertNothingMissing(copy.missing);
  assertSendable(copy);
  return {
    subject: copy.subject,
    html: copy.html,
    text: copy.text,
    template: template && { id: template.id, version: template.version },
  };
}

function assertNothingMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw invalidFields(missing.map((name) => ({ path: `variables.${name}`, message: 'is required' })));
}

/** Without variables, text that looks like a placeholder may be literal. */
async function copyAsFarAsItCompiles(renderer: Renderer, request: CopyRequest): Promise<FilledCopy> {
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
  store: Pick<MessageStores, 'templates'>,
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
    ? `a ${type} message has an unsubscribe link, which belongs to a single recipient. Send a separate message to each recipient`
    : 'the content has an unsubscribe link, which belongs to a single recipient. Send a separate message to each recipient';
  throw invalidFields([{ path: recipients[1]?.role ?? 'cc', message }]);
}

function paramOf({ template, html }: ReadRequest): string {
  if (template !== null) return template.by === 'id' ? 'template_id' : 'template';
  return html === null ? 'text' : 'html';
}

/** Content fields: a problem of one of them explains that there is nothing to send. */
const CONTENT_FIELDS = ['html', 'text', 'template', 'template_id'];

interface FoundProblems {
  readonly isEmpty: boolean;
  /** Returns the value, or records a `validation_error` and returns `null`. Throws other errors. */
  check<T>(read: () => T): T | null;
  checkLater<T>(read: () => Promise<T>): Promise<T | null>;
  /** Throws the collected problems, if any: a single refusal unchanged, several as one that names each field. */
  end(): void;
}

/** `known`: problems of fields that were found before. */
function createFoundProblems(known: readonly FieldProblem[]): FoundProblems {
  const refusals: Refusal[] = known.length === 0 ? [] : [invalidFields([...known])];

  function note(error: unknown): null {
    if (!(error instanceof Refusal) || error.type !== 'validation_error') throw error;
    const before = refusals.flatMap(fieldsOf);
    // Treats an invalid field as absent, because errors that follow from it would add nothing.
    const fresh = fieldsOf(error).filter((field) => !isExplained(field, before, error));
    if (fresh.length > 0) refusals.push(error);
    return null;
  }

  return {
    get isEmpty() {
      return refusals.length === 0;
    },
    check(read) {
      try {
        return read();
      } catch (error) {
        return note(error);
      }
    },
    async checkLater(read) {
      try {
        return await read();
      } catch (error) {
        return note(error);
      }
    },
    end() {
      const [only] = refusals;
      if (only === undefined) return;
      throw refusals.length === 1 ? only : invalidFields(refusals.flatMap(fieldsOf));
    },
  };
}

function fieldsOf(refusal: Refusal): FieldProblem[] {
  return fieldsOfRefusal(refusal) ?? [{ path: refusal.param ?? '', message: refusal.message }];
}

function isExplained({ path }: FieldProblem, before: readonly FieldProblem[], { code }: Refusal): boolean {
  const heads = new Set(before.map(headOf));
  if (code === 'content_required') return CONTENT_FIELDS.some((field) => heads.has(field));
  if (code === 'subject_required' && (heads.has('template') || heads.has('template_id'))) return true;
  return heads.has(headOf({ path }));
}

function headOf({ path }: Pick<FieldProblem, 'path'>): string {
  return path.split('.', 1)[0] ?? '';
}
