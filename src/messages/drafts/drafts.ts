// Creates, changes and removes drafts, and marks them as sent. Sending them is part of acceptance.
import { type AuditEntry, auditInsert } from '../../accounts/audit/audit.store.js';
import type { Actor } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { changeTime } from '../../contract/time.js';
import type { Change } from '../../database/change.js';
import type { Scope } from '../../database/scope.js';
import { DISK_IS_FULL } from '../../lib/files/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { SubmissionContext } from '../accept/accept.js';
import type { MessageContext } from '../context.js';
import { isPolicyKeyOf, isSameKey } from '../inboxes/policy-key.js';
import { changeDraft, createDraft, removeDrafts } from './draft-changes.store.js';
import { givenFields, NO_FIELDS, storedFields, withChanges } from './draft-fields.js';
import type { DraftFields, DraftUpdate } from './draft.schema.js';
import type { OpenDrafts } from './drafts.store.js';
import type { ReplyDraft } from './drafts.tables.js';

const MIB = 1024 * 1024;
/** Open drafts of a workspace, and of one of its sub-tenants. */
const MOST = {
  workspace: { drafts: 10_000, bytes: 1024 * MIB },
  subTenant: { drafts: 1_000, bytes: 256 * MIB },
};

type DraftContext = Pick<MessageContext, 'store' | 'clock' | 'config' | 'disk'>;

/** The API key and send policy of a caller. */
type Writer = Pick<SubmissionContext, 'keyId' | 'policy'>;

/** `by` is the ID of the user or API key that writes. */
interface Author extends Writer {
  by: string;
}

export class Drafts {
  readonly #context: DraftContext;

  constructor(context: DraftContext) {
    this.#context = context;
  }

  /** Refused with `not_found` for a thread outside the scope, and with `conflict` at the limits. */
  async create(
    scope: Scope,
    threadId: string,
    fields: DraftFields,
    { by }: Pick<Author, 'by'>,
  ): Promise<ReplyDraft> {
    const { store, clock, config } = this.#context;
    const thread = await store.threads.thread(scope, threadId);
    if (thread === null) throw new Refusal('not_found');
    const stored = storedFields(fields, config);
    await this.#assertRoom({ ...scope, subTenantId: thread.sub_tenant_id }, 1, stored.size_bytes);
    const now = clock();
    const row: ReplyDraft = {
      id: newId('drf', now),
      environment_id: scope.environmentId,
      sub_tenant_id: thread.sub_tenant_id,
      thread_id: threadId,
      ...{ version: 1, created_by: by, updated_by: by, message_id: null },
      ...{ created_at: now, updated_at: now },
      ...stored,
    };
    await store.commit([createDraft({ row })]);
    return row;
  }

  /**
   * Refused with `conflict` if the draft was sent, or has another version than the request names, and with `forbidden` as by
   * `findWritableDraft`.
   */
  async change(
    scope: Scope,
    id: string,
    request: DraftUpdate,
    { by, ...writer }: Author,
  ): Promise<ReplyDraft> {
    const { store, clock, config } = this.#context;
    const found = await findWritableDraft(this.#context, scope, id, writer);
    assertVersion(found, request.version);
    if (found.message_id !== null) throw new Refusal('conflict', 'The draft was sent and cannot be changed.');
    const stored = storedFields(withChanges(givenFields(found), request), config);
    const growth = stored.size_bytes - found.size_bytes;
    if (growth > 0) await this.#assertRoom({ ...scope, subTenantId: found.sub_tenant_id }, 0, growth);
    const set = {
      ...stored,
      version: found.version + 1,
      updated_by: by,
      updated_at: changeTime(found, clock()),
    };
    await store.commit([changeDraft({ draft: found, set, event: 'draft.updated', actor: 'api' })]);
    return { ...found, ...set };
  }

  async remove(scope: Scope, id: string, writer: Writer): Promise<void> {
    const { store, clock } = this.#context;
    await findWritableDraft(this.#context, scope, id, writer);
    await store.commit([removeDrafts({ where: { id }, at: clock() })]);
  }

  /** The scope is that of the draft's thread. */
  async #assertRoom(scope: Scope, added: number, bytes: number): Promise<void> {
    const { store, disk } = this.#context;
    if (disk.isFull()) throw new Refusal('unavailable', DISK_IS_FULL);
    const ofWorkspace = await store.drafts.openDrafts({ ...scope, subTenantId: null });
    if (isOver(ofWorkspace, MOST.workspace)) {
      const { drafts: count, bytes: size } = MOST.workspace;
      throw new Refusal(
        'conflict',
        `The workspace has reached its limit of ${count} open drafts or ${size / MIB} MiB. Send or delete drafts.`,
      );
    }
    const { subTenantId } = scope;
    if (subTenantId !== null && isOver(await store.drafts.openDrafts(scope), MOST.subTenant)) {
      const { drafts: count, bytes: size } = MOST.subTenant;
      throw new Refusal(
        'conflict',
        `The sub-tenant has reached its limit of ${count} open drafts or ${size / MIB} MiB. Send or delete drafts.`,
      );
    }

    function isOver(open: OpenDrafts, most: OpenDrafts): boolean {
      return open.drafts + added > most.drafts || open.bytes + bytes > most.bytes;
    }
  }
}

export async function findDraft(
  store: Pick<DraftContext['store'], 'drafts'>,
  scope: Scope,
  id: string,
): Promise<ReplyDraft> {
  const found = await store.drafts.draft(scope, id);
  if (found === null) throw new Refusal('not_found');
  return found;
}

/**
 * Returns a draft that the caller may change. Refused with `forbidden` to a key with a send policy if neither it nor the inbox that it
 * replies for owns the draft.
 */
export async function findWritableDraft(
  reads: Pick<DraftContext, 'store' | 'clock'>,
  scope: Scope,
  id: string,
  { keyId, policy }: Writer,
): Promise<ReplyDraft> {
  const { store } = reads;
  const found = await findDraft(store, scope, id);
  if (policy === null || keyId === null) return found;
  if (await isSameKey(reads, scope, found.created_by, keyId)) return found;
  const thread = await store.threads.thread(scope, found.thread_id);
  if (thread !== null && (await isPolicyKeyOf(reads, scope, thread, keyId))) return found;
  throw new Refusal(
    'forbidden',
    'An API key with a send policy can change, send and delete only drafts that it created, and those of inboxes whose policy key it is.',
  );
}

/** Refused with `conflict` if the caller has read another version. */
export function assertVersion(draft: ReplyDraft, wanted: number | undefined): void {
  if (wanted === undefined || wanted === draft.version) return;
  throw new Refusal(
    'conflict',
    `The draft has version ${draft.version}, but the request specifies ${wanted}. Fetch it again.`,
    { param: 'version' },
  );
}

/** The draft that a reply is sent from. */
export interface SentDraft {
  draft: ReplyDraft;
  entry: AuditEntry;
}

/**
 * Marks a draft as sent and removes its content, in the plan that accepts its message. Refused with `conflict` if it was changed or
 * sent in the meantime.
 */
export function markSent(
  { draft, entry }: SentDraft,
  { messageId, actor, now }: { messageId: string | undefined; actor: Actor; now: number },
): Change[] {
  if (messageId === undefined) throw new Error('A draft was sent as no message.');
  const set = { ...NO_FIELDS, message_id: messageId, updated_at: changeTime(draft, now) };
  return [changeDraft({ draft, set, event: 'draft.sent', actor }), auditInsert(entry)];
}
