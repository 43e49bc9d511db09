// The one door by which a message enters: reads the request, applies the rules in order, commits message, event and
// queue row in one go. Every step has a file of its own.
import type { MessageRequest } from '../message.schema.js';
import type { Actor, MessageType } from '../../contract/names.js';
import { invalidFields, Refusal, type FieldProblem } from '../../contract/refusal.js';
import type { ThreadReplyRequest } from '../../inbound/threads/thread.schema.js';
import { isErasedAddress } from '../../contacts/erased-address.rules.js';
import { unsubscribeUrl } from '../../lists/preferences/unsubscribe.rules.js';
import type { TokenKey } from '../../lib/tokens/signed-token.js';
import type { Lifetimes } from '../../outbound/schedule/retry-schedule.rules.js';
import { parseSendAt } from './schedule-time.rules.js';
import { usageDays } from '../../accounts/quota.rules.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import { trackedByDefault } from '../../tracking/tracking-default.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Config } from '../../settings/settings.js';
import { newId } from '../../lib/runtime/ids.js';
import type { AttachmentInfo } from '../messages.store.js';
import type { Change, CountKeyUse } from '../../store/plan.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import { leftTopic, topicOf } from './topic.js';
import { resolveBody, sourcesOf } from './body.js';
import { createFacts, type SenderSide } from './facts.js';
import { createFoundProblems } from './found-problems.js';
import { createTogether, type Entered, type Entering, type Submitting } from './together.js';
import { once, readIdempotencyKey, relayedKey } from './idempotency.js';
import { planMessages, type Draft, type MessageRow } from './plan-message.js';
import type { QuotaCheck } from './quota-check.js';
import { draftOfRelayed, type RelayedMail } from './relayed.js';
import { inspectRequest, readRequest, type ReadRequest, type RequestLimits } from './read-request.js';
import type { Renderer } from '../rendering/renderer.js';
import { replyRequest } from './reply-request.js';
import { draftOfStored } from './resend.js';
import { assertTenantSends, assertVerified, chooseSenders } from './sender.js';
import { scopeOfSender } from './sender-tenant.js';
import { threadMoves, threadOf, withParent } from './thread-part.js';
import type { AudienceStore } from '../../contacts/audience.store.js';
import type { Organization } from '../../accounts/accounts.store.js';
import type { Recipient } from './recipients.js';

// Marketing and sales mail goes to saved contacts only, from an organization with a postal address.
const SUPPRESSED_AS = { unsubscribed: 'unsubscribe', bounced: 'bounce', complained: 'complaint' } as const;

/**
 * The reasons, by address, why contacts among the recipients are not to be written to: an opt-out may stand in the
 * contact alone. Empty for transactional mail. Refused with `recipient_not_a_contact` or `postal_address_required`.
 */
async function checkAudience(
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

/** Rung after a commit that gave the queue or the chain work. */
export interface Bells {
  queue(queueIds: readonly number[]): void;
  events(): void;
}

export interface AcceptDeps {
  store: Store;
  renderer: Renderer;
  config: RequestLimits & Lifetimes & Pick<Config, 'publicUrl'>;
  quota: QuotaCheck;
  /** Makes the unsubscribe links. */
  tokenKey: TokenKey;
  clock: Clock;
  bells: Bells;
}

export interface SubmissionContext {
  /** Who the trail says queued it: `api`, `api_key` for the relay, `user`, `system`. */
  actor: Actor;
  /** The API key that it came with; null without one. */
  keyId: string | null;
  /** The header's value; null without one. */
  idempotencyHeader: string | null;
  /** What is wrong with fields that the request came without for that reason: it is refused, with all else that is. */
  problems?: readonly FieldProblem[];
}

/** What an attachment is described by. */
export type AttachmentSummary = Pick<
  AttachmentInfo,
  'filename' | 'contentType' | 'cid' | 'sizeBytes' | 'sha256'
>;

/** Messages as they are first answered: queued, whatever has become of them since. */
export interface Accepted {
  message: MessageRow;
  /** Those to the other recipients. */
  copies: MessageRow[];
  attachments: AttachmentSummary[];
  /** True when an earlier request with the same idempotency key made them. */
  replayed: boolean;
}

export interface Submission {
  /** The request must match its schema. Refuses with a code of the catalogue, or keeps the message durably. */
  accept(scope: Scope, request: MessageRequest, context: SubmissionContext): Promise<Accepted>;
  /**
   * All of the requests, in one transaction, or none: refused with the refusal of the first that is at fault, whose
   * `details.items` tells of each that is. In the order of the requests.
   */
  acceptTogether(scope: Scope, requests: readonly TogetherRequest[]): Promise<Accepted[]>;
  /**
   * A message in a thread, in the thread's own sub-tenant; what the request leaves out is taken from the thread. Refused
   * with `not_found`, or as `accept` does.
   */
  reply(
    scope: Scope,
    threadId: string,
    request: ThreadReplyRequest,
    context: SubmissionContext,
  ): Promise<Accepted>;
  /**
   * Mail that was submitted by SMTP: a message for each of its envelope recipients, in their order. Refuses as `accept`
   * does; the From must be a verified sender.
   */
  relay(scope: Scope, mail: RelayedMail, context: SubmissionContext): Promise<Accepted>;
  /** A new message with the content and recipient of a stored one. Refused with `not_found`, or as `accept` does. */
  resend(scope: Scope, publicId: string, context: SubmissionContext): Promise<Accepted>;
}

/** One of several requests that enter together. */
export interface TogetherRequest {
  /** Matches its schema, unless `context.problems` says what does not. */
  request: MessageRequest;
  context: SubmissionContext;
}

export function createAccept(deps: AcceptDeps): Submission {
  const { store, renderer, quota, config, clock, bells, tokenKey } = deps;
  const facts = createFacts(store);

  /** The last steps of every way in: suppression, quota, commit. */
  async function submit(draft: Draft, submitting: Submitting): Promise<MessageRow[]> {
    const { rows, plan } = await planOf(draft, submitting);
    await keep(plan);
    return rows;
  }

  async function planOf(
    draft: Draft,
    { scope, side, context, idempotency, now }: Submitting,
  ): Promise<{ rows: MessageRow[]; plan: Change[] }> {
    const suppressed = await suppressedAmong(draft, scope, side);
    const asked = { type: draft.type, sends: draft.recipients.length - suppressed.size };
    const held = quota.hold(scope, side.organization.plan, asked, now);
    const { rows, plan } = planMessages(
      { ...draft, suppressed },
      { scope, actor: context.actor, now, idempotency, lifetimes: config },
    );
    const thread = draft.threadId === null ? [] : [threadMoves(draft.threadId, now)];
    const counted = context.keyId === null ? [] : [keyUse(context.keyId, rows.length, now)];
    return { rows, plan: [...held, ...plan, ...thread, ...counted] };
  }

  async function keep(plan: Change[]): Promise<void> {
    const { queueIds } = await store.commit(plan);
    if (queueIds.length > 0) bells.queue(queueIds);
    bells.events();
  }

  async function suppressedAmong(draft: Draft, scope: Scope, side: SenderSide): Promise<Map<string, string>> {
    const suppressed = new Map([...(await leftTopic(store, draft)), ...draft.suppressed]);
    const keys = draft.recipients.map((recipient) => recipient.key);
    const rows = await facts.suppressionsOf(scope, keys);
    if (rows.length === 0) return suppressed;
    const { type } = draft;
    const question = {
      type,
      subTenantId: scope.subTenantId,
      unsubscribeBlocks: side.organization.unsubscribe_blocks,
    };
    for (const key of keys) {
      const row = blockingRow(
        rows.filter((candidate) => candidate.email_key === key),
        question,
      );
      if (row) suppressed.set(key, row.reason);
    }
    return suppressed;
  }

  async function draftOf(
    request: ReadRequest,
    { scope, side, now }: Pick<Submitting, 'scope' | 'side' | 'now'>,
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
    return {
      ...request,
      from: senders.from,
      ...body,
      headers,
      topic,
      source: null,
      relayed: null,
      nullSender: false,
      publicIds,
      to: request.recipients.filter((recipient) => recipient.role === 'to'),
      cc: request.recipients.filter((recipient) => recipient.role === 'cc'),
      trackOpens: isHtml && (request.trackOpens ?? tracked.opens),
      trackClicks: isHtml && (request.trackClicks ?? tracked.clicks),
      scheduledAt,
      expiresAt,
      suppressed,
    };
  }

  /** Refused with `sub_tenant_not_found` for an external id that no sub-tenant has. */
  async function namedTenant(scope: Scope, field: string | undefined): Promise<string | undefined> {
    if (field === undefined) return undefined;
    const id = await store.tenants.subTenantIdOf(scope, field);
    if (id === null) throw new Refusal('sub_tenant_not_found', undefined, { param: 'sub_tenant_id' });
    return id;
  }

  /** A message made before, with its copies, as first answered. */
  async function replay(
    scope: Scope,
    first: MessageRow & { id: number; content_id: number },
  ): Promise<Accepted> {
    const [all, attachments] = await Promise.all([
      store.messages.copies(scope, first.content_id, first.id),
      store.messages.attachmentsOf([first.content_id]),
    ]);
    const copies = all.filter((copy) => copy.id !== first.id).map((copy) => asFirstAnswered(copy));
    return { message: asFirstAnswered(first), copies, attachments, replayed: true };
  }

  /** What every way in does: one key makes one message, of the draft that `draft` brings. */
  async function enter(
    entering: Entering,
    draft: (side: SenderSide, now: number) => Promise<Draft>,
  ): Promise<Accepted> {
    const { scope, idempotency } = entering;
    const result = await once(store.messages, scope, idempotency, async () => {
      const now = clock();
      const side = await facts.senderSide(scope);
      const drafted = await draft(side, now);
      return answerOf(drafted, await submit(drafted, { ...entering, side, now }));
    });
    return result.kind === 'made' ? result.value : replay(scope, result.message);
  }

  async function read(callerScope: Scope, { request, context }: TogetherRequest): Promise<Entered> {
    const { read: wanted, problems: own } = inspectRequest(request, config);
    const problems = [...(context.problems ?? []), ...own];
    const named = await namedTenant(callerScope, request.sub_tenant_id);
    const scope = await scopeOfSender(
      { store, facts },
      effectiveScope(callerScope, named),
      wanted.from?.email ?? null,
    );
    // What is refused anyway has no fingerprint: its parts may have none.
    const idempotency =
      problems.length > 0
        ? null
        : readIdempotencyKey(
            named === undefined ? request : { ...request, sub_tenant_id: named },
            request.idempotency_key ?? null,
            context.idempotencyHeader,
          );
    const draft: Entered['draft'] = (side, now) => draftOf(wanted, { scope, side, now }, problems);
    return { scope, context, idempotency, draft };
  }

  return {
    async accept(callerScope, request, context) {
      const entered = await read(callerScope, { request, context });
      return enter(entered, entered.draft);
    },

    acceptTogether: createTogether({ store, facts, clock, read, replay, planOf, keep, answerOf }),

    async reply(callerScope, threadId, request, context) {
      const thread = await store.threads.thread(callerScope, threadId);
      if (!thread) throw new Refusal('not_found');
      const scope = { ...callerScope, subTenantId: thread.sub_tenant_id };
      // Of what was asked, not of what the thread adds: that may be another by the time of the next attempt.
      const idempotency = readIdempotencyKey(
        { ...request, reply_in: threadId },
        request.idempotency_key ?? null,
        context.idempotencyHeader,
      );
      return enter({ scope, context, idempotency }, async (side, now) => {
        const filled = await replyRequest(store, thread, request, { ...side, mode: scope.mode });
        return draftOf(readRequest(filled, config), { scope, side, now }, []);
      });
    },

    async relay(callerScope, mail, context) {
      const named = effectiveScope(callerScope, mail.subTenantId ?? undefined);
      const scope = await scopeOfSender({ store, facts }, named, mail.from.email);
      const idempotency = mail.idempotencyKey === null ? null : relayedKey(mail, mail.idempotencyKey);
      return enter({ scope, context, idempotency }, async (side, now) => {
        assertTenantSends(side, scope.mode);
        const scheduledAt = scheduledAtOf(mail.sendAt, now);
        const expiresAt = expiresAtOf(mail.expiresAt, scheduledAt, now);
        const draft = draftOfRelayed(mail, { scheduledAt, expiresAt, newId: () => newId('msg', now) });
        chooseSenders({ from: draft.from, replyTo: [] }, side, scope.mode);
        for (const mailbox of mail.otherOriginators) assertVerified(mailbox, 'from', side, scope.mode);
        return { ...draft, suppressed: await checkAudience(store.audience, scope, draft, side.organization) };
      });
    },

    async resend(callerScope, publicId, context) {
      const source = await store.messages.message(callerScope, publicId);
      if (!source) throw new Refusal('not_found');
      if (source.status === 'received')
        throw new Refusal('conflict', 'A received message cannot be sent again.');
      const scope = { ...callerScope, subTenantId: source.sub_tenant_id };
      const idempotency = readIdempotencyKey({ resend: publicId }, null, context.idempotencyHeader);
      return enter({ scope, context, idempotency }, async (side, now) => {
        assertTenantSends(side, scope.mode);
        if (source.redacted_at !== null || isErasedAddress(source.to_email)) {
          throw new Refusal('conflict', 'What the message said is not kept any more.');
        }
        const stored = await draftOfStored(store, source, newId('msg', now));
        const draft = { ...stored, topic: await topicOf(store, scope, source.topic_id) };
        // A relayed Reply-To may be anybody's.
        const replyTo = draft.relayed === null ? draft.replyTo : [];
        chooseSenders({ from: draft.from, replyTo }, side, scope.mode);
        return { ...draft, suppressed: await checkAudience(store.audience, scope, draft, side.organization) };
      });
    },
  };
}

/** Pin, header and field must agree. Refused with `sub_tenant_mismatch`. */
function effectiveScope(scope: Scope, field: string | undefined): Scope {
  if (field === undefined || field === scope.subTenantId) return scope;
  if (scope.subTenantId === null) return { ...scope, subTenantId: field };
  throw new Refusal('sub_tenant_mismatch', undefined, { param: 'sub_tenant_id' });
}

function scheduledAtOf(sendAt: string | null, now: number): number | null {
  if (sendAt === null) return null;
  const time = parseSendAt(sendAt, now);
  if (!time.ok) throw invalidFields([{ path: 'send_at', message: time.message }]);
  return time.at;
}

function expiresAtOf(text: string | null, scheduledAt: number | null, now: number): number | null {
  if (text === null) return null;
  const refusal = (message: string): Refusal => invalidFields([{ path: 'expires_at', message }]);
  const time = parseSendAt(text, now);
  if (!time.ok) throw refusal(time.message);
  if (time.at === null) throw refusal('the time is in the past');
  if (scheduledAt !== null && time.at <= scheduledAt) throw refusal('must be later than send_at');
  return time.at;
}

function answerOf(draft: Draft, rows: readonly MessageRow[]): Accepted {
  const [first, ...copies] = rows;
  if (!first) throw new Error('A draft without recipients was accepted.');
  return {
    message: asFirstAnswered(first),
    copies: copies.map(asFirstAnswered),
    attachments: draft.attachments.map(({ content, ...attachment }) => ({
      ...attachment,
      sizeBytes: content.byteLength,
    })),
    replayed: false,
  };
}

function asFirstAnswered<Row extends MessageRow>(row: Row): Row {
  return {
    ...row,
    status: 'queued',
    provider: null,
    provider_message_id: null,
    error: null,
    opened_at: null,
    clicked_at: null,
    updated_at: row.created_at,
  };
}

function keyUse(keyId: string, messages: number, now: number): CountKeyUse {
  return { kind: 'count-key-use', keyId, day: usageDays(now).today, messages };
}
