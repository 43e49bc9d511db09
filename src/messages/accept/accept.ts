// Accepts messages: reads a request, drafts the message, checks suppressions and quota, and commits message, event and queue
// row in one transaction.
import type { MessageContext } from '../context.js';
import type { MessageRequest } from '../message.schema.js';
import type { AuditEntry } from '../../accounts/audit/audit.store.js';
import type { Actor } from '../../contract/names.js';
import { invalidFields, Refusal, type FieldProblem } from '../../contract/refusal.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import type { ThreadReplyRequest } from '../threads/thread.schema.js';
import { usageDays } from '../../accounts/quota.rules.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import { DISK_IS_FULL } from '../../lib/files/index.js';
import { createQuotes, type QuoteText } from '../../lib/json/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { AttachmentInfo } from '../messages.store.js';
import type { Scope } from '../../database/scope.js';
import { IdempotencyRace } from './accept.store.js';
import type { Draft } from './draft.js';
import { createFacts, type SenderSide } from './facts.js';
import {
  madeBefore,
  MAX_ROUNDS,
  once,
  readIdempotencyKey,
  relayedKey,
  type IdempotencyKey,
} from './idempotency.js';
import { chooseMessageId, planMessages, type MessageRow } from './plan-message.js';
import { inspectRequest, readRequest } from './read-request.js';
import { approvalChange, newApproval } from '../approvals/request-approval.js';
import { checkPolicy, limitChanges, recordedRefusal } from './policy-check.js';
import { draftOfRelayed, type RelayedMail } from '../relayed/relayed.js';
import { givenFields } from '../drafts/draft-fields.js';
import { assertVersion, findWritableDraft, markSent, type SentDraft } from '../drafts/drafts.js';
import { withPolicyKey } from '../inboxes/policy-key.js';
import { completeReply } from '../threads/reply-request.js';
import { checkAudience, draftOfRequest } from './request-draft.js';
import { draftOfStored } from './resend.js';
import { readExpiresAt, readScheduledAt } from './schedule-time.rules.js';
import { assertTenantSends, assertVerified, chooseSenders, scopeOfSender } from './sender.js';
import { threadMoves } from '../threads/thread-part.js';
import { leftTopic, findTopic } from './topic.js';
import type { Change } from '../../database/change.js';
import { countKeyUse } from '../../accounts/usage.store.js';

/** Requests of a batch whose facts are read at the same time. */
const PARALLEL = 50;

export interface SubmissionContext {
  /** The actor of the audit trail: `api`, `api_key` for the relay, `user`, `system`. */
  actor: Actor;
  /** The API key of the request; null without one. */
  keyId: string | null;
  /** The send policy of the key; null without one. */
  policy: SendPolicy | null;
  /** The header's value; null without one. */
  idempotencyHeader: string | null;
  /** A vendor API handed the request over: any Reply-To is allowed, and the service adds none. Absent: false. */
  fromVendorApi?: boolean;
  /** Valid W3C Trace Context of the request. */
  traceparent?: string | null;
  /** See `Draft`. */
  isAskedFor?: true;
  /** The draft that a reply is sent from, which is marked as sent in the same plan. */
  draft?: SentDraft;
  /** Problems of fields that were left out of the request for them; the request is refused with these and all others. */
  problems?: readonly FieldProblem[];
}

/** An attachment without its content. */
export type AttachmentSummary = Pick<
  AttachmentInfo,
  'filename' | 'contentType' | 'cid' | 'sizeBytes' | 'sha256'
>;

/** Messages as first returned: queued, regardless of their current status. */
export interface Accepted {
  message: MessageRow;
  /** The messages to the other recipients. */
  copies: MessageRow[];
  /** Reads the content that the API shows with messages. */
  content: { rfcMessageId: string | null; attachments: readonly AttachmentSummary[]; lastAttempt: null };
  /** Ids of those that are suppressed. */
  suppressedIds: readonly string[];
  /** An earlier request with the same idempotency key created the messages. */
  replayed: boolean;
}

/** One request of several that are accepted in one transaction. */
export interface TogetherRequest {
  /** Matches its schema, except for what `context.problems` names. */
  request: MessageRequest;
  context: SubmissionContext;
}

/** A request to accept, with the scope that its sender narrows it to. */
interface Entering {
  scope: Scope;
  context: SubmissionContext;
  idempotency: IdempotencyKey | null;
  quote?: QuoteText;
}

interface Submitting extends Entering {
  side: SenderSide;
  now: number;
}

type MakeDraft = (side: SenderSide, now: number) => Promise<Draft>;

/** A request that was read, with the function that makes its draft. */
interface Entered extends Entering {
  draft: MakeDraft;
}

/** An answer and the changes that make it true; no changes for a message that was stored before. */
interface Ready {
  answer: Accepted;
  plan: Change[];
}

export class Submission {
  readonly #context: MessageContext;
  readonly #facts: ReturnType<typeof createFacts>;

  constructor(context: MessageContext) {
    this.#context = context;
    this.#facts = createFacts(context.store);
  }

  /** Stores a message durably. Refused with a code of the catalogue. The request must match its schema. */
  async accept(callerScope: Scope, request: MessageRequest, context: SubmissionContext): Promise<Accepted> {
    const entered = await this.#read(callerScope, { request, context });
    if (context.isAskedFor !== true) return this.#enter(entered, entered.draft);
    return this.#enter(entered, async (side, now) => ({
      ...(await entered.draft(side, now)),
      askedFor: true,
    }));
  }

  /**
   * Stores the messages of all requests in one transaction, or none. Returns them in the order of the requests. Refused with the
   * first refusal, whose `details.items` lists all.
   */
  async acceptTogether(scope: Scope, requests: readonly TogetherRequest[]): Promise<Accepted[]> {
    refuseSameKeys(requests);
    for (let round = 1; ; round++) {
      const ready = await this.#prepareAll(scope, requests);
      const plan = ready.flatMap((one) => one.plan);
      try {
        // The requests that are repeated here may have ended before the disk or the replica had their messages.
        await (plan.length > 0 ? this.#commitTogether(scope, requests, plan) : this.#context.store.secured());
        return ready.map(({ answer }) => answer);
      } catch (error) {
        // Another request was first with one of the keys: its message is the answer for it.
        if (!(error instanceof IdempotencyRace) || round >= MAX_ROUNDS) throw error;
      }
    }
  }

  /**
   * Stores a message in a thread, for the thread's sub-tenant. The thread completes the request. Refused with `not_found`, or as by
   * `accept`.
   */
  async reply(
    callerScope: Scope,
    threadId: string,
    request: ThreadReplyRequest,
    context: SubmissionContext,
  ): Promise<Accepted> {
    const { store, config } = this.#context;
    const thread = await store.threads.thread(callerScope, threadId);
    if (!thread) throw new Refusal('not_found');
    const scope = { ...callerScope, subTenantId: thread.sub_tenant_id };
    // The fingerprint excludes what the thread adds, because that may differ at the next attempt.
    const idempotency = readIdempotencyKey(
      { ...request, reply_in: threadId },
      request.idempotency_key ?? null,
      context.idempotencyHeader,
    );
    const submitted = await withPolicyKey(this.#context, scope, thread, context);
    return this.#enter({ scope, context: submitted, idempotency }, async (side, now) => {
      const completed = await completeReply(store, thread, request, { ...side, mode: scope.mode });
      const wanted = readRequest(request, completed, config);
      return draftOfRequest(this.#context, wanted, { scope, side, now, fromVendorApi: false }, []);
    });
  }

  /**
   * Stores the reply of a draft, once: its message is the answer to every further request. Refused with `not_found`, with `conflict`
   * for another version than the wanted one, with `forbidden` for a draft of others, or as by `reply`; the draft then stays open.
   */
  async sendDraft(
    scope: Scope,
    { id, version, entry }: { id: string; version: number | undefined; entry: AuditEntry },
    context: SubmissionContext,
  ): Promise<Accepted> {
    for (let round = 1; ; round++) {
      const draft = await findWritableDraft(this.#context, scope, id, context);
      assertVersion(draft, version);
      if (draft.message_id !== null) return this.#replaySent(scope, draft.message_id);
      try {
        const sending = { ...context, draft: { draft, entry } };
        return await this.reply(scope, draft.thread_id, givenFields(draft), sending);
      } catch (error) {
        // Another request may have changed or sent the draft, or its message may have made a check fail.
        if (!(error instanceof Refusal) || round >= MAX_ROUNDS) throw error;
        const now = await findWritableDraft(this.#context, scope, id, context);
        if (now.version === draft.version && now.message_id === null) throw error;
      }
    }
  }

  /**
   * Stores mail submitted as a whole: one message for each envelope recipient, in their order. The From must be a verified sender.
   * Refused as by `accept`.
   */
  async relay(callerScope: Scope, mail: RelayedMail, context: SubmissionContext): Promise<Accepted> {
    const { store } = this.#context;
    const named = effectiveScope(callerScope, mail.subTenantId ?? undefined);
    const scope = await scopeOfSender({ store, facts: this.#facts }, named, mail.from.email);
    const idempotency = relayedKey(mail, context.idempotencyHeader);
    return this.#enter({ scope, context, idempotency }, async (side, now) => {
      assertTenantSends(side, scope.mode);
      const scheduledAt = readScheduledAt(mail.sendAt, now);
      const expiresAt = readExpiresAt(mail.expiresAt, scheduledAt, now);
      const draft = draftOfRelayed(mail, { scheduledAt, expiresAt, newId: () => newId('msg', now) });
      chooseSenders({ from: draft.from, replyTo: [] }, side, scope.mode);
      for (const mailbox of mail.otherOriginators) assertVerified(mailbox, 'from', side, scope.mode);
      return { ...draft, suppressed: await checkAudience(store.contacts, scope, draft, side.organization) };
    });
  }

  /** Stores a new message with the content and recipient of a stored one. Refused with `not_found`, or as by `accept`. */
  async resend(callerScope: Scope, publicId: string, context: SubmissionContext): Promise<Accepted> {
    const { store } = this.#context;
    const source = await store.messages.message(callerScope, publicId);
    if (!source) throw new Refusal('not_found');
    if (source.status === 'received') throw new Refusal('conflict', 'Inbound messages cannot be resent.');
    if ((await store.approvals.pendingOf(source)) !== null) {
      throw new Refusal('conflict', 'The message is waiting for approval and cannot be resent.');
    }
    const scope = { ...callerScope, subTenantId: source.sub_tenant_id };
    const idempotency = readIdempotencyKey({ resend: publicId }, null, context.idempotencyHeader);
    return this.#enter({ scope, context, idempotency }, async (side, now) => {
      assertTenantSends(side, scope.mode);
      if (source.redacted_at !== null || isErasedAddress(source.to_email)) {
        throw new Refusal('conflict', 'The message content is no longer stored.');
      }
      const stored = await draftOfStored(store, source, newId('msg', now));
      const draft = { ...stored, topic: await findTopic(store, scope, source.topic_id) };
      // The relay and the vendor APIs take any Reply-To.
      const replyTo = draft.relayed === null && !draft.fromVendorApi ? draft.replyTo : [];
      chooseSenders({ from: draft.from, replyTo }, side, scope.mode);
      return { ...draft, suppressed: await checkAudience(store.contacts, scope, draft, side.organization) };
    });
  }

  /** Drafts and stores a message, once for each idempotency key. */
  async #enter(entering: Entering, draft: MakeDraft): Promise<Accepted> {
    const { store, clock } = this.#context;
    const { scope, idempotency } = entering;
    const result = await once(store.messages, scope, idempotency, () =>
      this.#recordingRefusal(entering, async () => {
        this.#assertSpace();
        const now = clock();
        const side = await this.#facts.senderSide(scope);
        const drafted = await draft(side, now);
        return answerOf(drafted, await this.#submit(drafted, { ...entering, side, now }));
      }),
    );
    if (result.kind === 'made') return result.value;
    // The first request may have ended before the disk or the replica had its message.
    await store.secured();
    return this.#replay(scope, result.message);
  }

  /** Does the work. A refusal by the send policy of the key is recorded before it is passed on. */
  async #recordingRefusal<T>(
    { scope, context: { keyId, policy } }: Pick<Entering, 'scope' | 'context'>,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { store, clock } = this.#context;
      const record =
        keyId === null || policy === null ? null : recordedRefusal(keyId, scope, { error, now: clock() });
      if (record !== null) await store.commit([record]);
      throw error;
    }
  }

  async #read(callerScope: Scope, { request, context }: TogetherRequest): Promise<Entered> {
    const { store, config } = this.#context;
    const { read: wanted, problems: own } = inspectRequest(request, config);
    const problems = [...(context.problems ?? []), ...own];
    const named = await this.#namedTenant(callerScope, request.sub_tenant_id);
    const scope = await scopeOfSender(
      { store, facts: this.#facts },
      effectiveScope(callerScope, named),
      wanted.from?.email ?? null,
    );
    // A request that is refused anyway has no fingerprint, because an invalid field may have none.
    const quote = createQuotes();
    const idempotency =
      problems.length > 0
        ? null
        : readIdempotencyKey(
            named === undefined ? request : { ...request, sub_tenant_id: named },
            request.idempotency_key ?? null,
            context.idempotencyHeader,
            quote,
          );
    const draft: MakeDraft = (side, now) =>
      draftOfRequest(
        this.#context,
        wanted,
        { scope, side, now, fromVendorApi: context.fromVendorApi ?? false },
        problems,
      );
    return { scope, context, idempotency, quote, draft };
  }

  /** The id of the sub-tenant in the field. Refused with `sub_tenant_not_found`. */
  async #namedTenant(scope: Scope, field: string | undefined): Promise<string | undefined> {
    if (field === undefined) return undefined;
    const id = await this.#context.store.tenants.subTenantIdOf(scope, field);
    if (id === null) throw new Refusal('sub_tenant_not_found', undefined, { param: 'sub_tenant_id' });
    return id;
  }

  async #prepare(scope: Scope, request: TogetherRequest): Promise<Ready> {
    const { store, clock } = this.#context;
    const entered = await this.#read(scope, request);
    const { idempotency } = entered;
    const first = idempotency === null ? null : await madeBefore(store.messages, entered.scope, idempotency);
    if (first !== null) return { answer: await this.#replay(entered.scope, first), plan: [] };
    this.#assertSpace();
    const now = clock();
    const side = await this.#facts.senderSide(entered.scope);
    const draft = await entered.draft(side, now);
    const { rows, plan } = await this.#recordingRefusal(entered, () =>
      this.#plan(draft, { ...entered, side, now }),
    );
    return { answer: answerOf(draft, rows), plan };
  }

  /** All requests have one submitter. */
  async #commitTogether(
    scope: Scope,
    [first]: readonly TogetherRequest[],
    plan: readonly Change[],
  ): Promise<void> {
    if (first === undefined) return;
    await this.#recordingRefusal({ scope, context: first.context }, () => this.#commit(plan));
  }

  async #prepareAll(scope: Scope, requests: readonly TogetherRequest[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    const refused: { index: number; refusal: Refusal }[] = [];
    for (let i = 0; i < requests.length; i += PARALLEL) {
      const some = requests.slice(i, i + PARALLEL).map((request) => this.#prepare(scope, request));
      for (const [offset, result] of (await Promise.allSettled(some)).entries()) {
        if (result.status === 'fulfilled') ready.push(result.value);
        else if (result.reason instanceof Refusal)
          refused.push({ index: i + offset, refusal: result.reason });
        else throw result.reason;
      }
    }
    if (refused.length > 0) throw refusalOfAll(refused);
    return ready;
  }

  /** Only new messages need space: the answer to a repeated request is stored already. */
  #assertSpace(): void {
    if (this.#context.disk.isFull()) throw new Refusal('unavailable', DISK_IS_FULL);
  }

  async #submit(draft: Draft, submitting: Submitting): Promise<MessageRow[]> {
    const { rows, plan } = await this.#plan(draft, submitting);
    await this.#commit(plan);
    return rows;
  }

  async #plan(
    draft: Draft,
    { scope, side, context, idempotency, quote, now }: Submitting,
  ): Promise<{ rows: MessageRow[]; plan: Change[] }> {
    const { quota, config } = this.#context;
    const { keyId, policy } = context;
    const differences = policy === null ? null : await checkPolicy(this.#context, policy, scope, draft);
    const suppressed = await this.#suppressedAmong(draft, scope, side);
    const isSent = draft.recipients.some(({ key }) => !suppressed.has(key));
    const approval =
      keyId === null || differences === null || !isSent
        ? null
        : newApproval({ keyId, differences }, draft, { ttlMs: config.approvalTtlMs, now });
    const asked = { type: draft.type, sends: draft.recipients.length - suppressed.size };
    const checks = quota.changes(scope, side.organization.plan, asked, now);
    const { rows, plan } = planMessages(
      { ...draft, suppressed },
      {
        ...{ scope, actor: context.actor, now, idempotency, lifetimes: config },
        ...{ traceparent: context.traceparent ?? null, approval },
        ...(quote ? { quote } : {}),
      },
    );
    const sending = { messageId: rows[0]?.public_id, actor: context.actor, now };
    const sent = context.draft === undefined ? [] : markSent(context.draft, sending);
    const held = approval === null ? [] : [approvalChange(approval, scope, { rows, now })];
    const thread = draft.threadId === null ? [] : [threadMoves(draft.threadId, now)];
    const counted = keyId === null ? [] : [keyUse(keyId, rows.length, now)];
    const limits =
      keyId === null || policy === null ? [] : limitChanges(keyId, policy, { asked: rows.length, now });
    return { rows, plan: [...sent, ...limits, ...checks, ...plan, ...held, ...thread, ...counted] };
  }

  async #suppressedAmong(draft: Draft, scope: Scope, side: SenderSide): Promise<Map<string, string>> {
    const suppressed = new Map([...(await leftTopic(this.#context.store, draft)), ...draft.suppressed]);
    const keys = draft.recipients.map((recipient) => recipient.key);
    const rows = await this.#facts.suppressionsOf(scope, keys);
    if (rows.length === 0) return suppressed;
    const { type } = draft;
    const question = {
      type,
      subTenantId: scope.subTenantId,
      unsubscribeBlocks: side.organization.unsubscribe_blocks,
      isAskedFor: draft.askedFor,
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

  async #commit(plan: readonly Change[]): Promise<void> {
    const { store, wakeUps } = this.#context;
    const { queueIds } = await store.commit(plan, 'urgent');
    if (queueIds.length > 0) wakeUps.queue(queueIds);
    wakeUps.events();
  }

  async #replaySent(scope: Scope, publicId: string): Promise<Accepted> {
    const { store } = this.#context;
    const message = await store.messages.message(scope, publicId);
    if (message === null) throw new Refusal('conflict', 'The draft was sent, but its message was deleted.');
    // The first request may have ended before the disk or the replica had its message.
    await store.secured();
    return this.#replay({ ...scope, subTenantId: message.sub_tenant_id }, message);
  }

  /** A stored message with its copies, as first answered. */
  async #replay(scope: Scope, first: MessageRow & { id: number; content_id: number }): Promise<Accepted> {
    const { store } = this.#context;
    const [all, content] = await Promise.all([
      store.messages.copies(scope, first.content_id, first.id),
      store.messages.shownContent(first),
    ]);
    const copies = all.filter((copy) => copy.id !== first.id);
    return {
      message: asFirstAnswered(first),
      copies: copies.map((copy) => asFirstAnswered(copy)),
      suppressedIds: suppressedIdsOf([first, ...copies]),
      content: { ...content, lastAttempt: null },
      replayed: true,
    };
  }
}

/** Pin, header and field must agree. Refused with `sub_tenant_mismatch`. */
function effectiveScope(scope: Scope, field: string | undefined): Scope {
  if (field === undefined || field === scope.subTenantId) return scope;
  if (scope.subTenantId === null) return { ...scope, subTenantId: field };
  throw new Refusal('sub_tenant_mismatch', undefined, { param: 'sub_tenant_id' });
}

function answerOf(draft: Draft, rows: readonly MessageRow[]): Accepted {
  const [first, ...copies] = rows;
  if (!first) throw new Error('A draft without recipients was accepted.');
  return {
    message: asFirstAnswered(first),
    copies: copies.map(asFirstAnswered),
    suppressedIds: suppressedIdsOf(rows),
    content: {
      rfcMessageId: chooseMessageId(draft),
      attachments: draft.attachments.map(({ content, ...attachment }) => ({
        ...attachment,
        sizeBytes: content.byteLength,
      })),
      lastAttempt: null,
    },
    replayed: false,
  };
}

function suppressedIdsOf(rows: readonly MessageRow[]): string[] {
  return rows.flatMap(({ public_id: id, status }) => (status === 'suppressed' ? [id] : []));
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

function keyUse(keyId: string, messages: number, now: number): Change {
  return countKeyUse({ keyId, day: usageDays(now).today, messages });
}

function refuseSameKeys(requests: readonly TogetherRequest[]): void {
  const indexes = new Map<string, number>();
  for (const [index, { request, context }] of requests.entries()) {
    const key = request.idempotency_key ?? context.idempotencyHeader;
    if (key === null) continue;
    const before = indexes.get(key);
    if (before !== undefined) {
      const message = `is also used by messages.${before}. Give each message its own key`;
      throw invalidFields([{ path: `messages.${index}.idempotency_key`, message }]);
    }
    indexes.set(key, index);
  }
}

/** The refusal of the first item, with the problems of each. */
function refusalOfAll(refused: readonly { index: number; refusal: Refusal }[]): Refusal {
  const [{ index, refusal } = { index: 0, refusal: new Refusal('internal_error') }] = refused;
  const items = refused.map(({ index: at, refusal: one }) => ({
    index: at,
    code: one.code,
    message: one.message,
    ...(one.param === undefined ? {} : { param: one.param }),
    ...(one.details === undefined ? {} : { details: one.details }),
  }));
  const sentence = `Nothing was sent. messages.${index}: ${refusal.message}`;
  const param = `messages.${index}${refusal.param === undefined ? '' : `.${refusal.param}`}`;
  return new Refusal(refusal.code, sentence, { param, details: { items } });
}
