// Outcomes of the sandbox by hand: what became of a test message is decided by a call instead of its address. Trail, events
// and statistics are those of the simulator; like there, nothing suppresses.
import type { SimulatedOutcome } from './sandbox.schema.js';
import type { MessageStatus } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { firstTrackedLink } from '../../tracking/tracking-links.rules.js';
import { statusAfter } from '../../messages/state.rules.js';
import type { Simulator, SimulatorStep } from './simulator.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Message } from '../../messages/messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { OutboundStores } from '../stores.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { playInTrail, type SimulatedReplies, type TrailStep } from './simulator.js';
import type { Plan, Change } from '../../database/change.js';
import { advanceMessage } from '../../messages/message-changes.store.js';

export interface SimulateByHandDeps {
  store: Pick<OutboundStores, 'messages' | 'queueView' | 'commit'>;
  simulator: Simulator;
  replies: SimulatedReplies;
  /** Base of our own pages, on which no click is simulated. */
  publicUrl: string;
  clock: Clock;
  wakeUps: { events(): void };
  /** An answer was spooled. */
  onSpooled: () => void;
}

/** The message afterwards. Refused with `not_found`, `not_sandbox` or `outcome_impossible`. */
export type SimulateByHand = (scope: Scope, publicId: string, event: SimulatedOutcome) => Promise<Message>;

/** Statuses of mail that was accepted by a server and has not failed since. */
const HANDED: readonly MessageStatus[] = ['sent', 'delivered', 'opened', 'clicked'];
/** Recipients say more than once that they do not want it. */
const WITH_COMPLAINT: readonly MessageStatus[] = [...HANDED, 'complained'];
const FROM: Record<SimulatedOutcome, readonly MessageStatus[]> = {
  delivered: ['sent'],
  bounced: ['sent', 'delivered'],
  soft_bounced: ['sent', 'delivered'],
  complained: HANDED,
  opened: WITH_COMPLAINT,
  clicked: WITH_COMPLAINT,
  replied: WITH_COMPLAINT,
  unsubscribed: WITH_COMPLAINT,
};
/** Names in config/simulator.json whose reply a server would have given. */
const REPLY_OF: Partial<Record<SimulatedOutcome, string>> = {
  delivered: 'delivered',
  bounced: 'bounced',
  soft_bounced: 'soft-bounced',
};

export function createSimulateByHand(deps: SimulateByHandDeps): SimulateByHand {
  const { store, clock } = deps;

  async function planOf(message: Message, scope: Scope, event: SimulatedOutcome): Promise<Plan> {
    const now = clock();
    const subject = auditTrailSubject(message, scope);
    if (event === 'replied') {
      const reply = (await deps.replies([message.id], now, now)).get(message.id);
      return reply === undefined ? [] : [reply];
    }
    if (event === 'unsubscribed') {
      const left = message.topic_id === null ? {} : { list_id: message.topic_id };
      const detail = { ip: '127.0.0.1', metadata: { simulated: true, ...left } };
      return [auditTrailEntry(subject, { event, actor: 'recipient', at: now, detail })];
    }
    const inTrail = event === 'soft_bounced' ? 'bounced' : event;
    const link = event === 'clicked' ? await linkOf(message) : null;
    const step: TrailStep = { event: inTrail, afterMs: 0, reply: replyTo(deps.simulator, event), link };
    // The guard of the row: of two calls at once the second finds what the first has made of it.
    const guard: Change[] =
      statusAfter(message.status, inTrail) === message.status
        ? []
        : [
            advanceMessage({
              messageId: message.id,
              to: statusAfter(message.status, inTrail),
              from: [message.status],
              otherwise: { code: 'outcome_impossible' },
            }),
          ];
    return [...guard, ...playInTrail(subject, step, now)];
  }

  async function linkOf(message: Message): Promise<TrailStep['link']> {
    const { html } = await store.messages.content(message);
    return html === null ? null : firstTrackedLink(html, deps.publicUrl);
  }

  return async (scope, publicId, event) => {
    const message = await store.messages.message(scope, publicId);
    if (!message) throw new Refusal('not_found');
    if (scope.mode !== 'test') throw new Refusal('not_sandbox');
    if (message.status === 'received' || !FROM[event].includes(message.status)) {
      throw new Refusal('outcome_impossible', impossible(message.status, event), { param: 'event' });
    }
    if ((await store.queueView.entry(message)) !== null) {
      const sentence =
        'A simulated step of this message is still pending. Try again when the simulation is finished.';
      throw new Refusal('outcome_impossible', sentence, { param: 'event' });
    }
    await store.commit(await planOf(message, scope, event));
    deps.wakeUps.events();
    if (event === 'replied') deps.onSpooled();
    return (await store.messages.message(scope, publicId)) ?? message;
  };
}

function impossible(status: MessageStatus, event: SimulatedOutcome): string {
  if (status === 'queued' || status === 'sending') {
    return `The message is ${status}. You can simulate ${event} once it has been sent.`;
  }
  return `The message is ${status}, but ${event} can only follow ${FROM[event].join(', ')}.`;
}

/** Reply of the simulated server, where the outcome is a server's answer. */
function replyTo(simulator: Simulator, event: SimulatedOutcome): SimulatorStep['reply'] {
  const steps = simulator.outcomes.get(REPLY_OF[event] ?? '') ?? [];
  return steps.find((step) => step.event === 'delivered' || step.event === 'bounced')?.reply ?? null;
}
