// Group commit: waiting plans share a transaction, so that one fsync makes many durable. If a plan is refused, its group runs
// again with a savepoint per plan, so the others succeed. Plans that a client waits for precede background work, which has a
// quarter of each group.
import type { Actor } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Engine, Tx, Value, Row } from './engine/engine.js';
import { systemClock } from '../lib/runtime/index.js';
import type { Committed, Plan } from './change.js';
import { groupEnded, plansCommitted } from './committed.js';
import type { RowIds } from './engine/row-ids.js';
import { GatheredWrites } from './gathered-writes.js';
import { GroupParts, type Part } from './parts.js';
import type { UpdateConsequence } from './rows.js';
import { Signals, type Signal } from './signals.js';

/** After a group of this size the next one waits briefly for more plans, which halves the flushes for the same work. */
const BUSY_GROUP = 3;
const BUSY_PAUSE_MS = 3;
/** Urgent plans before each background plan. */
const URGENT_IN_A_ROW = 3;
/** Largest group that is not split. */
const SMALL_GROUP = 8;
/** Number of groups that use savepoints immediately after a refused plan, because refusals come in series. */
const CAREFUL_GROUPS = 16;
/** Number of commits whose times are remembered; a replica lacks fewer. */
const TIMED_COMMITS = 4_096;

/** Time (ms) that commits wait for the replica while the server closes. */
const CLOSING_WAIT_MS = 5_000;
const NOT_REPLICATED =
  'The change is stored on this machine but not in the replica yet. Check before you retry, or retry with the same Idempotency-Key.';
const NOTHING_STORED = 'The database cannot be written right now. Nothing was stored. Try again.';
const TAKEN_OVER = 'Another server has taken over from this one. Nothing was stored. Try again.';
const OUTCOME_UNKNOWN =
  'The database did not confirm the write, so the change may or may not have been stored. Check before you retry, or retry with the same Idempotency-Key.';

/** A commit may or may not have been kept: the connection to the store was lost, or the replica does not have it yet. */
export class OutcomeUnknown extends Refusal {
  constructor(reason: string, message = OUTCOME_UNKNOWN) {
    super('unavailable', message, { details: { reason } });
  }
}

/** A copy of the database on another machine that must have each commit before it counts. */
export interface CommitReplica {
  /** Resolves when everything committed before the call is there. */
  store(): Promise<void>;
  /** Time (ms) that a client waits for that. */
  waitMs: number;
  /** Why commits cannot be stored there now; null if they can. */
  problem(): string | null;
}

/** Other nodes have declared this node dead and taken over its work. */
export class FencedOut extends Error {
  constructor() {
    super('Other nodes have taken over the work of this node. It can no longer write.');
    this.name = 'FencedOut';
  }
}

/** Access of a piece of work to the shared transaction. */
export interface Writing {
  tx: Tx;
  engine: Engine;
  /** Returns this plan's share of a part. The committer keeps it if the work succeeds. */
  part<P>(part: Part<P>): P;
  /** Nouns above act on the signal in the same transaction. */
  emit<T>(signal: Signal<T>, value: T): Promise<void>;
  /** Consequences of updates, by table. */
  consequences: ReadonlyMap<string, UpdateConsequence>;
  /** Rows written at the end of the group, or before work that is not a plan. */
  gathered: GatheredWrites;
  /** Ids of the gathered rows. */
  ids: RowIds;
  /** True if the work only applies a plan. */
  isPlan: boolean;
  /** Actor of the request that the work is part of; null for work without a request. */
  actor: Actor | null;
  /** Plans that the work has applied, for subscribers to `plansCommitted`; null without subscribers. */
  plans: Plan[] | null;
}

/** May run twice: if another work breaks the shared transaction, it runs again alone. */
type Work<T> = (writing: Writing) => Promise<T>;

/** Written with a commit, after its work has succeeded, in the same savepoint. */
export interface AttachedWrite {
  write(writing: Writing, made: string | null): Promise<void>;
  /** Called when the transaction is on disk. */
  committed(): void;
}

/** `urgent` if a client waits for the commit. */
type Urgency = 'urgent' | 'background';

/** Commits plans for a noun. */
export interface Commits {
  /**
   * Applies a plan, all or nothing; resolves when it is on disk. Rejects with the plan's Refusal or `unavailable`. Urgent
   * plans, for which a client waits, precede background work.
   */
  readonly commit: (plan: Plan, urgency?: Urgency) => Promise<Committed>;
}

interface Waiting {
  work: Work<unknown>;
  urgency: Urgency;
  /** True if the work only applies a plan. */
  isPlan: boolean;
  actor: Actor | null;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface Committer {
  /** Runs `work` in the next group; resolves when it is on disk. Rejects with `unavailable` if the store cannot write. */
  commit<T>(work: Work<T>): Promise<T>;
  /**
   * Like `commit`, for work that only applies a plan. `made` returns the id of the created object for the attached writes.
   * Audited or repeatable API requests are always urgent.
   */
  commitPlan<T>(work: Work<T>, made: () => string | null, urgency?: Urgency): Promise<T>;
  /** Like `commit`, without attached writes. */
  commitAlone<T>(work: Work<T>): Promise<T>;
  /**
   * Resolves when every earlier commit is on disk and in the replica that commits wait for. Call it before the answer to a commit
   * is repeated. Rejects with OutcomeUnknown.
   */
  secured(): Promise<void>;
  /** From now on, commits wait for the replica for some seconds only. */
  beginClosing(): void;
  /** Resolves when no work is waiting. */
  drain(): Promise<void>;
  readonly commits: CountedCommits;
}

/**
 * Counts a node's commits in the database, so that a dead node's commits fail and a node can find out which of its commits were
 * kept.
 */
export interface CommitCounter {
  /**
   * Runs last in the transaction. Resolves to the number of this commit; throws FencedOut if other nodes have declared this one
   * dead.
   */
  count(tx: Tx): Promise<number>;
  /** Whether commit `count` was kept; null if that cannot be determined. Rejects while the commit is in progress. */
  wasKept(
    ask: (statement: string, values: readonly Value[]) => Promise<Row[]>,
    count: number,
  ): Promise<boolean | null>;
}

interface CommitterOptions {
  maxGroup: number;
  /** Return the write to attach to a commit, or null. */
  hooks?: readonly (() => AttachedWrite | null)[];
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Returns the actor of the request that the commit belongs to. */
  actorOf?: () => Actor | null;
  /** Consequences of updates. */
  consequences?: readonly UpdateConsequence[];
  signals?: Signals;
  /** Called when a group is on disk. `parts` holds the results of its plans. */
  onCommitted?: (parts: Pick<GroupParts, 'find'>) => void;
  /** Called for each group. Null if no other node can declare this one dead. */
  counter?: () => CommitCounter | null;
  /** Called when other nodes have declared this one dead; its commits are no longer kept. */
  onFencedOut?: () => void;
  /** Called when the database has fewer commits of the node than the node made: commits since `since` (epoch ms) are lost. */
  onLostCommits?: (since: number) => void;
  /** Null if commits count when they are on the disk of this machine. */
  replica?: () => CommitReplica | null;
}

/** Queues work in commit order; background work gets a quarter of each group. */
class WaitingWork {
  readonly #queues: Record<Urgency, Waiting[]> = { urgent: [], background: [] };

  get count(): number {
    return this.#queues.urgent.length + this.#queues.background.length;
  }

  add(work: Waiting): void {
    this.#queues[work.urgency].push(work);
  }

  take(size: number): Waiting[] {
    const { urgent, background } = this.#queues;
    const group: Waiting[] = [];
    while (group.length < size) {
      const isTurnOfBackground = group.length % (URGENT_IN_A_ROW + 1) === URGENT_IN_A_ROW;
      const [first, second] = isTurnOfBackground ? [background, urgent] : [urgent, background];
      const next = first.shift() ?? second.shift();
      if (next === undefined) break;
      group.push(next);
    }
    return group;
  }

  /** Returns the unprocessed rest of a group to the front. */
  putBack(group: readonly Waiting[]): void {
    for (const one of group.toReversed()) this.#queues[one.urgency].unshift(one);
  }
}

export function createCommitter(engine: Engine, options: CommitterOptions): Committer {
  const waiting = new WaitingWork();
  let running: Promise<void> | null = null;
  const writer = groupWriter(engine, options);

  async function runGroups(): Promise<void> {
    try {
      // One turn of the event loop lets requests that have already arrived join the first group.
      await new Promise((resolve) => setImmediate(resolve));
      let before = 0;
      for (let count = waiting.count; count > 0; count = waiting.count) {
        const group = waiting.take(Math.min(options.maxGroup, groupSize(count, before)));
        before = await commitGroup(writer, group);
        waiting.putBack(group.slice(before));
        if (before >= BUSY_GROUP) await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      // Runs in the same turn as the last check of the queues, so later work starts a new run.
      running = null;
    }
  }

  function enqueue<T>(work: Work<T>, { isPlan, urgency }: Pick<Waiting, 'isPlan' | 'urgency'>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const actor = options.actorOf?.() ?? null;
      const isUrgent = actor !== null || urgency === 'urgent';
      const problem = isUrgent ? (options.replica?.()?.problem() ?? null) : null;
      if (problem !== null)
        throw new Refusal('unavailable', NOTHING_STORED, { details: { reason: problem } });
      waiting.add({
        work,
        isPlan,
        urgency: isUrgent ? 'urgent' : 'background',
        actor,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      running ??= runGroups();
    });
  }

  function enqueueWithHooks<T>(
    work: Work<T>,
    made: (() => string | null) | null,
    urgency: Urgency = 'background',
  ): Promise<T> {
    const isPlan = made !== null;
    const attached = (options.hooks ?? []).flatMap((hook) => hook() ?? []);
    if (attached.length === 0) return enqueue(work, { isPlan, urgency });
    return enqueue(
      async (writing) => {
        const value = await work(writing);
        await writing.gathered.flush();
        for (const one of attached) await one.write(writing, made?.() ?? null);
        return value;
      },
      { isPlan, urgency: 'urgent' },
    ).then((value) => {
      for (const one of attached) one.committed();
      return value;
    });
  }

  return {
    commit: (work) => enqueueWithHooks(work, null),
    commitPlan: enqueueWithHooks,
    commitAlone: (work) => enqueue(work, { isPlan: false, urgency: 'background' }),
    commits: writer.commits,
    async secured() {
      await engine.flushed();
      const replica = options.replica?.() ?? null;
      if (replica !== null) await storedInReplica(replica);
    },
    beginClosing: () => writer.closing.abort(),
    async drain() {
      while (running) await running;
    },
  };
}

function groupWriter(engine: Engine, options: CommitterOptions): GroupWriter {
  const {
    consequences = [],
    signals = new Signals([]),
    onCommitted,
    onFencedOut,
    onLostCommits,
    counter = () => null,
    replica = () => null,
    now = () => performance.now(),
  } = options;
  return {
    engine,
    consequences: new Map(consequences.map((consequence) => [consequence.table, consequence])),
    signals,
    onCommitted,
    onFencedOut,
    onLostCommits,
    counter,
    replica,
    closing: new AbortController(),
    now,
    commits: new CountedCommits(),
    carefulGroups: 0,
  };
}

/**
 * Returns how many of the `waiting` plans the next group takes after one of `before` plans. Senders that wait for answers
 * return together, so groups would alternate between nearly all plans and one, and a group of one costs a flush too. With equal
 * groups, one is read while the other is written.
 */
export function groupSize(waiting: number, before: number): number {
  return waiting < SMALL_GROUP ? waiting : Math.ceil((waiting + before) / 2);
}

type Settled = { kind: 'done'; value: unknown; plans: Plan[] | null } | { kind: 'refused'; error: unknown };

/** Remembers a node's kept commits: the last number, and the start times of the most recent ones. */
class CountedCommits {
  #last = 0;
  #times: { count: number; at: number }[] = [];

  get last(): number {
    return this.#last;
  }

  add(count: number, at: number): void {
    if (count <= this.#last) this.#times = [];
    this.#last = count;
    this.#times.push({ count, at });
    if (this.#times.length > 2 * TIMED_COMMITS) this.#times = this.#times.slice(-TIMED_COMMITS);
  }

  /**
   * Returns the start of a commit in epoch ms: the oldest remembered one for an earlier commit, null for a commit that was not
   * made.
   */
  timeOf(count: number): number | null {
    return this.#times.find((one) => one.count >= count)?.at ?? null;
  }
}

interface GroupWriter {
  engine: Engine;
  consequences: ReadonlyMap<string, UpdateConsequence>;
  signals: Signals;
  onCommitted: CommitterOptions['onCommitted'];
  onFencedOut: (() => void) | undefined;
  onLostCommits: ((since: number) => void) | undefined;
  counter: () => CommitCounter | null;
  replica: () => CommitReplica | null;
  /** Aborted when the server closes. */
  closing: AbortController;
  now: () => number;
  readonly commits: CountedCommits;
  /** Number of coming groups that use savepoints. */
  carefulGroups: number;
}

/** A plan of a group without savepoints was refused, so the whole group is rolled back. */
class PlanRefused extends Error {}

/** Commits plans from the start of the group, and resolves to their number. The others must wait for the next group. */
async function commitGroup(writer: GroupWriter, group: readonly Waiting[]): Promise<number> {
  const { engine } = writer;
  const since = performance.now();
  const begunAt = systemClock();
  const publishEnd = (isStored: boolean, size = group.length): void => {
    if (!groupEnded.hasSubscribers()) return;
    groupEnded.publish({ durationMs: performance.now() - since, size, isStored });
  };
  let ended: Awaited<ReturnType<typeof writeGroup>>;
  try {
    ended = await writeGroup(writer, group);
  } catch (error) {
    if (error instanceof FencedOut) {
      writer.onFencedOut?.();
      for (const item of group) item.reject(new Refusal('unavailable', TAKEN_OVER));
      return group.length;
    }
    const isUnavailable = engine.isUnavailable(error);
    if (isUnavailable) publishEnd(false);
    if (!isUnavailable && group.length > 1) {
      // One work broke the shared transaction. Run separately, it affects no other.
      for (const item of group) await commitGroup(writer, [item]);
      return group.length;
    }
    const answer = isUnavailable ? refusalOf(error, engine.isOutcomeUnknown(error)) : error;
    for (const item of group) item.reject(answer);
    return group.length;
  }
  // The group is on disk: errors from here on must not cause a second commit.
  const { settled, parts, count } = ended;
  if (typeof count === 'number') {
    // A replica without the last commits has taken over.
    if (count <= writer.commits.last) writer.onLostCommits?.(writer.commits.timeOf(count) ?? begunAt);
    writer.commits.add(count, begunAt);
  }
  publishEnd(true, settled.length);
  if (parts !== null) writer.onCommitted?.(parts);
  const replica = parts === null ? null : writer.replica();
  if (replica === null) settle(group, settled);
  // The next group need not wait, because the replica gets commits in their order.
  else void settleReplicated({ replica, closing: writer.closing.signal }, group, settled);
  return settled.length;
}

function settle(group: readonly Waiting[], settled: readonly Settled[]): void {
  settled.forEach((result, i) => {
    if (result.kind === 'done') {
      if (result.plans !== null && result.plans.length > 0) plansCommitted.publish(result.plans);
      group[i]?.resolve(result.value);
    } else group[i]?.reject(result.error);
  });
}

/** Background work waits for the replica until the server closes, clients only for a time. */
async function settleReplicated(
  { replica, closing }: { replica: CommitReplica; closing: AbortSignal },
  group: readonly Waiting[],
  settled: readonly Settled[],
): Promise<void> {
  const refuse = (urgencies: readonly Urgency[]): void =>
    settled.forEach((result, i) => {
      const item = group[i];
      if (result.kind === 'done' && item && urgencies.includes(item.urgency)) item.reject(notReplicated());
    });
  const late = setTimeout(refuse, replica.waitMs, ['urgent']);
  const onClosing = (): void => void setTimeout(refuse, CLOSING_WAIT_MS, ['urgent', 'background']);
  if (closing.aborted) onClosing();
  else closing.addEventListener('abort', onClosing, { once: true });
  await replica.store();
  clearTimeout(late);
  closing.removeEventListener('abort', onClosing);
  settle(group, settled);
}

async function storedInReplica(replica: CommitReplica): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const waitMs = replica.problem() === null ? replica.waitMs : 0;
    late = setTimeout(() => reject(notReplicated()), waitMs);
  });
  try {
    await Promise.race([replica.store(), limit]);
  } finally {
    clearTimeout(late);
  }
}

function notReplicated(): OutcomeUnknown {
  return new OutcomeUnknown('the replica does not respond', NOT_REPLICATED);
}

function refusalOf(error: unknown, isOutcomeUnknown: boolean): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  if (isOutcomeUnknown) return new OutcomeUnknown(reason);
  return new Refusal('unavailable', NOTHING_STORED, { details: { reason } });
}

/** Writes a group without savepoints, and again with savepoints if a plan was refused. */
async function writeGroup(
  writer: GroupWriter,
  group: readonly Waiting[],
): Promise<GroupEnd & { count?: number | null }> {
  const { engine } = writer;
  const write = (hasSavepoints: boolean): Promise<GroupEnd & { count: number | null }> => {
    const counter = writer.counter();
    let count: number | null = null;
    return engine.transaction(
      async (tx) => {
        const ended = await runGroup(writer, tx, group, hasSavepoints);
        // Last, because heartbeats of the node wait for its row until the transaction ends.
        count = counter === null ? null : await counter.count(tx);
        return { ...ended, count };
      },
      {
        wasKept: (ask) =>
          counter === null || count === null ? Promise.resolve(null) : counter.wasKept(ask, count),
      },
    );
  };
  if (writer.carefulGroups > 0) {
    writer.carefulGroups -= 1;
    return write(true);
  }
  try {
    return await write(false);
  } catch (error) {
    if (!(error instanceof PlanRefused)) throw error;
    if (group.length === 1) return { settled: [{ kind: 'refused', error: error.cause }], parts: null };
    writer.carefulGroups = CAREFUL_GROUPS;
    return write(true);
  }
}

/** Waits for posted statements of a refused plan, which are rolled back whether or not they succeeded. */
async function settleRefused(engine: Engine, tx: Tx): Promise<void> {
  try {
    await tx.settle();
  } catch (error) {
    if (engine.isUnavailable(error) || engine.isDamage(error)) throw error;
  }
}

interface GroupEnd {
  settled: Settled[];
  /** Null if nothing was kept. */
  parts: GroupParts | null;
}

async function runGroup(
  { engine, consequences, signals, now }: GroupWriter,
  tx: Tx,
  group: readonly Waiting[],
  hasSavepoints: boolean,
): Promise<GroupEnd> {
  const until = now() + (engine.groupMs ?? Infinity);
  const gathered = new GatheredWrites(tx);
  const parts = new GroupParts(tx, engine, gathered);
  const ids = engine.rowIds(tx);
  const settled: Settled[] = [];

  /** Reports a refused row as `PlanRefused`, so that savepoints find its plan. */
  async function write(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (!hasSavepoints) await tx.settle();
    } catch (error) {
      if (hasSavepoints || engine.isUnavailable(error) || engine.isDamage(error)) throw error;
      throw new PlanRefused('A row was refused.', { cause: error });
    }
  }

  for (const item of group) {
    if (settled.length > 0 && now() >= until) break;
    const own = parts.forPlan();
    const { work, actor, isPlan } = item;
    if (!isPlan) await write(() => gathered.flush());
    if (hasSavepoints) await tx.run('SAVEPOINT plan', []);
    try {
      const plans: Plan[] | null = plansCommitted.hasSubscribers() ? [] : null;
      const writing: Writing = {
        ...{ tx, engine, consequences, gathered, ids, isPlan, actor, plans },
        part: (part) => own.get(part),
        emit: (signal, value) => signals.emit(writing, signal, value),
      };
      const value = await work(writing);
      if (hasSavepoints) {
        await gathered.flush();
        await tx.settle();
        await tx.run('RELEASE plan', []);
      }
      own.keep();
      settled.push({ kind: 'done', value, plans });
    } catch (error) {
      // Failures of the store itself affect the whole group.
      if (engine.isUnavailable(error) || engine.isDamage(error)) throw error;
      if (!hasSavepoints) throw new PlanRefused('A plan was refused.', { cause: error });
      gathered.discard();
      await settleRefused(engine, tx);
      await tx.run('ROLLBACK TO plan', []);
      await tx.run('RELEASE plan', []);
      settled.push({ kind: 'refused', error });
    }
  }
  await write(async () => {
    await gathered.flush();
    // Last, because other nodes wait for the rows that the parts lock.
    await parts.save();
    await gathered.flush();
  });
  return { settled, parts };
}
