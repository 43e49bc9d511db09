// The attempt that the mailbox simulator plays, kept like a real one: outcome, reply and the talk that a server would have had.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { SimulatorStep } from './simulator.rules.js';
import type { RecordAttempt } from '../../store/plan.js';
import type { Claim } from '../schedule/queue.store.js';

export const SIMULATOR_HOST = 'simulator';
const REPLIES = ['deferred', 'delivered', 'bounced'] as const;
type ReplyEvent = (typeof REPLIES)[number];

/** Whether a step is what a server answers to an attempt. */
export function isReply(step: SimulatorStep): boolean {
  return replyEvent(step) !== null;
}

function replyEvent({ event }: SimulatorStep): ReplyEvent | null {
  return REPLIES.find((name) => name === event) ?? null;
}

/** The row of the attempt that a step ends; none for the other steps. `number` counts from 1. */
export function attemptOf(
  claim: Pick<Claim, 'messageId' | 'toEmail'>,
  step: SimulatorStep,
  { number, now, nextAt }: { number: number; now: number; nextAt: number | null },
): RecordAttempt[] {
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
  const conversation = talkOf(claim.toEmail, step, outcome).join('\n');
  return [
    {
      kind: 'record-attempt',
      messageId: claim.messageId,
      number,
      at: now,
      sessionId: null,
      detail: JSON.stringify(detail),
      conversation,
    },
  ];
}

function talkOf(to: string, { reply }: SimulatorStep, outcome: ReplyEvent): string[] {
  const words = reply === null ? '250 2.0.0 OK' : `${reply.code} ${reply.enhanced_code} ${reply.message}`;
  const begun = ['* The mailbox simulator answers; no connection is made.', `> RCPT TO:<${to}>`];
  return outcome === 'delivered'
    ? [...begun, '< 250 2.1.5 OK', '> DATA', '< 354 Go ahead', '* The message is sent.', `< ${words}`]
    : [...begun, `< ${words}`];
}
