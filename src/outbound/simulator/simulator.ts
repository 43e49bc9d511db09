// The transport of the sandbox: a mailbox simulator that decides by the local part and opens no socket. A message whose next step
// is due later waits in the queue, so that it continues after a restart.
import { compileShipped } from '../../settings/shipped.js';
import type { EngineContext } from '../context.js';
import type { BounceCategory, ErrorDetail } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { providerMessageId } from '../../lib/mime/index.js';
import { firstTrackedLink } from '../../tracking/tracking-links.rules.js';
import { bounceReason, bounceType } from '../outcome/bounce-class.rules.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { compileSimulator, simulatedSteps, type SimulatorStep } from './simulator.rules.js';
import { blockingRow, suppressedMetadata, type TopicFact } from '../../suppressions/suppression.rules.js';
import type { Claim } from '../schedule/queue.store.js';
import { tenantKey } from '../../tenants/restrictions.store.js';
import { reportChanges } from '../../messages/relayed/due-reports.js';
import type { Stop } from '../deliver/stops.rules.js';
import { auditTrailEntry, type AuditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { aboutAttempt, backToQueue, skipCopy, type SkipRecipient } from '../outcome/outcome-plan.js';
import type { InFlight } from '../schedule/admission.js';
import type { Dispatch, Transport } from '../schedule/dispatch.js';
import type { TrafficShaper } from '../shape/traffic-shaper.js';
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { Change } from '../../database/change.js';
import type { EventDetail } from '../../events/append.store.js';
import {
  recordAttempt,
  dequeueMessage,
  advanceMessage,
  amendMessage,
  type MessageColumns,
} from '../../messages/message-changes.store.js';

const SIMULATOR_HOST = 'simulator';
const REPLIES = ['deferred', 'delivered', 'bounced'] as const;
type ReplyEvent = (typeof REPLIES)[number];

function isReply(step: SimulatorStep): boolean {
  return replyEvent(step) !== null;
}

function replyEvent({ event }: SimulatorStep): ReplyEvent | null {
  return REPLIES.find((name) => name === event) ?? null;
}

/** The row of the attempt that a step ends, if it ends one. `number` counts from 1. */
function attemptChanges(
  claim: Claim,
  step: SimulatorStep,
  { number, now, nextAt }: { number: number; now: number; nextAt: number | null },
): Change[] {
  const outcome = replyEvent(step);
  if (outcome === null) return [];
  const { reply } = step;
  const detail: AttemptDetail = {
    outcome,
    phase: outcome === 'delivered' ? 'dot' : 'rcpt',
    code: reply?.code ?? null,
    enhanced_code: reply?.enhanced_code ?? null,
    category: reply?.category ?? null,
    reply: reply?.message ?? '',
    source: SIMULATOR_HOST,
    via: 'simulator',
    host: SIMULATOR_HOST,
    address: null,
    local_address: null,
    tls: null,
    tls_policy: null,
    times: null,
    duration_ms: null,
    next_attempt_at: nextAt === null ? null : new Date(nextAt).toISOString(),
  };
  const conversation = simulatedTranscript(claim.toEmail, step, outcome).join('\n');
  return [
    recordAttempt({
      messageId: claim.messageId,
      about: aboutAttempt(claim, { provider: null, sizeBytes: null }),
      number,
      at: now,
      sessionId: null,
      detail: JSON.stringify(detail),
      conversation,
    }),
  ];
}

function simulatedTranscript(to: string, { reply }: SimulatorStep, outcome: ReplyEvent): string[] {
  const words = reply === null ? '250 2.0.0 OK' : `${reply.code} ${reply.enhanced_code} ${reply.message}`;
  const begun = ['* The mailbox simulator answers; no connection is made.', `> RCPT TO:<${to}>`];
  return outcome === 'delivered'
    ? [...begun, '< 250 2.1.5 OK', '> DATA', '< 354 Go ahead', '* The message is sent.', `< ${words}`]
    : [...begun, `< ${words}`];
}

/** Returns the changes that spool answers to these messages, by row ID. Another `serial` answers a message again. */
export type SimulatedReplies = (
  messageIds: readonly number[],
  now: number,
  serial?: number,
) => Promise<Map<number, Change>>;

type SimulatorContext = Pick<
  EngineContext,
  | 'store'
  | 'config'
  | 'copyStops'
  | 'skipRecipient'
  | 'simulatedReplies'
  | 'notifyInbound'
  | 'onCommitted'
  | 'clock'
  | 'log'
>;

/** Time (ms) after which a copy of a paused campaign is checked again. */
const HOLD_MS = 60_000;

/** Plays the steps of test messages in one commit, or each in its own if that fails. */
export class SimulatorTransport implements Transport {
  readonly #context: SimulatorContext;
  readonly #shaper: TrafficShaper;
  readonly #dispatch: Dispatch;
  readonly #simulator = compileShipped('simulator', compileSimulator);

  constructor(context: SimulatorContext, shaper: TrafficShaper, dispatch: Dispatch) {
    this.#context = context;
    this.#shaper = shaper;
    this.#dispatch = dispatch;
  }

  deliver(entries: readonly InFlight[]): void {
    void this.#deliver(entries);
  }

  async #deliver(entries: readonly InFlight[]): Promise<void> {
    try {
      await this.#playAll(entries);
    } catch (error) {
      if (entries.length > 1 && !(error instanceof Refusal)) {
        await Promise.all(entries.map((entry) => this.#deliver([entry])));
        return;
      }
      this.#context.log.error({ err: error }, 'simulator failed');
      this.#dispatch.lose(entries, false);
    }
  }

  async #playAll(entries: readonly InFlight[]): Promise<void> {
    const claims = entries.map(({ claim }) => claim);
    const blocked = await this.#readBlocked(claims);
    const now = this.#context.clock();
    const stepsOf = (claim: Claim) => simulatedSteps(claim.toEmail, this.#simulator);
    const answered = claims.filter((claim) => isAnswered(claim, stepsOf(claim)));
    const replies =
      answered.length === 0
        ? new Map<number, Change>()
        : await this.#context.simulatedReplies(
            answered.map(({ messageId }) => messageId),
            now,
          );
    const links = await this.#readLinks(
      claims.filter((claim) => dueSteps(claim, stepsOf(claim)).due.some(({ event }) => event === 'clicked')),
    );
    const plan = claims.flatMap((claim) => {
      const stop = blocked.get(claim.messageId);
      const changes = stop
        ? stopped(claim, stop, { now, skipRecipient: this.#context.skipRecipient })
        : advanceSimulation(claim, stepsOf(claim), {
            now,
            reply: replies.get(claim.messageId) ?? null,
            link: links.get(claim.messageId) ?? null,
          });
      return [...changes, ...reportChanges(claim, changes)];
    });
    const committed = await this.#context.store.commit(plan);
    for (const entry of entries) {
      const { messageId, queueId, attempts } = entry.claim;
      if (blocked.get(messageId)?.reason === 'tenant') this.#shaper.backOff(queueId);
      // Only the first step of a message counts as sent.
      this.#dispatch.end(entry, attempts === 0);
    }
    this.#context.onCommitted(committed);
    if (replies.size > 0) this.#context.notifyInbound();
  }

  /** Reads the clicked links of messages that have one. */
  async #readLinks(clicking: readonly Claim[]): Promise<Map<number, ClickedLink>> {
    const found = await this.#context.store.messages.deliverables(clicking.map(({ messageId }) => messageId));
    return new Map(
      [...found].flatMap(([id, { content }]): [number, ClickedLink][] => {
        const link =
          content.html === null ? null : firstTrackedLink(content.html, this.#context.config.publicUrl);
        return link === null ? [] : [[id, link]];
      }),
    );
  }

  /** Reads what blocks messages before their first step. Later steps are not blocked. */
  async #readBlocked(claims: readonly Claim[]): Promise<Map<number, Blocked>> {
    const first = claims.filter((claim) => claim.attempts === 0);
    const ids = messageIdsIn(first);
    const blocked = new Map<number, Blocked>([
      ...(await this.#context.store.leftTopicAmong(ids)),
      ...(await this.#context.copyStops.ofCampaigns(
        messageIdsIn(first.filter(({ campaignId }) => campaignId !== null)),
      )),
      ...(await this.#context.copyStops.ofSequences(
        messageIdsIn(first.filter(({ campaignId }) => campaignId === null)),
      )),
    ]);
    const paused = await this.#context.store.tenants.pausedAmong(first);
    for (const { messageId, environmentId, subTenantId } of first) {
      if (subTenantId !== null && paused.has(tenantKey(environmentId, subTenantId))) {
        blocked.set(messageId, { kind: 'held', reason: 'tenant' });
      }
    }
    const rows = await this.#context.store.suppressions.suppressionsAmong(
      first.map((claim) => ({ environmentId: claim.environmentId, emailKey: claim.toKey })),
    );
    if (rows.length === 0) return blocked;
    const deliverables = await this.#context.store.messages.deliverables(ids);
    for (const claim of first) {
      const own = rows.filter(
        (row) => row.email_key === claim.toKey && row.environment_id === claim.environmentId,
      );
      const deliverable = deliverables.get(claim.messageId);
      const row = blockingRow(own, {
        type: claim.type,
        subTenantId: claim.subTenantId,
        unsubscribeBlocks: deliverable?.unsubscribeBlocks ?? 'all',
        isAskedFor: deliverable?.message.asked_for === 1,
      });
      if (row) blocked.set(claim.messageId, { kind: 'suppressed', reason: row.reason });
    }
    return blocked;
  }
}

function messageIdsIn(claims: readonly Claim[]): number[] {
  return claims.map(({ messageId }) => messageId);
}

type Blocked =
  | Stop
  | { kind: 'held'; reason: 'tenant' }
  | { kind: 'suppressed'; reason: string; topic?: TopicFact };

interface Turn {
  now: number;
  /** The answer to the message, when it is time for it. */
  reply: Change | null;
  /** Link to click, when its time has come. */
  link: ClickedLink | null;
}

interface ClickedLink {
  index: number;
  url: string;
}

/** The steps that are due, and the one to come; `claim.attempts` counts those already played. */
function dueSteps(
  { attempts }: Claim,
  steps: readonly SimulatorStep[],
): { due: readonly SimulatorStep[]; next: SimulatorStep | null } {
  const later = steps.findIndex((step, index) => index > attempts && step.afterMs > 0);
  return later === -1
    ? { due: steps.slice(attempts), next: null }
    : { due: steps.slice(attempts, later), next: steps[later] ?? null };
}

/** A report is nothing to answer. */
function isAnswered(claim: Claim, steps: readonly SimulatorStep[]): boolean {
  return !claim.nullSender && dueSteps(claim, steps).due.some(({ event }) => event === 'replied');
}

function advanceSimulation(claim: Claim, steps: readonly SimulatorStep[], turn: Turn): Change[] {
  const { messageId } = claim;
  const { due, next } = dueSteps(claim, steps);
  const changes = due.flatMap((step) => [
    ...play(claim, step, turn),
    ...attemptChanges(claim, step, {
      number: repliesUntil(steps, step),
      nextAt: nextReplyAt(steps, step, turn.now),
      now: turn.now,
    }),
  ]);
  if (next === null) return [...changes, dequeueMessage({ messageId })];
  const played = { ...claim, attempts: claim.attempts + due.length };
  return [...changes, backToQueue(played, { dueAt: turn.now + next.afterMs })];
}

function play(claim: Claim, step: SimulatorStep, { now, reply, link }: Turn): Change[] {
  if (step.event === 'replied') return reply === null ? [] : [reply];
  return playInTrail(
    claim,
    { ...step, event: step.event, link: step.event === 'clicked' ? link : null },
    now,
  );
}

/** Which attempt a step is the end of, counted from 1. */
function repliesUntil(steps: readonly SimulatorStep[], step: SimulatorStep): number {
  return steps.slice(0, steps.indexOf(step) + 1).filter(isReply).length;
}

function nextReplyAt(steps: readonly SimulatorStep[], step: SimulatorStep, now: number): number | null {
  if (step.event !== 'deferred') return null;
  const next = steps.slice(steps.indexOf(step) + 1).find(isReply);
  return next === undefined ? null : now + next.afterMs;
}

/** A step that the message's trail records. */
export type TrailStep = SimulatorStep & {
  event: Exclude<SimulatorStep['event'], 'replied'>;
  link: ClickedLink | null;
};

/** Changes that a step makes to a message, and its trail entry. */
export function playInTrail(subject: AuditTrailSubject, step: TrailStep, now: number): Change[] {
  const { messageId } = subject;
  const changes: Change[] = [];
  if (step.event !== 'deferred') {
    changes.push(advanceMessage({ messageId, to: step.event, from: statusesThatMayBecome(step.event) }));
  }
  changes.push(amendMessage({ messageId, set: { updated_at: now, ...changedColumns(subject, step, now) } }));
  const { event } = step;
  changes.push(
    auditTrailEntry(subject, { event, actor: ACTORS[event], at: now, detail: trailDetail(subject, step) }),
  );
  // Nothing that is played suppresses: the same test can run again.
  return changes;
}

const ACTORS = {
  sending: 'system',
  sent: 'system',
  suppressed: 'system',
  deferred: 'provider',
  delivered: 'provider',
  bounced: 'provider',
  complained: 'provider',
  opened: 'recipient',
  clicked: 'recipient',
} as const;

function changedColumns({ publicId }: AuditTrailSubject, step: TrailStep, now: number): MessageColumns {
  switch (step.event) {
    case 'sent':
      return {
        provider: 'simulator',
        provider_message_id: providerMessageId(publicId),
        dated_at: now,
      };
    case 'opened':
      return { opened_at: now };
    case 'clicked':
      return { clicked_at: now };
    case 'bounced': {
      const category = step.reply?.category ?? 'unknown';
      const error: ErrorDetail = {
        type: bounceType(category),
        category,
        code: step.reply?.code ?? null,
        enhanced_code: step.reply?.enhanced_code ?? null,
        message: step.reply?.message ?? '',
        remote_host: SIMULATOR_HOST,
        occurred_at: new Date(now).toISOString(),
      };
      return { error: JSON.stringify(error) };
    }
    case 'sending':
    case 'deferred':
    case 'delivered':
    case 'complained':
    case 'suppressed':
      return {};
  }
}

function trailDetail({ publicId }: AuditTrailSubject, step: TrailStep): EventDetail {
  switch (step.event) {
    case 'sent':
      return { provider: 'simulator', provider_message_id: providerMessageId(publicId) };
    case 'opened':
    case 'clicked':
      return {
        ip: '127.0.0.1',
        user_agent: 'Mailkeel mailbox simulator',
        metadata: {
          simulated: true,
          ...(step.link === null ? {} : { url: step.link.url, link: step.link.index }),
        },
      };
    case 'suppressed':
      return { metadata: { reason: 'simulated' } };
    case 'sending':
    case 'deferred':
    case 'delivered':
    case 'bounced':
    case 'complained': {
      const { reply } = step;
      if (!reply) return {};
      const { code, enhanced_code, message, category } = reply;
      return {
        metadata: {
          code,
          enhanced_code,
          reply: message,
          ...(category ? { category } : {}),
          ...(step.event === 'bounced' ? bounceFacts(category ?? 'unknown') : {}),
          remote_host: SIMULATOR_HOST,
        },
      };
    }
  }
}

function bounceFacts(category: BounceCategory): { type: 'hard' | 'soft'; reason: string } {
  return { type: bounceType(category), reason: bounceReason(category) };
}

function stopped(
  claim: Claim,
  stop: Blocked,
  { now, skipRecipient }: { now: number; skipRecipient: SkipRecipient },
): Change[] {
  if (stop.kind === 'suppressed') return suppressed(claim, stop, now);
  if (stop.kind === 'skipped') return skipCopy(claim, stop, { at: now, skipRecipient });
  // A stopped sub-tenant's mail keeps its place, since a limit holds it; no limit holds a paused campaign's.
  const [dueAt, why] =
    stop.reason === 'tenant'
      ? [claim.dueAt, 'The sub-tenant is paused.']
      : [now + HOLD_MS, 'The campaign is paused or canceled.'];
  return [backToQueue(claim, { dueAt, holdReason: `${stop.reason}: ${why}` })];
}

function suppressed(
  claim: Claim,
  { reason, topic = null }: { reason: string; topic?: TopicFact | null },
  now: number,
): Change[] {
  const detail = { metadata: suppressedMetadata(reason, topic) };
  return [
    advanceMessage({
      messageId: claim.messageId,
      to: 'suppressed',
      from: statusesThatMayBecome('suppressed'),
    }),
    amendMessage({ messageId: claim.messageId, set: { updated_at: now } }),
    auditTrailEntry(claim, { event: 'suppressed', actor: 'system', at: now, detail }),
    dequeueMessage({ messageId: claim.messageId }),
  ];
}
