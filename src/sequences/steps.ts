// Moves enrollments of one sequence by a step: decides, creates the message, and commits one plan for each, so that a crash
// neither repeats a message nor loses a step.
import type { SequenceContext } from './context.js';
import { Refusal, isUnavailable } from '../contract/refusal.js';
import {
  afterSend,
  exitReason,
  keepInterval,
  walk,
  type Place,
  type Walked,
  type ExitFacts,
  type ExitTerms,
  type Goal,
  type Happened,
} from './sequence.rules.js';
import type { PlacedSequence, EnrolledContact } from './sequences.store.js';
import { isOverLimit } from '../templates/rendering/copy.js';
import { createFacts, type Facts, type SenderSide } from '../messages/accept/facts.js';
import { planMessages } from '../messages/accept/plan-message.js';
import { remainingQuota } from '../messages/accept/quota-check.js';
import { createStepMailer, SequenceProblem, type StepMailer } from './step-mail.js';
import type { ExitEvent } from '../contract/names.js';
import type { SequenceStep } from './steps.rules.js';
import { blockingRow } from '../suppressions/suppression.rules.js';
import { type Enrollment, sequences } from './sequences.tables.js';
import type { Organization } from '../accounts/accounts.tables.js';
import type { Suppression } from '../suppressions/suppressions.tables.js';
import { EnrollmentRace, takeStep } from './enrollment-changes.store.js';
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';

/** The problem that a sequence shows while it waits for quota. */
const NO_ROOM = 'quota_exceeded';

/** `later`: nothing changed, and the enrollment stays due. */
type Outcome = 'done' | 'later';
type Send = Extract<Walked, { kind: 'send' }>;

interface Rest {
  enrollment: Enrollment;
  facts: EnrollmentFacts;
  walked: Exclude<Walked, Send>;
}

const ONE_MAIL_ONLY = new Set<string>([
  'template_invalid',
  'validation_error',
  'subject_required',
  'content_required',
]);

export class StepRunner {
  readonly #context: SequenceContext;
  readonly #facts: Facts;
  readonly #store: SequenceContext['store'];
  readonly #clock: SequenceContext['clock'];
  readonly #log: SequenceContext['log'];
  readonly #wakeUps: SequenceContext['wakeUps'];
  readonly #maxSteps: number;
  readonly #intervalMs: number;

  constructor(context: SequenceContext) {
    this.#context = context;
    this.#facts = createFacts(context.store);
    this.#store = context.store;
    this.#clock = context.clock;
    this.#log = context.log;
    this.#wakeUps = context.wakeUps;
    this.#maxSteps = context.config.sequenceMaxSteps;
    this.#intervalMs = context.config.sequenceMinIntervalMs;
  }

  /** Moves due enrollments of an active sequence. Returns whether all of them moved. */
  async take(sequence: PlacedSequence, enrollments: readonly Enrollment[]): Promise<boolean> {
    const side = await this.#sideOf(sequence);
    if (side === null) return true;
    if (!(await this.#hasRoom(sequence, side))) return false;
    const outcomes = await this.#takeAll(termsOf(sequence), side, enrollments);
    return outcomes.every((outcome) => outcome === 'done');
  }

  /**
   * Ends enrollments whose end has come and moves those whose branch event has occurred, even if they are not due. Sends nothing.
   * Returns true if one of them must send now.
   */
  async look(sequence: PlacedSequence, enrollments: readonly Enrollment[]): Promise<boolean> {
    const side = await this.#sideOf(sequence);
    if (side === null) return false;
    const terms = termsOf(sequence);
    const now = this.#clock();
    const { organization } = side;
    const factsOf = await readFacts(this.#context, terms, enrollments, {
      organization,
      since: now - this.#intervalMs,
    });
    let isDue = false;
    for (const enrollment of enrollments) {
      try {
        isDue = (await this.#lookAt(terms, enrollment, factsOf(enrollment), now)) || isDue;
      } catch (error) {
        // The next step reports the problem. Other events must not wait for it.
        if (isUnavailable(error)) throw error;
        this.#log.error({ err: error, enrollment: enrollment.id }, 'processing enrollment failed');
      }
    }
    return isDue;
  }

  /** Returns false if the enrollment has moved meanwhile. */
  async #commit(plan: readonly Change[]): Promise<boolean> {
    try {
      const { queueIds } = await this.#store.commit(plan);
      if (queueIds.length > 0) this.#wakeUps.queue(queueIds);
      if (queueIds.length > 0) this.#wakeUps.events();
      return true;
    } catch (error) {
      if (error instanceof EnrollmentRace) return false;
      throw error;
    }
  }

  #decide(terms: Terms, enrollment: Enrollment, facts: EnrollmentFacts, now: number): Walked {
    const place = placeOf(enrollment);
    const reason = exitReason(terms, facts);
    if (reason !== null) return { kind: 'end', status: 'exited', reason, place };
    const walked = walk(terms.steps, place, { now, last: facts.last, maxSteps: this.#maxSteps });
    return keepInterval(walked, { now, lastMailAt: facts.lastMailAt, intervalMs: this.#intervalMs });
  }

  async #send(
    terms: Terms,
    mailer: StepMailer,
    side: SenderSide,
    { enrollment, facts, walked }: { enrollment: Enrollment; facts: EnrollmentFacts; walked: Send },
  ): Promise<Outcome> {
    const { scope } = terms.sequence;
    const { step, place } = walked;
    if (facts.row === null) throw new Error('Mail without a contact.');
    const now = this.#clock();
    const variables = JSON.parse(enrollment.variables) as Record<string, unknown>;
    let draft;
    try {
      draft = await mailer.draft({ step, contact: facts.row, variables, now });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!ONE_MAIL_ONLY.has(error.code)) return 'later';
      if (isOverLimit(error)) {
        this.#log.warn(
          { enrollment: enrollment.id, reason: error.message },
          'sequence step waiting: template rendering too slow',
        );
        return 'later';
      }
      await this.#commit([
        stepTo(enrollment, { kind: 'end', status: 'failed', reason: error.code, place }, now),
      ]);
      return 'done';
    }
    const held = this.#context.quota.changes(
      scope,
      side.organization.plan,
      { type: draft.type, sends: 1 },
      now,
    );
    const { plan } = planMessages(draft, {
      scope,
      actor: 'system',
      now,
      idempotency: null,
      lifetimes: this.#context.config,
    });
    const next = afterSend(terms.steps, place, { now, maxSteps: this.#maxSteps });
    try {
      await this.#commit([...held, ...plan, stepTo(enrollment, next, now, true)]);
    } catch (error) {
      const isOver = error instanceof Refusal && error.code === 'quota_exceeded';
      throw isOver ? new SequenceProblem(error) : error;
    }
    return 'done';
  }

  /** Returns the step and, if a due mail is skipped because the address is suppressed, a message that records it. */
  async #endWith(
    { sequence, steps }: Terms,
    open: () => StepMailer,
    { enrollment, facts, walked }: Rest,
    now: number,
  ): Promise<Change[]> {
    const step = stepTo(enrollment, walked, now);
    const { row: contact, blocked: reason, last } = facts;
    if (walked.kind !== 'end' || walked.reason === 'goal' || contact === null || reason === null)
      return [step];
    const due = walk(steps, placeOf(enrollment), { now, last, maxSteps: this.#maxSteps });
    if (due.kind !== 'send') return [step];
    let draft;
    try {
      draft = await open().skipped({ step: due.step, contact, reason, now });
    } catch (error) {
      // Without a template, there is no message to skip.
      if (error instanceof SequenceProblem) return [step];
      if (error instanceof Refusal && ONE_MAIL_ONLY.has(error.code)) return [step];
      throw error;
    }
    const context = {
      scope: sequence.scope,
      actor: 'system',
      now,
      idempotency: null,
      lifetimes: this.#context.config,
    } as const;
    return [...planMessages(draft, context).plan, stepTo(enrollment, walked, now, true)];
  }

  /** Pauses the sequence until someone corrects the problem and resumes it. */
  async #pause({ id, number }: PlacedSequence, { code, message }: Refusal): Promise<void> {
    this.#log.warn({ sequence: id, code }, 'sequence paused automatically');
    await this.#store.commit([
      update(sequences, {
        set: { status: 'paused', problem: JSON.stringify({ code, message }), updated_at: this.#clock() },
        where: { number, status: 'active' },
      }),
    ]);
  }

  /** Sets the problem of a sequence that stays active, or clears it with `null`. */
  async #show(sequence: PlacedSequence, problem: { code: string; message: string } | null): Promise<void> {
    const shown = problem && JSON.stringify({ code: problem.code, message: problem.message });
    if (shown === sequence.problem) return;
    if (problem)
      this.#log.info(
        { sequence: sequence.id, reason: problem.message },
        'sequence waiting: plan limit reached',
      );
    await this.#store.commit([
      update(sequences, {
        set: { problem: shown, updated_at: this.#clock() },
        where: { number: sequence.number, status: 'active' },
      }),
    ]);
  }

  /** Returns false if a sequence that waits for quota has to keep waiting. */
  async #hasRoom(sequence: PlacedSequence, { organization }: SenderSide): Promise<boolean> {
    if (sequence.problem === null) return true;
    const { scope, type } = sequence;
    const room = await remainingQuota(this.#context, scope, {
      plan: organization.plan,
      type,
      now: this.#clock(),
    });
    if (room?.left === 0) return false;
    await this.#show(sequence, null);
    return true;
  }

  /** Handles an internal error, which must not delay later enrollments. */
  async #giveUp(enrollment: Enrollment, error: unknown): Promise<Outcome> {
    this.#log.error({ err: error, enrollment: enrollment.id }, 'sequence step failed');
    const end = {
      kind: 'end',
      status: 'failed',
      reason: 'internal_error',
      place: placeOf(enrollment),
    } as const;
    await this.#commit([stepTo(enrollment, end, this.#clock())]);
    return 'done';
  }

  async #takeAll(terms: Terms, side: SenderSide, enrollments: readonly Enrollment[]): Promise<Outcome[]> {
    const now = this.#clock();
    const { organization } = side;
    const factsOf = await readFacts(this.#context, terms, enrollments, {
      organization,
      since: now - this.#intervalMs,
    });
    let mailer: StepMailer | Refusal | null = null;
    const open = (): StepMailer => {
      mailer ??= this.#openMailer(terms.sequence, side);
      if (mailer instanceof Refusal) throw new SequenceProblem(mailer);
      return mailer;
    };
    const taken = await Promise.allSettled(
      enrollments.map(async (enrollment): Promise<Outcome> => {
        try {
          const facts = factsOf(enrollment);
          const walked = this.#decide(terms, enrollment, facts, now);
          if (walked.kind === 'send')
            return await this.#send(terms, open(), side, { enrollment, facts, walked });
          await this.#commit(await this.#endWith(terms, open, { enrollment, facts, walked }, now));
          return 'done';
        } catch (error) {
          if (error instanceof SequenceProblem || isUnavailable(error)) throw error;
          return this.#giveUp(enrollment, error);
        }
      }),
    );
    const failed = taken.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const problem = failed.find((reason) => reason instanceof SequenceProblem);
    const other = failed.find((reason) => !(reason instanceof SequenceProblem));
    if (problem?.refusal.code === NO_ROOM) await this.#show(terms.sequence, problem.refusal);
    else if (problem) await this.#pause(terms.sequence, problem.refusal);
    if (other !== undefined)
      throw other instanceof Error ? other : new Error('A step failed.', { cause: other });
    return taken.map((one) => (one.status === 'fulfilled' ? one.value : 'later'));
  }

  /** Returns whether the enrollment sends now. In a paused sequence, enrollments may end but do not move. */
  async #lookAt(terms: Terms, enrollment: Enrollment, facts: EnrollmentFacts, now: number): Promise<boolean> {
    const walked = this.#decide(terms, enrollment, facts, now);
    const isExit = walked.kind === 'end' && walked.status === 'exited';
    const isMove = walked.kind === 'end' || hasMoved(enrollment, walked);
    if (!isExit && !(isMove && terms.sequence.status === 'active')) return false;
    const rest: Exclude<Walked, Send> =
      walked.kind === 'send' ? { kind: 'rest', place: walked.place, waitsFor: null } : walked;
    await this.#commit([stepTo(enrollment, rest, now)]);
    return walked.kind === 'send';
  }

  #openMailer(sequence: PlacedSequence, side: SenderSide): StepMailer | Refusal {
    try {
      return createStepMailer(this.#context, sequence, side);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** Returns `null` after pausing a sequence whose sub-tenant no longer exists. */
  async #sideOf(sequence: PlacedSequence): Promise<SenderSide | null> {
    try {
      return await this.#facts.senderSide(sequence.scope);
    } catch (error) {
      if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
      await this.#pause(sequence, error);
      return null;
    }
  }
}

function placeOf(enrollment: Enrollment): Place {
  const { step, step_since: since, due_at: dueAt, steps_taken: taken } = enrollment;
  return { step, since, dueAt, taken };
}

function hasMoved(enrollment: Enrollment, { place }: Walked): boolean {
  return place.taken !== enrollment.steps_taken;
}

/** The enrollment's position when it was read, and its new position or end. */
function stepTo(
  enrollment: Enrollment,
  walked: Exclude<Walked, Send>,
  now: number,
  hasMessage = false,
): Change {
  const { place } = walked;
  const isEnd = walked.kind === 'end';
  return takeStep({
    number: enrollment.number,
    at: {
      step: enrollment.step,
      stepSince: enrollment.step_since,
      stepsTaken: enrollment.steps_taken,
    },
    set: {
      status: isEnd ? walked.status : 'active',
      exit_reason: isEnd ? walked.reason : null,
      step: place.step,
      step_since: place.since,
      due_at: place.dueAt,
      waits_for: isEnd ? null : walked.waitsFor,
      steps_taken: place.taken,
      updated_at: now,
    },
    hasMessage,
  });
}

/** A sequence's row with its JSON parsed. */
interface Terms extends ExitTerms {
  sequence: PlacedSequence;
}

/** Parses JSON that only the API has written. */
function termsOf(sequence: PlacedSequence): Terms {
  return {
    sequence,
    type: sequence.type,
    steps: JSON.parse(sequence.steps) as SequenceStep[],
    exitOn: JSON.parse(sequence.exit_on) as ExitEvent[],
    goal: sequence.goal === null ? null : (JSON.parse(sequence.goal) as Goal),
  };
}

interface EnrollmentFacts extends ExitFacts {
  row: EnrolledContact | null;
  /** The outcome of the last message; `null` if there is none. */
  last: readonly Happened[] | null;
  /** When the sequence last wrote to the contact, in any enrollment; `null` if not recently. */
  lastMailAt: number | null;
}

type FactsOf = (enrollment: Enrollment) => EnrollmentFacts;

/** Reads the facts of enrollments of one sequence. Ignores messages before `since`. */
async function readFacts(
  { store }: SequenceContext,
  { sequence }: Terms,
  enrollments: readonly Enrollment[],
  { organization, since }: { organization: Pick<Organization, 'unsubscribe_blocks'>; since: number },
): Promise<FactsOf> {
  const keys = [...new Set(enrollments.map((enrollment) => enrollment.email_key))];
  const { environmentId, subTenantId } = sequence.scope;
  const sent = enrollments.filter((enrollment) => enrollment.last_message_id !== null);
  const isOfList = sequence.trigger_kind === 'list_joined';
  const [contacts, rows, happenedTo, unsubscribed, lastMails] = await Promise.all([
    store.sequences.contactsOf(enrollments.map((enrollment) => enrollment.contact_number)),
    store.suppressions.suppressionsAmong(keys.map((emailKey) => ({ environmentId, emailKey }))),
    store.sequences.happenedTo(sent.map((enrollment) => enrollment.number)),
    isOfList ? store.sequences.unsubscribed(sequence.trigger_value, keys) : new Set<string>(),
    store.sequences.lastMailTo(sequence.id, keys, since),
  ]);
  const byNumber = new Map(contacts.map((contact) => [contact.number, contact]));
  const question = {
    type: sequence.type,
    subTenantId,
    unsubscribeBlocks: organization.unsubscribe_blocks,
  };
  const suppressions = new Map<string, Suppression[]>();
  for (const row of rows) suppressions.set(row.email_key, [...(suppressions.get(row.email_key) ?? []), row]);
  return (enrollment) => {
    const { email_key: key, last_message_id: lastId } = enrollment;
    const row = byNumber.get(enrollment.contact_number) ?? null;
    const happened = happenedTo.get(enrollment.number) ?? [];
    return {
      row,
      contact: row && { status: row.status, tags: JSON.parse(row.tags) as string[] },
      blocked: blockingRow(suppressions.get(key) ?? [], question)?.reason ?? null,
      hasLeftList: unsubscribed.has(key),
      happened,
      last: lastId === null ? null : happened.filter(({ messageId }) => messageId === lastId),
      lastMailAt: lastMails.get(key) ?? null,
    };
  };
}
