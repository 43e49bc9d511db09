// Runs sequences: a loop moves due enrolments, sequence by sequence in turn; a consumer reads the event chains so that
// exits and branches need not wait until their enrolment is due.
import { createWakeUp } from '../lib/runtime/wake-up.js';
import { createLoop } from '../lib/runtime/loop.js';
import { isOurs, type DividedRoom } from '../lib/runtime/room.js';
import { createConsumer, type ConsumedEvent, type ConsumerStore } from '../events/consumers.store.js';
import type { PlacedSequence } from './sequences.store.js';
import type { SequenceStores } from './stores.js';
import { createFacts } from '../messages/accept/facts.js';
import { createSteps, type StepsDeps } from './steps.js';

/** Events of one chain that are read together. */
const FOLLOW_BATCH = 500;
/** Enrolments that are looked at together because of an event. */
const LOOK_BATCH = 200;
/** Sequences whose batches share group commits. */
const TOGETHER = 4;

export interface SequencesDeps extends Omit<StepsDeps, 'facts' | 'store' | 'settings'> {
  store: StepsDeps['store'] &
    Pick<SequenceStores, 'accounts' | 'tenants' | 'domains'> & { consumers: ConsumerStore };
  settings: StepsDeps['settings'] & { sequenceIntervalMs: number; sequenceBatch: number };
  /** Of several nodes one runs the sequences of a workspace. */
  room?: DividedRoom | undefined;
}

export interface Sequences {
  start(): void;
  /** Resolves when the running batches have ended. */
  stop(): Promise<void>;
  /** Somebody may be due: enrolled, or their sequence resumed. */
  ring(): void;
  /** One run of each loop, for callers that drive them: true when there is more to do at once. */
  step(signal?: AbortSignal): Promise<boolean>;
  follow(signal?: AbortSignal): Promise<boolean>;
}

const OF_OUR_MESSAGES = new Set<string>(['opened', 'clicked', 'delivered', 'bounced', 'complained']);
/** Events that end every enrolment of an address, whichever message they are about. */
const OF_ADDRESSES = new Set<string>(['bounced', 'complained', 'unsubscribed']);

export function createSequences(deps: SequencesDeps): Sequences {
  const { store, clock, log, settings, room } = deps;
  const steps = createSteps({
    ...deps,
    facts: createFacts(store),
  });
  const due = createWakeUp();

  /** True when the sequence has more who are due. */
  async function takeBatch(sequence: PlacedSequence): Promise<boolean> {
    const limit = settings.sequenceBatch;
    const enrollments = await store.sequences.dueEnrollments(sequence.number, clock(), limit);
    if (enrollments.length === 0) return false;
    const isDone = await steps.take(sequence, enrollments);
    return isDone;
  }

  /** One batch of every sequence that has somebody due: one with many holds up none with few. */
  async function step(signal?: AbortSignal): Promise<boolean> {
    const found = await store.sequences.dueSequences(clock());
    const sequences = found.filter(({ scope }) => isOurs(room, scope.workspaceNumber));
    let hasMore = false;
    const faults: unknown[] = [];
    for (let i = 0; i < sequences.length && signal?.aborted !== true; i += TOGETHER) {
      const taken = await Promise.allSettled(sequences.slice(i, i + TOGETHER).map(takeBatch));
      for (const one of taken) {
        if (one.status === 'rejected') faults.push(one.reason);
        else hasMore ||= one.value;
      }
    }
    if (faults.length > 0) throw faults[0];
    return hasMore;
  }

  async function touchedBy(followed: readonly ConsumedEvent[]): Promise<number[]> {
    const messages: number[] = [];
    const received: number[] = [];
    const addresses = new Map<number, Set<string>>();
    for (const { event, message_id: id, sequence_id, environment_id, to_key } of followed) {
      if (id === null) continue;
      if (event === 'received') received.push(id);
      if (sequence_id !== null && OF_OUR_MESSAGES.has(event)) messages.push(id);
      if (OF_ADDRESSES.has(event) && to_key !== null) {
        addresses.set(environment_id, (addresses.get(environment_id) ?? new Set()).add(to_key));
      }
    }
    const answered = await store.sequences.answeredBy(received);
    const found = await Promise.all([
      store.sequences.enrolledBy([...new Set([...messages, ...answered])]),
      ...[...addresses].map(([environmentId, keys]) =>
        store.sequences.enrolledWith(environmentId, [...keys]),
      ),
    ]);
    return [...new Set(found.flat())];
  }

  const follow = createConsumer({
    name: 'sequences',
    consumers: store.consumers,
    batch: FOLLOW_BATCH,
    isTaken: (workspaceNumber) => isOurs(room, workspaceNumber),
    isInterested: () => store.sequences.hasActiveEnrollments(),
    // Written by itself and before the cursor moves: what is looked at twice ends or moves once.
    take: async (followed) => {
      const numbers = await touchedBy(followed);
      for (let i = 0; i < numbers.length; i += LOOK_BATCH) {
        for (const one of await store.sequences.activeOf(numbers.slice(i, i + LOOK_BATCH))) {
          if (await steps.look(one.sequence, one.enrollments)) due.notify();
        }
      }
      return { plan: [] };
    },
  });

  const intervalMs = settings.sequenceIntervalMs;
  const loops = [
    createLoop({ name: 'sequences', run: step, intervalMs, log, room, wakeUp: due }),
    // Polled by interval instead of a wake-up: one run for many events costs little while mail is sent.
    createLoop({ name: 'sequence events', run: follow, intervalMs, log, room }),
  ];
  return {
    start: () => loops.forEach((loop) => loop.start()),
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    ring: () => due.notify(),
    step,
    follow,
  };
}
