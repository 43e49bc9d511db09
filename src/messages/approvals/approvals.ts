// Decides about messages that wait for approval: approves, rejects and edits them, and expires requests that no one decided.
import { isUnavailable, Refusal } from '../../contract/refusal.js';
import type { MessageTrailEvent } from '../../contract/names.js';
import { readStoredPolicy } from '../../contract/send-policy.js';
import type { Change } from '../../database/change.js';
import type { Otherwise } from '../../database/refuse.js';
import { update } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { changeTime } from '../../contract/time.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { addressDomain } from '../../lib/mime/index.js';
import { linksOf } from '../accept/policy-check.js';
import { linkDifferences, type PolicyDifference } from '../accept/send-policy.rules.js';
import { contentHash } from '../content-hash.rules.js';
import type { MessageContext } from '../context.js';
import { expiresAt } from '../lifetime.rules.js';
import { advanceMessage, amendMessage } from '../message-changes.store.js';
import { contents, type Message } from '../messages.tables.js';
import { queueRank } from '../queue-rank.rules.js';
import { searchAgain } from '../threads/search-index.store.js';
import { decideApproval, releaseHeld } from './approval-changes.store.js';
import { type Approval, approvals } from './approvals.tables.js';
import type { DueApproval, ShownApproval } from './approvals.store.js';
import { type ApprovalAction, approverProblem } from './approver.rules.js';

/** Expired requests that one run of the sweep reads together. */
const BATCH = 100;
/** Attempts of a decision while copies of the message are canceled or rescheduled. */
const TRIES = 3;
const CHANGED: Otherwise = {
  code: 'conflict',
  message: 'The message has changed since you read it. Review it again.',
};
const DECIDED = {
  approved: 'The message was already approved.',
  rejected: 'The message was already rejected.',
  expired: 'The approval request has expired.',
  canceled: 'The message was canceled.',
} as const;
const MOVED: Otherwise = {
  code: 'conflict',
  message: 'The message was canceled or rescheduled in the meantime. Try again.',
};
const FIXED =
  'Messages submitted as MIME cannot be edited, because they are sent exactly as they were submitted. Reject the message instead.';

/** A signed-in person. */
interface Person {
  id: string;
  email: string;
}

interface Decision {
  note: string | null;
  /** The version that the approver has read. */
  contentHash: string;
}

/** Absent fields stay. */
type ContentChange = { [F in 'subject' | 'html' | 'text']: string | undefined };

type ApprovalsContext = Pick<MessageContext, 'store' | 'config' | 'clock' | 'wakeUps'>;

export class Approvals {
  readonly #context: ApprovalsContext;

  constructor(context: ApprovalsContext) {
    this.#context = context;
  }

  /** Returns why the user may not do it; null if they may. */
  async problem(
    { organizationId }: Pick<Scope, 'organizationId'>,
    { owner_id: ownerId, edited_by: editedBy }: Pick<ShownApproval, 'owner_id' | 'edited_by'>,
    { userId, action }: { userId: string; action: ApprovalAction },
  ): Promise<string | null> {
    const { store } = this.#context;
    const { two_person } = await store.accounts.organization({ organizationId });
    const { role, can_approve } = await this.#member(organizationId, userId);
    const approver = { id: userId, role, canApprove: can_approve === 1 };
    return approverProblem(approver, { isTwoPerson: two_person === 1, ownerId, editedBy }, action);
  }

  /**
   * Queues the messages for delivery. Refused with `not_found`, `forbidden`, and `conflict` if the approval was decided or the
   * content differs from the one that the approver reviewed.
   */
  async approve(
    scope: Scope,
    id: string,
    userId: string,
    { note, contentHash: seen }: Decision,
  ): Promise<void> {
    await this.#decide(scope, id, { userId, action: 'approve' }, (approval, person, now) => {
      if (approval.content_hash !== seen) throw new Refusal(CHANGED.code, CHANGED.message);
      return {
        change: decideApproval({ approval, status: 'approved', person, note, at: now, otherwise: CHANGED }),
        each: (message, own) => [
          this.#release(message, approval, now),
          trailEntry(message, own, { event: 'approved', approval, person, note, now }),
        ],
      };
    });
  }

  /** Cancels the messages. Refused like `approve`. */
  async reject(scope: Scope, id: string, userId: string, { note }: Pick<Decision, 'note'>): Promise<void> {
    await this.#decide(scope, id, { userId, action: 'reject' }, (approval, person, now) => ({
      change: decideApproval({ approval, status: 'rejected', person, note, at: now, otherwise: CHANGED }),
      each: (message, own) => withdraw(message, own, { event: 'rejected', approval, person, note, now }),
    }));
  }

  /** Creates a new version of the content. Refused like `approve`, and with `conflict` for submitted MIME. */
  async edit(scope: Scope, id: string, userId: string, patch: ContentChange): Promise<void> {
    const { store, clock, wakeUps } = this.#context;
    const { approval, person } = await this.#pending(scope, id, { userId, action: 'edit' });
    const all = await store.messages.copies(scope, approval.content_id, approval.message_id);
    const copies = all.filter(
      ({ redacted_at, to_email }) => redacted_at === null && !isErasedAddress(to_email),
    );
    const [first] = copies;
    if (first === undefined) throw new Refusal('not_found');
    const content = await store.messages.content(first);
    if (content.raw_id !== null) throw new Refusal('conflict', FIXED);
    const next = {
      subject: patch.subject ?? first.subject,
      html: patch.html ?? content.html,
      text: patch.text ?? content.text,
    };
    const files = await store.messages.filesOf(first);
    const attachments = files.map(({ sha256 }) => sha256);
    const hashOf = ({ from_email, from_name, to_email, to_name }: Message): string =>
      contentHash({
        ...next,
        from: { email: from_email, name: from_name },
        to: { email: to_email, name: to_name },
        attachments,
      });
    const now = clock();
    const hash = hashOf(first);
    if (hash === first.content_hash) return;
    const headers = JSON.parse(content.headers) as [string, string][];
    const differences = await this.#differences(scope, approval, { ...next, headers, attachments: files });
    const version = approval.version + 1;
    const changedEntry = (message: Message, contentHashNow: string): Change =>
      auditTrailEntry(auditTrailSubject(message, scope), {
        ...{ event: 'approval_changed', actor: 'user', at: now },
        detail: {
          metadata: {
            ...{ approval_id: id, version, user_id: person.id, email: person.email },
            ...{ content_hash: contentHashNow, previous_content_hash: message.content_hash },
          },
        },
      });
    await store.commit([
      update(approvals, {
        set: {
          ...{ version, content_hash: hash, edited_by: person.id },
          updated_at: changeTime(approval, now),
          differences: JSON.stringify(differences),
        },
        where: { id, status: 'pending', updated_at: approval.updated_at },
        otherwise: CHANGED,
      }),
      update(contents, { set: { html: next.html, text: next.text }, where: { id: content.id } }),
      ...searchAgain(copies),
      ...copies.flatMap((message): Change[] => [
        amendMessage({
          messageId: message.id,
          set: { subject: next.subject, content_hash: hashOf(message), updated_at: now },
        }),
        ...(message.status === 'queued' ? [changedEntry(message, hashOf(message))] : []),
      ]),
    ]);
    wakeUps.events();
  }

  /**
   * Cancels messages that no one decided about in time. If an approval fails, the others continue, and its error is thrown at the
   * end.
   */
  async expire(): Promise<void> {
    const { store, clock, wakeUps } = this.#context;
    const now = clock();
    const failures: unknown[] = [];
    for (let after: DueApproval | null = null; ;) {
      const due: DueApproval[] = await store.approvals.expired(now, BATCH, after);
      for (const approval of due) {
        try {
          await ignoringConflict(() => this.#expireOne(approval, now));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          failures.push(new Error(`Approval ${approval.id} cannot expire.`, { cause: error }));
        }
      }
      if (due.length > 0) wakeUps.events();
      after = due.at(-1) ?? null;
      if (due.length < BATCH) break;
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Approvals could not be expired');
  }

  #expireOne(due: DueApproval, now: number) {
    const { mode, workspaceId, workspaceNumber, organizationId, ...approval } = due;
    const { environment_id: environmentId, sub_tenant_id: subTenantId } = approval;
    const scope = { organizationId, workspaceId, workspaceNumber, environmentId, mode, subTenantId };
    const entry = { event: 'approval_expired', approval, person: null, note: null, now } as const;
    return this.#commit(scope, {
      approval,
      change: decideApproval({
        ...{ approval, status: 'expired', person: null, note: null },
        ...{ at: now, otherwise: CHANGED },
      }),
      each: (message, own) => withdraw(message, own, entry),
    });
  }

  async #decide(
    scope: Scope,
    id: string,
    by: { userId: string; action: ApprovalAction },
    plan: (approval: ShownApproval, person: Person, now: number) => Pick<DecisionPlan, 'change' | 'each'>,
  ): Promise<void> {
    const { clock, wakeUps } = this.#context;
    for (let tries = 1; ; tries++) {
      const { approval, person } = await this.#pending(scope, id, by);
      try {
        const { queueIds } = await this.#commit(scope, { approval, ...plan(approval, person, clock()) });
        if (queueIds.length > 0) wakeUps.queue(queueIds);
        wakeUps.events();
        return;
      } catch (error) {
        const isRace = error instanceof Refusal && error.message === MOVED.message;
        if (!isRace || tries >= TRIES) throw error;
      }
    }
  }

  async #commit(scope: Scope, { approval, change, each }: DecisionPlan) {
    const { store } = this.#context;
    const copies = await store.messages.copies(scope, approval.content_id, approval.message_id);
    const waiting = copies.filter(({ status }) => status === 'queued');
    return store.commit([change, ...waiting.flatMap((message) => each(message, scope))]);
  }

  /** The approval, which the user may decide about. */
  async #pending(
    scope: Scope,
    id: string,
    by: { userId: string; action: ApprovalAction },
  ): Promise<{ approval: ShownApproval; person: Person }> {
    const { store, clock } = this.#context;
    const approval = await store.approvals.approval(scope, id);
    if (!approval) throw new Refusal('not_found');
    const problem = await this.problem(scope, approval, by);
    if (problem !== null) throw new Refusal('forbidden', problem);
    if (approval.status !== 'pending') throw new Refusal('conflict', DECIDED[approval.status]);
    // The sweep has not expired it yet.
    if (approval.expires_at <= clock()) throw new Refusal('conflict', DECIDED.expired);
    const { email } = await this.#member(scope.organizationId, by.userId);
    return { approval, person: { id: by.userId, email } };
  }

  async #member(organizationId: string, userId: string) {
    const member = await this.#context.store.people.member(organizationId, userId);
    if (!member) throw new Refusal('not_found');
    return member;
  }

  #release(message: Message, { deliver_until: latest }: Approval, now: number): Change {
    const { config: lifetimes } = this.#context;
    const { id: messageId, type, priority, to_email: email, scheduled_at: scheduledAt } = message;
    const dueAt = Math.max(scheduledAt ?? now, now);
    return releaseHeld({
      ...{ messageId, scheduledAt, dueAt, at: now, otherwise: MOVED },
      domain: addressDomain(email),
      rank: queueRank(type, priority),
      expiresAt: expiresAt({ firstDueAt: dueAt, type, lifetimes, latest }),
    });
  }

  /** Returns the differences of an edited message. Its senders and recipients do not change. */
  async #differences(
    { workspaceId, subTenantId }: Scope,
    { differences, api_key_id: keyId }: Approval,
    content: Parameters<typeof linksOf>[0],
  ): Promise<PolicyDifference[]> {
    const { store, config } = this.#context;
    const others = readDifferences(differences).filter(
      ({ field }) => field !== 'content.allowed_link_domains',
    );
    const key = await store.accounts.apiKey({ workspaceId, subTenantId }, keyId);
    const policy = readStoredPolicy(key?.policy ?? null);
    return policy === null
      ? others
      : [...others, ...linkDifferences(policy, linksOf(content, config.publicUrl))];
  }
}

interface DecisionPlan {
  approval: Approval;
  /** Ends the approval, and is refused if it has ended. */
  change: Change;
  /** The changes of each message that waits. */
  each: (message: Message, scope: Scope) => Change[];
}

function readDifferences(stored: Approval['differences']): PolicyDifference[] {
  return JSON.parse(stored) as PolicyDifference[]; // written by `JSON.stringify`
}

/** Cancels a message that was not approved. */
function withdraw(
  message: Message,
  scope: Scope,
  entry: TrailFacts & { event: 'rejected' | 'approval_expired' },
): Change[] {
  const { id: messageId } = message;
  const { person, now } = entry;
  return [
    advanceMessage({ messageId, to: 'canceled', from: ['queued'], otherwise: MOVED }),
    amendMessage({ messageId, set: { updated_at: now } }),
    trailEntry(message, scope, entry),
    auditTrailEntry(auditTrailSubject(message, scope), {
      ...{ event: 'canceled', actor: person === null ? 'system' : 'user', at: now },
      detail: { metadata: { reason: entry.event } },
    }),
  ];
}

interface TrailFacts {
  event: MessageTrailEvent;
  approval: Approval;
  person: Person | null;
  note: string | null;
  now: number;
}

function trailEntry(
  message: Message,
  scope: Scope,
  { event, approval, person, note, now }: TrailFacts,
): Change {
  const metadata = {
    approval_id: approval.id,
    ...(person === null ? {} : { user_id: person.id, email: person.email }),
    content_hash: message.content_hash,
    ...(note === null ? {} : { note }),
  };
  return auditTrailEntry(auditTrailSubject(message, scope), {
    ...{ event, actor: person === null ? 'system' : 'user', at: now },
    detail: { metadata },
  });
}

/** Another node or an approver may have been faster. */
async function ignoringConflict(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
  }
}
