// The draft of an API request: its rules applied in order, all problems of it in one refusal.
import type { MessageType } from '../../contract/names.js';
import { Refusal, type FieldProblem } from '../../contract/refusal.js';
import type { Organization } from '../../accounts/accounts.store.js';
import type { AudienceStore } from '../../contacts/audience.store.js';
import { newId } from '../../lib/runtime/ids.js';
import type { TokenKey } from '../../lib/tokens/signed-token.js';
import { unsubscribeUrl } from '../../lists/preferences/unsubscribe.rules.js';
import type { Config } from '../../settings/settings.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import { trackedByDefault } from '../../tracking/tracking-default.rules.js';
import type { Renderer } from '../rendering/renderer.js';
import { resolveBody, sourcesOf } from './body.js';
import { newDraft, type Draft } from './draft.js';
import type { SenderSide } from './facts.js';
import { createFoundProblems } from './found-problems.js';
import type { ReadRequest } from './read-request.js';
import type { Recipient } from './recipients.js';
import { expiresAtOf, scheduledAtOf } from './schedule-time.rules.js';
import { assertTenantSends, assertVerified, chooseSenders } from './sender.js';
import { threadOf, withParent } from './thread-part.js';
import { topicOf } from './topic.js';

export interface RequestDraftDeps {
  store: Store;
  renderer: Renderer;
  config: Pick<Config, 'publicUrl'>;
  /** Signs the unsubscribe links. */
  tokenKey: TokenKey;
}

/**
 * The draft of a request; `known` are problems of fields found before. Refused with all problems in one answer, and with
 * `tenant_suspended`.
 */
export async function draftOfRequest(
  { store, renderer, config, tokenKey }: RequestDraftDeps,
  request: ReadRequest,
  { scope, side, now }: { scope: Scope; side: SenderSide; now: number },
  known: readonly FieldProblem[],
): Promise<Draft> {
  const { organization } = side;
  const { mode } = scope;
  const found = createFoundProblems(known);
  const scheduledAt = found.check(() => scheduledAtOf(request.sendAt, now));
  const expiresAt = found.check(() => expiresAtOf(request.expiresAt, scheduledAt, now));
  assertTenantSends(side, mode);
  const suppressed = await found.checkLater(() =>
    checkAudience(store.audience, scope, request, organization),
  );
  const senders = found.check(() => chooseSenders({ from: request.from, replyTo: [] }, side, mode));
  for (const mailbox of request.replyTo) found.check(() => assertVerified(mailbox, 'reply_to', side, mode));
  const sources = await sourcesOf(store, scope, request, found);
  const topic = await found.checkLater(() => topicOf(store, scope, request.topic));
  const { threadId } = request;
  if (threadId !== null) await found.checkLater(() => threadOf(store, scope, threadId));
  found.end();
  if (senders === null || sources === null || suppressed === null) {
    throw new Error('A part of a request was refused, and nothing was noted.');
  }
  const publicIds = request.recipients.map(() => newId('msg', now));
  const link = (): string => unsubscribeUrl(config.publicUrl, publicIds[0] ?? '', tokenKey);
  const body = await resolveBody({ store, renderer }, scope, request, {
    sources,
    postalAddress: organization.postal_address,
    unsubscribeUrl: link,
  });
  const isHtml = body.html !== null;
  const tracked = trackedByDefault(organization, request.type);
  const headers =
    threadId === null ? request.headers : await withParent(store, scope, threadId, request.headers);
  const { type, priority, recipients, replyTo, attachments, tags, metadata, tlsTerms } = request;
  return newDraft({
    publicIds,
    recipients,
    to: recipients.filter((recipient) => recipient.role === 'to'),
    cc: recipients.filter((recipient) => recipient.role === 'cc'),
    type,
    priority,
    from: senders.from,
    replyTo,
    ...body,
    headers,
    attachments,
    tags,
    metadata,
    trackOpens: isHtml && (request.trackOpens ?? tracked.opens),
    trackClicks: isHtml && (request.trackClicks ?? tracked.clicks),
    scheduledAt,
    expiresAt,
    tlsTerms,
    threadId,
    topic,
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
  audience: Pick<AudienceStore, 'contactByAddress'>,
  scope: Scope,
  message: { type: MessageType; recipients: readonly Recipient[] },
  organization: Pick<Organization, 'postal_address'>,
): Promise<Map<string, string>> {
  const optedOut = new Map<string, string>();
  const { type, recipients } = message;
  if (type === 'transactional') return optedOut;
  for (const { key, email, path } of recipients) {
    const contact = await audience.contactByAddress(scope, key);
    if (!contact) {
      throw new Refusal(
        'recipient_not_a_contact',
        `${email} is not a contact; ${type} mail goes to contacts only.`,
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
