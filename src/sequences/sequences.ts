// Runs sequences. One loop moves due enrollments, sequence by sequence in turn. A consumer reads the event chains, so that exits and
// branches need not wait until their enrollment is due.
import { StepRunner } from './steps.js';
import type { SequenceContext } from './context.js';
import { createLoop, createWakeUp, isOurs, type Loop } from '../lib/concurrency/index.js';
import { createConsumer, type ConsumedEvent } from '../events/consumers.store.js';
import type { PlacedSequence } from './sequences.store.js';

/** Number of events of one chain in a batch. */
const FOLLOW_BATCH = 500;
/** Number of enrollments checked together after events. */
const LOOK_BATCH = 200;
/** Sequences whose batches share group commits. */
const TOGETHER = 4;

const MESSAGE_EVENTS = new Set<string>(['opened', 'clicked', 'delivered', 'bounced', 'complained']);
/** Events of any message that end all enrollments of an address. */
const ADDRESS_EVENTS = new Set<string>(['bounced', 'complained', 'unsubscribed']);

export class Sequences {
  readonly #store: SequenceContext['store'];
  readonly #clock: SequenceContext['clock'];
  readonly #batch: number;
  readonly #room: SequenceContext['room'];
  readonly #steps: StepRunner;
  readonly #due = createWakeUp();
  readonly #follow: (signal?: AbortSignal) => Promise<boolean>;
  readonly #loops: Loop[];

  constructor(context: SequenceContext) {
    const { store, clock, log, config, room } = context;
    this.#store = store;
    this.#clock = clock;
    this.#batch = config.sequenceBatch;
    this.#room = room;
    this.#steps = new StepRunner(context);
    this.#follow = createConsumer({
      name: 'sequences',
      consumers: store.consumers,
      batch: FOLLOW_BATCH,
      isTaken: (workspaceNumber) => isOurs(room, workspaceNumber),
      isInterested: () => store.sequences.hasActiveEnrollments(),
      // Commits before the cursor moves. A second check of an enrollment has no further effect.
      take: async (events) => {
        await this.#look(await this.#enrollmentsTouchedBy(events));
        return { plan: [] };
      },
    });
    const shared = { intervalMs: config.sequenceIntervalMs, log, room };
    this.#loops = [
      createLoop({ name: 'sequences', run: (signal) => this.step(signal), wakeUp: this.#due, ...shared }),
      // Polled without a wake-up, because one run for many events costs little while mail is sent.
      createLoop({ name: 'sequence events', run: (signal) => this.follow(signal), ...shared }),
    ];
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Resolves when the running batches have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Starts a run now, because a contact may be due. */
  ring(): void {
    this.#due.notify();
  }

  /** Takes one batch of every sequence with due enrollments, so that a long one delays no other. Returns whether more are due. */
  async step(signal?: AbortSignal): Promise<boolean> {
    const found = await this.#store.sequences.dueSequences(this.#clock());
    const sequences = found.filter(({ scope }) => isOurs(this.#room, scope.workspaceNumber));
    let hasMore = false;
    const faults: unknown[] = [];
    for (let i = 0; i < sequences.length && signal?.aborted !== true; i += TOGETHER) {
      const batches = sequences.slice(i, i + TOGETHER).map((sequence) => this.#takeBatch(sequence));
      for (const taken of await Promise.allSettled(batches)) {
        if (taken.status === 'rejected') faults.push(taken.reason);
        else hasMore ||= taken.value;
      }
    }
    if (faults.length > 0) throw faults[0];
    return hasMore;
  }

  /** Reads one batch of events. Returns whether there are more. */
  follow(signal?: AbortSignal): Promise<boolean> {
    return this.#follow(signal);
  }

  /** Returns whether the sequence has more due enrollments. */
  async #takeBatch(sequence: PlacedSequence): Promise<boolean> {
    const enrollments = await this.#store.sequences.dueEnrollments(
      sequence.number,
      this.#clock(),
      this.#batch,
    );
    return enrollments.length > 0 && this.#steps.take(sequence, enrollments);
  }

  async #look(numbers: readonly number[]): Promise<void> {
    for (let i = 0; i < numbers.length; i += LOOK_BATCH) {
      for (const one of await this.#store.sequences.activeOf(numbers.slice(i, i + LOOK_BATCH))) {
        if (await this.#steps.look(one.sequence, one.enrollments)) this.#due.notify();
      }
    }
  }

  /** Returns the numbers of enrollments that the events may end or move. */
  async #enrollmentsTouchedBy(events: readonly ConsumedEvent[]): Promise<number[]> {
    const messages: number[] = [];
    const received: number[] = [];
    const addresses = new Map<number, Set<string>>();
    for (const { event, message_id: id, sequence_id, environment_id, to_key } of events) {
      if (id === null) continue;
      if (event === 'received') received.push(id);
      if (sequence_id !== null && MESSAGE_EVENTS.has(event)) messages.push(id);
      if (ADDRESS_EVENTS.has(event) && to_key !== null) {
        addresses.set(environment_id, (addresses.get(environment_id) ?? new Set()).add(to_key));
      }
    }
    const { sequences } = this.#store;
    const answered = await sequences.answeredBy(received);
    const found = await Promise.all([
      sequences.enrolledBy([...new Set([...messages, ...answered])]),
      ...[...addresses].map(([environmentId, keys]) => sequences.enrolledWith(environmentId, [...keys])),
    ]);
    return [...new Set(found.flat())];
  }
}
