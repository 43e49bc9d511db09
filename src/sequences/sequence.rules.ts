// The next step of an enrollment: wait, branch, send or exit. A pure decision over the time and the events so far.
import type { BranchEvent, ContactStatus, ExitEvent } from '../contract/names.js';
import type { BranchStep, SendStep, SequenceStep } from './steps.rules.js';

const HOUR_MS = 3_600_000;

/** Bounces always end an enrollment. */
export const DEFAULT_EXITS: readonly ExitEvent[] = ['replied', 'unsubscribed'];

export type Goal = { event: 'opened' | 'clicked' | 'replied' } | { event: 'contact_tagged'; tag: string };

/** The place of an enrollment. */
export interface Place {
  step: string;
  /** When the enrollment reached the step. */
  since: number;
  /** Later than `since` while the enrollment waits there. It then keeps this time, even if the step changes. */
  dueAt: number;
  /** Number of steps taken. */
  taken: number;
}

/** Something that became of a message of the enrollment; `at` is when it did for the first time. */
export interface Happened {
  messageId: number;
  event: BranchEvent | ExitEvent;
  at: number;
}

interface End {
  kind: 'end';
  status: 'completed' | 'exited' | 'failed';
  reason: string | null;
  place: Place;
}

export type Walked =
  | { kind: 'send'; step: SendStep; place: Place }
  | { kind: 'rest'; place: Place; waitsFor: BranchEvent | null }
  | End;

export interface Walk {
  now: number;
  /** The outcome of the last message; `null` if there is none. */
  last: readonly Happened[] | null;
  maxSteps: number;
}

/**
 * From a place through every step that needs no waiting, to one that sends, to one that waits, or to an end. It may be
 * asked before the place is due: an event may have happened that its branch waits for.
 */
export function walk(steps: readonly SequenceStep[], from: Place, { now, last, maxSteps }: Walk): Walked {
  let place = from;
  for (;;) {
    if (place.taken >= maxSteps) return ended('failed', 'too_many_steps', place);
    const index = steps.findIndex((candidate) => candidate.id === place.step);
    const step = steps[index];
    if (!step) return ended('failed', 'step_missing', place);
    let next = steps[index + 1]?.id ?? null;
    switch (step.type) {
      case 'exit':
        return ended('exited', 'exit', place);
      case 'send':
        if (now < place.dueAt) return { kind: 'rest', place, waitsFor: null };
        return { kind: 'send', step, place };
      case 'removed':
        if (now < place.dueAt) return { kind: 'rest', place, waitsFor: null };
        break;
      case 'wait': {
        const until = waitEnd(place, step.hours);
        if (now < until) return { kind: 'rest', place: { ...place, dueAt: until }, waitsFor: null };
        break;
      }
      case 'branch': {
        const until = waitEnd(place, step.within_hours);
        if (last === null) break;
        if (hasHappened(step, last, until)) next = step.next_step_id;
        else if (now < until)
          return { kind: 'rest', place: { ...place, dueAt: until }, waitsFor: step.event };
        break;
      }
    }
    if (next === null) return ended('completed', null, place);
    place = { step: next, since: now, dueAt: now, taken: place.taken + 1 };
  }
}

/** Returns the place after a step that has just sent, so its message has no events yet. */
export function afterSend(
  steps: readonly SequenceStep[],
  from: Place,
  { now, maxSteps }: Pick<Walk, 'now' | 'maxSteps'>,
): Exclude<Walked, { kind: 'send' }> {
  const next = steps[steps.findIndex((step) => step.id === from.step) + 1]?.id;
  if (next === undefined) return ended('completed', null, from);
  const place = { step: next, since: now, dueAt: now, taken: from.taken + 1 };
  const walked = walk(steps, place, { now, last: [], maxSteps });
  return walked.kind === 'send' ? { kind: 'rest', place: walked.place, waitsFor: null } : walked;
}

/**
 * Delays a mail of a sequence to a contact who got another one at `lastMailAt` (null if not recently) until the interval is over.
 */
export function keepInterval(
  walked: Walked,
  { now, lastMailAt, intervalMs }: { now: number; lastMailAt: number | null; intervalMs: number },
): Walked {
  if (walked.kind !== 'send' || lastMailAt === null || intervalMs === 0) return walked;
  if (now >= lastMailAt + intervalMs) return walked;
  return { kind: 'rest', place: { ...walked.place, dueAt: lastMailAt + intervalMs }, waitsFor: null };
}

function ended(status: End['status'], reason: string | null, place: Place): End {
  return { kind: 'end', status, reason, place };
}

function waitEnd({ since, dueAt }: Place, hours: number): number {
  return dueAt > since ? dueAt : since + Math.round(hours * HOUR_MS);
}

function hasHappened({ event }: BranchStep, last: readonly Happened[], until: number): boolean {
  return last.some((happened) => happened.event === event && happened.at <= until);
}

export interface ExitTerms {
  type: 'transactional' | 'marketing' | 'sales';
  exitOn: readonly ExitEvent[];
  goal: Goal | null;
  steps: readonly SequenceStep[];
}

export interface ExitFacts {
  /** `null` if the contact is deleted. */
  contact: { status: ContactStatus; tags: readonly string[] } | null;
  /** Why the address is suppressed for this kind of mail. */
  blocked: 'bounce' | 'complaint' | 'unsubscribe' | 'manual' | null;
  /** Whether the contact has left the list that started the enrollment. */
  hasLeftList: boolean;
  /** Events of all messages of the enrollment, without opens and clicks by machines. */
  happened: readonly Happened[];
}

const BLOCKED_AS = {
  bounce: 'bounced',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
  manual: 'suppressed',
} as const;

/** Returns why the enrollment ends now, or `null` if it continues. The goal comes first. */
export function exitReason(terms: ExitTerms, facts: ExitFacts): string | null {
  const { contact, blocked } = facts;
  if (contact === null) return 'contact_deleted';
  if (isGoalReached(terms.goal, contact.tags, facts.happened)) return 'goal';
  if (blocked !== null) return BLOCKED_AS[blocked];
  const ends = exitsOf(terms);
  const reported = facts.happened.find(({ event }) => ends.has(event));
  if (reported) return reported.event;
  const isTheirs =
    contact.status !== 'active' && (terms.type !== 'transactional' || ends.has(contact.status));
  if (isTheirs) return contact.status;
  return facts.hasLeftList && ends.has('unsubscribed') ? 'unsubscribed' : null;
}

/** Contacts who opted out never get marketing or sales mail. */
function exitsOf({ type, exitOn, steps }: ExitTerms): Set<string> {
  const ends = new Set<string>(exitOn);
  if (type !== 'transactional') ends.add('unsubscribed').add('complained');
  // A bounce that does not suppress the address is left to the branches.
  if (!steps.some((step) => step.type === 'branch' && step.event === 'bounced')) ends.add('bounced');
  return ends;
}

function isGoalReached(goal: Goal | null, tags: readonly string[], happened: readonly Happened[]): boolean {
  if (goal === null) return false;
  if (goal.event === 'contact_tagged') return tags.includes(goal.tag);
  return happened.some(({ event }) => event === goal.event);
}
