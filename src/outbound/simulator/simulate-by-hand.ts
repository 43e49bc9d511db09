// Simulates an event of a test message on request. Trail, events and statistics are those of the mailbox simulator, and as there,
// nothing suppresses an address.
import type { SimulatedOutcome } from './sandbox.schema.js';
import type { MessageStatus } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { firstTrackedLink } from '../../tracking/tracking-links.rules.js';
import { statusAfter } from '../../messages/state.rules.js';
import type { Simulator, SimulatorStep } from './simulator.rules.js';
import type { Message } from '../../messages/messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { OutboundContext } from '../context.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { playInTrail, type TrailStep } from './simulator.js';
import type { Plan, Change } from '../../database/change.js';
import { advanceMessage } from '../../messages/message-changes.store.js';

/** Statuses of mail that was accepted by a server and has not failed since. */
const HANDED: readonly MessageStatus[] = ['sent', 'delivered', 'opened', 'clicked'];
/** A recipient may complain more than once. */
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
/** Names in config/simulator.json whose reply the event uses. */
const REPLY_OF: Partial<Record<SimulatedOutcome, string>> = {
  delivered: 'delivered',
  bounced: 'bounced',
  soft_bounced: 'soft-bounced',
};

export type SandboxContext = Pick<
  OutboundContext,
  'store' | 'config' | 'simulatedReplies' | 'wakeUps' | 'notifyInbound' | 'clock'
>;

/** Returns the message afterwards. Refused with `not_sandbox` or `outcome_impossible`. */
export async function simulateByHand(
  context: SandboxContext,
  simulator: Simulator,
  scope: Scope,
  { message, event }: { message: Message; event: SimulatedOutcome },
): Promise<Message> {
  const { store, wakeUps } = context;
  if (scope.mode !== 'test') throw new Refusal('not_sandbox');
  if (message.status === 'received' || !FROM[event].includes(message.status)) {
    throw new Refusal('outcome_impossible', impossible(message.status, event), { param: 'event' });
  }
  if ((await store.queueView.entry(message)) !== null) {
    const sentence =
      'A simulated step of this message is still pending. Try again when the simulation is finished.';
    throw new Refusal('outcome_impossible', sentence, { param: 'event' });
  }
  await store.commit(await planEvent(context, simulator, scope, { message, event }));
  wakeUps.events();
  if (event === 'replied') context.notifyInbound();
  return (await store.messages.message(scope, message.public_id)) ?? message;
}

async function planEvent(
  context: SandboxContext,
  simulator: Simulator,
  scope: Scope,
  { message, event }: { message: Message; event: SimulatedOutcome },
): Promise<Plan> {
  const now = context.clock();
  const subject = auditTrailSubject(message, scope);
  if (event === 'replied') {
    const reply = (await context.simulatedReplies([message.id], now, now)).get(message.id);
    return reply === undefined ? [] : [reply];
  }
  if (event === 'unsubscribed') {
    const left = message.topic_id === null ? {} : { list_id: message.topic_id };
    const detail = { ip: '127.0.0.1', metadata: { simulated: true, ...left } };
    return [auditTrailEntry(subject, { event, actor: 'recipient', at: now, detail })];
  }
  const inTrail = event === 'soft_bounced' ? 'bounced' : event;
  const link = event === 'clicked' ? await readClickedLink(context, message) : null;
  const step: TrailStep = { event: inTrail, afterMs: 0, reply: replyTo(simulator, event), link };
  const to = statusAfter(message.status, inTrail);
  // Guards against a concurrent call that has changed the status.
  const guard: Change[] =
    to === message.status
      ? []
      : [
          advanceMessage({
            messageId: message.id,
            to,
            from: [message.status],
            otherwise: { code: 'outcome_impossible' },
          }),
        ];
  return [...guard, ...playInTrail(subject, step, now)];
}

async function readClickedLink(
  { store, config }: SandboxContext,
  message: Message,
): Promise<TrailStep['link']> {
  const { html } = await store.messages.content(message);
  // Links to pages of this server are not clicked.
  return html === null ? null : firstTrackedLink(html, config.publicUrl);
}

function impossible(status: MessageStatus, event: SimulatedOutcome): string {
  if (status === 'queued' || status === 'sending') {
    return `The message is ${status}. You can simulate ${event} once it has been sent.`;
  }
  return `The message is ${status}, but ${event} can only follow ${FROM[event].join(', ')}.`;
}

/** Reply of the simulated server, if the event has one. */
function replyTo(simulator: Simulator, event: SimulatedOutcome): SimulatorStep['reply'] {
  const steps = simulator.outcomes.get(REPLY_OF[event] ?? '') ?? [];
  return steps.find((step) => step.event === 'delivered' || step.event === 'bounced')?.reply ?? null;
}
